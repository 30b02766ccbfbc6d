#include "transcripts/player.h"

#include <fmt/format.h>

#include "node/configuration.h"

namespace slotcar::transcripts {

using world::Answer;

std::vector<std::string> Player::play(const Transcript& transcript) {
  complaints_.clear();
  quiet_.clear();
  file_ = transcript.file;
  settings_before_ = settings();
  bool sane = true;
  for (const Step& step : transcript.steps) {
    sane = play(step);
    if (!sane) break;
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

void Player::send_command(const Step& step) {
  open(step.connection);
  send(step);
}

bool Player::expect(const Step& step) {
  if (step.replies) {
    const Answer answer = receive(step);
    if (answer.kind != Answer::Kind::reply || !matches(step.reply, answer.value)) {
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
  // Refused where a password is asked for: then it stays with RESP2, which is as good.
  static_cast<void>(world_.run(connection, {"HELLO", "3"}));
}

void Player::send(const Step& step) {
  std::string bytes = world::encode(step.words);
  if (wrapped(step)) bytes = world::encode({"MULTI"}) + bytes + world::encode({"EXEC"});
  world_.send(step.connection, bytes);
}

Answer Player::receive(const Step& step) {
  const bool whole = wrapped(step) && step.kind == Step::Kind::command;
  return whole ? receive_wrapped(step) : world_.receive(step.connection);
}

// The one item of EXEC's reply. What is not queued (an error, a command that MULTI does not hold
// back) is compared as it is.
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

// The last requests that had no reply: had one come, it would stand before that of CLIENT REPLY ON.
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
