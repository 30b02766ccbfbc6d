#include "cluster/etcd/etcd_client.h"

#include <fmt/format.h>

#include <utility>

#include "cluster/etcd/base64.h"
#include "cluster/etcd/limits.h"

namespace slotcar::cluster {
namespace {

constexpr int kOk = 200;
constexpr int kUnauthenticated = 16;  // gRPC's codes
constexpr int kUnavailable = 14;

std::string quoted(std::string_view bytes) {
  return '"' + base64_of(bytes) + '"';
}

// The end of the range of all keys that begin with the prefix.
std::string after_prefix(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 255) prefix.pop_back();
  if (prefix.empty()) return std::string(1, '\0');  // to the last key
  prefix.back() = static_cast<char>(prefix.back() + 1);
  return prefix;
}

std::string range_text(const EtcdTransaction::Read& read) {
  if (!read.prefix) return fmt::format(R"("key":{})", quoted(read.key));
  return fmt::format(R"("key":{},"range_end":{})", quoted(read.key),
                     quoted(after_prefix(read.key)));
}

std::string transaction_text(const EtcdTransaction& transaction) {
  std::vector<std::string> compares;
  for (const auto& one : transaction.compares) {
    compares.push_back(
        fmt::format(R"({{"key":{},"target":"MOD","result":"EQUAL","mod_revision":"{}"}})",
                    quoted(one.key), one.mod_revision));
  }
  std::vector<std::string> steps;
  for (const auto& put : transaction.puts) {
    steps.push_back(fmt::format(R"({{"request_put":{{"key":{},"value":{},"lease":"{}"}}}})",
                                quoted(put.key), quoted(put.value), put.lease));
  }
  for (const std::string& key : transaction.deletes) {
    steps.push_back(fmt::format(R"({{"request_delete_range":{{"key":{}}}}})", quoted(key)));
  }
  for (const auto& read : transaction.reads) {
    steps.push_back(fmt::format(R"({{"request_range":{{{}}}}})", range_text(read)));
  }
  return fmt::format(R"({{"compare":[{}],"success":[{}]}})", fmt::join(compares, ","),
                     fmt::join(steps, ","));
}

Result<std::vector<EtcdValue>> values_of(const Json& range) {
  std::vector<EtcdValue> values;
  for (const Json& one : range["kvs"].items()) {
    auto key = from_base64(one["key"].text());
    auto value = from_base64(one["value"].text());
    if (!key || !value) return Error{"etcd's answer has a key or a value that is no Base64"};
    values.push_back({std::move(*key), std::move(*value), one["mod_revision"].number()});
  }
  return values;
}

// What an answer says that is an error. A stream has it one level deeper.
Error error_of(const Json& json, int status) {
  const Json& inner = json["error"];
  const std::string& text = !json["message"].text().empty()    ? json["message"].text()
                            : !inner["message"].text().empty() ? inner["message"].text()
                                                               : inner.text();
  return Error{fmt::format("etcd answered: {}",
                           text.empty() ? fmt::format("status {}", status) : text.substr(0, 200))};
}

std::int64_t code_of(const Json& json) {
  const Json& inner = json["error"];
  return json["code"].exists() ? json["code"].number() : inner["grpc_code"].number();
}

}  // namespace

// --- requests ----------------------------------------------------------------------------------

Result<EtcdOutcome> EtcdClient::run(const EtcdTransaction& transaction) {
  const bool writes = !transaction.puts.empty() || !transaction.deletes.empty();
  const auto json = call("/v3/kv/txn", transaction_text(transaction), !writes);
  if (!json) return json.error();
  EtcdOutcome outcome;
  outcome.succeeded = (*json)["succeeded"].is_true();
  outcome.revision = (*json)["header"]["revision"].number();
  if (!outcome.succeeded) return outcome;
  const std::vector<Json>& steps = (*json)["responses"].items();
  const std::size_t before = transaction.puts.size() + transaction.deletes.size();
  if (steps.size() != before + transaction.reads.size()) {
    return Error{"etcd's answer has another number of steps than the transaction"};
  }
  for (std::size_t i = before; i < steps.size(); ++i) {
    auto values = values_of(steps[i]["response_range"]);
    if (!values) return values.error();
    outcome.read.push_back(std::move(*values));
  }
  return outcome;
}

Result<EtcdClient::Granted> EtcdClient::grant(std::int64_t seconds) {
  const auto json = call("/v3/lease/grant", fmt::format(R"({{"TTL":"{}"}})", seconds), true);
  if (!json) return json.error();
  const Granted granted{(*json)["ID"].number(), (*json)["TTL"].number()};
  if (granted.lease == 0 || granted.seconds <= 0) return Error{"etcd has granted no lease"};
  return granted;
}

