// What OpenSSL's failures mean, in words for a log or an error message.
#pragma once

#include <string>
#include <string_view>

struct ssl_st;

namespace slotcar::runtime {

// `what`, and behind it the first error in OpenSSL's queue of this thread, which is emptied.
std::string tls_words(const std::string& what);

// Why this connection failed; empties the queue as well. `first_bytes`: what the peer sent first,
// by which something that is not TLS at all is recognised.
std::string tls_failure_words(ssl_st* session, std::string_view first_bytes);

}  // namespace slotcar::runtime
