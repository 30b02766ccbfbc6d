// Interpreter: a Lua that runs scripts as Redis does, safely. One per thread; it is used by one
// thread at a time and shares nothing with others.
//
// What holds:
// - A script sees the functions of Redis's scripts and nothing else: no files, no processes, no
//   bytecode, no finalizers.
// - Nothing that a script does is left for the next one. What all scripts see are shared tables
//   (shared_table.h); the globals of the moment (KEYS, ARGV), cjson's settings, the seed of
//   math.random and the protocol are set anew for each run.
// - A script that has to stop stops: every thousand instructions, after every 256 KB that it has
//   allocated, and inside long library functions, the host is asked (ScriptHost::stop_reason).
//   pcall, xpcall and coroutines pass the order on (`raise_if_stopping`).
// - Memory is counted by the allocator and bounded; too much is an error of the script.
//
// The interpreter is found from inside Lua through the allocator's argument, see `of`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "resp/reply_writer.h"
#include "scripting/block_pool.h"
#include "scripting/host.h"
#include "scripting/lua.h"
#include "scripting/script_flags.h"

namespace slotcar::scripting {

// A function that a library has registered.
struct Function {
  std::string name;
  std::string description;
  bool has_description = false;
  ScriptFlags flags;
  int reference = LUA_NOREF;  // of the callback, in the interpreter that has loaded the library
};

struct Library {
  std::vector<Function> functions;
};

struct CjsonSettings;

// The words of the command that a script calls. Kept by the interpreter for its allocations.
struct CallBuffer {
  std::vector<std::string_view> words;
  std::string digits;  // those of its numbers
};

// Of a SHA in hex: 64 of its bits are a hash already. Shorter names are those of tests.
struct ShaHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view sha) const {
    std::uint64_t words[2] = {};
    std::memcpy(words, sha.data(), sha.size() < sizeof words ? sha.size() : sizeof words);
    return static_cast<std::size_t>(words[0] * 0x9e3779b97f4a7c15u ^ words[1]);
  }
};

class Interpreter {
 public:
  struct Options {
    std::size_t memory_max = limits::kScriptMemoryBytesMax;
    std::string redis_version = "7.2.4";
    std::string server_name = "slotcar";
    std::string server_version = "0.1.0";
  };

  explicit Interpreter(Options options);
  Interpreter() : Interpreter(Options{}) {}
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter();

  // --- scripts
  // Compiles the text (without a `#!` line: EvalShebang::body) and keeps it under that name, a SHA.
  // The least used of too many are forgotten.
  Status compile(std::string_view sha, std::string_view body);
  bool has(std::string_view sha) const { return scripts_.contains(sha); }
  struct Compiled {
    std::string_view sha;
    int reference = LUA_NOREF;
    std::list<std::string_view>::iterator use;
  };
  // Null: there is none. Good until the next script is compiled or forgotten.
  Compiled* find(std::string_view sha);
  void forget(std::string_view sha);
  void forget_all();
  // How often a script was compiled or forgotten: as long as it is the same, what `find` gave is
  // good.
  std::uint64_t changes() const { return changes_; }

  struct Ended {
    enum class How { returned, failed, stopped } how = How::returned;
    bool error_counted = false;  // the reply is an error that a command has answered and counted
  };
  // Runs a script. The reply, an error's too, is written in any case.
  Ended run(Compiled& script, Words keys, Words arguments, ScriptHost& host,
            resp::ReplyWriter& reply);

  // --- libraries of functions
  // Runs the text of a library once, which registers its functions.
  Result<Library> load_library(std::string_view body, ScriptHost& host);
  void drop_library(const Library& library);
  Ended run_function(const Function& function, Words keys, Words arguments, ScriptHost& host,
                     resp::ReplyWriter& reply);

  std::size_t memory_used() const { return memory_used_; }
  std::size_t scripts() const { return scripts_.size(); }
  const Options& options() const { return options_; }

