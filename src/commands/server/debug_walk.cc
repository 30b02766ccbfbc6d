#include "commands/server/debug_walk.h"

#include <fmt/format.h>
#include <time.h>
#include <xxhash.h>

#include <array>

#include "commands/generic/shard_order.h"
#include "node/node.h"
#include "storage/value_digest.h"
#include "types/type.h"

namespace slotcar::commands {
namespace {

// --- OBJECT ------------------------------------------------------------------------------------

class ObjectWalk final : public DebugWalk {
  WalkStep start(Call& call) override {
    return WalkStep::go(call.shards().shard_of(call.make_key(call.arg(2)).slot).value);
  }
  WalkStep step(Call& call, shard::Shard& shard) override {
    const Entry* entry = shard.keys().peek(call.hold(), call.db(), call.make_key(call.arg(2)));
    if (entry == nullptr) {
      call.reply().error(schema::kNoSuchKey);
      return WalkStep::done();
    }
    const std::int64_t idle = entry->idle_seconds(call.now());
    const std::size_t size = entry->is_string() ? entry->string().size() + 1 : entry->footprint();
    call.reply().simple(fmt::format(
        "Value at:{} refcount:1 encoding:{} serializedlength:{} lru:{} lru_seconds_idle:{}",
        static_cast<const void*>(entry), types::encoding_name(entry->encoding()), size,
        (call.now() / 1000 - idle) & 0xffffff, idle));
    return WalkStep::done();
  }
};

// --- DIGEST ------------------------------------------------------------------------------------

storage::ValueDigest digest_of(const Entry& entry) {
  if (!entry.is_string()) return storage::digest_of_collection(entry.type(), entry.cell());
  types::StringRef::Scratch scratch;
  return storage::digest_of_string(entry.string().view(scratch));
}

// Equal for equal contents, in any order; zero for none.
class Digest {
 public:
  // The value alone: keys with equal values have equal digests.
  void add(const Entry& entry, std::uint64_t salt) {
    const storage::ValueDigest value = digest_of(entry);
    const std::uint64_t words[4] = {
        value.low, value.high, salt,
        static_cast<std::uint64_t>(entry.type()) * 2 + (entry.has_expiry() ? 1 : 0)};
    const XXH128_hash_t wide = XXH3_128bits(words, sizeof words);
    words_[0] ^= wide.low64;
    words_[1] ^= wide.high64;
    words_[2] ^= XXH3_64bits_withSeed(words, sizeof words, 1);
  }
  // With its key, in that database.
  void add_keyed(const Entry& entry, DbIndex db) {
    const std::string_view key = entry.key();
    add(entry, XXH3_64bits_withSeed(key.data(), key.size(), db.value + 1));
  }
  std::string text() const {  // as long as Redis's, 40 digits
    return fmt::format("{:016x}{:016x}{:08x}", words_[0], words_[1],
                       static_cast<std::uint32_t>(words_[2]));
  }

 private:
  std::array<std::uint64_t, 3> words_{};
};

class DigestWalk final : public DebugWalk {
  WalkStep start(Call& call) override { return go_to_shard(call, 0); }

  WalkStep step(Call& call, shard::Shard& shard) override {
    constexpr std::size_t kKeysPerVisit = 256;
    std::size_t seen = 0;
    while (seen < kKeysPerVisit) {
      const auto place = place_with_keys(shard.keys(), db_, place_);
      if (!place) return go_to_shard(call, shard.id().value + 1u);
      const auto more = shard.keys().scan_slot(call.hold(), db_, place->slot, place->position,
                                               kKeysPerVisit - seen, [&](const Entry& entry) {
                                                 ++seen;
                                                 digest_.add_keyed(entry, db_);
                                               });
      if (more) {
        place_ = {place->slot, *more};
        continue;
      }
      const auto next = next_slot_of_shard(call.shards(), *place);
      if (!next) return go_to_shard(call, shard.id().value + 1u);
      place_ = *next;
    }
    return WalkStep::stay();
  }

  WalkStep go_to_shard(Call& call, std::uint32_t from) {
    for (; db_.value < call.shards().shape().databases; ++db_.value, from = 0) {
      if (const auto shard = shard_with_keys(call.shards(), db_, from)) {
        place_ = beginning_of(*shard);
        return WalkStep::go(shard->value);
      }
    }
    call.reply().simple(digest_.text());
    return WalkStep::done();
  }

  DbIndex db_{0};
  WalkPlace place_;
  Digest digest_;
};

class DigestValueWalk final : public DebugWalk {
  WalkStep start(Call& call) override {
    call.reply().array(call.size() - 2);
    return go_on(call);
  }
  WalkStep step(Call& call, shard::Shard& shard) override {
    const Entry* entry = shard.keys().peek(call.hold(), call.db(), call.make_key(call.arg(at_)));
    Digest digest;
    if (entry != nullptr) digest.add(*entry, 0);
    call.reply().simple(digest.text());
    ++at_;
    return go_on(call);
  }
  WalkStep go_on(Call& call) const {
    if (at_ == call.size()) return WalkStep::done();
    return WalkStep::go(call.shards().shard_of(call.make_key(call.arg(at_)).slot).value);
  }

