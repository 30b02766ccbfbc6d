// FCALL, and the changes of libraries.
#include <utility>

#include "base/ascii.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "eval/scripts.h"
#include "shard/script_steps.h"

namespace slotcar::eval {

using scripting::ScriptFlag;
using scripting::Words;
using shard::Call;

namespace {

constexpr std::size_t kFirstKey = 3;
constexpr runtime::Nanos kLoadTimeMax = 500 * runtime::kMillisecond;  // as Redis
// A library that was loaded once is loaded by further threads, perhaps on a machine that is busy
// now. One that loops there (it can see os.clock) must not keep a thread for ever. A worker tries
// for as long as it runs a script.
constexpr runtime::Nanos kLoadAgainTimeMax = 4 * kLoadTimeMax;
constexpr runtime::Nanos kLoadOnWorkerTimeMax = limits::kScriptOnWorkerNsMax;

// The server as a library sees it while it is loaded: it can log, and its time is bounded.
class LoadHost final : public scripting::ScriptHost {
 public:
  LoadHost(runtime::Logger& log, const runtime::Clock* clock, runtime::Nanos time_max)
      : log_(log), clock_(clock), until_(clock != nullptr ? clock->monotonic() + time_max : 0) {}

  Ran run(Words, resp::Protocol, std::string_view&) override { return Ran::stopped; }
  std::optional<bool> may_run(Words) override { return std::nullopt; }
  void log(int level, std::string_view text) override {
    if (level >= 2) log_.notice("{}", text);
  }
  std::string_view stop_reason() override {
    late_ = late_ || (clock_ != nullptr && clock_->monotonic() > until_);
    return late_ ? "FUNCTION LOAD timeout" : std::string_view{};
  }
  bool was_late() const { return late_; }

