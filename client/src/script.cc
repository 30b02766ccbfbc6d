#include "slotcar/script.h"

#include <openssl/evp.h>

#include "base/assert.h"

namespace slotcar::client {
namespace detail {
namespace {

class ScriptSteps final : public TwoStepCall {
 public:
  ScriptSteps(std::string text, bool reads) : text_(std::move(text)), reads_(reads) {}
  std::vector<Request> after(const Request& first, const Error& error) const override {
    if (error.kind != Error::Kind::server || error.code() != "NOSCRIPT") return {};
    Request request(reads_ ? "EVAL_RO" : "EVAL");
    request.arg(text_);
    const std::size_t keys = first.keys().size();
    for (std::size_t i = 2; i < first.arguments(); ++i) {
      const bool is_key = i > 2 && i < 3 + keys;
      is_key ? request.key(first.argument(i)) : request.arg(first.argument(i));
    }
    std::vector<Request> steps;
    steps.push_back(std::move(request));
    return steps;
  }

 private:
  std::string text_;
  bool reads_;
};

class LibrarySteps final : public TwoStepCall {
 public:
  explicit LibrarySteps(std::string code) : code_(std::move(code)) {}
  std::vector<Request> after(const Request& first, const Error& error) const override {
    if (error.kind != Error::Kind::server || error.message != "ERR Function not found") return {};
    std::vector<Request> steps;
    steps.push_back(Request("FUNCTION").arg("LOAD").arg("REPLACE").arg(code_));
    steps.push_back(first);
    return steps;
  }

 private:
  std::string code_;
};

std::string hex_sha1(const std::string& text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  ASSERT(EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha1(), nullptr) == 1);
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

}  // namespace

Result<Reply> run_steps(Client& client, Request first, std::shared_ptr<const TwoStepCall> steps,
                        CallOptions options) {
  Result<Reply> reply = client.run(first, options);
  if (reply) return reply;
  for (Request& request : steps->after(first, reply.error())) {
    reply = client.run(std::move(request), options);
    if (!reply) break;
  }
  return reply;
}

Task<Result<Reply>> call_steps(Client& client, Request first,
                               std::shared_ptr<const TwoStepCall> steps, CallOptions options) {
  Result<Reply> reply = co_await client.call(first, options);
  if (reply) co_return reply;
  for (Request& request : steps->after(first, reply.error())) {
    reply = co_await client.call(std::move(request), options);
    if (!reply) break;
  }
  co_return reply;
}

}  // namespace detail

Script::Script(std::string text)
    : digest_(detail::hex_sha1(text)),
      steps_(std::make_shared<detail::ScriptSteps>(std::move(text), false)) {}

Script::Script(std::string text, ReadOnly)
    : digest_(detail::hex_sha1(text)),
      reads_(true),
      steps_(std::make_shared<detail::ScriptSteps>(std::move(text), true)) {}

Request Script::request(const Arguments& keys, const Arguments& arguments) const {
  Request request(reads_ ? "EVALSHA_RO" : "EVALSHA");
  request.arg(digest_).arg(keys.size());
  keys.add_to(request, As::keys);
  arguments.add_to(request);
  return request;
}

FunctionLibrary::FunctionLibrary(std::string code)
    : steps_(std::make_shared<detail::LibrarySteps>(std::move(code))) {}

Request FunctionLibrary::request(std::string_view function, const Arguments& keys,
                                 const Arguments& arguments) {
  Request request("FCALL");
  request.arg(function).arg(keys.size());
  keys.add_to(request, As::keys);
  arguments.add_to(request);
  return request;
}

}  // namespace slotcar::client
