#include "runtime/uring/uring_loop.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cerrno>
#include <utility>

#include "base/assert.h"
#include "runtime/socket.h"
#include "runtime/system_error.h"
#include "runtime/uring/uring_listener.h"
#include "runtime/uring/uring_stream.h"

namespace slotcar::runtime {
namespace {

// What a completion belongs to: a target's address with the operation in its low bits, or one of
// these, which are no addresses.
constexpr std::uint64_t kIgnored = 0;
constexpr std::uint64_t kWake = 8;
constexpr std::uint64_t kOperationMask = 7;

std::uint64_t name_of(UringTarget& target, UringOperation operation) {
  return reinterpret_cast<std::uintptr_t>(&target) | static_cast<unsigned>(operation);
}

void* map_memory(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

Result<std::unique_ptr<UringLoop>> UringLoop::make(const SocketOptions& options, Clock& clock) {
  std::unique_ptr<UringLoop> loop(new UringLoop(options, clock));
  if (Status opened = loop->open(); !opened) return opened.error();
  return loop;
}

UringLoop::~UringLoop() {
  wind_down();
  if (opened_) io_uring_queue_exit(&ring_);
  if (buffer_ring_) ::munmap(buffer_ring_, kBuffers * sizeof(io_uring_buf));
  if (buffers_) ::munmap(buffers_, std::size_t{kBuffers} * kBufferBytes);
}

Status UringLoop::open() {
  if (Status opened = open_wake_fd(); !opened) return opened;
  // SINGLE_ISSUER came with the same kernel as multishot receive (6.0), so asking for it asks for
  // both. Disabled at first: the ring's owner is the thread that will enable it.
  constexpr unsigned kNeeded = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_R_DISABLED |
                               IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CQSIZE;
  int result = 0;
  for (const unsigned wished : {IORING_SETUP_DEFER_TASKRUN, IORING_SETUP_COOP_TASKRUN}) {
    io_uring_params params = {};
    params.flags = kNeeded | wished;
    params.cq_entries = kCompletions;
    result = io_uring_queue_init_params(kEntries, &ring_, &params);
    if (result == 0) break;
  }
  if (result != 0) return system_error("io_uring cannot be used", -result);
  opened_ = true;
  if (Status buffers = open_buffers(); !buffers) return buffers;
  arm_wake();
  return {};
}

Status UringLoop::open_buffers() {
  buffer_ring_ = static_cast<io_uring_buf_ring*>(map_memory(kBuffers * sizeof(io_uring_buf)));
  buffers_ = static_cast<char*>(map_memory(std::size_t{kBuffers} * kBufferBytes));
  if (!buffer_ring_ || !buffers_) return system_error("io_uring's buffers", ENOMEM);
  io_uring_buf_reg registration = {};
  registration.ring_addr = reinterpret_cast<std::uintptr_t>(buffer_ring_);
  registration.ring_entries = kBuffers;
  registration.bgid = kBufferGroup;
  const int result = io_uring_register_buf_ring(&ring_, &registration, 0);
  if (result != 0) return system_error("io_uring's buffers", -result);
  io_uring_buf_ring_init(buffer_ring_);
  for (unsigned id = 0; id < kBuffers; ++id) give_back(id);
  return {};
}

void UringLoop::give_back(unsigned id) {
  io_uring_buf_ring_add(buffer_ring_, buffers_ + std::size_t{id} * kBufferBytes, kBufferBytes,
                        static_cast<unsigned short>(id), io_uring_buf_ring_mask(kBuffers), 0);
  io_uring_buf_ring_advance(buffer_ring_, 1);
}

void UringLoop::start() {
  // By the system call: the library's own function for it is not exported in every release.
  const long result =
      ::syscall(__NR_io_uring_register, ring_.ring_fd, IORING_REGISTER_ENABLE_RINGS, nullptr, 0);
  ASSERT(result == 0);
  started_ = true;
}

// Multishot, and the eventfd is never read: every write to it is one completion.
void UringLoop::arm_wake() {
  io_uring_sqe* entry = next_entry();
  io_uring_prep_poll_multishot(entry, wake_fd(), POLLIN);
  io_uring_sqe_set_data64(entry, kWake);
  ++operations_;
}

void UringLoop::run_once(bool may_wait) {
  if (!started_) start();
  Nanos wait = prepare_wait(may_wait && ready_.empty());
  if (wait != 0 && has_idle_task()) {
    submit_and_wait(0);
    if (io_uring_cq_ready(&ring_) == 0) {
      run_idle_task();
    } else {
      wait = 0;
    }
  }
  submit_and_wait(wait);
  begin_turn();
  take_completions();
  tell_ready();
  finish_turn();
}

void UringLoop::submit_and_wait(Nanos wait) {
  int result = 0;
  if (wait == 0) {
    result = io_uring_submit_and_get_events(&ring_);
  } else {
    __kernel_timespec limit = {};
    limit.tv_sec = wait / kSecond;
    limit.tv_nsec = wait % kSecond;
    io_uring_cqe* first = nullptr;
    result = io_uring_submit_and_wait_timeout(&ring_, &first, completions_to_wait_for(),
                                              wait == kWaitForever ? nullptr : &limit, nullptr);
  }
  // Anything but these (time is up, a signal, no memory for now, completions to be taken first)
  // would be our own misuse of the ring.
  ASSERT(result >= 0 || result == -ETIME || result == -EINTR || result == -EAGAIN ||
         result == -EBUSY || result == -ENOMEM);
}

unsigned UringLoop::completions_to_wait_for() const {
  if (hurry_ || sends_unheard_ >= kCompletions / 2) return 1;
  return sends_unheard_ + 1;
}

void UringLoop::take_completions() {
  do {
    io_uring_cqe* completion = nullptr;
    unsigned head = 0;
    unsigned count = 0;
    io_uring_for_each_cqe(&ring_, head, completion) {
      ++count;
      const std::uint64_t name = completion->user_data;
      if (name == kIgnored) continue;
      const bool last = (completion->flags & IORING_CQE_F_MORE) == 0;
      if (last) --operations_;
      if (name == kWake) {
        if (last && !ended_) arm_wake();
        continue;
      }
      auto& target = *reinterpret_cast<UringTarget*>(name & ~kOperationMask);
      const auto operation = static_cast<UringOperation>(name & kOperationMask);
      if (last) --target.operations_;
      if (operation == UringOperation::send) --sends_unheard_;
      target.on_completion(operation, completion->res, completion->flags);
      delete_if_done(target);
    }
    io_uring_cq_advance(&ring_, count);
    // What did not fit is kept by the kernel until asked for.
  } while (io_uring_cq_has_overflow(&ring_) && io_uring_get_events(&ring_) >= 0);
  hurry_ = false;
}

void UringLoop::tell_ready() {
  std::vector<UringTarget*> ready = std::exchange(ready_, {});
  for (UringTarget* target : ready) {
    target->listed_ = false;
    target->being_told_ = true;
    if (!target->abandoned_) target->on_ready();
    target->being_told_ = false;
    delete_if_done(*target);
  }
}

void UringLoop::make_ready(UringTarget& target) {
  if (std::exchange(target.listed_, true)) return;
  ready_.push_back(&target);
}

void UringLoop::enqueue(io_uring_sqe* entry, UringTarget& target, UringOperation operation) {
  io_uring_sqe_set_data64(entry, name_of(target, operation));
  if (operation == UringOperation::send) ++sends_unheard_;
  ++target.operations_;
  ++operations_;
}

void UringLoop::cancel(UringTarget& target, UringOperation operation) {
  if (ended_) return;
  io_uring_sqe* entry = next_entry();
  io_uring_prep_cancel64(entry, name_of(target, operation), 0);
  io_uring_sqe_set_data64(entry, kIgnored);
  entry->flags |= IOSQE_CQE_SKIP_SUCCESS;
}

void UringLoop::abandon(UringTarget& target) {
  target.abandoned_ = true;
  delete_if_done(target);
}

void UringLoop::delete_if_done(UringTarget& target) {
  const bool in_use = target.operations_ > 0 || target.listed_ || target.being_told_;
  if (target.abandoned_ && !in_use) delete &target;
}

io_uring_sqe* UringLoop::next_entry() {
  io_uring_sqe* entry = io_uring_get_sqe(&ring_);
  while (!entry) {
    ASSERT(started_);  // no caller arms a thousand operations before the first turn
    io_uring_submit(&ring_);
    entry = io_uring_get_sqe(&ring_);
  }
  return entry;
}

// Sends what was still to be sent, then cancels everything and waits for every last completion.
void UringLoop::wind_down() {
  if (!opened_ || ended_) return;
  if (!started_) start();
  io_uring_submit(&ring_);
  io_uring_sqe* entry = next_entry();
  io_uring_prep_cancel64(entry, 0, IORING_ASYNC_CANCEL_ANY | IORING_ASYNC_CANCEL_ALL);
  io_uring_sqe_set_data64(entry, kIgnored);
  ended_ = true;
  while (operations_ > 0) {
    const int result = io_uring_submit_and_wait(&ring_, 1);
    ASSERT(result >= 0 || result == -EINTR || result == -EAGAIN || result == -EBUSY);
    take_completions();
  }
  for (UringTarget* target : std::exchange(ready_, {})) {
    target->listed_ = false;
    delete_if_done(*target);
  }
}

std::unique_ptr<Stream> UringLoop::adopt(std::unique_ptr<Incoming> incoming) {
  // Every connection that a real loop's listener accepts is a SocketIncoming.
  return std::make_unique<UringStream>(*this, static_cast<SocketIncoming&>(*incoming));
}

Result<std::unique_ptr<Listener>> UringLoop::listen(
    const ListenAddress& address, std::function<void(std::unique_ptr<Incoming>)> accepted) {
  auto socket = open_listen_socket(address);
  if (!socket) return socket.error();
  return std::unique_ptr<Listener>(
      std::make_unique<UringListener>(*this, std::move(*socket), std::move(accepted)));
}

}  // namespace slotcar::runtime
