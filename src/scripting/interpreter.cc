#include "scripting/interpreter.h"

#include <utility>

#include "base/assert.h"
#include "scripting/chunk.h"
#include "scripting/error_table.h"
#include "scripting/library/cjson_settings.h"
#include "scripting/library/libraries.h"
#include "scripting/lua_to_reply.h"
#include "scripting/shared_table.h"

namespace slotcar::scripting {
namespace {

constexpr const char* kScriptName = "@user_script";
constexpr const char* kFunctionName = "@user_function";

// The collector's pause, in percent: a cycle begins when the memory is that much of what the last
// one left. What is always there, the libraries, is 100 KB, and to go through that for each 100 KB
// of garbage costs more than short scripts themselves do. On the other hand garbage of megabytes
// leaves the processor's cache, and then each new object and each step of the collector waits for
// memory. A heap that is not small gets Lua's own pause.
constexpr std::size_t kSmallHeapBytes = 4 * 1024 * 1024;
constexpr int kPauseOfSmallHeap = 300;
constexpr int kPause = 200;

// To make a string that exists already allocates nothing, however long it is. So where there may be
// long strings, looks are more frequent.
constexpr std::size_t kHeapOfLongStrings = 2 * 1024 * 1024;
constexpr int kInstructionsBetweenLooksAtLong = 100;

void push_words(lua_State* lua, Words words) {
  lua_createtable(lua, static_cast<int>(words.size()), 0);
  int i = 0;
  for (const std::string_view word : words) {
    push(lua, word);
    lua_rawseti(lua, -2, ++i);
  }
}

// For an error that is no table, on top of the stack.
std::string execution_failure(lua_State* lua, std::string_view name) {
  std::string text = "ERR Error running script ";
  text += name;
  text += ", ";
  text += lua_type(lua, -1) == LUA_TSTRING ? text_at(lua, -1).substr(0, 100) : "execution failure";
  return text;
}

}  // namespace

struct Interpreter::Run {
  Interpreter* interpreter;
  std::string_view name;  // as errors show it
  int reference;
  bool is_function;
  Words keys;
  Words arguments;
  resp::ReplyWriter* reply;
  Ended ended = {};
};

Interpreter::Interpreter(Options options) : options_(std::move(options)) {
  lua_ = lua_newstate(allocate, this);
  ASSERT(lua_ != nullptr);
  const int status = lua_cpcall(lua_, open_all, this);
  ASSERT(status == 0);
  collect_rarely(true);
  lua_gc(lua_, LUA_GCCOLLECT, 0);
}

Interpreter::~Interpreter() {
  lua_close(lua_);
}

Interpreter& Interpreter::of(lua_State* lua) {
  void* self = nullptr;
  lua_getallocf(lua, &self);
  return *static_cast<Interpreter*>(self);
}

// Giving back and shrinking never fail: Lua relies on it.
void* Interpreter::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& interpreter = *static_cast<Interpreter*>(self);
  if (new_size == 0) {
    interpreter.blocks_.give_back(block, old_size);
    interpreter.memory_used_ -= old_size;
    return nullptr;
  }
  if (new_size > old_size &&
      interpreter.memory_used_ + (new_size - old_size) > interpreter.options_.memory_max) {
    return nullptr;
  }
  void* const moved =
      block == nullptr ? interpreter.blocks_.make(new_size) : BlockPool::change(block, new_size);
  if (moved == nullptr) return new_size <= old_size ? block : nullptr;
  interpreter.memory_used_ += new_size - old_size;
  // A block that grows was copied.
  if (new_size > old_size) {
    interpreter.bytes_since_look_ += new_size;
    if (interpreter.bytes_since_look_ > kBytesBetweenLooks) [[unlikely]]
      interpreter.look_at_next_instruction();
  }
  if (interpreter.collects_rarely_ && interpreter.memory_used_ > kSmallHeapBytes) [[unlikely]]
    interpreter.collect_rarely(false);
  return moved;
}

// Sets a number in Lua's state, so the allocator may call it.
void Interpreter::collect_rarely(bool rarely) {
  collects_rarely_ = rarely;
  lua_gc(lua_, LUA_GCSETPAUSE, rarely ? kPauseOfSmallHeap : kPause);
}

void Interpreter::forget(std::string_view sha) {
  const auto found = scripts_.find(sha);
  if (found == scripts_.end()) return;
  ++changes_;
  luaL_unref(lua_, LUA_REGISTRYINDEX, found->second.reference);
  by_use_.erase(found->second.use);
  scripts_.erase(found);
}

void Interpreter::forget_all() {
  while (!by_use_.empty()) forget(by_use_.back());
}

void Interpreter::make_room_for_script() {
  while (scripts_.size() >= limits::kCompiledScriptsMax) forget(by_use_.back());
}

