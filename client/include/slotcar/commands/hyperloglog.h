// Typed calls of the group hyperloglog. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {

namespace requests {
Request pfadd(std::string_view key, const Arguments& elements);
Request pfcount(const Arguments& keys);
Request pfdebug(const Argument& subcommand, std::string_view key);
Request pfmerge(std::string_view destkey, const Arguments& sourcekeys);
Request pfselftest();
}  // namespace requests

template <class R = bool>
Typed<R> pfadd(std::string_view key, const Arguments& elements = {}) {
  return Typed<R>{requests::pfadd(key, elements)};
}
template <class R = std::int64_t>
Typed<R> pfcount(const Arguments& keys) {
  return Typed<R>{requests::pfcount(keys)};
}
template <class R = Reply>
Typed<R> pfdebug(const Argument& subcommand, std::string_view key) {
  return Typed<R>{requests::pfdebug(subcommand, key)};
}
template <class R = void>
Typed<R> pfmerge(std::string_view destkey, const Arguments& sourcekeys = {}) {
  return Typed<R>{requests::pfmerge(destkey, sourcekeys)};
}
template <class R = Reply>
Typed<R> pfselftest() {
  return Typed<R>{requests::pfselftest()};
}
template <class Self>
class HyperloglogCommands {
 public:
  template <class R = bool>
  auto pfadd(std::string_view key, const Arguments& elements = {}) {
    return self().send(commands::pfadd<R>(key, elements));
  }
  template <class R = std::int64_t>
  auto pfcount(const Arguments& keys) {
    return self().send(commands::pfcount<R>(keys));
  }
  template <class R = Reply>
  auto pfdebug(const Argument& subcommand, std::string_view key) {
    return self().send(commands::pfdebug<R>(subcommand, key));
  }
  template <class R = void>
  auto pfmerge(std::string_view destkey, const Arguments& sourcekeys = {}) {
    return self().send(commands::pfmerge<R>(destkey, sourcekeys));
  }
  template <class R = Reply>
  auto pfselftest() {
    return self().send(commands::pfselftest<R>());
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