 private:
  runtime::Logger& log_;
  const runtime::Clock* clock_;  // null: no bound, at the start of the node
  runtime::Nanos until_;
  bool late_ = false;
};

// `loaded` registered these.
std::shared_ptr<LibraryInfo> describe(scripting::LibraryShebang& shebang, std::string_view text,
                                      const scripting::Library& loaded) {
  auto info = std::make_shared<LibraryInfo>();
  info->name = std::move(shebang.name);
  info->text = text;
  info->body = std::string_view(info->text).substr(text.size() - shebang.body.size());
  for (const scripting::Function& function : loaded.functions) {
    FunctionInfo& described = info->functions.emplace_back();
    described.name = function.name;
    described.description = function.description;
    described.has_description = function.has_description;
    described.flags = function.flags;
  }
  return info;
}

}  // namespace

// --- FCALL -------------------------------------------------------------------------------------

// The function in this thread's interpreter, which loads its library on first use.
Result<const scripting::Function*> Scripts::loaded_function(ScriptThread& mine, Call& call,
                                                            const Libraries::Found& found) {
  auto loaded = mine.loaded.find(found.library->name);
  if (loaded == mine.loaded.end()) {
    const bool may_leave = !call.thread().is_slow && !call.in_transaction();
    const auto leave = [&]() -> const scripting::Function* {
      shard::ScriptSteps::want_again(call, shard::CallSchedule::Again::same_tokens, true);
      return nullptr;
    };
    std::atomic<bool>& loads_slowly = found.library->loads_slowly;
    if (may_leave && loads_slowly.load(std::memory_order_relaxed)) return leave();
    LoadHost host(*world_.log, mine.clock, may_leave ? kLoadOnWorkerTimeMax : kLoadAgainTimeMax);
    auto library = mine.interpreter.load_library(found.library->body, host);
    if (!library && may_leave && host.was_late()) {
      loads_slowly.store(true, std::memory_order_relaxed);
      return leave();
    }
    if (!library) return library.error();
    loaded = mine.loaded.emplace(found.library->name, ScriptThread::Loaded{found.library, *library})
                 .first;
  }
  for (const scripting::Function& function : loaded->second.library.functions) {
    if (function.name == found.function->name) return &function;
  }
  return Error{"ERR Function not found"};  // it registers others each time
}

void Scripts::call_function(Call& call, bool read_only) {
  ScriptThread& mine = part_of(call.thread());
  if (const std::uint64_t now = functions_.generation(); now != mine.generation) {
    mine.libraries = functions_.all();
    mine.generation = now;
    std::erase_if(mine.loaded, [&mine](const auto& each) {
      const auto kept = mine.libraries->by_name().find(each.first);
      if (kept != mine.libraries->by_name().end() && kept->second == each.second.info) return false;
      mine.interpreter.drop_library(each.second.library);
      return true;
    });
  }
  const Libraries::Found* const found = mine.libraries->find(call.arg(1));
  if (found == nullptr) return call.reply().error("ERR Function not found");
  const auto count = base::parse_int64(call.arg(2));
  if (!count) return call.reply().error("ERR Bad number of keys provided");
  if (*count > static_cast<std::int64_t>(call.size() - kFirstKey)) {
    return call.reply().error("ERR Number of keys can't be greater than number of args");
  }
  if (*count < 0) return call.reply().error("ERR Number of keys can't be negative");
  const Words words = call.args().subspan(kFirstKey);
  const auto keys = static_cast<std::size_t>(*count);
  const FunctionInfo& function = *found->function;
  if (const std::string error = refusal(call, true, function.flags, read_only); !error.empty()) {
    return call.reply().error(error);
  }
  if (!has_its_place(call, function.facts)) return;
  const auto loaded = loaded_function(mine, call, *found);
  if (!loaded) return call.reply().error(loaded.error().message);
  if (*loaded == nullptr) return;
  // The library may be replaced while its function runs on another thread: this one keeps it.
  const std::shared_ptr<const LibraryInfo> kept = found->library;
  const ScriptRun::Order order{
      .kind = ScriptKind::function,
      .name = function.name,
      .facts = &function.facts,
      .read_only = read_only || function.flags.has(ScriptFlag::no_writes),
      .allows_oom = function.flags.has(ScriptFlag::allow_oom),
      .crosses_slots = function.flags.has(ScriptFlag::allow_cross_slot_keys)};
  ScriptRun(*this, mine, call, order).run([&](ScriptRun& run) {
    return mine.interpreter.run_function(**loaded, words.first(keys), words.subspan(keys), run,
                                         call.reply());
  });
}

// A text, a SHA or the name of a function: what is one of them is, as another, an error that does
// not write either.
bool Scripts::only_reads(const Call& call) {
  const auto says_so = [](const scripting::EvalShebang& shebang) {
    return shebang.present && shebang.flags.has(ScriptFlag::no_writes);
  };
  const std::string_view word = call.arg(1);
  if (word.starts_with("#!")) {
    const auto shebang = scripting::read_eval_shebang(word);
    return shebang.ok() && says_so(*shebang);
  }
  if (const auto script = cache_.find(base::lowered(word))) return says_so(script->shebang);
  const auto libraries = functions_.all();
  const Libraries::Found* const found = libraries->find(word);
  return found != nullptr && found->function->flags.has(ScriptFlag::no_writes);
}

// --- changes -----------------------------------------------------------------------------------

Result<std::shared_ptr<const LibraryInfo>> Scripts::read_library(ScriptThread& mine,
                                                                 std::string_view text) {
  auto shebang = scripting::read_library_shebang(text);
  if (!shebang) return shebang.error();
  LoadHost host(*world_.log, mine.clock, kLoadTimeMax);
  auto loaded = mine.interpreter.load_library(shebang->body, host);
  if (!loaded) return loaded.error();
  std::shared_ptr<const LibraryInfo> info = describe(*shebang, text, *loaded);
  mine.interpreter.drop_library(*loaded);
  return info;
}

void Scripts::publish(Libraries&& next) {
  auto made = std::make_shared<const Libraries>(std::move(next));
  functions_.replace(made);
  world_.functions_changed(*made);
}

Result<std::string> Scripts::load_library(Call& call, std::string_view text, bool replace) {
  Libraries next = *functions_.all();
  const auto shebang = scripting::read_library_shebang(text);
  if (!shebang) return shebang.error();
  if (!replace && next.by_name().contains(shebang->name)) {
    return Error{"ERR Library '" + shebang->name + "' already exists"};
  }
  auto library = read_library(part_of(call.thread()), text);
  if (!library) return library.error();
  if (Status added = next.add(*library, replace); !added) return added.error();
  call.hold().effects->add(call.db(), {"FUNCTION", "LOAD", "REPLACE", text});
  publish(std::move(next));
  return (*library)->name;
}

Status Scripts::delete_library(Call& call, std::string_view name) {
  Libraries next = *functions_.all();
  if (!next.remove(name)) return Error{"ERR Library not found"};
  call.hold().effects->add(call.db(), {"FUNCTION", "DELETE", name});
  publish(std::move(next));
  return {};
}

void Scripts::flush_libraries(Call& call) {
  call.hold().effects->add(call.db(), {"FUNCTION", "FLUSH"});
  publish({});
}

Status Scripts::restore_libraries(Call& call, std::string_view payload, Restore how) {
  const auto texts = read_dumped_libraries(payload);
  if (!texts) return texts.error();
  Libraries next;
  if (how != Restore::flush) next = *functions_.all();
  ScriptThread& mine = part_of(call.thread());
  for (const std::string& text : *texts) {
    auto library = read_library(mine, text);
    if (!library) return library.error();
    if (how != Restore::replace && next.by_name().contains((*library)->name)) {
      return Error{"ERR Library " + (*library)->name + " already exists"};
    }
    if (Status added = next.add(*library, how == Restore::replace); !added) return added.error();
  }
  keyspace::Effects& effects = *call.hold().effects;
  if (how == Restore::flush) effects.add(call.db(), {"FUNCTION", "FLUSH"});
  for (const std::string& text : *texts) {
    effects.add(call.db(), {"FUNCTION", "LOAD", "REPLACE", text});
  }
  publish(std::move(next));
  return {};
}

void Scripts::take_over_libraries(const std::vector<std::string>& texts, Present present) {
  ScriptThread reader;  // an interpreter for this alone
  Libraries next;
  if (present == Present::keep) next = *functions_.all();
  for (const std::string& text : texts) {
    auto library = read_library(reader, text);
    Status added;
    if (library) added = next.add(*library, true);
    if (library && added) continue;
    const std::string& why = library ? added.error().message : library.error().message;
    world_.log->warning(
        "a library of functions is kept and written into snapshots again, but cannot be called: {}",
        why);
    next.keep_unread(text);
  }
  if (present == Present::keep) return publish(std::move(next));
  functions_.replace(std::make_shared<const Libraries>(std::move(next)));
}

}  // namespace slotcar::eval
