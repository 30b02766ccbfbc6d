// SimClient: the test's end of a simulated connection. It has no thread: what the test sends
// goes into the connection as there is room, and what arrives is collected, unless reading is
// off.
//
// `on_change` (optional) is called outside of all simulated threads when something came; it may
// send, close or destroy this client.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/sim/sim_connection.h"

namespace slotcar::runtime {

class SimClient final : private SimEnd {
 public:
  explicit SimClient(std::shared_ptr<SimConnection> connection);
  ~SimClient() override { close(); }
  SimClient(const SimClient&) = delete;
  SimClient& operator=(const SimClient&) = delete;

  void send(std::string_view bytes);
  std::size_t unsent() const { return unsent_.size(); }  // not yet taken by the connection

  const std::string& received() const { return received_; }
  std::string take();  // received, and forgets it
  // Without reading, the server meets back-pressure.
  void set_reading(bool on);

  void half_close();  // after all that is unsent; still reads
  void close();       // at once: what is unsent is lost
  void break_now();   // both ends find the connection broken, each at its own time
  void set_parted(bool parted);

  bool established() const { return connection_->established(); }
  bool ended() const { return ended_; }    // the server closed, and everything was read
  bool broken() const { return broken_; }  // refused, reset or severed
  bool closed() const { return ended_ || broken_; }
  const std::string& address() const { return connection_->addresses().connector; }

  void set_on_change(std::function<void()> on_change) { on_change_ = std::move(on_change); }

 private:
  static constexpr SimSide kSide = SimSide::connector;
  void connection_changed() override;
  void flush();
  void read_all();

  std::shared_ptr<SimConnection> connection_;
  std::function<void()> on_change_;
  SimByteQueue unsent_;
  std::string received_;
  bool reading_ = true;
  bool established_told_ = false;
  bool finish_wanted_ = false;
  bool finished_ = false;
  bool closed_here_ = false;
  bool ended_ = false;
  bool broken_ = false;
};

}  // namespace slotcar::runtime
