// Two engines, and bytes carried between them by hand.
#include "runtime/tls/tls_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/limits_tls.h"
#include "runtime/testing/certificates.h"
#include "runtime/tls/tls_context.h"

namespace slotcar::runtime {
namespace {

using ::testing::HasSubstr;
using Progress = TlsEngine::Progress;
using Kind = Stream::Received::Kind;

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

class TlsEngineTest : public ::testing::Test {
 protected:
  TlsServerRules rules(TlsAskClients ask = TlsAskClients::no) const {
    TlsServerRules made;
    made.certificate = files_.path("server.pem");
    made.key = files_.path("server.key");
    made.ca_file = files_.path("ca.pem");
    made.ask_clients = ask;
    return made;
  }
  void begin(const TlsServerRules& server_rules, const TlsFiles& client_files,
             const std::string& name = "127.0.0.1") {
    auto server = TlsContext::for_server(server_rules);
    ASSERT_TRUE(server.ok()) << server.error().message;
    auto client = TlsContext::for_client(client_files);
    ASSERT_TRUE(client.ok()) << client.error().message;
    server_ = std::move(*(*server)->server_engine());
    client_ = std::move(*(*client)->client_engine(name));
    // The contexts are destroyed here: engines keep what they need of them.
  }
  TlsFiles trusting() const { return {files_.path("ca.pem"), "", ""}; }
  TlsFiles with(const std::string& name) const {
    return {files_.path("ca.pem"), files_.path(name + ".pem"), files_.path(name + ".key")};
  }
  // Until nothing moves any more, `cut` bytes at a time.
  void shake_hands(std::size_t cut = SIZE_MAX) {
    for (bool moved = true; moved;) {
      moved = step(*client_, *server_, cut);
      moved = step(*server_, *client_, cut) || moved;
    }
  }
  static bool step(TlsEngine& from, TlsEngine& to, std::size_t cut) {
    (void)from.handshake();
    std::string bytes = taken(from.ciphertext());
    for (std::size_t at = 0; at < bytes.size(); at += std::min(cut, bytes.size() - at)) {
      to.feed(std::string_view(bytes).substr(at, cut));
      (void)to.handshake();
    }
    return !bytes.empty();
  }
  static std::string read(TlsEngine& engine, std::size_t room = 1024 * 1024) {
    std::string buffer(room, '\0');
    const auto got = engine.receive(buffer.data(), room);
    buffer.resize(got.kind == Kind::bytes ? got.size : 0);
    return buffer;
  }

