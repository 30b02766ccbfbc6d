// World: a whole node and its clients, real (live_node.h) or simulated (sim_node.h). A test written
// against it does not know which. Connections have names and are opened on first use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "node/node.h"
#include "resp/value.h"
#include "runtime/clock.h"

namespace slotcar::world {

using Words = std::vector<std::string>;

// A request as clients send it.
std::string encode(const Words& words);

// The result of waiting for a reply.
struct Answer {
  enum class Kind {
    reply,
    closed,   // the server has closed the connection, and all earlier replies were taken
    silence,  // nothing came in any reasonable time
    garbage,  // not a valid reply; `value.text` says why
  };
  Kind kind = Kind::silence;
  resp::Value value;
};

// One line for people: the reply, or "(the connection was closed)" and the like.
std::string describe(const Answer& answer);

class World {
 public:
  virtual ~World() = default;

  virtual node::Node& node() = 0;
  virtual void send(std::string_view connection, std::string_view bytes) = 0;
  virtual Answer receive(std::string_view connection) = 0;
  // Real or simulated.
  virtual void let_pass(runtime::Nanos duration) = 0;
  virtual void disconnect(std::string_view connection) = 0;
  // Waits until the node has noticed that all its clients are gone. False: it did not.
  virtual bool disconnect_all() = 0;
  // The node stops and starts again with its persistent data and its configuration; all connections
  // are closed. An error: it did not start. Only some worlds can restart.
  virtual Status restart() { return Error{"this world does not restart"}; }
  // What the world itself has found wrong since the last call.
  virtual std::vector<std::string> take_complaints() { return {}; }

  Answer run(std::string_view connection, const Words& words);
};

}  // namespace slotcar::world