  std::size_t at_ = 2;
};

// --- POPULATE ----------------------------------------------------------------------------------

// It was admitted once and writes a record for each key, so before each it checks whether the log
// has room. It does not wait for long: a disk that hangs must not block the shard.
bool log_has_room(Call& call) {
  const storage::Log* const log = call.node().scheduler().log();
  constexpr timespec kNap{0, 1'000'000};
  for (int naps = 1000; log != nullptr && !log->admits(); --naps) {
    if (naps == 0 || log->failing()) return false;
    ::nanosleep(&kNap, nullptr);
  }
  return true;
}

class PopulateWalk final : public DebugWalk {
  WalkStep start(Call& call) override {
    const auto count = base::parse_int64(call.arg(2));
    const auto size = call.size() > 4 ? base::parse_int64(call.arg(4)) : 0;
    if (!count || *count < 0 || !size || *size < 0) {
      call.reply().error(schema::kNotInteger);
      return WalkStep::done();
    }
    if (*size > call.settings().bulk_bytes_max) {
      call.reply().error(schema::kStringTooLong);
      return WalkStep::done();
    }
    count_ = *count;
    size_ = static_cast<std::size_t>(*size);
    prefix_ = call.size() > 3 ? call.arg(3) : "key";
    return go_on(call);
  }
  WalkStep step(Call& call, shard::Shard& shard) override {
    if (!log_has_room(call)) {
      call.reply().error("ERR the log has no room");
      return WalkStep::done();
    }
    const keyspace::Key key = call.make_key(name_);
    if (shard.keys().peek(call.hold(), call.db(), key) == nullptr) {
      std::string value = fmt::format("value:{}", next_);
      if (size_ > 0) value.resize(size_);
      shard.keys().set_string(call.hold(), call.db(), key, std::string_view(value),
                              ExpiryChange::clear());
    }
    ++next_;
    return go_on(call);
  }
  WalkStep go_on(Call& call) {
    if (next_ == count_) {
      call.reply().ok();
      return WalkStep::done();
    }
    name_ = fmt::format("{}:{}", prefix_, next_);
    return WalkStep::go(call.shards().shard_of(call.make_key(name_).slot).value);
  }

  std::int64_t count_ = 0;
  std::int64_t next_ = 0;
  std::size_t size_ = 0;
  std::string_view prefix_;
  std::string name_;
};

}  // namespace

std::unique_ptr<DebugWalk> make_debug_object() {
  return std::make_unique<ObjectWalk>();
}
std::unique_ptr<DebugWalk> make_debug_digest() {
  return std::make_unique<DigestWalk>();
}
std::unique_ptr<DebugWalk> make_debug_digest_value() {
  return std::make_unique<DigestValueWalk>();
}
std::unique_ptr<DebugWalk> make_debug_populate() {
  return std::make_unique<PopulateWalk>();
}

// --- PROTOCOL ----------------------------------------------------------------------------------

void reply_debug_protocol(Call& call) {
  auto& reply = call.reply();
  const std::string type = base::lowered(call.arg(2));
  const bool resp3 = reply.protocol() == resp::Protocol::resp3;
  if (type == "string") return reply.bulk("Hello World");
  if (type == "integer") return reply.integer(12345);
  if (type == "double") return reply.real(3.141);
  if (type == "null") return reply.null();
  if (type == "bignum") return reply.big_number("1234567999999999999999999999999999999");
  if (type == "verbatim") return reply.verbatim("This is a verbatim\nstring");
  if (type == "true") return reply.boolean(true);
  if (type == "false") return reply.boolean(false);
  if (type == "array" || type == "set") {
    if (type == "array")
      reply.array(3);
    else
      reply.set(3);
    for (int i = 0; i < 3; ++i) reply.integer(i);
    return;
  }
  if (type == "map") {
    reply.map(3);
    for (int i = 0; i < 3; ++i) {
      reply.integer(i);
      reply.boolean(i == 1);
    }
    return;
  }
  if (type == "attrib") {
    // Attributes precede a reply and are not part of it; RESP2 does not have them.
    if (resp3) {
      reply.output().append("|1\r\n");
      reply.bulk("key-popularity");
      reply.array(2);
      reply.bulk("key:123");
      reply.integer(90);
    }
    return reply.bulk("Some real reply following the attribute");
  }
  if (type == "push") {
    if (!resp3) return reply.error("ERR RESP2 is not supported by this command");
    reply.push(2);
    reply.bulk("server-cpu-usage");
    reply.integer(42);
    return reply.bulk("Some real reply following the push reply");
  }
  reply.error(
      "ERR Wrong protocol type name. Please use one of the following: string|integer|"
      "double|bignum|null|array|set|map|attrib|push|verbatim|true|false");
}

}  // namespace slotcar::commands
