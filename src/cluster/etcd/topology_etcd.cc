#include "cluster/etcd/topology_etcd.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "cluster/etcd/limits.h"

namespace slotcar::cluster {
namespace {

constexpr Lease::Nanos kMs = 1'000'000;
constexpr Lease::Nanos kSecond = 1000 * kMs;

void pause_ms(std::int64_t ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

}  // namespace

TopologyEtcd::TopologyEtcd(Options options, World world)
    : options_(std::move(options)),
      world_(std::move(world)),
      etcd_(options_.access, *world_.requests),
      events_(options_.access, *world_.events),
      store_({&etcd_, world_.random, world_.clock, world_.log}, options_.prefix,
             NodeFile(*world_.disk, options_.directory), options_.self) {}

// The clocks of two machines may run differently by a little, and a reply needs a moment to leave.
Lease::Nanos TopologyEtcd::deadline_of(Lease::Nanos asked, std::int64_t seconds) {
  const Lease::Nanos time = seconds * kSecond;
  return asked + time - std::max(time / 10, 200 * kMs);
}

// --- start -------------------------------------------------------------------------------------

Result<Topology> TopologyEtcd::read() {
  if (Status known = store_.identify(options_.wanted_id); !known) return known.error();
  etcd_.set_timeout_ms(limits::kEtcdRequestMs);
  const Lease::Nanos until = Lease::now() + limits::kEtcdStartMs * kMs;
  // etcd may be starting as well.
  while (true) {
    const auto reached = etcd_.run({.reads = {{options_.prefix + "clusters/"}}});
    if (reached) break;
    if (Lease::now() > until) return reached.error();
    pause_ms(limits::kEtcdRetryMs);
  }
  if (options_.self.member.endpoint.ip.empty()) {
    Endpoint endpoint = options_.self.member.endpoint;
    endpoint.ip = world_.requests->local_address();
    if (endpoint.ip.empty()) endpoint.ip = "127.0.0.1";
    store_.set_endpoint(std::move(endpoint));
  }
  if (Status fits = store_.check_self(); !fits) {
    return Error{
        fmt::format("this node cannot be named there (bind, port, cluster-announce-...): {}",
                    fits.error().message)};
  }
  if (Status begun = beat(); !begun) return begun.error();
  const auto view = store_.read();
  if (!view) return view.error();
  note_published();
  return (*view)->topology;
}

Status TopologyEtcd::watch(std::function<void(Topology)> changed) {
  changed_ = std::move(changed);
  thread_ = world_.executor->start_thread("etcd");
  event_thread_ = world_.executor->start_thread("etcd-events");
  thread_->post(run_);
  event_thread_->post(follow_);
  return {};
}

void TopologyEtcd::stop() {
  std::deque<Proposal> left;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    left.swap(proposals_);
  }
  wake_.notify_all();
  world_.requests->interrupt();
  world_.events->interrupt();
  thread_.reset();  // joined
  event_thread_.reset();
  for (Proposal& one : left) one.done(Error{"ERR The server is shutting down"});
}

void TopologyEtcd::propose(TopologyChange change, Done done) {
  {
    std::lock_guard lock(mutex_);
    if (!stopping_ && proposals_.size() < limits::kTopologyProposalsMax) {
      proposals_.push_back({std::move(change), std::move(done)});
      done = nullptr;
    }
  }
  if (done) return done(Error{"TRYAGAIN Too many changes of the topology wait for etcd"});
  wake_.notify_all();
}

// --- the thread of requests --------------------------------------------------------------------

void TopologyEtcd::run() {
  while (wait_for_work()) {
    make_changes();
    bool has_event;
    {
      std::lock_guard lock(mutex_);
      has_event = std::exchange(has_event_, false);
      has_news_ = false;
    }
    if (Lease::now() >= next_beat_) {
      const Status done = beat();
      // What was proposed gets its turn between two that fail.
      if (!done) next_beat_ = Lease::now() + limits::kEtcdRetryMs * kMs;
      report(done);
    } else if (has_event) {
      report(refresh());
    }
    // A new topology may let fences fall, and that is a new topology. What this node has lost it
    // does not serve any more when it says so.
    if (fault_.empty()) {
      publish();
      const auto dropped = store_.drop_fences(has_settled());
      if (dropped && *dropped) report(refresh());
    }
    if (!world_.lease->is_lost() && Lease::now() >= world_.lease->deadline()) lose();
  }
}

bool TopologyEtcd::wait_for_work() {
  Lease::Nanos until = next_beat_;
  if (!world_.lease->is_lost()) until = std::min(until, world_.lease->deadline());
  const Lease::Nanos left = std::max<Lease::Nanos>(until - Lease::now(), 0);
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, std::chrono::nanoseconds(left),
                 [this] { return stopping_ || has_event_ || has_news_ || !proposals_.empty(); });
  return !stopping_;
}

