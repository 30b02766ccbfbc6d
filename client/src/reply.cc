#include "slotcar/reply.h"

#include <algorithm>

#include "base/numbers.h"

namespace slotcar::client {
namespace {

// Texts of a reply appear in messages up to here; a value of megabytes must not.
constexpr std::size_t kShownBytes = 64;

std::string shown(const std::string& text) {
  if (text.size() <= kShownBytes) return '"' + text + '"';
  return '"' + text.substr(0, kShownBytes) + "...\" (" + std::to_string(text.size()) + " bytes)";
}

// Errors of an aggregate appear in its description up to here.
constexpr std::size_t kShownErrors = 3;

void find_errors(const Reply& reply, const std::string& place, std::vector<std::string>& found) {
  for (std::size_t i = 0; i < reply.size(); ++i) {
    const std::string here = place + "[" + std::to_string(i) + "]";
    if (reply[i].is_error()) found.push_back(here + " " + reply[i].describe());
    find_errors(reply[i], here, found);
  }
}

// ": [1] error "WRONGTYPE ..."", or nothing.
std::string errors_inside(const Reply& reply) {
  std::vector<std::string> found;
  find_errors(reply, "", found);
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kShownErrors); ++i) {
    text += (i == 0 ? ": " : ", ") + found[i];
  }
  if (found.size() > kShownErrors) {
    text += " and " + std::to_string(found.size() - kShownErrors) + " more errors";
  }
  return text;
}

}  // namespace

Reply Reply::of_text(Kind kind, std::string text) {
  Reply reply(kind);
  reply.text_ = std::move(text);
  return reply;
}

Reply Reply::of_integer(std::int64_t value) {
  Reply reply(Kind::integer);
  reply.integer_ = value;
  return reply;
}

Reply Reply::of_real(double value, std::string text) {
  Reply reply(Kind::real);
  reply.real_ = value;
  reply.text_ = std::move(text);
  return reply;
}

Reply Reply::of_boolean(bool value) {
  Reply reply(Kind::boolean);
  reply.boolean_ = value;
  return reply;
}

Reply Reply::of_items(Kind kind, std::vector<Reply> items) {
  Reply reply(kind);
  reply.items_ = std::move(items);
  return reply;
}

Error Reply::mismatch(std::string_view wanted) const {
  if (is_error()) return {Error::Kind::server, Error::Ran::yes, text_};
  return {Error::Kind::conversion, Error::Ran::yes,
          "the reply is " + describe() + ", not " + std::string(wanted)};
}

Result<std::string> Reply::as_string() const {
  switch (kind_) {
    case Kind::text:
    case Kind::bytes:
    case Kind::real:
    case Kind::big_number:
      return text_;
    case Kind::integer:
      return std::to_string(integer_);
    default:
      return mismatch("a string");
  }
}

Result<std::optional<std::string>> Reply::as_optional_string() const {
  if (is_null()) return std::optional<std::string>();
  auto text = as_string();
  if (!text) return text.error();
  return std::optional<std::string>(std::move(*text));
}

Result<std::int64_t> Reply::as_integer() const {
  if (kind_ == Kind::integer) return integer_;
  if (kind_ == Kind::boolean) return std::int64_t{boolean_};
  if (kind_ == Kind::text || kind_ == Kind::bytes || kind_ == Kind::big_number) {
    if (const auto number = base::parse_int64(text_)) return *number;
  }
  return mismatch("an integer");
}

Result<double> Reply::as_double() const {
  if (kind_ == Kind::real) return real_;
  if (kind_ == Kind::integer) return static_cast<double>(integer_);
  if (kind_ == Kind::text || kind_ == Kind::bytes) {
    if (const auto number = base::parse_double(text_)) return *number;
  }
  return mismatch("a number");
}

Result<bool> Reply::as_bool() const {
  if (kind_ == Kind::boolean) return boolean_;
  if (kind_ == Kind::null) return false;
  if (kind_ == Kind::integer && (integer_ == 0 || integer_ == 1)) return integer_ == 1;
  if (kind_ == Kind::text && text_ == "OK") return true;
  return mismatch("a yes or no");
}

Status Reply::as_ok() const {
  if (kind_ == Kind::text && text_ == "OK") return {};
  return mismatch("OK");
}

bool Reply::is_list_of_pairs() const {
  if (kind_ != Kind::array || items_.empty()) return false;
  return std::all_of(items_.begin(), items_.end(), [](const Reply& item) {
    return item.kind_ == Kind::array && item.size() == 2 && !item[0].is_aggregate() &&
           !item[1].is_aggregate();
  });
}

