#include "node/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/limits.h"
#include "cluster/links/inbound_links.h"
#include "cluster/links/links.h"
#include "console/version.h"
#include "node/configuration.h"
#include "node/evictor.h"
#include "node/expirer.h"
#include "node/memory_returner.h"
#include "node/slot_waker.h"
#include "node/tracking_trimmer.h"
#include "node/whole_file.h"
#include "runtime/random_id.h"
#include "schema/command_table.h"
#include "storage/directory_lock.h"

namespace slotcar::node {

namespace {

keyspace::KeyspaceShape shape_of(const Settings& settings, runtime::Random& random) {
  keyspace::KeyspaceShape shape;
  shape.databases = settings.start.databases;
  shape.shards = settings.start.shards;
  shape.seed = base::HashSeed{random.next()};
  return shape;
}

// How long a stopping node waits for running calls and for clients to read their replies. Most slow
// calls end within it, and it leaves time for the rest within the ten seconds that service managers
// commonly allow.
constexpr runtime::Nanos kLastRepliesTime = 5 * runtime::kSecond;
// After SHUTDOWN NOSAVE has stopped a script: what waits for its tokens never gets a reply.
constexpr runtime::Nanos kLastRepliesTimeBesideScript = 100 * runtime::kMillisecond;

// The part of maxmemory for old values that writers put aside for a snapshot. Without a bound they
// could take as much as all values. Less than a few values of a megabyte would only make writers
// wait.
constexpr std::int64_t kSnapshotPartOfMemory = 16;
constexpr std::int64_t kSnapshotKeptMin = 4 * 1024 * 1024;

std::vector<const schema::Command*> commands_of(const Doors& doors) {
  const auto declared = schema::all_commands();
  std::vector<const schema::Command*> all(declared.begin(), declared.end());
  all.insert(all.end(), doors.more_commands.begin(), doors.more_commands.end());
  return all;
}

constexpr std::string_view kProtectedModeText =
    "-DENIED Slotcar is running in protected mode because protected mode is enabled and no "
    "password "
    "is set for the default user. In this mode connections are only accepted from the loopback "
    "interface. If you want to connect from external computers, set a password with 'requirepass', "
    "or disable protected mode with 'CONFIG SET protected-mode no' from the loopback interface, "
    "and "
    "make sure that the server is not reachable from the internet.\r\n";

}  // namespace

Node::Node(Settings& settings, const Doors& doors)
    : settings_(settings),
      doors_(doors),
      registry_(commands_of(doors)),
      shards_(shape_of(settings, *doors.random)),
      scheduler_(shards_, settings.execution, doors.executor->pauses()),
      cluster_(settings.cluster),
      router_(registry_, shards_, cluster()),
      users_(registry_),
      slow_log_(clients_, *doors.clock, settings.slow_log_length),
      latency_monitor_(*doors.clock, slow_log_),
      acl_log_(clients_, *doors.clock, settings.access.log_length),
      rights_(users_, acl_log_),
      peers_(peers_world()),
      run_id_(runtime::random_id(*doors.random)) {
  settings_.execution.rights = &rights_;
  settings_.execution.slots = router_.redirects();
  settings_.execution.keyspace.paused_until = &pause_.until_cell();
  settings_.execution.keyspace.tracking = &trackers_.totals;
  settings_.execution.keyspace.types.hash_seed = shards_.shape().seed;
  // One more than there are commands: internal ones (expiry) are counted there.
  slow_lane_ = std::make_unique<shard::SlowLane>(
      scheduler_, *doors_.executor, *doors_.clock, *doors_.random,
      std::max<std::uint32_t>(1, settings_.start.slow_lane_threads), registry_.size() + 1);
  scheduler_.set_slow_lane(*slow_lane_);
  evictor_ = std::make_unique<Evictor>(*this, settings_);
  scheduler_.holds().set_event_sink(notifier_);
  configuration_ = std::make_unique<Configuration>(settings_);
  configuration_->attach(*this);
  make_links();
  make_durability();
  make_scripts();
  services_ = {&scheduler_,    slow_lane_.get(), &router_,
               &clients_,      &pause_,          &settings_.session,
               evictor_.get(), &counters_,       doors_.log,
               this,           &worker_list_,    &directory_,
               &monitors_,     &trackers_,       durability_.get(),
               &users_,        &rights_};
  services_.script_only_reads = [this](const shard::Call& call) {
    return scripts_->only_reads(call);
  };
}

void Node::make_durability() {
  durability::Durability::World world;
  world.executor = doors_.executor;
  world.disk = doors_.disk;
  world.clock = doors_.clock;
  world.random = doors_.random;
  world.shared_memory = doors_.shared_memory;
  world.log = doors_.log;
  world.make_loop = doors_.make_loop;
  world.changes = [this] {
    std::int64_t sum = 0;
    for (const shard::Thread* thread : threads()) sum += thread->changes.get();
    return sum;
  };
  world.used_memory = [this] { return used_memory(); };
  world.kept_bytes_max = [this]() -> std::int64_t {
    const std::int64_t limit = settings_.maxmemory.get();
    return limit == 0 ? 0 : std::max(limit / kSnapshotPartOfMemory, kSnapshotKeptMin);
  };
  world.on_durable = [this](Lsn) {
    for (session::Worker* worker : worker_list_) worker->log_waiters().log_advanced();
    scheduler_.waiters().log_advanced();
    links_->log_advanced();
  };
  if (doors_.executor->pauses() == nullptr) {
    world.sleep = [](runtime::Nanos time) {
      std::this_thread::sleep_for(std::chrono::nanoseconds(time));
    };
  }
  settings_.durability.version = console::kRedisVersion;
  durability_ = std::make_unique<durability::Durability>(settings_.durability, std::move(world),
                                                         scheduler_, router_);
  durability_->set_rules(read_save_rules(configuration_->value("save")));
  durability_->set_file_name(configuration_->value("dbfilename"));
}

void Node::make_scripts() {
  eval::Scripts::World world;
  world.router = &router_;
  world.scheduler = &scheduler_;
  world.log = doors_.log;
  world.busy_reply_ms = &settings_.busy_reply_ms;
  world.saves_fail = [this] { return durability_->refuses_writes(); };
  world.is_monitored = [this] { return monitors_.any(); };
  world.show_monitors = [this](shard::Call& script, std::vector<std::string>&& lines) {
    session::Worker& home = script.context().session->worker();
    auto show = [this, &home, lines = std::move(lines)] {
      for (const std::string& line : lines) monitors_.show(home, line);
    };
    if (script.context().thread == &home.thread()) return show();
    home.loop().post(runtime::make_task(std::move(show)));
  };
  world.functions_changed = [this](const eval::Libraries& libraries) {
    storage::FunctionLibraries texts;
    for (const std::string& text : libraries.texts()) texts.add(text);
    durability_->set_functions(texts);
  };
  scripts_ = std::make_unique<eval::Scripts>(std::move(world));
}

Node::~Node() {
  stop();
}

Status Node::start() {
  if (Status opened = open(); !opened) return opened;
  return load();
}

Status Node::open() {
  // Before anything else: a second server must not take the first one's sockets either.
  if (Status locked = durability_->lock(); !locked) {
    // In a read-only directory a server without a log may serve what it can read.
    const std::string directory = configuration_->value("dir");
    if (settings_.durability.appendonly ||
        !storage::other_server(disk(), settings_.durability.directory).empty()) {
      return Error{fmt::format("{}: {}", directory, locked.error().message)};
    }
    log().warning("{}: {}: nothing will be saved there", directory, locked.error().message);
  }
  if (Status renamed = rename_commands(); !renamed) return renamed;
  if (Status made = make_users(); !made) return made;
  if (Status started = start_cluster(); !started) return started;
  started_monotonic_ = doors_.clock->monotonic();
  nanoseconds_per_cycle_ = doors_.clock->nanoseconds_per_cycle();
  slow_log_.set_nanoseconds_per_cycle(nanoseconds_per_cycle_);
  scripts_->set_nanoseconds_per_cycle(nanoseconds_per_cycle_);
  services_.turn_share_cycles =
      static_cast<std::uint64_t>(double{limits::kTurnShareNs} / nanoseconds_per_cycle_);
  settings_.execution.slow_calls = &latency_monitor_;
  settings_.execution.packs_dumps = &settings_.durability.compress;
  apply_slow_call_bounds();
  std::uint32_t workers = settings_.start.workers;
  if (workers == 0) workers = std::max(1u, std::thread::hardware_concurrency());
  workers = std::min(workers, limits::kWorkersMax);
  expirer_ = std::make_unique<Expirer>(*this, workers);
  tracking_trimmer_ = std::make_unique<TrackingTrimmer>(*this);
  memory_returner_ = std::make_unique<MemoryReturner>(*this);
  for (std::uint32_t i = 0; i < workers; ++i) {
    auto loop = doors_.make_loop();
    if (!loop) return loop.error();
    workers_.push_back(std::make_unique<session::Worker>(WorkerId{static_cast<std::uint16_t>(i)},
                                                         std::move(*loop), services_,
                                                         doors_.random->next()));
    worker_list_.push_back(workers_.back().get());
    workers_.back()->tickers().add(*expirer_);
    loaders_.push_back(std::make_unique<Loader>(workers_.back()->loop(), *doors_.clock,
                                                doors_.random->next(), registry_.size() + 1));
  }
  workers_[0]->tickers().add(*tracking_trimmer_);
  workers_[0]->tickers().add(*memory_returner_);
  if (slot_waker_) workers_[0]->tickers().add(*slot_waker_);
  memory_returner_->begin();
  if (!settings_.durability.directory.empty()) durability_->expect_loading();
  if (Status listening = listen_all(); !listening) return listening;
  running_ = true;
  for (auto& worker : workers_) {
    doors_.executor->start_loop("worker-" + std::to_string(worker->id().value), worker->loop());
  }
  if (!topology_source_) return {};
  return topology_source_->watch(
      [this](cluster::Topology topology) { change_topology(std::move(topology)); });
}

Status Node::load() {
  if (!settings_.durability.directory.empty()) {
    std::vector<shard::Thread*> contexts;
    for (auto& loader : loaders_) contexts.push_back(&loader->thread);
    const bool threaded = doors_.executor->pauses() == nullptr;
    if (Status loaded = durability_->start(std::move(contexts), threaded); !loaded) return loaded;
    snapshot_thread_.store(&durability_->thread(), std::memory_order_release);
    // A client that is served must see them, and must not have a library of its own replaced.
    scripts_->take_over_libraries(durability_->functions());
    durability_->end_loading();
  }
  for (session::Worker* worker : worker_list_) {
    worker->loop().post(runtime::make_task([worker] { worker->tickers().run_now(); }));
  }
  return {};
}

std::string Node::acl_path() const {
  const std::string& file = settings_.access.file;
  const std::string& directory = settings_.durability.directory;
  if (file.empty() || file.front() == '/' || directory.empty()) return file;
  return directory + "/" + file;
}

Status Node::load_acl_file(const acl::Users::OnChange& changed) {
  std::lock_guard lock(acl_file_mutex_);
  const std::string path = acl_path();
  const auto text = read_whole_file(disk(), path);
  if (!text) {
    return Error{fmt::format("Error loading ACLs, opening file '{}': {}", settings_.access.file,
                             text.error().message)};
  }
  return users_.load(*text, settings_.access.file, settings_.session.password(), changed);
}

// The one that saves later has the newer users.
Status Node::save_acl_file() {
  std::lock_guard lock(acl_file_mutex_);
  return replace_file(disk(), acl_path(), users_.save(), Readers::only_this_user);
}

// Both from the configuration, before anybody can connect.
Status Node::rename_commands() {
  for (const auto& line : settings_.access.renames) {
    if (Status renamed = registry_.rename(line[0], line[1]); !renamed) {
      // The new name may be meant as a secret.
      return Error{fmt::format("rename-command {} ...: {}", line[0], renamed.error().message)};
    }
  }
  return {};
}

Status Node::make_users() {
  const AccessSettings& access = settings_.access;
  users_.set_all_channels_at_first(access.all_channels_at_first);
  auth_limit_.per_minute = access.auth_failures_per_minute.get();
  if (settings_.session.has_password()) {
    users_.set_default_password(settings_.session.password());
  }
  if (!access.file.empty() && !access.users.empty()) {
    return Error{
        "users are defined both by 'user' lines of the configuration and by an 'aclfile': use one "
        "of the two"};
  }
  if (Status added = users_.add_configured(access.users); !added) return added;
  if (access.file.empty()) return {};
  return load_acl_file({});
}

Status Node::listen_all() {
  listeners_.set_accept(
      [this](session::Worker& here, std::unique_ptr<runtime::Incoming> incoming,
             Listeners::Kind kind) { on_accept(here, std::move(incoming), kind); });
  if (Status configured = configure_tls(); !configured) {
    return Error{"TLS: " + configured.error().message};
  }
  if (Status listening = listeners_.apply(settings_.start, *workers_[0]); !listening) {
    return listening;
  }
  if (listeners_.empty()) {
    return Error{"nothing to listen on: neither a port, nor a tls-port, nor a unixsocket"};
  }
  return {};
}

Status Node::configure_tls() {
  if (!settings_.cluster.links.tls) {
    tls_.forget_client();
  } else if (Status configured = tls_.configure_client(settings_); !configured) {
    return configured;
  }
  if (settings_.start.tls_port == 0) return {};  // as in Redis: checked when the port is opened
  return tls_.configure(settings_, *doors_.executor, worker_list_.size(), log());
}

Status Node::listen_again(session::Worker* here) {
  if (here == nullptr) return Error{"only a client can ask for it"};
  Status listening = listeners_.apply(settings_.start, *here);
  if (!listening) log().warning("Could not listen: {}", listening.error().message);
  return listening;
}

// On the thread of the worker whose loop accepted.
void Node::on_accept(session::Worker& here, std::unique_ptr<runtime::Incoming> incoming,
                     Listeners::Kind kind) {
  counters_.connections_received.fetch_add(1, std::memory_order_relaxed);
  const session::SessionSettings& settings = settings_.session;
  // Includes those that are still on their way to their worker.
  std::size_t places = 0;
  for (const session::Worker* worker : worker_list_) places += worker->load();
  if (static_cast<std::int64_t>(places) >=
      std::min(settings.clients_max.get(), limits::kClientsMax)) {
    counters_.connections_rejected.fetch_add(1, std::memory_order_relaxed);
    // No message can be sent in TLS before a handshake, and one more handshake must be avoided.
    if (kind == Listeners::Kind::plain) {
      incoming->refuse("-ERR max number of clients reached\r\n");
    }
    return;
  }
  session::TlsArrival arrival;
  if (settings.protected_mode.get() && !users_.default_user()->needs_password() &&
      !incoming->is_unix() && !incoming->peer_is_loopback()) {
    counters_.connections_rejected.fetch_add(1, std::memory_order_relaxed);
    if (kind == Listeners::Kind::plain) return incoming->refuse(kProtectedModeText);
    arrival.last_words = kProtectedModeText;
  }
  // To the least busy worker; equally busy ones take turns.
  const std::size_t count = worker_list_.size();
  const std::size_t first = next_worker_.load(std::memory_order_relaxed) % count;
  session::Worker* home = worker_list_[first];
  for (std::size_t i = 1; i < count; ++i) {
    session::Worker* worker = worker_list_[(first + i) % count];
    if (worker->load() < home->load()) home = worker;
  }
  next_worker_.store((home->id().value + 1) % count, std::memory_order_relaxed);
  home->reserve_place();
  if (kind == Listeners::Kind::tls) {
    arrival.context = tls_.context();
    arrival.lane = &tls_.next_lane();
    if (home == &here) return home->adopt_tls(std::move(incoming), std::move(arrival));
    return home->loop().post(runtime::make_task(
        [home, connection = std::move(incoming), with = std::move(arrival)]() mutable {
          home->adopt_tls(std::move(connection), std::move(with));
        }));
  }
  if (home == &here) return home->adopt(std::move(incoming));
  home->loop().post(runtime::make_task(
      [home, connection = std::move(incoming)]() mutable { home->adopt(std::move(connection)); }));
}

void Node::stop() {
  if (stopped_) return;
  stopped_ = true;
  if (topology_source_) topology_source_->stop();
  // Calls that wait for another server end now, while the workers still take their replies.
  peers_.stop();
  links_->stop();
  for (auto& worker : workers_) {
    if (!running_) break;  // the start has failed before
    session::Worker* ending = worker.get();
    const runtime::Nanos time =
        scripts_stopped_.load() ? kLastRepliesTimeBesideScript : kLastRepliesTime;
    ending->loop().post(runtime::make_task([this, ending, time] {
      listeners_.close_on(*ending);
      ending->end(doors_.clock->monotonic() + time, [this] { worker_ended(); });
    }));
  }
  for (auto& worker : workers_) {
    if (running_) doors_.executor->join_loop(worker->loop());
  }
  // Its threads post to the workers' loops and run calls that sessions own, so they end while both
  // still exist.
  tls_.stop();
  scripts_->stop_all();
  slow_lane_->stop();
  // Nothing is appended any more: what the log still has is written and synced.
  durability_->stop();
}

// The loops stop together: one worker's last call may wait for another worker.
void Node::worker_ended() {
  if (workers_ended_.fetch_add(1) + 1 < workers_.size()) return;
  for (auto& worker : workers_) worker->loop().stop();
}

std::vector<const shard::Thread*> Node::threads() const {
  std::vector<const shard::Thread*> all;
  for (const auto& worker : workers_) all.push_back(&worker->thread());
  for (const auto& slow : slow_lane_->threads()) all.push_back(slow.get());
  for (const auto& loader : loaders_) all.push_back(&loader->thread);
  if (const shard::Thread* snapshots = snapshot_thread_.load(std::memory_order_acquire)) {
    all.push_back(snapshots);
  }
  return all;
}

void Node::apply_slow_call_bounds() {
  const auto cycles_of = [this](double nanoseconds) {
    constexpr double kCyclesMax = 9e18;
    const double cycles = nanoseconds / nanoseconds_per_cycle_;
    return cycles > kCyclesMax ? UINT64_MAX : static_cast<std::uint64_t>(cycles);
  };
  const std::int64_t slow_us = settings_.slow_log_us;
  const std::int64_t spike_ms = settings_.latency_threshold_ms;
  const std::uint64_t slow =
      slow_us < 0 ? UINT64_MAX : cycles_of(1e3 * static_cast<double>(slow_us));
  const std::uint64_t spike =
      spike_ms == 0 ? UINT64_MAX : cycles_of(1e6 * static_cast<double>(spike_ms));
  latency_monitor_.set_bounds(slow, spike, nanoseconds_per_cycle_);
  settings_.execution.slow_call_cycles = std::min(slow, spike);
}

void Node::trim_tracking_soon() {
  if (worker_list_.empty()) return;
  session::Worker* worker = worker_list_[0];  // the ticker's worker
  worker->loop().post(runtime::make_task([worker] { worker->tickers().run_now(); }));
}

Node::MemoryUse Node::memory_use() const {
  MemoryUse use;
  use.clients = counters_.reply_memory.load(std::memory_order_relaxed);
  for (const auto& worker : workers_) {
    use.dataset += worker->thread().keyspace.memory.get();
    use.clients += worker->counters().client_memory.get();
  }
  for (const auto& slow : slow_lane_->threads()) use.dataset += slow->keyspace.memory.get();
  for (const auto& loader : loaders_) use.dataset += loader->thread.keyspace.memory.get();
  if (const shard::Thread* snapshots = snapshot_thread_.load(std::memory_order_acquire)) {
    use.dataset += snapshots->keyspace.memory.get();
  }
  use.clients += scheduler_.watch_removals().bytes();
  // The counters of several threads are read one after the other.
  use.dataset = std::max<std::int64_t>(use.dataset, 0);
  use.clients = std::max<std::int64_t>(use.clients, 0);
  use.links = links_->memory();
  use.tracking = trackers_.totals.bytes.load(std::memory_order_relaxed);
  if (const storage::Log* log = scheduler_.log()) {
    use.log_backlog = static_cast<std::int64_t>(log->backlog_memory());
  }
  return use;
}

void Node::return_memory_soon() {
  memory_returner_->ask();
  memory_returner_->collect_soon();
}

std::int64_t Node::used_memory() const {
  const std::int64_t used = memory_use().sum();
  std::int64_t peak = peak_memory_.load(std::memory_order_relaxed);
  if (used > peak) peak_memory_.store(used, std::memory_order_relaxed);
  return used;
}

bool Node::saves_before_end(const Shutdown& how) const {
  if (!durability_->enabled() || how.save == Shutdown::Save::no) return false;
  if (durability_->loading()) return false;  // half of the data would replace all of it
  if (how.save == Shutdown::Save::yes) return true;
  return durability_->has_rules() && !durability_->snapshot_is_complete();
}

void Node::shut_down(const Shutdown& how, std::function<void(const Status&)> done) {
  if (!saves_before_end(how)) {
    eval::Running::What script;
    if (how.save == Shutdown::Save::no && scripts_->busiest(script)) {
      scripts_->stop_all();
      scripts_stopped_.store(true);
    }
    request_shutdown();
    return done({});
  }
  shutdown_saving_.store(true);
  pause_.begin(session::PauseKind::write, kNever, doors_.clock->unix_ms());
  const auto saved = [this, force = how.force, done = std::move(done)](const Status& status) {
    if (!shutdown_saving_.exchange(false)) return done(Error{"the shutdown was aborted"});
    if (status || force) {
      request_shutdown();
      return done({});
    }
    end_pause();
    log().warning("Error trying to save the DB, can't exit.");
    done(status);
  };
  static_cast<void>(durability_->ask(durability::Durability::Why::save,
                                     durability::Durability::Pace::last, true, saved));
}

bool Node::abort_shutdown() {
  if (!shutdown_saving_.exchange(false)) return false;
  end_pause();
  return true;
}

void Node::end_pause() {
  pause_.end();
  for (session::Worker* worker : worker_list_) {
    worker->loop().post(runtime::make_task([worker] { worker->sessions().wake_paused(); }));
  }
}

void Node::request_shutdown() {
  shutdown_requested_.store(true);
  if (shutdown_hook_) shutdown_hook_();
}

}  // namespace slotcar::node
