// Replay: applies the effects of log records, and the commands of a Redis log, to the shards.
// Commands that name one key go to the applier of its shard without waiting. Those that name
// several, or none, wait until all appliers are idle and run alone.
//
// Acknowledged writes are not refused: the limits on client requests do not apply here
// (shard/client_limits.h). There is one exception, whose error names the remedy: databases that
// this node does not have. From the first such command on nothing more is applied, the rest is only
// searched for the highest number, so that the error names the number of databases that suffices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "durability/appliers.h"
#include "durability/missing_databases.h"
#include "router/router.h"
#include "shard/scheduler.h"
#include "storage/function_libraries.h"

namespace slotcar::durability {

// Takes one command in RESP from the front of `bytes`: its words are views into it. False: it is
// not a command (the rest must not be trusted).
bool take_command(std::string_view& bytes, std::vector<std::string_view>& words);
// Null: unknown. The log has the declared names, whatever clients call the commands now.
const schema::Registered* find_logged_command(const schema::Registry& registry,
                                              std::span<const std::string_view> words);

class Replay {
 public:
  // Libraries of functions are changed in `functions`, in the order of the records.
  Replay(Appliers& appliers, shard::Scheduler& scheduler, const router::Router& router,
         storage::FunctionLibraries& functions);
  ~Replay();

  // A record's payload. `lsn` is for an error.
  Status apply(std::string_view payload, UnixMs time, std::uint64_t lsn);
  // One command of a Redis log.
  Status apply(DbIndex db, std::span<const std::string_view> words, UnixMs time);
  // Waits until everything so far is applied; returns the first error.
  Status settle();
  std::uint64_t commands() const { return commands_; }

 private:
  class Commands;  // a portion

  Status deal(std::string_view bytes, std::span<const std::string_view> words, UnixMs time,
              std::uint64_t lsn);
  void post(std::size_t applier);
  Status settle_appliers();

  Appliers& appliers_;
  shard::Scheduler& scheduler_;
  const router::Router& router_;
  storage::FunctionLibraries& functions_;
  std::vector<std::unique_ptr<Commands>> filling_;  // for each applier
  std::vector<std::string_view> words_;
  DbIndex db_;
  MissingDatabases missing_;
  std::uint64_t commands_ = 0;
};

}  // namespace slotcar::durability