  Certificates files_;
  std::unique_ptr<TlsEngine> server_;
  std::unique_ptr<TlsEngine> client_;
};

TEST_F(TlsEngineTest, handshake_and_data_in_pieces_of_any_size) {
  for (const std::size_t cut : {std::size_t{1}, std::size_t{7}, std::size_t{100}, SIZE_MAX}) {
    begin(rules(), trusting());
    shake_hands(cut);
    ASSERT_TRUE(client_->connected()) << client_->trouble();
    ASSERT_TRUE(server_->connected()) << server_->trouble();
    Output plain;
    plain.append("PING\r\n");
    ASSERT_TRUE(client_->encrypt(plain, SIZE_MAX));
    server_->feed(taken(client_->ciphertext()));
    EXPECT_EQ(read(*server_), "PING\r\n");
  }
}

TEST_F(TlsEngineTest, small_pieces_share_a_record_and_large_ones_are_cut) {
  begin(rules(), trusting());
  shake_hands();
  Output plain;
  std::string wanted;
  for (int i = 0; i < 20; ++i) {
    const std::string value(300, static_cast<char>('a' + i));
    plain.append("$300\r\n");
    plain.append(base::SharedBytes::copy_of(value, nullptr), 0, value.size());
    wanted += "$300\r\n" + value;
  }
  ASSERT_TRUE(server_->encrypt(plain, SIZE_MAX));
  const std::string cipher = taken(server_->ciphertext());
  EXPECT_LT(cipher.size(), wanted.size() + 100);  // two records at most, not forty
  client_->feed(cipher);
  EXPECT_EQ(read(*client_), wanted);

  const std::string big(100'000, 'x');
  plain.append(big);
  ASSERT_TRUE(server_->encrypt(plain, SIZE_MAX));
  client_->feed(taken(server_->ciphertext()));
  EXPECT_EQ(read(*client_), big);
}

TEST_F(TlsEngineTest, no_more_is_encrypted_than_the_backlog_allows) {
  begin(rules(), trusting());
  shake_hands();
  (void)taken(server_->ciphertext());
  Output plain;
  plain.append(std::string(4 * limits::kTlsBacklogBytes, 'x'));
  ASSERT_TRUE(server_->encrypt(plain, SIZE_MAX));
  EXPECT_FALSE(plain.empty());
  EXPECT_LE(server_->ciphertext().size(), limits::kTlsBacklogBytes + 32 * 1024);
}

TEST_F(TlsEngineTest, what_finds_no_room_is_told_of) {
  begin(rules(), trusting());
  shake_hands();
  Output plain;
  plain.append("0123456789");
  ASSERT_TRUE(client_->encrypt(plain, SIZE_MAX));
  server_->feed(taken(client_->ciphertext()));
  EXPECT_EQ(read(*server_, 4), "0123");
  EXPECT_TRUE(server_->has_unread());
  EXPECT_EQ(read(*server_, 6), "456789");
  EXPECT_FALSE(server_->has_unread());
}

TEST_F(TlsEngineTest, goodbye_is_an_end_and_no_trouble) {
  begin(rules(), trusting());
  shake_hands();
  client_->say_goodbye();
  server_->feed(taken(client_->ciphertext()));
  char byte;
  EXPECT_EQ(server_->receive(&byte, 1).kind, Kind::end);
  EXPECT_EQ(server_->trouble(), "");
}

TEST_F(TlsEngineTest, a_damaged_record_is_refused) {
  begin(rules(), trusting());
  shake_hands();
  Output plain;
  plain.append("PING\r\n");
  ASSERT_TRUE(client_->encrypt(plain, SIZE_MAX));
  std::string cipher = taken(client_->ciphertext());
  cipher.back() = static_cast<char>(cipher.back() ^ 1);
  server_->feed(cipher);
  char byte;
  EXPECT_EQ(server_->receive(&byte, 1).kind, Kind::end);
  EXPECT_THAT(server_->trouble(), HasSubstr("bad record mac"));
}

TEST_F(TlsEngineTest, the_clients_certificate_names_it) {
  files_.make({.file = "ann", .common_name = "ann", .alternative_name = ""});
  begin(rules(TlsAskClients::yes), with("ann"));
  shake_hands();
  ASSERT_TRUE(server_->connected()) << server_->trouble();
  EXPECT_EQ(server_->peer_common_name(), "ann");

  begin(rules(TlsAskClients::optional), trusting());
  shake_hands();
  ASSERT_TRUE(server_->connected()) << server_->trouble();
  EXPECT_EQ(server_->peer_common_name(), "");
}

TEST_F(TlsEngineTest, a_client_without_certificate_is_refused_in_words) {
  begin(rules(TlsAskClients::yes), trusting());
  shake_hands();
  EXPECT_TRUE(server_->failed());
  EXPECT_THAT(server_->trouble(), HasSubstr("the client sent no certificate"));
}

TEST_F(TlsEngineTest, expired_and_unknown_clients_are_refused_in_words) {
  files_.make({.file = "late", .valid_from = -2 * Certificates::kDay, .valid_to = -3600});
  begin(rules(TlsAskClients::yes), with("late"));
  shake_hands();
  EXPECT_THAT(server_->trouble(), HasSubstr("certificate has expired"));

  Certificates others;
  begin(rules(TlsAskClients::optional),
        {files_.path("ca.pem"), others.path("server.pem"), others.path("server.key")});
  shake_hands();
  EXPECT_THAT(server_->trouble(), HasSubstr("unable to get local issuer certificate"));
}

TEST_F(TlsEngineTest, a_server_with_a_wrong_name_or_authority_is_refused_in_words) {
  begin(rules(), trusting(), "other.example");
  shake_hands();
  EXPECT_THAT(client_->trouble(), HasSubstr("ostname mismatch"));
  EXPECT_TRUE(server_->failed());

  Certificates others;
  begin(rules(), {others.path("ca.pem"), "", ""});
  shake_hands();
  EXPECT_THAT(client_->trouble(), HasSubstr("self-signed certificate in certificate chain"));
  EXPECT_THAT(server_->trouble(), HasSubstr("does not know the authority"));

  files_.make({.file = "late", .valid_from = -2 * Certificates::kDay, .valid_to = -3600});
  TlsServerRules expired = rules();
  expired.certificate = files_.path("late.pem");
  expired.key = files_.path("late.key");
  begin(expired, trusting());
  shake_hands();
  EXPECT_THAT(client_->trouble(), HasSubstr("certificate has expired"));
}

TEST_F(TlsEngineTest, what_is_not_tls_is_recognised) {
  const std::pair<const char*, const char*> cases[] = {
      {"GET / HTTP/1.1\r\n\r\n", "an HTTP request"},
      {"*1\r\n$4\r\nPING\r\n", "a plain request"},
      {"PING\r\n", "a plain request"},
      {"\x01\x02\x03\x04\x05\x06\x07\x08", "not TLS"}};
  for (const auto& [bytes, words] : cases) {
    begin(rules(), trusting());
    server_->feed(bytes);
    EXPECT_EQ(server_->handshake(), Progress::failed);
    EXPECT_THAT(server_->trouble(), HasSubstr(words)) << bytes;
  }
}

TEST_F(TlsEngineTest, no_cipher_and_no_version_in_common_are_told_apart) {
  TlsServerRules old = rules();
  old.protocols = "TLSv1.1";
  begin(old, trusting());
  shake_hands();
  EXPECT_THAT(server_->trouble(), HasSubstr("protocol version"));
  TlsServerRules rsa = rules();
  rsa.protocols = "TLSv1.2";
  rsa.ciphers = "AES128-SHA256";  // which a P-256 key cannot serve
  begin(rsa, trusting());
  shake_hands();
  EXPECT_THAT(server_->trouble(), HasSubstr("no cipher in common"));
}

TEST_F(TlsEngineTest, bad_files_are_refused_in_words) {
  const auto words = [](const TlsServerRules& bad) {
    auto made = TlsContext::for_server(bad);
    return made.ok() ? std::string("OK") : made.error().message;
  };
  TlsServerRules bad = rules();
  EXPECT_EQ(words(bad), "OK");
  bad.certificate = files_.path("nowhere.pem");
  EXPECT_THAT(words(bad), HasSubstr("nowhere.pem"));
  files_.make({.file = "other"});
  bad = rules();
  bad.key = files_.path("other.key");
  EXPECT_THAT(words(bad), HasSubstr("key values mismatch"));
  bad = rules();
  bad.ciphers = "NO-SUCH-CIPHER";
  EXPECT_THAT(words(bad), HasSubstr("tls-ciphers"));
  bad = rules(TlsAskClients::yes);
  bad.ca_file = "";
  EXPECT_THAT(words(bad), HasSubstr("tls-ca-cert-file"));
  bad = rules();
  bad.protocols = "TLSv4";
  EXPECT_THAT(words(bad), HasSubstr("Invalid tls-protocols"));
  bad = rules();
  bad.dh_parameters = files_.path("server.key");
  EXPECT_THAT(words(bad), HasSubstr("DH parameters"));
  // A key with a password: without it, with a wrong one, with the right one.
  files_.make({.file = "secret", .key_password = "open"});
  bad = rules();
  bad.certificate = files_.path("secret.pem");
  bad.key = files_.path("secret.key");
  EXPECT_THAT(words(bad), HasSubstr("secret.key"));
  bad.key_password = "shut";
  EXPECT_THAT(words(bad), HasSubstr("secret.key"));
  bad.key_password = "open";
  EXPECT_EQ(words(bad), "OK");
}

TEST_F(TlsEngineTest, an_expired_certificate_of_ours_is_worth_a_warning) {
  files_.make({.file = "late", .valid_from = -2 * Certificates::kDay, .valid_to = -3600});
  TlsServerRules late = rules();
  late.certificate = files_.path("late.pem");
  late.key = files_.path("late.key");
  EXPECT_THAT((*TlsContext::for_server(late))->warning(), HasSubstr("expired"));
  EXPECT_EQ((*TlsContext::for_server(rules()))->warning(), "");
}

}  // namespace
}  // namespace slotcar::runtime
