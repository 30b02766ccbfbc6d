// Eviction: which key is removed when memory is short. As in Redis, a few sampled keys are compared
// instead of all. The caller may sample several shards and compare the scores.
#include <algorithm>

#include "base/assert.h"
#include "keyspace/keyspace.h"

namespace slotcar::keyspace {

namespace {

std::uint64_t below(Hold& hold, std::uint64_t bound) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(draw(hold)) * bound) >> 64);
}

bool volatile_only(EvictionPolicy policy) {
  return policy == EvictionPolicy::volatile_lru || policy == EvictionPolicy::volatile_lfu ||
         policy == EvictionPolicy::volatile_random || policy == EvictionPolicy::volatile_ttl;
}

std::uint64_t score(Hold& hold, EvictionPolicy policy, const Entry& entry) {
  switch (policy) {
    case EvictionPolicy::allkeys_lru:
    case EvictionPolicy::volatile_lru:
      return EntryEditor::idle(entry, hold.now);
    case EvictionPolicy::allkeys_lfu:
    case EvictionPolicy::volatile_lfu: {
      const int decay = hold.settings->lfu_decay_minutes.get();
      return 255u - entry.frequency(hold.now, decay);
    }
    case EvictionPolicy::volatile_ttl:
      return UINT64_MAX - static_cast<std::uint64_t>(std::max<UnixMs>(0, entry.expires_at()));
    case EvictionPolicy::allkeys_random:
    case EvictionPolicy::volatile_random:
      return draw(hold);
    case EvictionPolicy::noeviction:
      break;
  }
  UNREACHABLE();
}

}  // namespace

std::optional<Keyspace::Victim> Keyspace::sample_victim(Hold& hold, EvictionPolicy policy,
                                                        int samples) {
  check(hold);
  if (policy == EvictionPolicy::noeviction) return std::nullopt;
  std::optional<Candidate> best;
  std::uint64_t best_score = 0;
  for (int i = 0; i < samples; ++i) {
    const auto candidate = sample(hold, volatile_only(policy));
    if (!candidate) return std::nullopt;
    const std::uint64_t its_score = score(hold, policy, *candidate->entry);
    if (!best || its_score > best_score) {
      best = candidate;
      best_score = its_score;
    }
  }
  if (!best) return std::nullopt;
  return Victim{best->db, std::string(best->entry->key()), best_score};
}

// A random key of the shard (with an expiry), all databases included.
std::optional<Keyspace::Candidate> Keyspace::sample(Hold& hold, bool with_expiry) const {
  const auto weight = [&](DbIndex db) {
    const Database& in = *database(db);
    return static_cast<std::uint64_t>(with_expiry ? in.keys_with_expiry.get() : in.keys.get());
  };
  std::uint64_t total = 0;
  for (const DbIndex db : used_) total += weight(db);
  if (total == 0) return std::nullopt;
  std::uint64_t rank = below(hold, total);
  for (const DbIndex db : used_) {
    if (rank >= weight(db)) {
      rank -= weight(db);
      continue;
    }
    const Database& in = *database(db);
    if (with_expiry) return Candidate{db, sample_volatile(in, rank)};
    return Candidate{db, sample_in(hold, in)};
  }
  UNREACHABLE();
}

// The index may also contain keys without an expiry that have fields with one.
Entry* Keyspace::sample_volatile(const Database& in, std::uint64_t from) {
  const ExpiryIndex& index = in.contents->expiry;
  for (std::uint64_t i = 0; i < index.size(); ++i) {
    Entry* entry = index.at((from + i) % index.size()).entry();
    if (entry->has_expiry()) return entry;
  }
  UNREACHABLE();
}

// A random key of a database that has keys.
Entry* Keyspace::sample_in(Hold& hold, const Database& in) const {
  std::uint64_t rank = below(hold, static_cast<std::uint64_t>(in.keys.get()));
  for (auto table = in.contents->next_occupied(0); table;
       table = in.contents->next_occupied(*table + 1)) {
    const std::uint64_t here = in.tables[*table].size();
    if (rank < here) return in.tables[*table].sample(draw(hold));
    rank -= here;
  }
  UNREACHABLE();
}

std::int64_t Keyspace::average_ttl_ms(Hold& hold, DbIndex db, int samples) {
  check(hold);
  const Database* in = database(db);
  if (!in || !in->contents || in->keys_with_expiry.get() == 0 || samples <= 0) return 0;
  // Averaged as it goes, so that keys with an expiry at the end of time cannot overflow a sum.
  double average = 0;
  for (int i = 0; i < samples; ++i) {
    const std::uint64_t place = below(hold, in->contents->expiry.size());
    const UnixMs when = sample_volatile(*in, place)->expires_at();
    const double left = static_cast<double>(std::max<std::int64_t>(0, when - hold.now));
    average += (left - average) / (i + 1);
  }
  return static_cast<std::int64_t>(average);
}

}  // namespace slotcar::keyspace
