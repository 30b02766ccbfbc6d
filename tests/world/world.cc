#include "world/world.h"

#include "resp/format.h"

namespace slotcar::world {

std::string encode(const Words& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  }
  return bytes;
}

std::string describe(const Answer& answer) {
  switch (answer.kind) {
    case Answer::Kind::reply:
      return resp::format(answer.value);
    case Answer::Kind::closed:
      return "(the connection was closed)";
    case Answer::Kind::silence:
      return "(no reply came)";
    case Answer::Kind::garbage:
      return "(not a reply: " + answer.value.text + ")";
  }
  return {};
}

Answer World::run(std::string_view connection, const Words& words) {
  send(connection, encode(words));
  return receive(connection);
}

}  // namespace slotcar::world
