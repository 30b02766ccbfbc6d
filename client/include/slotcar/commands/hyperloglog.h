// Typed calls of the group hyperloglog. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {

template <class R = bool>
Typed<R> pfadd(std::string_view key, const Arguments& elements = {}) {
  Request request("PFADD");
  request.key(key);
  elements.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> pfcount(const Arguments& keys) {
  Request request("PFCOUNT");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> pfdebug(const Argument& subcommand, std::string_view key) {
  Request request("PFDEBUG");
  request.arg(subcommand.text());
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> pfmerge(std::string_view destkey, const Arguments& sourcekeys = {}) {
  Request request("PFMERGE");
  request.key(destkey);
  sourcekeys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> pfselftest() {
  Request request("PFSELFTEST");
  return Typed<R>(std::move(request));
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
