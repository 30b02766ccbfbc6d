#include "slotcar/stream_reader.h"

namespace slotcar::client {

StreamReader::Place* StreamReader::unknown_place() {
  for (Place& place : places_) {
    if (place.after == "$") return &place;
  }
  return nullptr;
}

Request StreamReader::last_of(const Place& place) {
  return commands::xrevrange(place.stream, "+", "-", {.count = 1}).request();
}

Status StreamReader::take_last(Place& place, Result<Reply>&& reply) {
  auto last = detail::decode_result<std::vector<StreamEntry>>(std::move(reply));
  if (!last) return last.error();
  place.after = last->empty() ? "0" : (*last)[0].id;
  return {};
}

Request StreamReader::request(Millis at_most) const {
  Request request("XREAD");
  request.arg("COUNT").arg(count_);
  // BLOCK 0 is for ever.
  if (at_most.count() > 0) request.arg("BLOCK").arg(at_most.count());
  request.arg("STREAMS");
  for (const Place& place : places_) request.key(place.stream);
  for (const Place& place : places_) request.arg(place.after);
  return request;
}

Status StreamReader::take(Result<Reply>&& reply) {
  auto read = detail::decode_result<Read>(std::move(reply));
  if (!read) return read.error();
  entries_.clear();
  place_ = 0;
  if (!*read) return {};
  for (auto& [stream, entries] : **read) {
    for (StreamEntry& entry : entries) entries_.push_back({stream, std::move(entry)});
  }
  return {};
}

std::optional<StreamReader::Entry> StreamReader::take_one() {
  if (place_ == entries_.size()) return std::nullopt;
  Entry entry = std::move(entries_[place_++]);
  for (Place& place : places_) {
    if (place.stream == entry.stream) place.after = entry.entry.id;
  }
  return entry;
}

Result<std::optional<StreamReader::Entry>> StreamReader::next(Millis at_most) {
  if (auto entry = take_one()) return entry;
  while (Place* place = unknown_place()) {
    if (Status known = take_last(*place, client_->run(last_of(*place), options_)); !known) {
      return known.error();
    }
  }
  if (Status read = take(client_->run(request(at_most), options_)); !read) return read.error();
  return take_one();
}

Task<Result<std::vector<StreamReader::Entry>>> StreamReader::next_page(Millis at_most) {
  while (Place* place = unknown_place()) {
    if (Status known = take_last(*place, co_await client_->call(last_of(*place), options_));
        !known) {
      co_return known.error();
    }
  }
  if (place_ == entries_.size()) {
    Status read = take(co_await client_->call(request(at_most), options_));
    if (!read) co_return read.error();
  }
  std::vector<Entry> page;
  while (auto entry = take_one()) page.push_back(std::move(*entry));
  co_return page;
}

std::string StreamReader::position(std::string_view stream) const {
  for (const Place& place : places_) {
    if (place.stream == stream) return place.after;
  }
  return {};
}

}  // namespace slotcar::client
