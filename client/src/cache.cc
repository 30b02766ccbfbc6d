#include "slotcar/cache.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "cache_state.h"
#include "command_table.h"
#include "core.h"

namespace slotcar::client {
namespace detail {
namespace {

// Commands that read one key and depend on nothing else: neither on the time (TTL) nor on chance
// (SRANDMEMBER) nor on a cursor, nor on keys that are found in values (SORT).
constexpr std::array kCacheable = {"bitcount",
                                   "bitfield_ro",
                                   "bitpos",
                                   "exists",
                                   "geodist",
                                   "geohash",
                                   "geopos",
                                   "georadius_ro",
                                   "geosearch",
                                   "get",
                                   "getbit",
                                   "getrange",
                                   "hexists",
                                   "hget",
                                   "hgetall",
                                   "hkeys",
                                   "hlen",
                                   "hmget",
                                   "hstrlen",
                                   "hvals",
                                   "lindex",
                                   "llen",
                                   "lpos",
                                   "lrange",
                                   "mget",
                                   "pfcount",
                                   "scard",
                                   "sismember",
                                   "smembers",
                                   "smismember",
                                   "strlen",
                                   "substr",
                                   "type",
                                   "xlen",
                                   "xrange",
                                   "xrevrange",
                                   "zcard",
                                   "zcount",
                                   "zlexcount",
                                   "zmscore",
                                   "zrange",
                                   "zrangebylex",
                                   "zrangebyscore",
                                   "zrank",
                                   "zrevrange",
                                   "zrevrangebylex",
                                   "zrevrangebyscore",
                                   "zrevrank",
                                   "zscore"};

bool is_cacheable(std::string_view command) {
  return std::any_of(kCacheable.begin(), kCacheable.end(), [command](std::string_view name) {
    return base::equals_ignoring_case(name, command);
  });
}

std::size_t memory_of(const Reply& reply) {
  std::size_t bytes = sizeof(Reply) + (reply.text().size() > 15 ? reply.text().capacity() : 0);
  for (const Reply& item : reply.items()) bytes += memory_of(item);
  return bytes;
}

// An entry's own objects, and its places in three containers.
constexpr std::size_t kEntryOverhead = 320;

class FillReceiver final : public Receiver {
 public:
  FillReceiver(CacheState& cache, std::string question, std::string key, Receiver& receiver)
      : cache_(cache), question_(std::move(question)), key_(std::move(key)), receiver_(receiver) {}
  void receive(Result<Reply>&& result) override {
    if (result) cache_.keep(std::move(question_), std::move(key_), *result, asked_);
    Receiver& receiver = receiver_;
    delete this;
    receiver.receive(std::move(result));
  }

