#include "cluster/links/link_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "cluster/links/limits.h"
#include "resp/request_writer.h"

namespace slotcar::cluster {

// --- messages ----------------------------------------------------------------------------------

bool LinkMachine::push(LinkMessageRef message, std::size_t queue_bytes_max) {
  const std::size_t size = message->footprint();
  const bool has_room = queue_.empty() || queued_bytes_ + size <= queue_bytes_max;
  if (!takes_messages() || !has_room) {
    if (takes_messages() && !std::exchange(is_full_, true)) ++totals_.overflows;
    ++totals_.dropped;
    return false;
  }
  is_full_ = false;
  queued_bytes_ += size;
  queue_.push_back(std::move(message));
  return true;
}

// The messages of the next request: the first ones of the queue. What may never leave is dropped.
// False: there are none.
bool LinkMachine::fill_batch(std::size_t* count, std::size_t* bytes, const Gate& gate) {
  *count = *bytes = 0;
  while (*count < queue_.size() && *count < limits::kLinkBatchMessages) {
    const LinkMessage& next = *queue_[*count];
    const Leave leave = gate(next);
    if (leave == Leave::later) {
      held_back_ = &next;
      break;
    }
    if (leave == Leave::never) {
      queued_bytes_ -= next.footprint();
      queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(*count));
      ++totals_.dropped;
      continue;
    }
    if (*count != 0 && *bytes + next.size() > limits::kLinkBatchBytes) break;
    *bytes += next.size();
    ++*count;
  }
  return *count != 0;
}

void LinkMachine::write(runtime::Output& output, Nanos now, const Gate& gate) {
  held_back_ = nullptr;
  if (state_ != State::up) return;
  std::size_t count = 0;
  std::size_t bytes = 0;
  while (unconfirmed_bytes_ < limits::kLinkWindowBytes && fill_batch(&count, &bytes, gate)) {
    output.append(
        fmt::format("*{}\r\n$7\r\nCLUSTER\r\n$4\r\nLINK\r\n$7\r\nPUBLISH\r\n", 3 + 2 * count));
    for (std::size_t i = 0; i < count; ++i) {
      const LinkMessage& message = *queue_.front();
      output.append(message.bytes(), 0, message.size());
      queued_bytes_ -= message.footprint();
      queue_.pop_front();
    }
    unconfirmed_bytes_ += bytes;
    expect({Expected::Kind::messages, count, bytes}, now);
  }
}

void LinkMachine::drop_queue() {
  totals_.dropped += static_cast<std::int64_t>(queue_.size());
  queue_.clear();
  queued_bytes_ = 0;
  is_full_ = false;
}

// --- the connection ----------------------------------------------------------------------------

void LinkMachine::begin(const LinkGreeting& greeting, runtime::Output& output, Nanos now) {
  ASSERT(state_ == State::waiting && expected_.empty());
  state_ = State::greeting;
  has_worked_ = false;
  trouble_.clear();
  peer_ = greeting.to;
  const LinkLogin& login = greeting.login;
  if (!login.password.empty()) {
    if (login.user.empty()) {
      resp::append_request(output, {"AUTH", login.password});
    } else {
      resp::append_request(output, {"AUTH", login.user, login.password});
    }
    expect({Expected::Kind::login}, now);
  }
  resp::append_request(output, {"CLUSTER", "LINK", "HELLO", greeting.from, greeting.to,
                                std::to_string(greeting.number)});
  expect({Expected::Kind::hello}, now);
}

void LinkMachine::ping(runtime::Output& output, Nanos now) {
  resp::append_request(output, {"PING"});
  expect({Expected::Kind::ping}, now);
  ++totals_.pings;
}

void LinkMachine::expect(Expected expected, Nanos now) {
  if (expected_.empty()) last_progress_ = now;
  last_sent_ = now;
  expected_.push_back(expected);
}

bool LinkMachine::read(std::string_view bytes, Nanos now) {
  last_progress_ = now;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    line_.append(bytes.substr(0, end));
    if (line_.size() > limits::kLinkLineBytesMax) {
      trouble_ = "it answers what no node does";
      return false;
    }
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    if (!take_line(line_)) return false;
    line_.clear();
  }
  return true;
}

bool LinkMachine::take_line(std::string_view line) {
  if (line.starts_with('-')) {
    trouble_ = fmt::format("it answers '{}'", line.substr(1));
    return false;
  }
  const Expected expected = expected_.empty() ? Expected{} : expected_.front();
  const bool is_word = line.starts_with('+');
  const bool is_answer =
      expected.kind == Expected::Kind::messages ? line.starts_with(':') : is_word;
  if (expected_.empty() || !is_answer) {
    trouble_ = "it answers what no node does";
    return false;
  }
  expected_.pop_front();
  switch (expected.kind) {
    case Expected::Kind::login:
      return true;
    case Expected::Kind::hello:
      if (line.substr(1) != peer_) {
        trouble_ = "another node answers there";
        return false;
      }
      state_ = State::up;
      return true;
    case Expected::Kind::messages:
      unconfirmed_bytes_ -= expected.bytes;
      totals_.confirmed += static_cast<std::int64_t>(expected.count);
      break;
    case Expected::Kind::ping:
      ++totals_.pongs;
      break;
  }
  failures_ = 0;
  has_worked_ = true;
  return true;
}

void LinkMachine::end(Nanos now) {
  for (const Expected& lost : expected_) {
    totals_.dropped += static_cast<std::int64_t>(lost.count);
  }
  expected_.clear();
  unconfirmed_bytes_ = 0;
  line_.clear();
  held_back_ = nullptr;
  state_ = State::waiting;
  Nanos pause = limits::kLinkBackoffMinNs;
  // After one that has worked, what waits may follow on the next.
  if (!has_worked_) {
    for (std::int64_t i = 0; i < failures_ && pause < limits::kLinkBackoffMaxNs; ++i) pause *= 2;
    ++failures_;
    drop_queue();
  }
  retry_at_ = now + std::min(pause, limits::kLinkBackoffMaxNs);
}

void LinkMachine::start_anew(Nanos now) {
  if (state_ != State::waiting) {
    has_worked_ = true;
    end(now);
  }
  failures_ = 0;
  retry_at_ = now;
}

// --- time --------------------------------------------------------------------------------------

LinkMachine::Wish LinkMachine::wish(Nanos now, Nanos timeout) const {
  if (now < due(timeout)) return Wish::nothing;
  if (state_ == State::waiting) return Wish::dial;
  return expected_.empty() ? Wish::ping : Wish::give_up;
}

LinkMachine::Nanos LinkMachine::due(Nanos timeout) const {
  if (state_ == State::waiting) return retry_at_;
  return expected_.empty() ? last_sent_ + limits::kLinkPingNs : last_progress_ + timeout;
}

}  // namespace slotcar::cluster
