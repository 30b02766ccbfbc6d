#include "peers/exchange.h"

#include <algorithm>

#include "peers/limits.h"
#include "resp/request_writer.h"

namespace slotcar::peers {

ExchangeMachine::ExchangeMachine(Exchange& exchange, std::int64_t db)
    : exchange_(exchange),
      authenticates_(!exchange.target->password.empty()),
      selects_(exchange.target->db != db),
      preamble_((authenticates_ ? 1u : 0u) + (selects_ ? 1u : 0u)),
      left_(exchange.request_count) {
  exchange.accepted.clear();
  exchange.first_error.clear();
}

void ExchangeMachine::write(runtime::Output& output) const {
  const Target& target = *exchange_.target;
  if (authenticates_ && target.user.empty())
    resp::append_request(output, {"AUTH", target.password});
  if (authenticates_ && !target.user.empty()) {
    resp::append_request(output, {"AUTH", target.user, target.password});
  }
  if (selects_) resp::append_request(output, {"SELECT", std::to_string(target.db)});
  const std::size_t size = exchange_.requests.size();
  if (size != 0) output.append(exchange_.requests, 0, size);
}

ExchangeMachine::State ExchangeMachine::read(std::string_view bytes) {
  has_heard_ = has_heard_ || !bytes.empty();
  // It is no server that has understood the requests, whatever it seemed to confirm before.
  const auto broken = [this] {
    exchange_.accepted.clear();
    return State::broken;
  };
  while (!bytes.empty()) {
    if (is_complete()) return broken();
    const std::size_t end = bytes.find('\n');
    line_.append(bytes.substr(0, end));
    if (line_.size() > limits::kPeerLineBytesMax) return broken();
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    // A greeting may begin with a plus as well.
    if (line_ != "+OK" && !line_.starts_with('-')) return broken();
    take_line(line_);
    line_.clear();
  }
  return is_complete() ? State::done : State::open;
}

void ExchangeMachine::take_line(std::string_view line) {
  const bool failed = line[0] == '-';
  if (failed && exchange_.first_error.empty()) exchange_.first_error = line.substr(1);
  if (preamble_ != 0) {
    --preamble_;
    preamble_failed_ = preamble_failed_ || failed;
    return;
  }
  --left_;
  // Without the right user or database nothing has arrived where it should.
  exchange_.accepted.push_back(!failed && !preamble_failed_);
}

std::int64_t ExchangeMachine::db() const {
  const bool all_good = is_complete() && exchange_.first_error.empty();
  return all_good ? exchange_.target->db : -1;
}

}  // namespace slotcar::peers
