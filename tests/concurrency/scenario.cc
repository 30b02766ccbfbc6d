// The two ways of running a scenario.
#include "concurrency/scenario.h"

#include <thread>

namespace slotcar::concurrency {

using world::Answer;

namespace {

std::string encode_all(const Requests& requests) {
  std::string bytes;
  for (const world::Words& words : requests) bytes += world::encode(words);
  return bytes;
}

// The preparation of a scenario, as an actor: every reply but an error is fine.
class Script final : public Actor {
 public:
  explicit Script(Requests requests) : requests_(std::move(requests)) {}
  Requests next() override { return std::move(requests_); }
  std::string judge(const Replies& replies) override {
    for (const resp::Value& reply : replies) {
      if (reply.is_error()) return reply.text;
    }
    return "";
  }

 private:
  Requests requests_;
};

// --- real threads

std::string play_live(Actor& actor, std::uint16_t port) {
  world::LiveClient client(port);
  for (Requests requests = actor.next(); !requests.empty(); requests = actor.next()) {
    client.send(encode_all(requests));
    Replies replies;
    while (replies.size() < requests.size()) {
      Answer answer = client.receive();
      if (answer.kind != Answer::Kind::reply) return describe(answer);
      replies.push_back(std::move(answer.value));
    }
    if (std::string complaint = actor.judge(replies); !complaint.empty()) return complaint;
  }
  return "";
}

// --- simulated connections

// It acts whenever a reply has come: no step of the world is lost by waiting.
class SimPlayer {
 public:
  SimPlayer(Actor& actor, world::SimNode& sim) : actor_(actor), client_(sim.connect()) {
    client_->set_on_change([this] { look(); });
    ask();
  }
  bool done() const { return done_; }
  const std::string& complaint() const { return complaint_; }

 private:
  void ask() {
    const Requests requests = actor_.next();
    awaited_ = requests.size();
    replies_.clear();
    done_ = requests.empty();
    if (!done_) client_->send(encode_all(requests));
  }

  void look() {
    if (done_) return;
    parser_.feed(client_->take());
    resp::Value value;
    while (!done_ && parser_.next(value) == resp::ReplyParser::Outcome::value) {
      replies_.push_back(std::move(value));
      if (replies_.size() < awaited_) continue;
      complaint_ = actor_.judge(replies_);
      done_ = !complaint_.empty();
      if (!done_) ask();
    }
    if (done_ || !(client_->closed() || !parser_.error().empty())) return;
    complaint_ = "(the connection was closed) " + parser_.error();
    done_ = true;
  }

  Actor& actor_;
  std::unique_ptr<runtime::SimClient> client_;
  resp::ReplyParser parser_;
  Replies replies_;
  std::size_t awaited_ = 0;
  bool done_ = false;
  std::string complaint_;
};

void play_simulated(const std::vector<Actor*>& actors, world::SimNode& sim, std::uint64_t steps_max,
                    std::vector<std::string>& complaints) {
  std::vector<std::unique_ptr<SimPlayer>> players;
  for (Actor* actor : actors) players.push_back(std::make_unique<SimPlayer>(*actor, sim));
  std::size_t first_busy = 0;
  const auto done = [&] {
    while (first_busy < players.size() && players[first_busy]->done()) ++first_busy;
    return first_busy == players.size();
  };
  const bool ended = sim.world().run_until(done, steps_max);
  for (std::size_t i = 0; i < players.size(); ++i) {
    if (!players[i]->complaint().empty()) complaints.push_back(players[i]->complaint());
    if (!ended && !players[i]->done()) {
      complaints.push_back("client " + std::to_string(i) + " got no reply any more");
    }
  }
}

}  // namespace

std::vector<std::string> run_live(Scenario scenario, world::LiveNode& live) {
  std::vector<std::string> complaints;
  const auto alone = [&](Actor& actor) {
    if (!complaints.empty()) return;
    if (std::string complaint = play_live(actor, live.port()); !complaint.empty()) {
      complaints.push_back(std::move(complaint));
    }
  };
  Script preparation(std::move(scenario.preparation));
  alone(preparation);
  std::vector<std::string> said(scenario.actors.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < said.size(); ++i) {
      threads.emplace_back(
          [&scenario, &said, &live, i] { said[i] = play_live(*scenario.actors[i], live.port()); });
    }
  }
  for (std::string& complaint : said) {
    if (!complaint.empty()) complaints.push_back(std::move(complaint));
  }
  if (scenario.finale) alone(*scenario.finale);
  return complaints;
}

std::vector<std::string> run_simulated(Scenario scenario, world::SimNode& sim,
                                       std::uint64_t steps_max) {
  std::vector<std::string> complaints;
  Script preparation(std::move(scenario.preparation));
  play_simulated({&preparation}, sim, steps_max, complaints);
  std::vector<Actor*> actors;
  for (auto& actor : scenario.actors) actors.push_back(actor.get());
  if (complaints.empty()) play_simulated(actors, sim, steps_max, complaints);
  if (scenario.finale && complaints.empty()) {
    play_simulated({scenario.finale.get()}, sim, steps_max, complaints);
  }
  return complaints;
}

}  // namespace slotcar::concurrency
