// Error and Result: what a call returns if there is no reply. Never thrown.
#pragma once

#include <string>
#include <string_view>

#include "slotcar/result.h"

namespace slotcar::client {

struct Error {
  enum class Kind {
    server,           // the server answered with an error; `message` is its text
    timeout,          // no answer in time
    cancelled,        // the caller's stop token said so
    connection,       // no connection could be made in time; the call was never sent
    outcome_unknown,  // sent, and the connection broke before the answer
    overloaded,       // a bounded queue is full; the call was never sent
    closed,           // the client is shutting down
    protocol,         // the server sent an invalid reply
    usage,            // a request that must not be sent this way; the message says what to do
    conversion,       // the reply is not of the type that was asked for
    aborted,          // a transaction whose watched keys have changed; nothing was done
    moved,            // a transaction whose slot has moved; nothing was done; start it again
  };
  // What is known about the call's effect on the server.
  enum class Ran { no, unknown, yes };

  Kind kind = Kind::usage;
  Ran ran = Ran::no;
  std::string message = {};

  // It is safe to send the same call again, whatever it does.
  bool retryable() const { return ran == Ran::no && kind != Kind::usage && kind != Kind::closed; }
  // The first word of a server's error: "WRONGTYPE", "MOVED", "ERR".
  std::string_view code() const { return std::string_view(message).substr(0, message.find(' ')); }
};

std::string_view name_of(Error::Kind kind);

// A value, or an Error.
template <class T>
using Result = BasicResult<T, Error>;
using Status = Result<void>;

}  // namespace slotcar::client
