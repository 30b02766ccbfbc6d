#include "runtime/uring/uring_listener.h"

#include <sys/socket.h>

#include <utility>

namespace slotcar::runtime {

UringAcceptor::UringAcceptor(UringLoop& loop, ListenSocket socket,
                             std::function<void(std::unique_ptr<Incoming>)> accepted)
    : UringTarget(loop), socket_(std::move(socket)), accepted_(std::move(accepted)) {
  if (socket_.fd) arm_accept();
}

void UringAcceptor::let_go() {
  resume_.cancel();
  waiting_.clear();
  // The address is free for another listener at once, not only when the cancellation completes.
  socket_.refuse();
  socket_.remove_file();
  if (armed_) loop_.cancel(*this, UringOperation::accept);
  loop_.abandon(*this);
}

void UringAcceptor::on_completion(UringOperation, int result, unsigned flags) {
  if ((flags & IORING_CQE_F_MORE) == 0) armed_ = false;
  if (result >= 0) {
    FileDescriptor fd(result);
    if (abandoned_) return;
    waiting_.push_back(std::move(fd));
    loop_.make_ready(*this);
    return;
  }
  if (abandoned_) return;
  if (accept_failure(-result) == AcceptFailure::no_resources) {
    loop_.arm(resume_, loop_.turn_monotonic() + kAcceptPause);
  } else {
    loop_.make_ready(*this);
  }
}

void UringAcceptor::on_ready() {
  std::vector<FileDescriptor> taken = std::exchange(waiting_, {});
  for (FileDescriptor& fd : taken) {
    accepted_(make_incoming(std::move(fd), loop_.options()));
    if (abandoned_) return;
  }
  if (!armed_ && !resume_.armed()) arm_accept();
}

void UringAcceptor::arm_accept() {
  io_uring_sqe* entry = loop_.entry();
  if (!entry) return;
  io_uring_prep_multishot_accept(entry, socket_.fd.get(), nullptr, nullptr,
                                 SOCK_NONBLOCK | SOCK_CLOEXEC);
  loop_.enqueue(entry, *this, UringOperation::accept);
  armed_ = true;
}

}  // namespace slotcar::runtime
