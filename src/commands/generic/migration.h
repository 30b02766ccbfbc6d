// Migration: a MIGRATE under way. Redis stops the whole server for it. Here no token is held and no
// thread waits while bytes travel:
//
//   pin     Under the tokens of all keys: each value that exists is pinned, with its expiry, and
//           marked as moving, so calls that would change it wait (shard/moving_keys.h).
//   send    On a slow thread, without tokens: the pins are written down, about a mebibyte at a
//           time, and sent as RESTORE by the thread of the peers (peers/peers.h). The call is
//           parked until the target has answered, then a slow thread writes down the next part.
//   settle  Under the tokens again: each key that the target has confirmed, and that still has the
//           value and the expiry that were sent, is removed. That is the record in the log: the
//           removal of these keys. The others stay. The calls that waited run.
//
// COPY is the same without marks and without the third step.
//
// Why no acknowledged write is lost. A key is removed only under its token, after the target has
// confirmed a value, and only if the value here is that one: no write has come between the pin and
// the removal, or one that changed nothing. What a writer saw acknowledged before the pin is in the
// value that was sent; what comes after the removal finds no key, and in a cluster is sent to the
// target (ASK). A write in between waits, so it is one of the two; and those few that do not wait
// (see MovingKeys) make the values differ: then the key is not removed but sent again. If the
// target, the network or this process fails before the removal, the key is still here, and perhaps
// at the target as well, as in Redis: as long as it is here, this node serves it.
//
// Why none is doubled. In a cluster clients reach the copy at the target only when they are sent
// there, which happens only when the key is not here any more. A copy that is sent again replaces
// (REPLACE) only what this very call has put there before; the first time it does so only if the
// client wants it.
//
// A node whose lease has ended while bytes travel sends no more of them (cluster/lease.h): another
// one may have its slots, and the target may be that one and have served newer values. What was not
// sent to its end is no request.
//
// A key that expires, is evicted or flushed while it is on its way is not here at the end, and has
// been moved before that. Nothing is recorded for it here but its expiry or removal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/shared_bytes.h"
#include "cluster/lease.h"
#include "commands/declare.h"
#include "peers/exchange.h"
#include "types/cell.h"
#include "types/type.h"

namespace slotcar::commands {

struct MigrateRequest {
  peers::Target target;
  bool copy = false;
  bool replace = false;
};

class Migration final : public shard::CallState {
 public:
  // Under the tokens of the call's keys.
  static void begin(Call& call, MigrateRequest request);

  void let_go(base::Reclaimer* reclaimer) override;

 private:
  // A key with the value that is being sent.
  struct Item {
    std::size_t key = 0;  // its index among the call's keys
    UnixMs expires_at = kNever;
    types::Type type = types::Type::string;
    std::string text;               // of a short string
    base::SharedBytes long_string;  // of a long one
    types::OwnCell cell;            // of a collection
    bool arrived = false;           // the target has confirmed this value
    bool was_there = false;         // ... or an earlier one
  };

  static Migration& of(Call& call) { return call.state<Migration>(); }
  static void send(Call& call);
  static void read_answers(Call& call);
  static void settle(Call& call);

  static Item pin(std::size_t key, const Entry& entry);
  static bool is_unchanged(const Item& item, const Entry& entry);
  void write_batch(Call& call, std::string& requests);
  void write_item(Call& call, const Item& item, std::int64_t ttl, std::string& requests);
  void end_sending(Call& call);
  bool remove_arrived(Call& call);
  void reply(Call& call) const;
  static bool may_send(const peers::Exchange& exchange);

  MigrateRequest request_;
  std::vector<Item> items_;
  std::size_t next_ = 0;            // the first one that was not sent in this round
  std::vector<std::size_t> batch_;  // those that are on their way
  peers::Exchange exchange_;
  std::string error_;  // the first one; empty: none
  int rounds_ = 0;
  cluster::Lease::Term term_ = 0;  // in which the values were pinned
};

}  // namespace slotcar::commands