namespace {

// What a protected C function is given to compile.
struct Compilation {
  std::string_view text;
  const char* name;
  int reference = LUA_NOREF;
  std::string problem;
};

int compile_inside(lua_State* lua) {
  auto& compilation = *static_cast<Compilation*>(lua_touserdata(lua, 1));
  if (!parse_chunk(lua, compilation.text, compilation.name)) {
    compilation.problem = text_at(lua, -1);
    return 0;
  }
  compilation.reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  return 0;
}

}  // namespace

Status Interpreter::compile(std::string_view sha, std::string_view body) {
  if (has(sha)) return {};
  make_room_for_script();
  Compilation compilation{body, kScriptName, LUA_NOREF, {}};
  if (lua_cpcall(lua_, compile_inside, &compilation) != 0) {
    compilation.problem = "not enough memory";
    lua_settop(lua_, 0);
  }
  if (compilation.reference == LUA_NOREF) {
    return Error{"ERR Error compiling script (new function): " + compilation.problem};
  }
  ++changes_;
  const auto [added, is_new] = scripts_.emplace(sha, Compiled{{}, compilation.reference, {}});
  added->second.sha = added->first;
  by_use_.push_front(added->first);
  added->second.use = by_use_.begin();
  return {};
}

Interpreter::Compiled* Interpreter::find(std::string_view sha) {
  const auto found = scripts_.find(sha);
  return found != scripts_.end() ? &found->second : nullptr;
}

Interpreter::Ended Interpreter::run(Compiled& script, Words keys, Words arguments, ScriptHost& host,
                                    resp::ReplyWriter& reply) {
  if (script.use != by_use_.begin()) by_use_.splice(by_use_.begin(), by_use_, script.use);
  Run run{this, script.sha, script.reference, false, keys, arguments, &reply};
  return run_protected(run, host, reply);
}

Interpreter::Ended Interpreter::run_function(const Function& function, Words keys, Words arguments,
                                             ScriptHost& host, resp::ReplyWriter& reply) {
  Run run{this, function.name, function.reference, true, keys, arguments, &reply};
  return run_protected(run, host, reply);
}

void Interpreter::begin(ScriptHost& host) {
  ASSERT(host_ == nullptr);  // A script does not run a script.
  // Garbage of earlier runs does not count against this one.
  if (memory_used_ > options_.memory_max / 2) lua_gc(lua_, LUA_GCCOLLECT, 0);
  host_ = &host;
  bytes_since_look_ = 0;
  stopping_ = false;
  stop_text_.clear();
  protocol_ = resp::Protocol::resp2;
  seeded_ = false;
}

void Interpreter::finish() {
  lua_settop(lua_, 0);
  host_ = nullptr;
  if (seeded_) random_ = random_before_seed_;
  if (collects_rarely_) [[likely]]
    return;
  // What a script of much memory has left is collected by the short ones after it, bit by bit.
  constexpr unsigned kRunsBetweenSteps = 50;
  if (++runs_ % kRunsBetweenSteps == 0) lua_gc(lua_, LUA_GCSTEP, kRunsBetweenSteps);
  if (memory_used_ < kSmallHeapBytes / 2) collect_rarely(true);
}

Interpreter::Ended Interpreter::run_protected(Run& run, ScriptHost& host,
                                              resp::ReplyWriter& reply) {
  begin(host);
  const runtime::Output::Mark before = reply.output().mark();
  // As lua_cpcall, without a closure for each run.
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, run_inside_);
  lua_pushlightuserdata(lua_, &run);
  if (lua_pcall(lua_, 1, 0, 0) != 0) {
    // Outside of the script: too little memory for the arguments or the reply, a reply that is too
    // long, or the order to stop came while it was written. Nothing here may allocate in Lua.
    reply.output().truncate(before);
    reply.error(stopping_ ? "ERR " + stop_text_ : execution_failure(lua_, run.name));
    run.ended = {stopping_ ? Ended::How::stopped : Ended::How::failed, false};
  }
  finish();
  return run.ended;
}

// In a protected call: everything here may fail for lack of memory.
int Interpreter::run_inside(lua_State* lua) {
  Run& run = *static_cast<Run*>(lua_touserdata(lua, 1));
  Interpreter& self = *run.interpreter;
  lua_settop(lua, 0);  // what is pushed here fits into what every C function has
  *self.cjson_settings_ = {};
  lua_rawgeti(lua, LUA_REGISTRYINDEX, self.note_error_place_);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, run.reference);
  if (run.is_function) {
    push_words(lua, run.keys);
    push_words(lua, run.arguments);
  } else {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, self.eval_globals_);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, self.keys_name_);
    push_words(lua, run.keys);
    lua_rawset(lua, -3);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, self.argv_name_);
    push_words(lua, run.arguments);
    lua_rawset(lua, -3);
    lua_pop(lua, 1);
  }
  if (lua_pcall(lua, run.is_function ? 2 : 0, 1, 1) != 0) {
    self.answer_failure(lua, run);
  } else {
    run.ended.error_counted = reply_with(lua, *run.reply, self.protocol_);
  }
  return 0;
}

