// Typed calls of the group transactions. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {

namespace requests {
Request discard();
Request exec();
Request multi();
Request unwatch();
Request watch(const Arguments& keys);
}  // namespace requests

template <class R = Reply>
Typed<R> discard() {
  return Typed<R>{requests::discard()};
}
template <class R = Reply>
Typed<R> exec() {
  return Typed<R>{requests::exec()};
}
template <class R = Reply>
Typed<R> multi() {
  return Typed<R>{requests::multi()};
}
template <class R = Reply>
Typed<R> unwatch() {
  return Typed<R>{requests::unwatch()};
}
template <class R = Reply>
Typed<R> watch(const Arguments& keys) {
  return Typed<R>{requests::watch(keys)};
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
