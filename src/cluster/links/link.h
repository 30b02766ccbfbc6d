// Link: the link to one other node, at home on the thread of the links: a LinkMachine and its
// connection. LinkFacts: what other threads may read of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cluster/links/link_machine.h"
#include "cluster/topology.h"
#include "runtime/event_loop.h"
#include "runtime/log.h"
#include "runtime/member_timer.h"
#include "runtime/stream.h"
#include "runtime/tls/tls_stream.h"

namespace slotcar::cluster {

// Written by the thread of the links.
struct LinkFacts {
  explicit LinkFacts(std::string id) : node(std::move(id)) {}

  const std::string node;
  std::atomic<bool> is_up{false};
  std::atomic<std::int64_t> since_ms{0};  // unix time at which its connection was made
  std::atomic<std::size_t> buffer_used{0};
  std::atomic<std::size_t> buffer_allocated{0};
};

struct Dialled {
  std::unique_ptr<runtime::Stream> stream;
  const runtime::TlsStream* tls = nullptr;  // the stream, if it is one
};

class Link final : public runtime::StreamEvents {
 public:
  // What all links have together.
  class Host {
   public:
    virtual ~Host() = default;
    virtual runtime::EventLoop& loop() = 0;
    virtual runtime::Logger& log() = 0;
    virtual Result<Dialled> dial(const Endpoint& endpoint) = 0;
    virtual LinkGreeting greeting(const std::string& to) = 0;
    virtual LinkMachine::Leave may_leave(const LinkMessage& message) = 0;
    virtual std::size_t queue_bytes_max() const = 0;
    virtual runtime::Nanos timeout() const = 0;
    // What the link has counted since it last said so, and by how much the memory of what it has
    // still to send has grown.
    virtual void count(const LinkMachine::Totals& more, std::int64_t output_bytes) = 0;
    // A message is held back until the log is durable up to there.
    virtual void wait_for_log(Lsn gate) = 0;
  };

  Link(Host& host, const Member& member);
  ~Link() override;

  const std::shared_ptr<LinkFacts>& facts() const { return facts_; }
  const std::string& node() const { return facts_->node; }
  const Endpoint& endpoint() const { return endpoint_; }

  void push(const LinkMessageRef& message);
  // Sends what may leave.
  void flush();
  // All is said again on a new connection: the node has moved, or this one has another name.
  void start_anew(const Endpoint& endpoint);

  // StreamEvents
  void on_input() override;
  void on_output_room() override;
  void on_closed() override;

 private:
  void dial();
  void fail(std::string why);
  void shut();
  void send();
  void on_timer();
  void settle();  // after each event: the facts, the numbers and the time of the next event
  std::string why_it_closed() const;

  Host& host_;
  Endpoint endpoint_;
  const std::shared_ptr<LinkFacts> facts_;
  LinkMachine machine_;
  LinkMachine::Totals counted_;
  std::int64_t counted_output_ = 0;
  std::unique_ptr<runtime::Stream> stream_;
  const runtime::TlsStream* tls_ = nullptr;
  runtime::Output output_;
  std::string last_trouble_;  // the one that was logged
  runtime::MemberTimer<&Link::on_timer> timer_{*this};
};

}  // namespace slotcar::cluster
