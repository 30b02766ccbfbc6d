#include "slotcar/work_queue.h"

#include <algorithm>
#include <random>

#include "slotcar/commands/stream.h"
#include "take_machine.h"

namespace slotcar::client {
namespace detail {
namespace {

// A short job is looked for often enough that `visible_after` is about what it says.
constexpr int kClaimsPerVisibility = 4;
// An answer of XREADGROUP that waits is asked for anew after at most this time.
constexpr Millis kReadAtMost{30'000};

using Claimed = std::tuple<std::string, std::vector<StreamEntry>, std::vector<std::string>>;
// Id, worker, idle milliseconds, deliveries.
using Outstanding = std::vector<std::tuple<std::string, std::string, std::int64_t, std::int64_t>>;

// Moves a job to the stream of the dead. KEYS: stream, dead stream. ARGV: group, id, fields...
constexpr const char* kBury = R"(
local id = ARGV[2]
local fields = {}
for i = 3, #ARGV do fields[#fields + 1] = ARGV[i] end
if redis.call('xack', KEYS[1], ARGV[1], id) == 0 then return 0 end
redis.call('xadd', KEYS[2], '*', unpack(fields))
redis.call('xdel', KEYS[1], id)
return 1)";

}  // namespace

TakeMachine::TakeMachine(WorkQueue& queue, Millis at_most)
    : queue_(queue), until_(Clock::now() + at_most) {}

Request TakeMachine::first() {
  return Clock::now() >= queue_.next_claim_ ? ask_claim() : ask_read();
}

Request TakeMachine::ask_claim() {
  asked_ = Asked::claim;
  return commands::xautoclaim(queue_.stream_, queue_.options_.group, queue_.options_.worker,
                              queue_.options_.visible_after, queue_.claim_cursor_, {.count = 1})
      .request();
}

Request TakeMachine::ask_read() {
  asked_ = Asked::read;
  const auto now = Clock::now();
  const auto left = std::chrono::ceil<Millis>(std::min(until_, queue_.next_claim_) - now);
  Request request("XREADGROUP");
  request.arg("GROUP").arg(queue_.options_.group).arg(queue_.options_.worker).arg("COUNT").arg(1);
  // BLOCK 0 would wait for ever.
  if (left.count() > 0) request.arg("BLOCK").arg(std::min(left, kReadAtMost).count());
  return std::move(request.arg("STREAMS").key(queue_.stream_).arg(">"));
}

std::optional<Request> TakeMachine::end(Result<std::optional<Job>> result) {
  result_ = std::move(result);
  return std::nullopt;
}

std::optional<Request> TakeMachine::go_on() {
  const auto now = Clock::now();
  if (now >= queue_.next_claim_) return ask_claim();
  // New jobs are looked for at least once, however short the time is.
  if (now >= until_ && read_once_) return end(std::optional<Job>());
  return ask_read();
}

std::optional<Request> TakeMachine::step(Result<Reply>&& answer) {
  if (!answer) return after_error(answer.error());
  switch (asked_) {
    case Asked::claim:
      return after_claim(std::move(*answer));
    case Asked::deliveries:
      return after_deliveries(std::move(*answer));
    case Asked::read:
      return after_read(std::move(*answer));
    case Asked::burial:
    case Asked::group:
      break;
  }
  return go_on();
}

std::optional<Request> TakeMachine::after_error(const Error& error) {
  const bool server = error.kind == Error::Kind::server;
  if (server && error.code() == "NOGROUP" && !created_) {
    created_ = true;
    asked_ = Asked::group;
    return commands::xgroup_create(queue_.stream_, queue_.options_.group, "0", {.mkstream = true})
        .request();
  }
  // Another worker was faster.
  if (server && asked_ == Asked::group && error.code() == "BUSYGROUP") return go_on();
  return end(error);
}

std::optional<Request> TakeMachine::after_claim(Reply&& answer) {
  auto claimed = decode<Claimed>(std::move(answer));
  if (!claimed) return end(claimed.error());
  auto& [cursor, entries, deleted] = *claimed;
  queue_.claim_cursor_ = cursor;
  if (cursor == "0-0") {
    queue_.next_claim_ = Clock::now() + queue_.options_.visible_after / kClaimsPerVisibility;
  }
  if (entries.empty()) return go_on();
  job_ = {.id = entries[0].id, .fields = std::move(entries[0].fields)};
  asked_ = Asked::deliveries;
  Request request("XPENDING");
  request.key(queue_.stream_).arg(queue_.options_.group).arg(job_.id).arg(job_.id).arg(1);
  return request;
}

std::optional<Request> TakeMachine::after_deliveries(Reply&& answer) {
  auto outstanding = decode<Outstanding>(std::move(answer));
  if (!outstanding) return end(outstanding.error());
  if (outstanding->empty()) return go_on();  // finished meanwhile, by the slow worker
  job_.deliveries = std::get<3>((*outstanding)[0]);
  if (job_.deliveries <= queue_.options_.deliveries_max) return end(std::optional(std::move(job_)));
  asked_ = Asked::burial;
  Request request("EVAL");
  request.arg(kBury).arg(2).key(queue_.stream_).key(queue_.dead_).arg(queue_.options_.group);
  request.arg(job_.id);
  for (const auto& [field, value] : job_.fields) request.arg(field).arg(value);
  request.arg("dead:id").arg(job_.id).arg("dead:deliveries").arg(job_.deliveries);
  return request;
}

std::optional<Request> TakeMachine::after_read(Reply&& answer) {
  read_once_ = true;
  auto read = decode<std::optional<std::vector<std::pair<std::string, std::vector<StreamEntry>>>>>(
      std::move(answer));
  if (!read) return end(read.error());
  if (!*read || (*read)->empty() || (**read)[0].second.empty()) return go_on();
  StreamEntry& entry = (**read)[0].second[0];
  return end(std::optional(Job{.id = std::move(entry.id), .fields = std::move(entry.fields)}));
}

}  // namespace detail

namespace {

std::string random_name() {
  std::random_device device;
  return "worker-" + std::to_string(device()) + "-" + std::to_string(device());
}

// In the slot of the stream: `{jobs}:dead` of `jobs`, or with the braces that the name has.
std::string dead_name(const std::string& stream) {
  return stream.find('{') == std::string::npos ? "{" + stream + "}:dead" : stream + ":dead";
}

// Only if this worker still has it. JUSTID keeps the count of deliveries.
constexpr const char* kSetIdle = R"(
local found = redis.call('xpending', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)
if #found == 0 or found[1][2] ~= ARGV[2] then return 0 end
redis.call('xclaim', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'idle', ARGV[4], 'justid')
return 1)";

constexpr const char* kFinish = R"(
local done = redis.call('xack', KEYS[1], ARGV[1], ARGV[2])
redis.call('xdel', KEYS[1], ARGV[2])
return done)";

}  // namespace

