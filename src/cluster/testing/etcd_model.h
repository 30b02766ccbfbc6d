// EtcdModel: as much of etcd as a node uses, in memory, behind the same JSON. Several Http objects
// may share one. Leases end when a test says so.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cluster/etcd/base64.h"
#include "cluster/etcd/http.h"
#include "cluster/etcd/json.h"

namespace slotcar::cluster {

class EtcdModel {
 public:
  struct Value {
    std::string text;
    std::int64_t mod_revision = 0;
    std::int64_t lease = 0;
  };
  std::map<std::string, Value> values;
  std::int64_t revision = 1;
  std::map<std::int64_t, std::int64_t> leases;  // with their seconds
  // Called before each transaction that writes: what others do meanwhile.
  std::function<void()> before_write = {};
  bool loses_answers = false;  // of transactions that write, after their effect

  void end_lease(std::int64_t lease) {
    leases.erase(lease);
    ++revision;
    std::erase_if(values, [lease](const auto& one) { return one.second.lease == lease; });
  }

  Result<HttpReply> answer(std::string_view path, const std::string& body) {
    const auto json = read_json(body);
    if (!json) return Error{"the request is no JSON: " + json.error().message};
    if (path == "/v3/kv/txn") return transaction(*json);
    if (path == "/v3/lease/grant") {
      const std::int64_t lease = 1000 + static_cast<std::int64_t>(leases.size()) + revision;
      leases[lease] = (*json)["TTL"].number();
      return HttpReply{200, fmt::format(R"({{"ID":"{}","TTL":"{}"}})", lease, leases[lease])};
    }
    if (path == "/v3/lease/keepalive") {
      const std::int64_t lease = (*json)["ID"].number();
      if (!leases.contains(lease)) {
        return HttpReply{200, fmt::format(R"({{"result":{{"ID":"{}"}}}})", lease)};
      }
      return HttpReply{
          200, fmt::format(R"({{"result":{{"ID":"{}","TTL":"{}"}}}})", lease, leases[lease])};
    }
    return HttpReply{404, "{}"};
  }

 private:
  static std::string bytes(const Json& json) { return from_base64(json.text()).value(); }

  Result<HttpReply> transaction(const Json& json) {
    bool writes = false;
    for (const Json& step : json["success"].items()) writes |= !step["request_range"].exists();
    if (writes && before_write) {
      const auto before = std::exchange(before_write, nullptr);
      before();
    }
    for (const Json& compare : json["compare"].items()) {
      const auto found = values.find(bytes(compare["key"]));
      const std::int64_t there = found == values.end() ? 0 : found->second.mod_revision;
      if (there != compare["mod_revision"].number()) {
        return HttpReply{200, fmt::format(R"({{"header":{{"revision":"{}"}}}})", revision)};
      }
    }
    if (writes) ++revision;
    std::vector<std::string> steps;
    for (const Json& step : json["success"].items()) steps.push_back(run(step));
    if (writes && loses_answers) return Error{"no answer"};
    return HttpReply{
        200, fmt::format(R"({{"header":{{"revision":"{}"}},"succeeded":true,"responses":[{}]}})",
                         revision, fmt::join(steps, ","))};
  }

  std::string run(const Json& step) {
    if (const Json& put = step["request_put"]; put.exists()) {
      values[bytes(put["key"])] = {bytes(put["value"]), revision, put["lease"].number()};
      return R"({"response_put":{}})";
    }
    if (const Json& gone = step["request_delete_range"]; gone.exists()) {
      values.erase(bytes(gone["key"]));
      return R"({"response_delete_range":{}})";
    }
    const Json& range = step["request_range"];
    const std::string first = bytes(range["key"]);
    const std::string end = range["range_end"].exists() ? bytes(range["range_end"]) : first + '\0';
    std::vector<std::string> found;
    for (auto at = values.lower_bound(first); at != values.end() && at->first < end; ++at) {
      found.push_back(fmt::format(R"({{"key":"{}","value":"{}","mod_revision":"{}"}})",
                                  base64_of(at->first), base64_of(at->second.text),
                                  at->second.mod_revision));
    }
    return fmt::format(R"({{"response_range":{{"kvs":[{}]}}}})", fmt::join(found, ","));
  }
};

class ModelHttp final : public Http {
 public:
  explicit ModelHttp(EtcdModel& model) : model_(model) {}

  Result<HttpReply> post(const HttpRequest& request) override {
    const std::size_t path = request.url.find("/v3/");
    return model_.answer(std::string_view(request.url).substr(path), request.body);
  }
  Result<HttpReply> stream(const HttpRequest&, const OnBytes&) override {
    return Error{"the model has no streams"};
  }
  void interrupt() override {}

 private:
  EtcdModel& model_;
};

}  // namespace slotcar::cluster
