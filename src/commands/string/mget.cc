// MGET key [key ...]
#include <cstdint>
#include <string>
#include <vector>

#include "commands/many_keys.h"
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

// The strings of very many keys.
class StringReads final : public KeyReads {
 public:
  void begin() { found_.resize(key_count()); }
  static void answer(Call& call) {
    auto& self = call.state<StringReads>();
    call.reply().array(self.found_.size());
    for (Found& found : self.found_) {
      switch (found.kind) {
        case Found::Kind::none:
          call.reply().null();
          break;
        case Found::Kind::integer:
          call.reply().bulk_integer(found.number);
          break;
        case Found::Kind::bytes:
          call.reply().bulk(found.text);
          break;
        case Found::Kind::shared:
          call.reply().bulk(found.shared, 0, static_cast<std::size_t>(found.number));
          break;
      }
    }
  }

 private:
  struct Found {
    enum class Kind : std::uint8_t { none, integer, bytes, shared } kind = Kind::none;
    std::int64_t number = 0;  // or the size of what is shared
    std::string text = {};
    base::SharedBytes shared = {};
  };

  void visit(const shard::ReadPart&, std::size_t i, const Entry* entry) override {
    if (entry == nullptr || !entry->is_string()) return;
    const types::StringRef value = entry->string();
    Found& found = found_[i];
    switch (value.form) {
      case types::StringRef::Form::integer:
        found.kind = Found::Kind::integer;
        found.number = value.number;
        break;
      case types::StringRef::Form::bytes:
        found.kind = Found::Kind::bytes;
        found.text = value.text;
        break;
      case types::StringRef::Form::shared:
        found.kind = Found::Kind::shared;
        found.number = static_cast<std::int64_t>(value.text.size());
        found.shared = base::SharedBytes::share(value.buffer);
        break;
    }
  }

  std::vector<Found> found_;  // by key
};

void mget(Call& call) {
  if (has_planned_reads(call)) return read_in_parts(call, StringReads::answer);
  call.reply().array(call.key_count());
  for_each_key(call, [&](std::size_t i) {
    const Entry* entry = call.find(i);
    if (entry != nullptr && entry->is_string()) {
      reply_string(call.reply(), entry->string());
    } else {
      call.reply().null();  // also for other types: one wrong type must not fail the others
    }
  });
}

}  // namespace

extern constinit const Command string_mget{
    .name = "MGET",
    .summary = "Answers the strings stored at several keys, all of one moment.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys.",
    .syntax = "key [key ...]",
    .group = Group::string,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(mget),
    .when_large = WhenLarge::parts,
    .size = shard::argument_count,
    .prepare = plan_key_reads<StringReads>,
};

}  // namespace slotcar::commands