  // --- for the libraries
  static Interpreter& of(lua_State* lua);
  ScriptHost* host() const { return loading_ == nullptr ? host_ : nullptr; }
  ScriptHost* log_host() const { return host_; }
  Library* loading() const { return loading_; }
  resp::Protocol protocol() const { return protocol_; }
  void set_protocol(resp::Protocol protocol) { protocol_ = protocol; }
  CallBuffer& call_buffer() { return call_buffer_; }
  std::int32_t next_random();  // 0 .. 2^31 - 1
  void seed_random(std::uint32_t seed);
  // What getmetatable shows of a string or of a shared table.
  void push_shown_metatable(lua_State* lua, int index);

  bool stopping() const { return stopping_; }
  void look_whether_to_stop(lua_State* lua);
  // A library function has worked through so many bytes: looks from time to time. What it allocates
  // in Lua counts by itself.
  void count_bytes(lua_State* lua, std::size_t bytes) {
    bytes_since_look_ += bytes;
    if (bytes_since_look_ > kBytesBetweenLooks) [[unlikely]]
      look_whether_to_stop(lua);
  }
  // The state that runs from now on: a coroutine, or again the one before. Returns the one before.
  lua_State* set_running(lua_State* lua) { return std::exchange(running_, lua); }
  // Does not return.
  void stop(lua_State* lua, std::string_view reason);
  // The error on top of the stack goes on if it is, or replaced, the order to stop.
  void raise_if_stopping(lua_State* lua) const {
    if (stopping_) lua_error(lua);
  }

 private:
  struct Run;
  using Use = std::list<std::string_view>;

  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static constexpr std::size_t kBytesBetweenLooks = 256 * 1024;
  static constexpr int kInstructionsBetweenLooks = 1'000;
  static void on_count(lua_State* lua, lua_Debug*);
  void look_at_next_instruction();
  static int open_all(lua_State* lua);
  static int run_inside(lua_State* lua);
  static int load_inside(lua_State* lua);

  void open_globals(lua_State* lua);
  void share_globals(lua_State* lua);
  void keep_for_runs(lua_State* lua);
  Ended run_protected(Run& run, ScriptHost& host, resp::ReplyWriter& reply);
  void begin(ScriptHost& host);
  void finish();
  void answer_failure(lua_State* lua, Run& run);
  void make_room_for_script();
  void collect_rarely(bool rarely);

  Options options_;
  std::size_t memory_used_ = 0;
  BlockPool blocks_;
  lua_State* lua_ = nullptr;

  // References into Lua's registry.
  int eval_globals_ = LUA_NOREF;      // contents
  int function_globals_ = LUA_NOREF;  // shared
  int function_contents_ = LUA_NOREF;
  int load_contents_ = LUA_NOREF;
  int string_metatable_ = LUA_NOREF;  // shown
  int globals_metatable_ = LUA_NOREF;
  int run_inside_ = LUA_NOREF;  // functions and names that each run needs
  int note_error_place_ = LUA_NOREF;
  int keys_name_ = LUA_NOREF;
  int argv_name_ = LUA_NOREF;
  CjsonSettings* cjson_settings_ = nullptr;  // of the shared library

  std::unordered_map<std::string, Compiled, ShaHash, std::equal_to<>> scripts_;
  Use by_use_;  // the most recent first
  std::uint64_t changes_ = 0;

  // Of the present run.
  ScriptHost* host_ = nullptr;
  Library* loading_ = nullptr;
  resp::Protocol protocol_ = resp::Protocol::resp2;
  bool stopping_ = false;
  std::string stop_text_;                  // why
  std::uint64_t random_ = 0x1234abcd330e;  // Redis's first state, which is lrand48's
  std::uint64_t random_before_seed_ = 0;
  bool seeded_ = false;
  CallBuffer call_buffer_;
  std::size_t bytes_since_look_ = 0;
  lua_State* running_ = nullptr;
  unsigned runs_ = 0;
  bool collects_rarely_ = true;
};

}  // namespace slotcar::scripting
