// LinkMachine: one link to another node, without a socket: what is sent on it, what the answers
// mean, which messages wait, are dropped or lost, and when to dial, to ask and to give up.
//
//   waiting    there is no connection; the next attempt comes at `due`
//   greeting   a connection is being made, or the other node has not said yet who it is
//   up         messages are sent
//
// Messages are delivered at most once, as in Redis. They wait while a link is being made, and after
// one that worked has broken, until the next attempt has failed. From then on, until the node
// answers again, they are dropped at once: nobody wants to hear tomorrow what was said today. What
// was sent and not confirmed when a connection broke is lost. A message for which there is no room
// is dropped, and not one before it: so what arrives is in order.
//
// A request carries several messages, and each is confirmed by one line. So there is never more
// under way than the window, and a node that stands still is noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "cluster/links/link_message.h"
#include "runtime/clock.h"
#include "runtime/output.h"

namespace slotcar::cluster {

// As whom this node logs in to others (masteruser, masterauth).
struct LinkLogin {
  std::string user;      // empty: the password is that of the default user
  std::string password;  // empty: it does not log in
  friend bool operator==(const LinkLogin&, const LinkLogin&) = default;
};

struct LinkGreeting {
  std::string from;  // the ids of this node
  std::string to;    // ... and of the other
  LinkLogin login;
  std::uint64_t number = 0;  // of the connection; a later one has a higher number
};

class LinkMachine {
 public:
  using Nanos = runtime::Nanos;

  enum class State : std::uint8_t { waiting, greeting, up };
  State state() const { return state_; }

  // --- messages
  // False: it was dropped.
  bool push(LinkMessageRef message, std::size_t queue_bytes_max);
  // Whether a message may leave: now, not yet, or never.
  enum class Leave : std::uint8_t { now, later, never };
  using Gate = std::function<Leave(const LinkMessage&)>;
  // Appends to the output what may be sent now.
  void write(runtime::Output& output, Nanos now, const Gate& gate);
  // The message that `gate` has held back; null: none.
  const LinkMessage* held_back() const { return held_back_; }

  // --- the connection
  // One is being made: the greeting is appended to the output.
  void begin(const LinkGreeting& greeting, runtime::Output& output, Nanos now);
  // What has come. False: the connection is of no use, and `trouble` says why.
  bool read(std::string_view bytes, Nanos now);
  const std::string& trouble() const { return trouble_; }
  // Bytes have left.
  void progressed(Nanos now) { last_progress_ = now; }
  void ping(runtime::Output& output, Nanos now);
  // It is gone.
  void end(Nanos now);
  // The node is reached otherwise from now on: all begins anew, and what waits is kept.
  void start_anew(Nanos now);

  // --- time
  enum class Wish : std::uint8_t { nothing, dial, ping, give_up };
  Wish wish(Nanos now, Nanos timeout) const;
  // When `wish` should be asked again.
  Nanos due(Nanos timeout) const;

  // --- numbers
  std::size_t queued_bytes() const { return queued_bytes_; }
  std::size_t queued() const { return queue_.size(); }
  struct Totals {
    std::int64_t confirmed = 0;  // messages
    std::int64_t dropped = 0;    // for want of room or of a connection, or lost with one
    std::int64_t overflows = 0;  // how often the room was used up
    std::int64_t pings = 0;
    std::int64_t pongs = 0;
  };
  const Totals& totals() const { return totals_; }

 private:
  // What the next answer is to.
  struct Expected {
    enum class Kind : std::uint8_t { login, hello, messages, ping } kind;
    std::size_t count = 0;
    std::size_t bytes = 0;
  };
  bool take_line(std::string_view line);
  bool takes_messages() const { return state_ != State::waiting || failures_ == 0; }
  void drop_queue();
  void expect(Expected expected, Nanos now);
  bool fill_batch(std::size_t* count, std::size_t* bytes, const Gate& gate);

  State state_ = State::waiting;
  std::deque<LinkMessageRef> queue_;
  std::size_t queued_bytes_ = 0;
  bool is_full_ = false;
  const LinkMessage* held_back_ = nullptr;
  std::deque<Expected> expected_;
  std::size_t unconfirmed_bytes_ = 0;
  bool has_worked_ = false;  // the connection: something was confirmed on it
  std::string peer_;         // its id
  std::string line_;         // the part of an answer that has come
  std::string trouble_;
  std::int64_t failures_ = 0;  // since a connection worked
  Nanos retry_at_ = 0;
  Nanos last_progress_ = 0;
  Nanos last_sent_ = 0;
  Totals totals_;
};

}  // namespace slotcar::cluster
