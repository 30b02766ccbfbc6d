// Whatever a peer sends instead of a handshake, in the middle of one or after it: the engine fails
// with a message or waits for more, and its memory is bounded by the bytes it was given.
#include <memory>
#include <string>

#include "base/assert.h"
#include "base/limits.h"
#include "input.h"
#include "runtime/testing/certificates.h"
#include "runtime/tls/tls_context.h"
#include "runtime/tls/tls_engine.h"

namespace {

using slotcar::fuzz::Input;
using slotcar::runtime::Certificates;
using slotcar::runtime::Output;
using slotcar::runtime::Stream;
using slotcar::runtime::TlsAskClients;
using slotcar::runtime::TlsContext;
using slotcar::runtime::TlsEngine;
using slotcar::runtime::TlsServerRules;

struct World {
  World() {
    TlsServerRules rules;
    rules.certificate = files.path("server.pem");
    rules.key = files.path("server.key");
    rules.ca_file = files.path("ca.pem");
    rules.ask_clients = TlsAskClients::optional;
    server = std::move(*TlsContext::for_server(rules));
    rules.protocols = "TLSv1.2";
    old_server = std::move(*TlsContext::for_server(rules));
    client = std::move(*TlsContext::for_client(
        {files.path("ca.pem"), files.path("server.pem"), files.path("server.key")}));
  }
  Certificates files;
  std::unique_ptr<TlsContext> server, old_server, client;
};

std::string taken(Output& output) {
  std::string bytes;
  while (!output.empty()) {
    iovec piece;
    output.vectors(&piece, 1, SIZE_MAX);
    bytes.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
    output.consume(piece.iov_len);
  }
  return bytes;
}

// One step with what was fed. False: it is over.
bool work(TlsEngine& engine) {
  if (!engine.connected()) {
    const auto progress = engine.handshake();
    ASSERT((progress == TlsEngine::Progress::failed) == engine.failed());
    ASSERT(engine.failed() == !engine.trouble().empty());
    if (progress != TlsEngine::Progress::done) return !engine.failed();
  }
  char buffer[4096];
  for (;;) {
    const Stream::Received got = engine.receive(buffer, sizeof buffer);
    ASSERT(engine.ciphertext().size() <= slotcar::limits::kTlsCiphertextBytesMax + 32 * 1024);
    if (got.kind == Stream::Received::Kind::end) return false;
    if (got.kind == Stream::Received::Kind::none_yet) return true;
  }
}

// The bytes of a correct peer, of which the input changes some: pairs of a distance and a value.
class Liar {
 public:
  explicit Liar(std::string_view changes) : changes_(changes) { next(); }
  void change(std::string& bytes) {
    for (char& byte : bytes) {
      if (left_-- > 0) continue;
      byte = static_cast<char>(byte ^ value_);
      next();
    }
  }

 private:
  void next() {
    if (changes_.size() < 2) {
      left_ = SIZE_MAX >> 1;
      return;
    }
    left_ = static_cast<unsigned char>(changes_[0]) * 4u;
    value_ = changes_[1];
    changes_.remove_prefix(2);
  }
  std::string_view changes_;
  std::size_t left_ = 0;
  char value_ = 0;
};

// Carries bytes between the two until nothing moves; `lies` says what is changed on the way.
void converse(TlsEngine& from, TlsEngine& to, Liar& lies, bool lies_back) {
  for (int round = 0; round < 20; ++round) {
    (void)work(from);
    std::string there = taken(from.ciphertext());
    if (!lies_back) lies.change(there);
    to.feed(there);
    (void)work(to);
    std::string back = taken(to.ciphertext());
    if (lies_back) lies.change(back);
    from.feed(back);
    if (there.empty() && back.empty()) return;
  }
}

// The input itself is what arrives.
void attack(TlsEngine& victim, const Input& input) {
  input.in_pieces([&](std::string_view piece) {
    victim.feed(piece);
    const bool goes_on = work(victim);
    (void)taken(victim.ciphertext());
    return goes_on;
  });
}

}  // namespace

// OpenSSL allocates a thousand times in a handshake, and is not what is tested: with stacks of few
// frames and a short quarantine a run takes half of the time.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=3:quarantine_size_mb=16";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const World kWorld;
  const Input input(data, size);
  auto server = std::move(*(input.choice(0) ? kWorld.old_server : kWorld.server)->server_engine());
  const bool is_client = input.choice(3);
  if (!input.choice(1) && !input.choice(2) && !is_client) {  // anything instead of a handshake
    attack(*server, input);
    return 0;
  }
  auto client = std::move(*kWorld.client->client_engine("127.0.0.1"));
  if (input.choice(1)) {  // a correct peer, changed on the way
    Liar lies(input.stream());
    converse(*client, *server, lies, input.choice(2));
    return 0;
  }
  if (input.choice(2)) {  // an established connection, and then anything
    Liar honest({});
    converse(*client, *server, honest, false);
    ASSERT(server->connected() && client->connected());
  }
  attack(is_client ? *client : *server, input);
  return 0;
}
