#include "console/client_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace slotcar::console {
namespace {

std::string flags_of(const session::ClientRecord& record) {
  std::string flags;
  if (record.flags.monitoring.get()) flags += 'O';
  if (record.subscriptions.any()) flags += 'P';
  if (record.queued.get() >= 0) flags += 'x';
  if (record.flags.waiting.get()) flags += 'b';
  if (const keyspace::Tracker* tracker = record.tracker.get()) {
    const auto mode = tracker->mode.load(std::memory_order_relaxed);
    if (mode != keyspace::Tracker::Mode::off) flags += 't';
    if (tracker->redirect_broken.load(std::memory_order_relaxed)) flags += 'R';
    if (mode == keyspace::Tracker::Mode::by_prefix) flags += 'B';
  }
  if (record.closing.load(std::memory_order_relaxed)) flags += 'A';
  if (record.is_unix) flags += 'U';
  if (record.flags.no_evict.get()) flags += 'e';
  if (record.flags.no_touch.get()) flags += 'T';
  return flags.empty() ? "N" : flags;
}

std::int64_t seconds_between(std::int64_t from_ms, UnixMs now) {
  return std::max<std::int64_t>(0, (now - from_ms) / 1000);
}

}  // namespace

std::string client_line(const ClientFacts& f) {
  // A buffer that is only kept for the next reply does not count as output.
  const std::size_t waiting = f.output_waiting > 0 ? f.output_memory : 0;
  return fmt::format(
      "id={} addr={} laddr={} fd={} name={} age={} idle={} flags={} db={} sub={} psub={} ssub={} "
      "multi={} qbuf={} qbuf-free={} argv-mem={} multi-mem={} rbs={} rbp={} obl=0 oll={} omem={} "
      "tot-mem={} events=r cmd={} user={} redir={} resp={} lib-name={} lib-ver={}",
      f.id, f.address, f.local_address, f.fd, f.name, f.age_seconds, f.idle_seconds, f.flags, f.db,
      f.channels, f.patterns, f.shard_channels, f.queued, f.input_bytes, f.input_free,
      f.argument_memory, f.multi_memory, f.output_memory, f.output_memory, waiting > 0 ? 1 : 0,
      waiting, f.total_memory, f.command, f.user, f.redirect, f.protocol, f.library_name,
      f.library_version);
}

ClientFacts client_facts(const session::Clients& clients, const session::ClientRecord& record,
                         UnixMs now, const AskingRequest& asking) {
  constexpr auto relaxed = std::memory_order_relaxed;
  ClientFacts facts;
  facts.id = record.id.value;
  facts.address = record.address;
  facts.local_address = record.local_address;
  facts.fd = record.fd;
  facts.age_seconds = seconds_between(record.connected_unix_ms, now);
  facts.idle_seconds = seconds_between(record.last_active_ms.get(), now);
  facts.flags = flags_of(record);
  facts.db = record.db.get();
  facts.channels = record.subscriptions.channels.get();
  facts.patterns = record.subscriptions.patterns.get();
  facts.shard_channels = record.subscriptions.shard_channels.get();
  facts.queued = record.queued.get();
  facts.input_bytes = record.input_bytes.get();
  const std::size_t input_memory = record.memory.input.get();
  facts.input_free = input_memory > facts.input_bytes ? input_memory - facts.input_bytes : 0;
  facts.multi_memory = record.memory.multi.get();
  facts.output_memory = record.memory.output.get();
  facts.output_waiting = record.output_waiting.get();
  facts.total_memory = record.memory.sum() + sizeof record;
  facts.protocol = record.protocol.get();
  const keyspace::Tracker* tracker = record.tracker.get();
  if (tracker != nullptr && tracker->mode.load(relaxed) != keyspace::Tracker::Mode::off) {
    facts.redirect = static_cast<std::int64_t>(tracker->redirect.load(relaxed));
  }
  const schema::Registered* command = record.last_command.get();
  if (record.id == asking.client) {
    command = asking.command;
    facts.idle_seconds = 0;
    facts.input_bytes = asking.wire_bytes;
    facts.argument_memory = asking.argument_bytes;
    facts.output_memory = 0;  // earlier output was sent, or it could not have asked
  }
  facts.command = command != nullptr ? command->lower_name : "NULL";
  auto names = clients.names(record);
  facts.name = std::move(names.name);
  facts.user = std::move(names.user);
  facts.library_name = std::move(names.library_name);
  facts.library_version = std::move(names.library_version);
  return facts;
}

}  // namespace slotcar::console
