// UringListener: accepts with one multishot operation. It owns a UringAcceptor, which lives on
// until the kernel no longer uses it (see uring_loop.h).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime/member_timer.h"
#include "runtime/socket.h"
#include "runtime/uring/uring_loop.h"

namespace slotcar::runtime {

class UringAcceptor final : public UringTarget {
 public:
  UringAcceptor(UringLoop& loop, ListenSocket socket,
                std::function<void(std::unique_ptr<Incoming>)> accepted);

  std::uint16_t port() const { return socket_.port; }
  void share_port(bool on) { socket_.share_port(on); }
  void refuse() { socket_.refuse(); }
  void let_go();

  void on_completion(UringOperation operation, int result, unsigned flags) override;
  void on_ready() override;

 private:
  void arm_accept();

  ListenSocket socket_;
  std::function<void(std::unique_ptr<Incoming>)> accepted_;
  std::vector<FileDescriptor> waiting_;  // accepted by the kernel, not yet reported
  bool armed_ = false;
  // Ends the pause after a lack of descriptors or memory.
  MemberTimer<&UringAcceptor::arm_accept> resume_{*this};
};

class UringListener final : public Listener {
 public:
  UringListener(UringLoop& loop, ListenSocket socket,
                std::function<void(std::unique_ptr<Incoming>)> accepted)
      : acceptor_(new UringAcceptor(loop, std::move(socket), std::move(accepted))) {}
  ~UringListener() override { acceptor_->let_go(); }
  std::uint16_t port() const override { return acceptor_->port(); }
  void share_port(bool on) override { acceptor_->share_port(on); }
  void refuse() override { acceptor_->refuse(); }

 private:
  UringAcceptor* acceptor_;  // deletes itself
};

}  // namespace slotcar::runtime
