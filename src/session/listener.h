// Listener: a connection that subscribes. Carries out SUBSCRIBE, UNSUBSCRIBE and their like, and
// passes messages on to the connection. A part of its session, made on first use.
//
// A client may name hundreds of thousands of channels in one request. Their share of a turn is
// bounded, like that of pipelined calls: the call stays under way and goes on in the next turn. The
// confirmations of each part are queued at its end, so that no message of a channel comes before
// the channel's own confirmation. In a transaction all is done at once, because what comes after it
// there may publish.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "acl/user.h"
#include "pubsub/local_subscribers.h"
#include "router/redirects.h"
#include "session/connection.h"
#include "session/subscriptions.h"
#include "shard/call.h"

namespace slotcar::session {

class Listener final : public pubsub::Subscriber {
 public:
  explicit Listener(Connection& connection);

  // Subscribes to the names in the call's arguments, or gives them up; without names: all of the
  // kind. Each is confirmed by a message that bears the name `message`.
  void subscribe(shard::Call& call, pubsub::Kind kind, std::string_view message);
  void unsubscribe(shard::Call& call, pubsub::Kind kind, std::string_view message);

  // Whether confirmations were written into the reply of the call that ends now. Asked once.
  bool take_confirmed() { return std::exchange(confirmed_, false); }

  // The call under way has more to do.
  bool changing() const { return change_.has_value(); }
  // Does some of it, if it has waited for a turn. True: that was the last of it.
  bool change_more(shard::Call& call);
  // It will be asked again in a new turn.
  void wait_for_turn() { change_->my_turn = true; }
  void end_change() { change_.reset(); }

  // Whether the user may listen to all that it is subscribed to.
  bool is_allowed(const acl::User& user) const;

  // Gives up shard channels of slots that this node has lost, and says so to the client; a bounded
  // number of them. True: there are no more.
  bool leave_lost_slots(const router::Redirects& redirects);

  // RESET, or the end: all subscriptions go, some in each turn, and nothing more is delivered.
  void forget() { forgets_ = true; }
  bool forgets() const { return forgets_; }
  // True: none is left.
  bool forget_some();

  void deliver(pubsub::Encodings& message) override;

 private:
  void begin_change(shard::Call& call, SubscriptionChange change);
  bool change_some(shard::Call& call, SubscriptionChange& change, std::size_t max);
  bool change_next(shard::Call& call, SubscriptionChange& change);
  void confirm(shard::Call& call, const SubscriptionChange& change,
               std::optional<std::string_view> name);
  void note();

  Connection& connection_;
  Subscriptions subscriptions_;
  std::optional<SubscriptionChange> change_;
  bool forgets_ = false;
  bool confirmed_ = false;
};

}  // namespace slotcar::session