void TopologyEtcd::make_changes() {
  // Not for so long that the lease ends.
  while (Lease::now() < next_beat_) {
    Proposal proposal;
    {
      std::lock_guard lock(mutex_);
      if (proposals_.empty()) return;
      proposal = std::move(proposals_.front());
      proposals_.pop_front();
    }
    set_timeout();
    const ChangeAnswer answer = store_.change(proposal.change);
    // The node that was asked follows before it answers.
    if (answer) report(refresh());
    proposal.done(answer);
  }
}

// A request that hangs must not keep this thread from seeing the end of the lease.
void TopologyEtcd::set_timeout() {
  std::int64_t ms = limits::kEtcdRequestMs;
  if (!world_.lease->is_lost()) {
    const Lease::Nanos deadline = world_.lease->deadline();
    if (deadline != INT64_MAX) ms = std::min(ms, (deadline - Lease::now()) / kMs);
  }
  etcd_.set_timeout_ms(std::max(ms, limits::kEtcdRequestMsMin));
}

Status TopologyEtcd::beat() {
  const Lease::Nanos asked = Lease::now();
  set_timeout();
  std::int64_t seconds = 0;
  if (lease_id_ != 0) {
    const auto kept = etcd_.keep_alive(lease_id_);
    if (!kept) return kept.error();
    seconds = *kept;
  }
  if (seconds == 0) {
    // Others may have had the slots meanwhile.
    if (lease_id_ != 0 && !world_.lease->is_lost()) lose();
    const auto granted = etcd_.grant(options_.lease_seconds());
    if (!granted) return granted.error();
    lease_id_ = granted->lease;
    seconds = granted->seconds;
    if (Status entered = store_.enter(lease_id_); !entered) return entered;
  }
  if (!store_.has_entered()) {
    if (Status entered = store_.enter(lease_id_); !entered) return entered;
  }
  if (Status read = refresh(); !read) return read;
  if (!store_.has_entered()) return Error{"the record of this node in etcd is not its own"};
  const Lease::Nanos deadline = deadline_of(asked, seconds);
  next_beat_ = asked + seconds * kSecond / 3;
  if (world_.lease->is_lost()) {
    world_.lease->regain(deadline, world_.lease_changed);
    world_.log->notice("This node has a lease of etcd again, and serves its slots");
  } else {
    world_.lease->extend(deadline);
  }
  return {};
}

Status TopologyEtcd::refresh() {
  set_timeout();
  const auto view = store_.read();
  if (!view) return view.error();
  {
    std::lock_guard lock(mutex_);
    revision_ = (*view)->revision;
  }
  publish();
  return {};
}

void TopologyEtcd::publish() {
  if (!changed_) return;  // at start
  if (!note_published()) return;
  changed_(store_.view().topology);
  std::uint64_t number;
  {
    std::lock_guard lock(mutex_);
    number = ++changes_;
  }
  world_.settle([this, number] {
    {
      std::lock_guard lock(mutex_);
      settled_ = number;
      has_news_ = true;
    }
    wake_.notify_all();
  });
}

bool TopologyEtcd::has_settled() {
  std::lock_guard lock(mutex_);
  return settled_ == changes_;
}

// False: it is what was published before.
bool TopologyEtcd::note_published() {
  const ClusterStore::View& view = store_.view();
  Published now{view.mod_revision, "", store_.self_id()};
  for (const Member& member : view.topology.members()) now.live += member.is_live ? '1' : '0';
  if (now == published_) return false;
  published_ = std::move(now);
  return true;
}

void TopologyEtcd::lose() {
  world_.log->warning(
      "This node has no lease of etcd any more: it serves nothing, and closes the connections that "
      "it has");
  world_.lease->lose(world_.lease_changed);
}

// Once for each fault.
void TopologyEtcd::report(const Status& status) {
  if (status) {
    if (!fault_.empty()) world_.log->notice("etcd answers again");
    fault_.clear();
    return;
  }
  if (fault_ == status.error().message) return;
  fault_ = status.error().message;
  world_.log->warning("The topology in etcd cannot be read: {}", fault_);
}

// --- the thread of events ----------------------------------------------------------------------

void TopologyEtcd::follow_events() {
  events_.set_timeout_ms(limits::kEtcdRequestMs);
  const auto is_stopping = [this] {
    std::lock_guard lock(mutex_);
    return stopping_;
  };
  const auto wake = [this] {
    {
      std::lock_guard lock(mutex_);
      has_event_ = true;
    }
    wake_.notify_all();
    return true;
  };
  while (!is_stopping()) {
    std::int64_t from;
    {
      std::lock_guard lock(mutex_);
      from = revision_ + 1;
    }
    const EtcdClient::WatchEnd end = events_.watch(options_.prefix, from, wake);
    if (is_stopping()) return;
    world_.log->verbose("The stream of etcd's events has ended: {}", end.why);
    // Whatever was missed is read now, and the next stream begins after it.
    wake();
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::milliseconds(limits::kEtcdRetryMs),
                   [this] { return stopping_; });
  }
}

}  // namespace slotcar::cluster