std::optional<std::vector<const Reply*>> Reply::flat_pairs() const {
  const bool nested = is_list_of_pairs();
  if (!nested && ((kind_ != Kind::map && kind_ != Kind::array) || items_.size() % 2 != 0)) {
    return std::nullopt;
  }
  std::vector<const Reply*> flat;
  flat.reserve(items_.size() * (nested ? 2 : 1));
  for (const Reply& item : items_) {
    if (!nested) {
      flat.push_back(&item);
      continue;
    }
    flat.push_back(&item[0]);
    flat.push_back(&item[1]);
  }
  return flat;
}

Result<std::vector<std::string>> Reply::as_strings() const {
  if (!is_aggregate()) return mismatch("a list");
  std::vector<std::string> strings;
  const auto add = [&strings](const Reply& item) -> std::optional<Error> {
    auto text = item.as_string();
    if (!text) return text.error();
    strings.push_back(std::move(*text));
    return std::nullopt;
  };
  const bool pairs = is_list_of_pairs();
  strings.reserve(items_.size() * (pairs ? 2 : 1));
  for (const Reply& item : items_) {
    if (!pairs) {
      if (auto error = add(item)) return std::move(*error);
      continue;
    }
    for (const Reply& half : item.items_) {
      if (auto error = add(half)) return std::move(*error);
    }
  }
  return strings;
}

Result<std::vector<std::optional<std::string>>> Reply::as_optional_strings() const {
  if (!is_aggregate()) return mismatch("a list");
  std::vector<std::optional<std::string>> strings;
  strings.reserve(items_.size());
  for (const Reply& item : items_) {
    auto text = item.as_optional_string();
    if (!text) return text.error();
    strings.push_back(std::move(*text));
  }
  return strings;
}

Result<std::map<std::string, std::string>> Reply::as_map() const {
  const auto flat = flat_pairs();
  if (!flat) return mismatch("a map");
  std::map<std::string, std::string> pairs;
  for (std::size_t i = 0; i < flat->size(); i += 2) {
    auto key = (*flat)[i]->as_string();
    if (!key) return key.error();
    auto value = (*flat)[i + 1]->as_string();
    if (!value) return value.error();
    pairs[std::move(*key)] = std::move(*value);
  }
  return pairs;
}

Result<std::vector<std::pair<std::string, std::string>>> Reply::as_pairs() const {
  const auto flat = flat_pairs();
  if (!flat) return mismatch("a list of pairs");
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(flat->size() / 2);
  for (std::size_t i = 0; i < flat->size(); i += 2) {
    auto first = (*flat)[i]->as_string();
    if (!first) return first.error();
    auto second = (*flat)[i + 1]->as_string();
    if (!second) return second.error();
    pairs.emplace_back(std::move(*first), std::move(*second));
  }
  return pairs;
}

Result<std::vector<std::pair<std::string, double>>> Reply::as_scored() const {
  const auto flat = flat_pairs();
  if (!flat) return mismatch("a list of members and scores");
  std::vector<std::pair<std::string, double>> pairs;
  pairs.reserve(flat->size() / 2);
  for (std::size_t i = 0; i < flat->size(); i += 2) {
    auto member = (*flat)[i]->as_string();
    if (!member) return member.error();
    auto score = (*flat)[i + 1]->as_double();
    if (!score) return score.error();
    pairs.emplace_back(std::move(*member), *score);
  }
  return pairs;
}

bool Reply::operator==(const Reply& other) const {
  if (kind_ != other.kind_ || text_ != other.text_ || items_ != other.items_) return false;
  if (kind_ == Kind::real) return real_ == other.real_;
  return boolean_ == other.boolean_ && integer_ == other.integer_;
}

std::string_view Reply::name_of(Kind kind) {
  constexpr std::string_view kNames[] = {"null", "text",    "bytes",      "integer",
                                         "real", "boolean", "big number", "array",
                                         "map",  "set",     "push",       "error"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string Reply::describe() const {
  const std::string name(name_of(kind_));
  switch (kind_) {
    case Kind::null:
      return name;
    case Kind::integer:
      return name + " " + std::to_string(integer_);
    case Kind::boolean:
      return name + (boolean_ ? " true" : " false");
    case Kind::array:
    case Kind::map:
    case Kind::set:
    case Kind::push:
      return name + " of " + std::to_string(items_.size()) + errors_inside(*this);
    default:
      return name + " " + shown(text_);
  }
}

}  // namespace slotcar::client