WorkQueue::WorkQueue(Client& client, std::string stream, WorkQueueOptions options)
    : client_(&client),
      stream_(std::move(stream)),
      dead_(dead_name(stream_)),
      options_(std::move(options)) {
  if (options_.worker.empty()) options_.worker = random_name();
}

Result<std::string> WorkQueue::push(const Rows<2>& fields) {
  return push_call(fields).get();
}

TypedPending<std::string> WorkQueue::push_call(const Rows<2>& fields) {
  return client_->call(commands::xadd<std::string>(stream_, "*", fields));
}

Result<std::optional<Job>> WorkQueue::take(Millis at_most) {
  detail::TakeMachine machine(*this, at_most);
  std::optional<Request> request = machine.first();
  while (request) request = machine.step(client_->run(std::move(*request)));
  return machine.result();
}

Task<Result<std::optional<Job>>> WorkQueue::take_call(Millis at_most) {
  detail::TakeMachine machine(*this, at_most);
  std::optional<Request> request = machine.first();
  while (request) {
    auto answer = co_await client_->call(std::move(*request));
    request = machine.step(std::move(answer));
  }
  co_return machine.result();
}

TypedPending<bool> WorkQueue::finish_call(const Job& job) {
  Request request("EVAL");
  request.arg(kFinish).arg(1).key(stream_).arg(options_.group).arg(job.id);
  return TypedPending<bool>(client_->call(std::move(request)));
}

Request WorkQueue::idle_request(const Job& job, Millis idle) const {
  Request request("EVAL");
  request.arg(kSetIdle).arg(1).key(stream_).arg(options_.group).arg(options_.worker).arg(job.id);
  return std::move(request.arg(idle.count()));
}

TypedPending<bool> WorkQueue::extend_call(const Job& job) {
  return TypedPending<bool>(client_->call(idle_request(job, Millis(0))));
}

TypedPending<bool> WorkQueue::give_back_call(const Job& job) {
  // As if nothing had been heard of it for as long as is needed.
  next_claim_ = {};
  return TypedPending<bool>(client_->call(idle_request(job, options_.visible_after)));
}

}  // namespace slotcar::client
