// Lease: until when this node may serve, where its slots can be given to others without it (etcd).
//
// The holder of the lease (etcd/topology_etcd.h) sets the deadline: the time before it asked for a
// prolongation, plus the time that was granted, less a margin. So nobody can take the slots before
// the deadline. A process can be stopped at any instruction, and go on long after the deadline; so
// a check before a call runs is not enough. The check that counts is made with a fresh clock after
// calls have run, where their replies leave: what leaves before the deadline was executed before
// it. Past it nothing leaves: the connection is closed, and its client does not know the outcome.
//
// A lost lease begins a new term. A connection belongs to the term in which it was accepted, and
// sends nothing in a later one, so no reply that was made under the lost lease is sent under the
// next. Before the new term begins all slots are marked as not served (cluster.h); connections of
// the new term read CLUSTERDOWN until there is a lease again.
//
// Any thread reads, one thread writes.
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>

namespace slotcar::cluster {

class Lease {
 public:
  using Nanos = std::int64_t;
  using Term = std::uint32_t;

  // The clock goes on while the machine is suspended.
  static Nanos now() {
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return static_cast<Nanos>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  }

  Term term() const { return term_.load(std::memory_order_acquire); }
  bool is_lost() const { return is_lost_.load(std::memory_order_acquire); }
  Nanos deadline() const { return deadline_.load(std::memory_order_acquire); }

  // A connection of this term may send what it has.
  bool may_send(Term term, Nanos now) const {
    const Nanos deadline = deadline_.load(std::memory_order_acquire);
    return term == term_.load(std::memory_order_acquire) && (deadline == kNone || now < deadline);
  }
  bool may_send(Term term) const { return may_send(term, now()); }

  // --- the holder
  // A lease that ends. Before the first call there is none that could: a topology in a file.
  void extend(Nanos deadline) { deadline_.store(deadline, std::memory_order_release); }
  // `mark` marks all slots as not served, which it finds by is_lost().
  template <class Mark>
  void lose(Mark mark) {
    // In this order. Until the term has ended the old deadline, which has passed, keeps its
    // connections from sending. A connection of the new term never meets a slot that is served.
    is_lost_.store(true, std::memory_order_release);
    mark();
    term_.fetch_add(1, std::memory_order_acq_rel);
    deadline_.store(kNone, std::memory_order_release);
  }
  // There is a lease again. `mark` marks the slots that are served from now on.
  template <class Mark>
  void regain(Nanos deadline, Mark mark) {
    extend(deadline);
    is_lost_.store(false, std::memory_order_release);
    mark();
  }

 private:
  static constexpr Nanos kNone = 0;

  std::atomic<Nanos> deadline_{INT64_MAX};
  std::atomic<Term> term_{0};
  std::atomic<bool> is_lost_{false};
};

}  // namespace slotcar::cluster