void Interpreter::answer_failure(lua_State* lua, Run& run) {
  run.ended.how = stopping_ ? Ended::How::stopped : Ended::How::failed;
  if (!lua_istable(lua, -1)) {  // no memory, not even for a table
    return run.reply->error(execution_failure(lua, run.name));
  }
  const ErrorParts parts = read_error_table(lua);
  std::string text = parts.text;
  if (!parts.source.empty() && !parts.line.empty()) {
    text += " script: ";
    text += run.name;
    text += ", on ";
    text += parts.source;
    text += ":";
    text += parts.line;
    text += ".";
  }
  run.ended.error_counted = parts.counted;
  run.reply->error(text);
}

namespace {

struct Loading {
  std::string_view body;
  int globals;
  std::string problem;
};

}  // namespace

// Compiles and runs the text of a library with the globals that it may see meanwhile.
int Interpreter::load_inside(lua_State* lua) {
  Loading& loading = *static_cast<Loading*>(lua_touserdata(lua, 1));
  lua_settop(lua, 0);
  if (!parse_chunk(lua, loading.body, kFunctionName)) {
    loading.problem = "ERR Error compiling function: " + std::string(text_at(lua, -1));
    return 0;
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, loading.globals);
  lua_setfenv(lua, 1);
  if (lua_pcall(lua, 0, 0, 0) != 0) {
    loading.problem = "ERR Error registering functions: ";
    if (lua_istable(lua, -1)) {
      loading.problem += read_error_table(lua).text;
    } else {
      loading.problem += "ERR ";
      loading.problem += lua_isstring(lua, -1) ? text_at(lua, -1) : "nil";
    }
  }
  return 0;
}

Result<Library> Interpreter::load_library(std::string_view body, ScriptHost& host) {
  begin(host);
  Library library;
  loading_ = &library;
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, function_globals_);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, load_contents_);
  set_contents(lua_, 1);
  Loading loading{body, function_globals_, {}};
  if (lua_cpcall(lua_, load_inside, &loading) != 0) loading.problem = "ERR not enough memory";
  lua_settop(lua_, 1);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, function_contents_);
  set_contents(lua_, 1);
  loading_ = nullptr;
  finish();
  if (loading.problem.empty() && library.functions.empty()) {
    loading.problem = "ERR No functions registered";
  }
  if (loading.problem.empty()) return library;
  drop_library(library);
  return Error{loading.problem};
}

void Interpreter::drop_library(const Library& library) {
  for (const Function& function : library.functions) {
    luaL_unref(lua_, LUA_REGISTRYINDEX, function.reference);
  }
}

// The generator of lrand48: 48 bits, of which the highest 31 are given.
std::int32_t Interpreter::next_random() {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 48) - 1;
  random_ = (random_ * 0x5deece66dull + 0xb) & kMask;
  return static_cast<std::int32_t>(random_ >> 17);
}

void Interpreter::seed_random(std::uint32_t seed) {
  if (!seeded_) random_before_seed_ = random_;
  seeded_ = true;
  random_ = std::uint64_t{seed} << 16 | 0x330e;
}

void Interpreter::push_shown_metatable(lua_State* lua, int index) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, function_globals_);
  const bool is_globals =
      lua_rawequal(lua, index, LUA_GLOBALSINDEX) || lua_rawequal(lua, index, -1);
  lua_pop(lua, 1);
  if (lua_type(lua, index) == LUA_TSTRING) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, string_metatable_);
  } else if (is_globals) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, globals_metatable_);
  } else {
    lua_pushnil(lua);
  }
}

// A thousand instructions take some microseconds, and a look takes a hundredth of that. But one of
// them may make a string of megabytes: then the next one is looked at (`allocate`). That sets
// numbers in Lua's state alone, as a handler of signals may.
void Interpreter::look_at_next_instruction() {
  if (running_ == nullptr) return;  // while the libraries are opened
  bytes_since_look_ = 0;
  lua_sethook(running_, on_count, LUA_MASKCOUNT, 1);
}

void Interpreter::on_count(lua_State* lua, lua_Debug*) {
  Interpreter& self = Interpreter::of(lua);
  const bool may_be_long = self.memory_used_ > kHeapOfLongStrings;
  lua_sethook(lua, on_count, LUA_MASKCOUNT,
              may_be_long ? kInstructionsBetweenLooksAtLong : kInstructionsBetweenLooks);
  self.look_whether_to_stop(lua);
}

void Interpreter::look_whether_to_stop(lua_State* lua) {
  bytes_since_look_ = 0;
  if (host_ == nullptr) return;  // while the libraries are opened
  const std::string_view reason = host_->stop_reason();
  if (stopping_ || !reason.empty()) stop(lua, reason);
}

void Interpreter::stop(lua_State* lua, std::string_view reason) {
  stopping_ = true;
  if (stop_text_.empty()) stop_text_ = reason.empty() ? "The script was stopped" : reason;
  raise_error_table(lua, stop_text_);
}

}  // namespace slotcar::scripting