 private:
  CacheState& cache_;
  std::string question_;
  std::string key_;
  Receiver& receiver_;
  const CacheState::Clock::time_point asked_ = CacheState::Clock::now();
};

Error usage(std::string text) {
  return {Error::Kind::usage, Error::Ran::no, std::move(text)};
}

}  // namespace

CacheState::CacheState(Options options, CacheOptions rules)
    : rules_(rules), client_(std::make_unique<Client>(prepared(std::move(options)))) {}

Options CacheState::prepared(Options options) {
  auto parsed = parse_uri(options.uri, options);
  if (!parsed) return options;  // the client says what is wrong
  Options all = std::move(*parsed);
  all.uri.clear();
  if (all.protocol != 3) refused_ = usage("a cache needs protocol=3: invalidations are pushes");
  if (all.mode == Mode::pooled) refused_ = usage("a cache needs lanes, not mode=pooled");
  all.lane_strategy = Strategy::key_affinity;
  all.lane_initialiser = [own = std::move(all.lane_initialiser)](std::size_t lane) {
    std::vector<Request> requests;
    if (own) requests = own(lane);
    requests.push_back(Request("CLIENT").arg("TRACKING").arg("ON"));
    return requests;
  };
  all.on_push = [this, own = std::move(all.on_push)](std::size_t lane, const Reply& push) {
    on_push(push);
    if (own) own(lane, push);
  };
  all.on_lane_down = [this, own = std::move(all.on_lane_down)](std::size_t lane) {
    clear();
    if (own) own(lane);
  };
  return all;
}

Port& CacheState::inner() const {
  return client_->port();
}
bool CacheState::must_not_wait() const {
  return inner().must_not_wait();
}
const std::function<void(std::function<void()>)>& CacheState::executor() const {
  return inner().executor();
}
void CacheState::on_exception(std::exception_ptr thrown) noexcept {
  inner().on_exception(std::move(thrown));
}
Status CacheState::status() const {
  if (refused_) return *refused_;
  return client_->status();
}

void CacheState::start(Request&& request, const CallOptions& options, Receiver& receiver) {
  if (refused_) return receiver.receive(Error(*refused_));
  // Lanes of other groups do not keep a key on one lane.
  if (!is_cacheable(request.command()) || !options.group.empty()) {
    return inner().start(std::move(request), options, receiver);
  }
  std::string key;
  if (request.has_key()) {
    if (request.keys().size() > 1) return inner().start(std::move(request), options, receiver);
    key = request.first_key();
  } else if (request.arguments() > 1) {
    // Of plain words; all commands of the table have their key there. Several keys are not kept.
    const bool several = base::equals_ignoring_case(request.command(), "mget") ||
                         base::equals_ignoring_case(request.command(), "exists") ||
                         base::equals_ignoring_case(request.command(), "pfcount");
    if (several && request.arguments() > 2) {
      return inner().start(std::move(request), options, receiver);
    }
    key = request.argument(1);
  }
  if (const auto known = find(request.body())) return receiver.receive(Reply(*known));
  auto* fill = new FillReceiver(*this, request.body(), std::move(key), receiver);
  inner().start(std::move(request), options, *fill);
}

std::shared_ptr<const Reply> CacheState::find(const std::string& question) {
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  const auto found = by_question_.find(question);
  if (found != by_question_.end()) {
    if (now < found->second->until) {
      ++metrics_.hits;
      entries_.splice(entries_.begin(), entries_, found->second);
      return found->second->reply;
    }
    remove(found->second);
  }
  ++metrics_.misses;
  return nullptr;
}

void CacheState::keep(std::string question, std::string key, const Reply& reply,
                      Clock::time_point asked) {
  const std::size_t bytes = kEntryOverhead + question.size() + 2 * key.size() + memory_of(reply);
  // One entry does not push out all others.
  if (bytes > rules_.bytes_max / 4 || rules_.entries_max == 0) return;
  auto kept = std::make_shared<const Reply>(reply);
  // From the question on: the answer may have been long on its way, and is as old as that.
  const auto until = asked + rules_.age_max;
  const std::lock_guard lock(mutex_);
  if (const auto old = by_question_.find(question); old != by_question_.end()) remove(old->second);
  while (!entries_.empty() &&
         (entries_.size() >= rules_.entries_max || metrics_.bytes + bytes > rules_.bytes_max)) {
    remove(std::prev(entries_.end()));
    ++metrics_.evictions;
  }
  entries_.push_front({std::move(question), key, std::move(kept), bytes, until});
  by_question_.emplace(entries_.front().question, entries_.begin());
  by_key_[std::move(key)].push_back(entries_.begin());
  metrics_.bytes += bytes;
}

void CacheState::remove(Entries::iterator entry) {
  metrics_.bytes -= entry->bytes;
  by_question_.erase(entry->question);
  const auto same_key = by_key_.find(entry->key);
  std::erase(same_key->second, entry);
  if (same_key->second.empty()) by_key_.erase(same_key);
  entries_.erase(entry);
}

void CacheState::forget_all() {
  by_question_.clear();
  by_key_.clear();
  entries_.clear();
  metrics_.bytes = 0;
  ++metrics_.flushes;
}

void CacheState::on_push(const Reply& push) {
  if (push.size() != 2 || push[0].text() != "invalidate") return;
  const std::lock_guard lock(mutex_);
  if (push[1].is_null()) return forget_all();  // FLUSHALL
  for (const Reply& key : push[1].items()) {
    ++metrics_.invalidations;
    const auto found = by_key_.find(key.text());
    if (found == by_key_.end()) continue;
    const std::vector<Entries::iterator> stale = found->second;
    for (const Entries::iterator entry : stale) remove(entry);
  }
}

void CacheState::clear() {
  const std::lock_guard lock(mutex_);
  forget_all();
}

CacheMetrics CacheState::metrics() const {
  const std::lock_guard lock(mutex_);
  CacheMetrics metrics = metrics_;
  metrics.entries = entries_.size();
  return metrics;
}

}  // namespace detail

Cache::Cache(Options options, CacheOptions rules)
    : state_(std::make_unique<detail::CacheState>(std::move(options), rules)) {}
Cache::~Cache() = default;
Cache::Cache(Cache&&) noexcept = default;

Status Cache::status() const {
  return state_->status();
}
Pending Cache::call(Request request, CallOptions options) {
  return Pending(*state_, std::move(request), std::move(options));
}
Client& Cache::client() {
  return state_->client();
}
void Cache::clear() {
  state_->clear();
}
CacheMetrics Cache::metrics() const {
  return state_->metrics();
}
bool Cache::cacheable(std::string_view command) {
  return detail::is_cacheable(command);
}

}  // namespace slotcar::client
