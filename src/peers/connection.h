// Peers::Connection: one connection to another server. It lives on the thread of the peers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "peers/peers.h"
#include "runtime/member_timer.h"
#include "runtime/output.h"
#include "runtime/stream.h"

namespace slotcar::peers {

class Peers::Connection final : public runtime::StreamEvents {
 public:
  Connection(Peers& peers, const Target& target, std::unique_ptr<runtime::Stream> stream);
  ~Connection() override = default;

  bool is_free() const { return exchange_ == nullptr; }
  // To the same server, and as the same user: who has no password must not speak as one who had.
  bool leads_to(const Target& target) const {
    return target_.host == target.host && target_.port == target.port &&
           target_.user == target.user && target_.password == target.password;
  }
  runtime::Nanos free_since() const { return free_since_; }

  void begin(Exchange& exchange, bool is_second_try);
  // Ends what it does; the connection is not used any more.
  void fail(ExchangeEnd end);
  void shut();

  // StreamEvents
  void on_input() override;
  void on_output_room() override;
  void on_closed() override;

 private:
  void send();
  void finish();
  void broke();
  void on_timer();
  void moved_on();  // something has happened, and the time begins anew
  ExchangeEnd failure() const;

  Peers& peers_;
  const Target target_;
  std::unique_ptr<runtime::Stream> stream_;
  std::int64_t db_ = -1;
  runtime::Nanos free_since_ = 0;
  bool was_used_ = false;
  // --- of the exchange
  Exchange* exchange_ = nullptr;
  std::optional<ExchangeMachine> machine_;
  bool is_second_try_ = false;
  runtime::Output output_;
  runtime::MemberTimer<&Connection::on_timer> timer_{*this};
};

}  // namespace slotcar::peers
