#include "transcripts/player.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "console/client_line.h"
#include "node/configuration.h"

namespace slotcar::transcripts {

using world::Answer;

namespace {

bool tells_how_a_value_is_kept(const Step& step) {
  return step.kind == Step::Kind::command && base::equals_ignoring_case(step.words[0], "OBJECT");
}

}  // namespace

std::vector<std::string> Player::play(const Transcript& transcript) {
  complaints_.clear();
  quiet_.clear();
  file_ = transcript.file;
  settings_before_ = settings();
  bool sane = true;
  const std::vector<Step>& steps = transcript.steps;
  for (std::size_t i = 0; i < steps.size() && sane;) {
    const std::size_t count = run_length(steps, i);
    sane = count == 1 ? play(steps[i]) : play_run({&steps[i], count});
    i += count;
    ask_world(steps[i - 1]);
    if (sane && i < steps.size()) sane = restart_now_and_then(steps[i - 1]);
  }
  if (sane) expect_silence();
  leave_clean();
  return std::move(complaints_);
}

bool Player::play(const Step& step) {
  switch (step.kind) {
    case Step::Kind::wait:
      world_.let_pass(step.duration);
      return true;
    case Step::Kind::blocked:
      return await_blocked(step);
    case Step::Kind::config:
      configure(step);
      return true;
    case Step::Kind::command:
      send_command(step);
      return expect(step);
    case Step::Kind::arrival:
      return expect(step);
  }
  return false;
}

// How many commands from here on are sent together.
std::size_t Player::run_length(const std::vector<Step>& steps, std::size_t first) const {
  constexpr std::size_t kRunMax = 8;
  const auto joins = [&](const Step& step) {
    return step.kind == Step::Kind::command && step.connection == steps[first].connection &&
           step.replies && !step.closes;
  };
  std::size_t count = 1;
  if (!manner_.pipelined || !joins(steps[first])) return count;
  while (count < kRunMax && first + count < steps.size() && joins(steps[first + count])) ++count;
  return count;
}

bool Player::play_run(std::span<const Step> steps) {
  open(steps[0].connection);
  std::string bytes;
  for (const Step& step : steps) bytes += world::encode(step.words);
  world_.send(steps[0].connection, bytes);
  for (const Step& step : steps) {
    if (!expect(step)) return false;
  }
  return true;
}

void Player::ask_world(const Step& step) {
  for (const std::string& complaint : world_.take_complaints()) {
    complain(fmt::format("{}:{}: {}> {}\n  {}", file_, step.line, step.connection, step.text,
                         complaint));
  }
}

// A connection's state besides its database and protocol would be lost, and so would a pending
// request: then the node is not restarted.
bool Player::restart_would_end_something() {
  for (const auto& [connection, quiet] : quiet_) {
    if (quiet) return true;
  }
  const session::Clients& clients = world_.node().clients();
  if (!world_.node().configuration().value("requirepass").empty()) return true;
  for (const auto& record : clients.all()) {
    const auto facts = console::client_facts(clients, *record, 0, {});
    if (facts.flags != "N" || facts.queued >= 0 || facts.channels + facts.patterns > 0 ||
        facts.shard_channels > 0 || facts.redirect >= 0 || !facts.name.empty() ||
        !facts.library_name.empty() || !facts.library_version.empty() || record->watched != 0) {
      return true;
    }
  }
  return false;
}

bool Player::restart_now_and_then(const Step& step) {
  constexpr std::uint64_t kStepsBetween = 6;
  if (manner_.restart_seed == 0 || dice_.below(kStepsBetween) != 0) return true;
  return restart_would_end_something() || restart(step);
}

bool Player::restart(const Step& step) {
  std::map<std::string, std::pair<std::string, std::string>> states;  // database, protocol
  for (const auto& [connection, quiet] : quiet_) {
    const Answer info = world_.run(connection, {"CLIENT", "INFO"});
    const auto word = [&info](std::string_view name) {
      const std::size_t at = info.value.text.find(name);
      if (at == std::string::npos) return std::string();
      const std::size_t begin = at + name.size();
      return info.value.text.substr(begin, info.value.text.find_first_of(" \n", begin) - begin);
    };
    states[connection] = {word(" db="), word(" resp=")};
  }
  if (Status started = world_.restart(); !started) {
    complain(step, "a node that starts again", started.error().message);
    return false;
  }
  ++restarts_;
  for (const auto& [connection, state] : states) {
    static_cast<void>(world_.run(connection, {"PING"}));
    if (state.second == "3") static_cast<void>(world_.run(connection, {"HELLO", "3"}));
    if (state.first != "0") static_cast<void>(world_.run(connection, {"SELECT", state.first}));
  }
  return true;
}

void Player::send_command(const Step& step) {
  open(step.connection);
  send(step);
}

bool Player::expect(const Step& step) {
  if (step.replies) {
    const Answer answer = receive(step);
    const bool compared = manner_.restart_seed == 0 || !tells_how_a_value_is_kept(step);
    if (answer.kind != Answer::Kind::reply || (compared && !matches(step.reply, answer.value))) {
      complain(step, step.reply_text, describe(answer));
    }
    if (answer.kind != Answer::Kind::reply) return false;
    quiet_[step.connection] = false;
  } else {
    quiet_[step.connection] = true;
  }
  if (!step.closes) return true;
  const Answer answer = world_.receive(step.connection);
  if (answer.kind != Answer::Kind::closed) complain(step, "(close)", describe(answer));
  world_.disconnect(step.connection);
  quiet_.erase(step.connection);
  return true;
}

void Player::open(const std::string& connection) {
  if (quiet_.contains(connection)) return;
  quiet_[connection] = false;
  if (!manner_.resp3) return;
  // Refused where a password is required: then it stays with RESP2.
  static_cast<void>(world_.run(connection, {"HELLO", "3"}));
}

void Player::send(const Step& step) {
  std::string bytes = world::encode(step.words);
  if (wrapped(step)) bytes = world::encode({"MULTI"}) + bytes + world::encode({"EXEC"});
  if (scripted(step)) {
    std::vector<std::string> words{"EVAL", "return redis.pcall(unpack(ARGV))", "0"};
    words.insert(words.end(), step.words.begin(), step.words.end());
    bytes = world::encode(words);
  }
  world_.send(step.connection, bytes);
}

namespace {

// Lua's numbers are doubles: a longer integer in a reply loses its last digits.
bool has_long_number(std::string_view text) {
  constexpr int kExactDigits = 15;
  int digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > kExactDigits) return true;
  }
  return false;
}

}  // namespace

