#include "cluster/links/link.h"

#include <utility>

#include "cluster/links/limits.h"

namespace slotcar::cluster {

using State = LinkMachine::State;
using Wish = LinkMachine::Wish;

Link::Link(Host& host, const Member& member)
    : host_(host), endpoint_(member.endpoint), facts_(std::make_shared<LinkFacts>(member.id)) {
  machine_.start_anew(host_.loop().turn_monotonic());
  settle();
}

Link::~Link() {
  shut();
  settle();
  timer_.cancel();
  facts_->is_up.store(false, std::memory_order_relaxed);
}

void Link::push(const LinkMessageRef& message) {
  machine_.push(message, host_.queue_bytes_max());
}

void Link::flush() {
  if (machine_.state() == State::up) {
    machine_.write(output_, host_.loop().turn_monotonic(),
                   [this](const LinkMessage& message) { return host_.may_leave(message); });
    if (const LinkMessage* held = machine_.held_back()) host_.wait_for_log(held->gate());
    send();
  }
  settle();
}

void Link::start_anew(const Endpoint& endpoint) {
  endpoint_ = endpoint;
  shut();
  machine_.start_anew(host_.loop().turn_monotonic());
  settle();
}

void Link::dial() {
  const runtime::Nanos now = host_.loop().turn_monotonic();
  auto dialled = host_.dial(endpoint_);
  machine_.begin(host_.greeting(facts_->node), output_, now);
  if (!dialled) return fail(dialled.error().message);
  stream_ = std::move(dialled->stream);
  tls_ = dialled->tls;
  stream_->set_events(this);
  send();
}

void Link::send() {
  if (stream_ == nullptr || output_.empty()) return;
  if (!stream_->send(output_, limits::kLinkWriteBytesPerTurn)) fail(why_it_closed());
}

void Link::on_input() {
  if (stream_ == nullptr) return;
  char bytes[4 * 1024];
  const runtime::Stream::Received received = stream_->receive(bytes, sizeof bytes);
  if (received.kind == runtime::Stream::Received::Kind::none_yet) return;
  if (received.kind == runtime::Stream::Received::Kind::end) {
    fail(why_it_closed());
    return settle();
  }
  const bool was_up = machine_.state() == State::up;
  if (!machine_.read({bytes, received.size}, host_.loop().turn_monotonic())) {
    fail(machine_.trouble());
  } else if (!was_up && machine_.state() == State::up) {
    facts_->since_ms.store(host_.loop().turn_unix_ms(), std::memory_order_relaxed);
    host_.log().notice("Link to node {} at {}:{} is up", node(), endpoint_.ip, endpoint_.port);
    last_trouble_.clear();
  }
  flush();
}

void Link::on_output_room() {
  if (stream_ == nullptr) return;
  machine_.progressed(host_.loop().turn_monotonic());
  send();
  settle();
}

void Link::on_closed() {
  if (stream_ == nullptr) return;
  fail(why_it_closed());
  settle();
}

std::string Link::why_it_closed() const {
  if (tls_ != nullptr && !tls_->trouble().empty()) return tls_->trouble();
  return machine_.state() == State::up ? "the connection has ended"
                                       : "it cannot be reached, or has closed the connection";
}

// The same reason is logged once.
void Link::fail(std::string why) {
  if (why != last_trouble_) {
    host_.log().warning("Link to node {} at {}:{} is down: {}", node(), endpoint_.ip,
                        endpoint_.port, why);
    last_trouble_ = std::move(why);
  }
  machine_.end(host_.loop().turn_monotonic());
  shut();
}

void Link::shut() {
  tls_ = nullptr;
  stream_.reset();
  output_.clear();
  output_.release_idle();
}

void Link::on_timer() {
  const runtime::Nanos now = host_.loop().turn_monotonic();
  switch (machine_.wish(now, host_.timeout())) {
    case Wish::nothing:
      break;
    case Wish::dial:
      dial();
      break;
    case Wish::ping:
      machine_.ping(output_, now);
      send();
      break;
    case Wish::give_up:
      fail("it does not answer");
      break;
  }
  settle();
}

void Link::settle() {
  const LinkMachine::Totals& now = machine_.totals();
  const auto output = static_cast<std::int64_t>(output_.footprint());
  host_.count({.confirmed = now.confirmed - counted_.confirmed,
               .dropped = now.dropped - counted_.dropped,
               .overflows = now.overflows - counted_.overflows,
               .pings = now.pings - counted_.pings,
               .pongs = now.pongs - counted_.pongs},
              output - counted_output_);
  counted_output_ = output;
  counted_ = now;
  facts_->is_up.store(machine_.state() == State::up, std::memory_order_relaxed);
  facts_->buffer_used.store(machine_.queued_bytes() + output_.size(), std::memory_order_relaxed);
  facts_->buffer_allocated.store(machine_.queued_bytes() + static_cast<std::size_t>(output),
                                 std::memory_order_relaxed);
  host_.loop().arm(timer_, machine_.due(host_.timeout()));
}

}  // namespace slotcar::cluster
