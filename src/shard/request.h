// Request: what a call is asked to do and what it answers: the command, its arguments, the keys and
// shards that they name, on whose behalf, and the reply. Filled by the session and the router. It
// knows nothing of tokens and threads: that is the rest of a Call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/shard_list.h"
#include "keyspace/key.h"
#include "keyspace/watch/key_watchers.h"
#include "resp/arguments.h"
#include "resp/reply_writer.h"
#include "runtime/output.h"
#include "schema/key_spec.h"
#include "schema/registry.h"
#include "types/string_value.h"

namespace slotcar::acl {
class User;
}

namespace slotcar::shard {

class Transaction;

// The copy of what a call needs of its session.
struct Caller {
  ClientId client;
  DbIndex db;
  resp::Protocol protocol = resp::Protocol::resp2;
  bool no_touch = false;
  bool in_multi = false;       // MULTI is open; commands that run at once inside it look here
  bool over_memory = false;    // above maxmemory when it came: for the commands that a script calls
  bool asks = false;           // ASKING came before it: slots that come to this node are open to it
  bool reads_replica = false;  // READONLY: reads the slots of this node's primary
  bool by_tls = false;         // a redirection gives it a TLS port
  // The keys that the call reads are remembered for it (CLIENT TRACKING). Owned by the session.
  keyspace::Tracker* tracker = nullptr;
  // Whose rights the call was admitted with. Kept by the session while the call is under way; null:
  // the server itself, which may do everything.
  const acl::User* user = nullptr;
};

struct LocatedKey {
  keyspace::Key key;
  ShardId shard;
  std::uint32_t argument = 0;
  schema::KeyUse use = schema::KeyUse::none;
};

class Request {
 public:
  void set_command(const schema::Registered& command) { command_ = &command; }
  bool has_command() const { return command_ != nullptr; }
  const schema::Registered& command() const { return *command_; }
  const schema::Command& declaration() const { return *command_->command; }

  // --- arguments
  resp::Arguments& arguments() { return arguments_; }
  const resp::Arguments& arguments() const { return arguments_; }
  // Copies the arguments into memory of its own (MULTI's queue outlives the input buffer).
  void own_arguments();
  schema::ArgSpan args() const { return {arguments_.views()}; }
  std::size_t size() const { return arguments_.size(); }
  std::string_view arg(std::size_t i) const { return arguments_[i]; }
  types::StringInput string_arg(std::size_t i) const {
    return {arguments_[i], arguments_.shared(i)};
  }

  // --- keys, and the shards whose tokens the call needs
  std::vector<LocatedKey>& keys() { return keys_; }
  const std::vector<LocatedKey>& keys() const { return keys_; }
  std::size_t key_count() const { return keys_.size(); }
  const keyspace::Key& key(std::size_t i) const { return keys_[i].key; }
  const LocatedKey& located(std::size_t i) const { return keys_[i]; }
  base::ShardList& needs() { return needs_; }
  const base::ShardList& needs() const { return needs_; }

  // --- the caller
  void set_caller(const Caller& caller) { caller_ = caller; }
  const Caller& caller() const { return caller_; }
  DbIndex db() const { return caller_.db; }
  // SELECT inside a transaction: the commands after it see the new database.
  void set_db(DbIndex db) { caller_.db = db; }
  // HELLO: this reply and, inside a transaction, those after it.
  void set_protocol(resp::Protocol protocol) {
    caller_.protocol = protocol;
    reply_.set_protocol(protocol);
  }
  // CLIENT TRACKING and CLIENT CACHING inside a transaction: for the commands after it.
  void set_tracker(keyspace::Tracker* tracker) { caller_.tracker = tracker; }
  // AUTH, likewise.
  void set_user(const acl::User& user) { caller_.user = &user; }
  // EXEC's own queue, WATCH's set: null elsewhere.
  Transaction* transaction() const { return transaction_; }
  void set_transaction(Transaction* transaction) { transaction_ = transaction; }

  // --- the reply
  resp::ReplyWriter& reply() { return reply_; }
  const resp::ReplyWriter& reply() const { return reply_; }
  // Where the reply goes. By default into the call's own output, which its home splices later.
  void answer_into(runtime::Output& output) {
    reply_ = resp::ReplyWriter(output, caller_.protocol);
  }
  runtime::Output& own_output() { return own_output_; }
  // No client will get its reply, and it changes nothing: it may end wherever it is.
  bool may_give_up() const {
    return reply_.abandoned() && has(declaration().access, schema::Access::readonly);
  }

 protected:
  void clear();  // for a new request; keeps allocations, and the caller
  std::size_t bytes() const;

 private:
  const schema::Registered* command_ = nullptr;
  resp::Arguments arguments_;
  std::string owned_bytes_;
  std::vector<LocatedKey> keys_;
  base::ShardList needs_;
  Caller caller_;
  Transaction* transaction_ = nullptr;
  runtime::Output own_output_;
  resp::ReplyWriter reply_{own_output_, resp::Protocol::resp2};
};

}  // namespace slotcar::shard