// The effect of SELECT in a script ends with the script.
bool Player::scripted(const Step& step) const {
  return manner_.script && step.connection.empty() && step.kind == Step::Kind::command &&
         !base::equals_ignoring_case(step.words[0], "SELECT") && !has_long_number(step.reply_text);
}

// A command that scripts may not call, or that does not exist, is sent as it is.
Answer Player::receive_scripted(const Step& step) {
  Answer answer = world_.receive(step.connection);
  if (answer.kind != Answer::Kind::reply || answer.value.kind != resp::Value::Kind::error) {
    return answer;
  }
  for (const std::string_view refusal :
       {"ERR This Redis command is not allowed from script",
        "ERR Unknown Redis command called from script",
        "ERR Wrong number of args calling Redis command from script"}) {
    if (answer.value.text != refusal) continue;
    world_.send(step.connection, world::encode(step.words));
    return world_.receive(step.connection);
  }
  return answer;
}

Answer Player::receive(const Step& step) {
  if (scripted(step)) return receive_scripted(step);
  const bool whole = wrapped(step) && step.kind == Step::Kind::command;
  return whole ? receive_wrapped(step) : world_.receive(step.connection);
}

// The one item of EXEC's reply. A reply that was not queued (an error, a command that MULTI does
// not queue) is compared directly.
Answer Player::receive_wrapped(const Step& step) {
  const Answer multi = world_.receive(step.connection);
  if (multi.kind != Answer::Kind::reply || multi.value.text != "OK") return multi;
  Answer queued = world_.receive(step.connection);
  if (queued.kind != Answer::Kind::reply || step.closes) return queued;
  Answer exec = world_.receive(step.connection);
  if (queued.value.kind != resp::Value::Kind::simple || queued.value.text != "QUEUED")
    return queued;
  if (exec.kind != Answer::Kind::reply || exec.value.items.size() != 1) return exec;
  Answer inner;
  inner.kind = Answer::Kind::reply;
  inner.value = std::move(exec.value.items[0]);
  return inner;
}

// The last requests that had no reply: if one had come, it would precede that of CLIENT REPLY ON.
void Player::expect_silence() {
  for (const auto& [connection, quiet] : quiet_) {
    if (!quiet) continue;
    const Answer answer = world_.run(connection, {"CLIENT", "REPLY", "ON"});
    if (answer.kind != Answer::Kind::reply || answer.value.text != "OK") {
      complain(
          fmt::format("{}: after its end, on connection '{}'\n  expected  (none)\n  got       {}",
                      file_, connection, describe(answer)));
    }
  }
}

bool Player::await_blocked(const Step& step) {
  constexpr int kLooksMax = 10'000;
  const auto& waiting = world_.node().counters().waiting_now;
  for (int i = 0; i < kLooksMax; ++i) {
    if (waiting.load() == step.clients) return true;
    world_.let_pass(runtime::kMillisecond);
  }
  complain(step, "so many clients that wait", std::to_string(waiting.load()));
  return false;
}

void Player::configure(const Step& step) {
  const node::Configuration::Change change{step.words[0], step.words[1]};
  const Status done = world_.node().configuration().set({&change, 1}, {.may_change_guarded = true});
  if (!done) complain(step, "+OK", done.error().message);
}

Player::Settings Player::settings() {
  Settings found;
  node::Configuration& configuration = world_.node().configuration();
  for (const node::Setting& setting : configuration.all()) {
    if (!setting.immutable) {
      found.emplace(setting.name, configuration.value(setting.name));
    }
  }
  return found;
}

void Player::leave_clean() {
  for (const auto& [name, value] : settings()) {
    const std::string& before = settings_before_[name];
    if (value == before) continue;
    const node::Configuration::Change change{name, before};
    const Status done =
        world_.node().configuration().set({&change, 1}, {.may_change_guarded = true});
    if (!done) complain(file_ + ": cannot restore " + name + ": " + done.error().message);
  }
  if (!world_.disconnect_all()) complain(file_ + ": the node did not notice that all clients left");
  const Answer answer = world_.run("last", {"FLUSHALL"});
  if (answer.kind != Answer::Kind::reply || answer.value.text != "OK") {
    complain(file_ + ": FLUSHALL at the end: " + describe(answer));
  }
  if (!world_.disconnect_all()) complain(file_ + ": the node did not notice that all clients left");
}

void Player::complain(const Step& step, std::string_view expected, const std::string& got) {
  const auto indented = [](std::string_view text) {
    std::string result;
    for (const char c : text) {
      result += c;
      if (c == '\n') result += "            ";
    }
    return result;
  };
  complain(fmt::format("{}:{}: {}> {}\n  expected  {}\n  got       {}", file_, step.line,
                       step.connection, step.text, indented(expected), indented(got)));
}

void Player::complain(const std::string& what) {
  complaints_.push_back(what);
}

}  // namespace slotcar::transcripts
