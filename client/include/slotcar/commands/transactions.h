// Typed calls of the group transactions. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {

template <class R = Reply>
Typed<R> discard() {
  Request request("DISCARD");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> exec() {
  Request request("EXEC");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> multi() {
  Request request("MULTI");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> unwatch() {
  Request request("UNWATCH");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> watch(const Arguments& keys) {
  Request request("WATCH");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class Self>
class TransactionsCommands {
 public:
  template <class R = Reply>
  auto discard() {
    return self().send(commands::discard<R>());
  }
  template <class R = Reply>
  auto exec() {
    return self().send(commands::exec<R>());
  }
  template <class R = Reply>
  auto multi() {
    return self().send(commands::multi<R>());
  }
  template <class R = Reply>
  auto unwatch() {
    return self().send(commands::unwatch<R>());
  }
  template <class R = Reply>
  auto watch(const Arguments& keys) {
    return self().send(commands::watch<R>(keys));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
