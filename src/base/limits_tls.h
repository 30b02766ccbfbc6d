// The bounds of TLS, each with its reason; the others are in base/limits.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slotcar::limits {

// Handshakes that a worker has under way, and how long one may take. A live client needs a fraction
// of a second; when there are more, the oldest is dropped.
inline constexpr std::size_t kTlsHandshakesPerWorkerMax = 512;
inline constexpr std::int64_t kTlsHandshakeMs = 10'000;
// What a client may send before its handshake is over: a certificate chain and some early
// requests.
inline constexpr std::size_t kTlsHandshakeBytesMax = 256 * 1024;
// Ciphertext that one connection decrypts in one turn: 3,000 records of one byte, about 2 ms.
inline constexpr std::size_t kTlsReadBytesPerTurn = 64 * 1024;
// Steps of the protocol itself in one turn after the handshake (new keys, each some microseconds):
// no client needs that many.
inline constexpr int kTlsStepsPerTurn = 64;
// With this much ciphertext queued for the wire no more is encrypted, and with the double nothing
// is read that the protocol itself would have to answer.
inline constexpr std::size_t kTlsBacklogBytes = 256 * 1024;
inline constexpr std::size_t kTlsCiphertextBytesMax = 2 * kTlsBacklogBytes;
// Failed handshakes that a worker writes to the log in a second; the rest are counted.
inline constexpr int kTlsFailuresLoggedPerSecond = 10;

}  // namespace slotcar::limits
