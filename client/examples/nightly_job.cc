// Only one of several machines runs the job; a late one is recognised by its token.
#include <cstdio>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

namespace {

// The store refuses a token that is older than one it has seen.
bool store(std::int64_t token, const std::string& report) {
  static std::int64_t newest = 0;
  if (token < newest) return false;
  newest = token;
  std::printf("%s, token %lld\n", report.c_str(), static_cast<long long>(token));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  LockName nightly(client, "example:nightly", {.lease = 30s});
  auto lock = nightly.lock(5s);
  if (!lock) return std::puts(lock.error().message.c_str()), 1;
  if (nightly.try_lock().value().has_value()) return 1;  // it is taken
  if (!lock->held() || !store(lock->fencing_token(), "the report")) return 1;
  if (Status more = lock->extend(); !more) return 1;
  return lock->release().ok() ? 0 : 1;
}
