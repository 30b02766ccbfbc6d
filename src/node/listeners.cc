#include "node/listeners.h"

#include <algorithm>

#include "runtime/event_loop.h"
#include "runtime/task.h"

namespace slotcar::node {

using runtime::ListenAddress;
using session::Worker;

std::vector<Listeners::Wanted> Listeners::wanted(const StartSettings& start) const {
  std::vector<Wanted> addresses;
  const std::uint16_t number = start.port != 0 ? start.port : port();
  if (start.port != 0 || start.any_port) {
    for (const std::string& host : start.bind) {
      ListenAddress& address = addresses.emplace_back().address;
      address.host = host;
      address.port = number;
      address.backlog = start.tcp_backlog;
    }
  }
  for (const std::string& host : start.bind) {
    if (start.tls_port == 0) break;
    Wanted& tls = addresses.emplace_back();
    tls.kind = Kind::tls;
    tls.address.host = host;
    tls.address.port = start.tls_port;
    tls.address.backlog = start.tcp_backlog;
  }
  if (!start.unix_socket.empty()) {
    ListenAddress& address = addresses.emplace_back().address;
    address.unix_path = start.unix_socket;
    address.unix_permissions = start.unix_socket_permissions;
    address.backlog = start.tcp_backlog;
  }
  return addresses;
}

Listeners::Open* Listeners::find(const Wanted& wanted) {
  const ListenAddress& address = wanted.address;
  for (Open& open : open_) {
    if (open.listener && open.kind == wanted.kind && open.address.host == address.host &&
        open.address.port == address.port && open.address.unix_path == address.unix_path) {
      return &open;
    }
  }
  return nullptr;
}

Status Listeners::apply(const StartSettings& start, Worker& here) {
  std::lock_guard lock(mutex_);
  // A closing listener shares its port: until its own worker has closed it, it must not block the
  // port.
  for (Open& open : open_) open.listener->share_port(true);
  Status applied = apply_beside(start, here);
  for (Open& open : open_) open.listener->share_port(false);
  return applied;
}

Status Listeners::apply_beside(const StartSettings& start, Worker& here) {
  // The two would share the port, and each connection would reach a random one.
  if (start.tls_port != 0 && start.tls_port == start.port) {
    return Error{"port and tls-port must differ"};
  }
  std::uint16_t number = start.port;
  std::vector<Open> fresh;
  std::vector<Open*> kept;
  for (Wanted& one : wanted(start)) {
    ListenAddress& address = one.address;
    const Kind kind = one.kind;
    const bool plain_port = kind == Kind::plain && address.unix_path.empty();
    if (Open* open = find(one)) {
      kept.push_back(open);
      if (kind == Kind::tls) continue;
      number = open->listener->port() != 0 ? open->listener->port() : number;
      continue;
    }
    if (plain_port && address.port == 0) address.port = number;  // any free one
    // Never beside another process: the port of another server counts as taken.
    address.beside_others = std::ranges::any_of(open_, [&](const Open& open) {
      return open.address.unix_path.empty() && open.address.port == address.port;
    });
    auto listener = here.loop().listen(
        address, [this, &here, kind](std::unique_ptr<runtime::Incoming> incoming) {
          accept_(here, std::move(incoming), kind);
        });
    if (!listener) {
      if (address.host.starts_with('-')) continue;  // an optional address
      return listener.error();  // what was opened so far closes again here, on its own thread
    }
    if (plain_port && number == 0) number = (*listener)->port();
    if (plain_port) address.port = number;
    fresh.push_back({address, kind, &here, std::move(*listener)});
  }
  std::vector<Open> next;
  for (Open* open : kept) next.push_back(std::move(*open));
  for (Open& open : fresh) next.push_back(std::move(open));
  open_.swap(next);
  for (Open& old : next) {
    if (old.listener) close(std::move(old), here);
  }
  port_.store(number, std::memory_order_relaxed);
  return {};
}

void Listeners::close(Open open, const Worker& here) {
  if (open.worker == &here) return;  // by going out of scope
  open.listener->refuse();           // before CONFIG SET is answered
  open.worker->loop().post(runtime::make_task([listener = std::move(open.listener)] {}));
}

void Listeners::close_on(const Worker& worker) {
  std::lock_guard lock(mutex_);
  std::erase_if(open_, [&](const Open& open) { return open.worker == &worker; });
}

bool Listeners::empty() const {
  std::lock_guard lock(mutex_);
  return open_.empty();
}

}  // namespace slotcar::node
