#include "handshake.h"

#include "base/numbers.h"

namespace slotcar::client {
namespace {

int print_header(char* out, const Request& request) {
  out[0] = '*';
  int size = 1 + base::print_int64(out + 1, request.arguments());
  out[size++] = '\r';
  out[size++] = '\n';
  return size;
}

Error refused(const std::string& text) {
  return {Error::Kind::connection, Error::Ran::no, text};
}

}  // namespace

void append_request(runtime::Output& output, const Request& request) {
  char* header = output.reserve(24);
  output.commit(static_cast<std::size_t>(print_header(header, request)));
  output.append(request.body());
}

void append_request(std::string& output, const Request& request) {
  char header[24];
  output.append(header, static_cast<std::size_t>(print_header(header, request)));
  output.append(request.body());
}

void Handshake::begin(runtime::Output& output) {
  steps_.clear();
  next_ = 0;
  const bool has_password = !rules_.password.empty();
  const std::string user = rules_.username.empty() ? "default" : rules_.username;
  if (rules_.protocol == 3) {
    Request hello("HELLO");
    hello.arg(3);
    if (has_password) hello.arg("AUTH").arg(user).arg(rules_.password);
    if (!rules_.client_name.empty()) hello.arg("SETNAME").arg(rules_.client_name);
    say(output, hello, Step::hello);
  } else {
    if (has_password) {
      Request auth("AUTH");
      if (!rules_.username.empty()) auth.arg(user);
      say(output, auth.arg(rules_.password), Step::must_succeed);
    }
    if (!rules_.client_name.empty()) {
      say(output, Request("CLIENT").arg("SETNAME").arg(rules_.client_name), Step::may_fail);
    }
  }
  if (rules_.db != 0) say(output, Request("SELECT").arg(rules_.db), Step::must_succeed);
  if (rules_.read_only) say(output, Request("READONLY"), Step::may_fail);
  if (rules_.initialiser) {
    if (const auto requests = rules_.initialiser()) {
      for (const Request& request : *requests) say(output, request, Step::must_succeed);
    } else {
      say(output, Request("PING"), Step::must_end);
    }
  }
  if (rules_.must_be_master) say(output, Request("ROLE"), Step::role);
  if (rules_.check_ready) say(output, Request("PING"), Step::fit);
}

void Handshake::say(runtime::Output& output, const Request& request, Step step) {
  append_request(output, request);
  steps_.push_back(step);
}

std::optional<Error> Handshake::answer(const Reply& reply) {
  const Step step = steps_[next_++];
  const bool failed = reply.is_error();
  switch (step) {
    case Step::hello:
      if (failed && (reply.text().starts_with("NOPROTO") ||
                     reply.text().find("unknown command") != std::string::npos)) {
        rules_.protocol = 2;
        return refused("the server does not speak RESP3; asking again in RESP2");
      }
      [[fallthrough]];
    case Step::must_succeed:
      if (failed) return refused(reply.text());
      return std::nullopt;
    case Step::may_fail:
      return std::nullopt;
    case Step::must_end:
      return refused("the lane initialiser threw an exception");
    case Step::role:
      if (failed) return refused(reply.text());
      if (reply.items().empty() || reply[0].text() != "master") {
        return refused("the server is not a master");
      }
      return std::nullopt;
    case Step::fit:
      // Other errors (NOPERM, MASTERDOWN) are left to the calls that get them.
      if (failed && (reply.text().starts_with("LOADING") || reply.text().starts_with("NOAUTH"))) {
        return refused(reply.text());
      }
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace slotcar::client
