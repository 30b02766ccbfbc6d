// The grammar of XREAD and XREADGROUP.
#pragma once

#include <string_view>

#include "commands/stream/stream_words.h"
#include "commands/waiting.h"

namespace slotcar::commands {

struct ReadRequest {
  std::size_t count_max = SIZE_MAX;
  bool blocks = false;
  std::int64_t timeout_ms = 0;  // of a blocking call; 0: none
  bool no_ack = false;
  bool grouped = false;
  std::string_view group = {};
  std::string_view consumer = {};
  std::size_t first_key = 0;  // among the arguments
  std::size_t streams = 0;
};

inline void read_option(ArgReader& args, ReadRequest& request, bool of_group) {
  if (args.accept_with("BLOCK", 1)) {
    request.timeout_ms = args.integer(kTimeoutNotInteger);
    if (request.timeout_ms < 0) args.fail(kTimeoutNegative);
    request.blocks = true;
  } else if (args.accept_with("COUNT", 1)) {
    const std::int64_t count = args.integer();
    request.count_max = count > 0 ? static_cast<std::size_t>(count) : SIZE_MAX;
  } else if (args.accept_with("GROUP", 2)) {
    if (!of_group) {
      return args.fail(
          "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.");
    }
    request.group = args.next();
    request.consumer = args.next();
    request.grouped = true;
  } else if (args.accept("NOACK")) {
    if (!of_group) {
      args.fail("ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.");
    }
    request.no_ack = true;
  } else {
    args.fail(schema::kSyntaxError);
  }
}

inline ReadRequest read_request(ArgReader& args, bool of_group) {
  ReadRequest request;
  while (!args.done()) {
    if (!args.accept_with("STREAMS", 1)) {
      read_option(args, request, of_group);
      continue;
    }
    if (args.left() % 2 != 0) {
      args.fail(of_group ? "ERR Unbalanced 'xreadgroup' list of streams: for each stream key an ID "
                           "or '>' must be specified."
                         : "ERR Unbalanced 'xread' list of streams: for each stream key an ID or "
                           "'$' must be specified.");
    }
    request.first_key = args.position();
    request.streams = args.left() / 2;
    break;
  }
  if (request.streams == 0) args.fail(schema::kSyntaxError);
  if (of_group && !request.grouped) args.fail("ERR Missing GROUP option for XREADGROUP");
  return request;
}

// Whether the request was routed by the keys that its grammar names. A group or consumer named
// STREAMS misleads the key specification; such a call must touch nothing.
inline bool is_routed_right(const Call& call, const ReadRequest& request) {
  return call.key_count() == request.streams && call.located(0).argument == request.first_key;
}

// The beginning of the reply, and of what one stream adds to it: a map from key to entries, which
// in RESP2 is an array of pairs.
inline void reply_streams(resp::ReplyWriter& reply, std::size_t streams) {
  if (reply.protocol() == resp::Protocol::resp3) {
    reply.map(streams);
  } else {
    reply.array(streams);
  }
}
inline void reply_stream_key(resp::ReplyWriter& reply, std::string_view key) {
  if (reply.protocol() == resp::Protocol::resp2) reply.array(2);
  reply.bulk(key);
}

}  // namespace slotcar::commands