Result<std::int64_t> EtcdClient::keep_alive(std::int64_t lease) {
  const auto json = call("/v3/lease/keepalive", fmt::format(R"({{"ID":"{}"}})", lease), true);
  if (!json) return json.error();
  const Json& result = (*json)["result"];
  if (!result.exists()) return error_of(*json, kOk);
  return result["TTL"].number();
}

EtcdClient::WatchEnd EtcdClient::watch(std::string_view prefix, std::int64_t revision,
                                       const std::function<bool()>& on_event) {
  const auto with = token();
  if (!with) return {false, with.error().message};
  HttpRequest request;
  request.url = access_.endpoints[endpoint_] + "/v3/watch";
  request.body = fmt::format(R"({{"create_request":{{{},"start_revision":"{}"}}}})",
                             range_text({std::string(prefix), true}), revision);
  request.token = *with;
  request.timeout_ms = timeout_ms_;
  WatchEnd end;
  std::string line;  // each answer is one
  const auto take_line = [&]() -> bool {
    const auto json = read_json(line);
    line.clear();
    if (!json || !(*json)["result"].exists()) {
      end.why = json ? error_of(*json, kOk).message : json.error().message;
      return false;
    }
    const Json& result = (*json)["result"];
    if (result["canceled"].is_true()) {
      end.compacted = result["compact_revision"].number() != 0;
      end.why = end.compacted ? "the revision was compacted" : result["cancel_reason"].text();
      return false;
    }
    return result["events"].items().empty() || on_event();
  };
  const auto reply = http_.stream(request, [&](std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t newline = bytes.find('\n');
      line += bytes.substr(0, newline);
      if (line.size() > limits::kEtcdReplyBytesMax) {
        end.why = "an answer is too long";
        return false;
      }
      if (newline == std::string_view::npos) return true;
      bytes.remove_prefix(newline + 1);
      if (!take_line()) return false;
    }
    return true;
  });
  if (end.why.empty())
    end.why = !reply               ? reply.error().message
              : reply->status == 0 ? reply->body
                                   : fmt::format("status {}", reply->status);
  if (!end.compacted) {
    // Another endpoint may be better, and the token may be too old.
    endpoint_ = (endpoint_ + 1) % access_.endpoints.size();
    token_.clear();
  }
  return end;
}

// --- endpoints and tokens ----------------------------------------------------------------------

Result<Json> EtcdClient::call(std::string_view path, const std::string& body, bool repeatable) {
  for (std::size_t tried = 1;; ++tried) {
    Came came = Came::nowhere;
    auto json = call_here(path, body, came);
    if (json || came == Came::decided) return json;
    endpoint_ = (endpoint_ + 1) % access_.endpoints.size();
    const bool may_repeat = repeatable || came == Came::nowhere;
    if (!may_repeat || tried >= access_.endpoints.size()) return json;
  }
}

// `decided`: another endpoint would not say anything else.
Result<Json> EtcdClient::call_here(std::string_view path, const std::string& body, Came& came) {
  for (const bool is_first : {true, false}) {
    const auto with = token();
    if (!with) return with.error();
    const auto reply =
        http_.post({access_.endpoints[endpoint_] + std::string(path), body, *with, timeout_ms_});
    came = Came::unknown;
    if (!reply) return reply.error();
    if (reply->status == 0) {
      came = Came::nowhere;
      return Error{reply->body};
    }
    auto json = read_json(reply->body);
    const bool failed = reply->status != kOk || (json && (*json)["error"].exists());
    if (!failed && !json) return json.error();
    if (!failed) {
      came = Came::decided;
      return json;
    }
    const Json none;
    const Json& answer = json ? *json : none;
    if (code_of(answer) == kUnauthenticated && is_first && !access_.user.empty()) {
      token_.clear();
      continue;
    }
    if (code_of(answer) != kUnavailable) came = Came::decided;
    return error_of(answer, reply->status);
  }
  return Error{"etcd refuses every token"};
}

Result<std::string> EtcdClient::token() {
  if (access_.user.empty() || !token_.empty()) return token_;
  const auto reply =
      http_.post({access_.endpoints[endpoint_] + "/v3/auth/authenticate",
                  fmt::format(R"({{"name":{},"password":{}}})", json_string(access_.user),
                              json_string(access_.password)),
                  "", timeout_ms_});
  if (!reply) return reply.error();
  if (reply->status == 0) return Error{reply->body};
  const auto json = read_json(reply->body);
  if (!json) return Error{fmt::format("etcd's authentication answered status {}", reply->status)};
  if (reply->status != kOk) return error_of(*json, reply->status);
  token_ = (*json)["token"].text();
  if (token_.empty()) return Error{"etcd's authentication has given no token"};
  return token_;
}

}  // namespace slotcar::cluster
