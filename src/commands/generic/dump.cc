// DUMP key
#include <string>

#include "commands/collection.h"
#include "storage/rdb/dump_payload.h"
#include "storage/rdb/rdb_writer.h"

namespace slotcar::commands {
namespace {

// Packing and checksumming this many bytes takes some tens of microseconds; more is done on the
// slow lane.
constexpr std::size_t kQuickBytesMax = 16 * 1024;

struct Pins : shard::CallState {
  types::Type type = types::Type::string;
  base::SharedBytes string;
  types::OwnCell cell;

  void let_go(base::Reclaimer* reclaimer) override { types::let_go(cell.take_tree(), reclaimer); }
};

template <class Write>
void reply_payload(Call& call, const Write& write) {
  std::string payload;
  const base::Setting<bool>* packs = call.settings().packs_dumps;
  if (packs == nullptr || packs->get()) {
    storage::RdbWriter out(payload);
    write(out);
  } else {
    storage::RdbWriter out(payload, nullptr);
    write(out);
  }
  storage::seal_payload(payload);
  call.reply().bulk(payload);
}

void reply_string(Call& call, std::string_view bytes) {
  reply_payload(call, [&](storage::RdbWriter& out) { storage::write_string(out, bytes); });
}

void reply_collection(Call& call, types::Type type, const types::CellView& seen) {
  reply_payload(call, [&](storage::RdbWriter& out) { storage::write_collection(out, type, seen); });
}

void reply_pinned(Call& call) {
  const Pins& pins = call.state<Pins>();
  if (pins.type == types::Type::string) return reply_string(call, pins.string.view());
  reply_collection(call, pins.type, pins.cell.view());
}

void dump_string(Call& call, const types::StringRef& string) {
  if (string.form != types::StringRef::Form::shared || string.size() <= kQuickBytesMax) {
    types::StringRef::Scratch scratch;
    return reply_string(call, string.view(scratch));
  }
  call.state<Pins>().string = base::SharedBytes::share(string.buffer);
  call.finish_without_tokens(reply_pinned);
}

void dump_collection(Call& call, types::Type type, const types::CellView& seen) {
  const std::size_t bytes = seen.tree != nullptr ? seen.tree->footprint() : seen.packed.size();
  if (bytes <= kQuickBytesMax) return reply_collection(call, type, seen);
  Pins& pins = call.state<Pins>();
  pins.type = type;
  pins.cell = types::OwnCell::pin(seen);
  call.finish_without_tokens(reply_pinned);
}

void dump(Call& call) {
  const Entry* entry = call.find(0);
  if (entry == nullptr) return call.reply().null();
  if (entry->is_string()) return dump_string(call, entry->string());
  dump_collection(call, entry->type(), entry->cell());
}

}  // namespace

extern constinit const Command generic_dump{
    .name = "DUMP",
    .summary = "Answers a key's value in a form that RESTORE, here or in Redis, makes a key of.",
    .since = "2.6.0",
    .complexity = "O(N*M) with N the number of elements and M their average size.",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::keyspace,
    .runs = on_keys(dump),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
