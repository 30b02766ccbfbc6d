// SentinelWatch: keeps asking the sentinels where the master is, one sentinel at a time, the next
// one when that one does not answer. Asks often while there is trouble, rarely otherwise.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "connection.h"
#include "lane_machine.h"
#include "slotcar/options.h"

namespace slotcar::client {

class SentinelWatch final : private Locator, private LaneEvents {
 public:
  // `found` is called on the thread each time the sentinels name a master.
  SentinelWatch(IoThread& thread, const Options& options, const ConnectionRules& rules,
                Resolver& resolver, std::function<void(const Endpoint&)> found);
  ~SentinelWatch() override;

  void open();                       // on the thread
  void ask_soon();                   // any thread: the master is in trouble
  void shut_down(const Error& why);  // on the thread
  std::string last_trouble() const;

 private:
  std::optional<Endpoint> locate() override;
  void on_trouble(const Error& why) override;
  void on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes) override;
  void on_push(Reply&&) override {}
  void on_up() override { ask(); }
  void on_down() override {}
  void ask();
  void answer(Result<Reply>&& result);

  IoThread& thread_;
  const Options& options_;
  std::function<void(const Endpoint&)> found_;
  std::size_t turn_ = 0;
  bool asking_ = false;
  bool planned_ = false;
  bool stopped_ = false;
  std::atomic<bool> trouble_{true};
  mutable std::mutex mutex_;
  std::string last_trouble_;
  LaneMachine machine_;
  Connection connection_;
};

}  // namespace slotcar::client
