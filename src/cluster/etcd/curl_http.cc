#include "cluster/etcd/curl_http.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <utility>

#include "base/assert.h"
#include "cluster/etcd/limits.h"

namespace slotcar::cluster {
namespace {

constexpr int kPollMs = 1000;  // it is woken up anyhow
constexpr long kErrorBytesMax = 64 * 1024;

// Once in a process. The library has nothing else that is shared.
bool begin_curl() {
  static const bool kBegun = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return kBegun;
}

struct Receiver {
  CURL* easy;
  const Http::OnBytes* on_bytes;  // null: all goes into the body
  std::string body;

  static std::size_t take(char* bytes, std::size_t one, std::size_t count, void* raw) {
    Receiver& self = *static_cast<Receiver*>(raw);
    const std::string_view piece(bytes, one * count);
    long status = 0;
    curl_easy_getinfo(self.easy, CURLINFO_RESPONSE_CODE, &status);
    if (self.on_bytes != nullptr && status == 200) {
      return (*self.on_bytes)(piece) ? piece.size() : 0;
    }
    const std::size_t most =
        status == 200 ? limits::kEtcdReplyBytesMax : static_cast<std::size_t>(kErrorBytesMax);
    if (self.body.size() + piece.size() > most) return 0;
    self.body += piece;
    return piece.size();
  }
};

}  // namespace

struct CurlHttp::Handles {
  CURLM* multi = nullptr;
  CURL* easy = nullptr;
};

CurlHttp::CurlHttp(HttpTls tls) : tls_(std::move(tls)), handles_(std::make_unique<Handles>()) {
  ASSERT(begin_curl());
  handles_->multi = curl_multi_init();
  handles_->easy = curl_easy_init();
  ASSERT(handles_->multi != nullptr && handles_->easy != nullptr);
}

CurlHttp::~CurlHttp() {
  curl_easy_cleanup(handles_->easy);
  curl_multi_cleanup(handles_->multi);
}

void CurlHttp::interrupt() {
  interrupted_.store(true);
  curl_multi_wakeup(handles_->multi);
}

Result<HttpReply> CurlHttp::post(const HttpRequest& request) {
  return run(request, nullptr);
}

Result<HttpReply> CurlHttp::stream(const HttpRequest& request, const OnBytes& on_bytes) {
  return run(request, &on_bytes);
}

Result<HttpReply> CurlHttp::run(const HttpRequest& request, const OnBytes* on_bytes) {
  CURL* const easy = handles_->easy;
  curl_easy_reset(easy);  // connections stay
  Receiver receiver{easy, on_bytes, {}};
  char fault[CURL_ERROR_SIZE] = "";
  curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Expect:");  // it would cost a round trip
  if (!request.token.empty()) {
    headers = curl_slist_append(headers, ("Authorization: " + request.token).c_str());
  }
  const auto set = [easy](auto option, auto value) {
    ASSERT(curl_easy_setopt(easy, option, value) == CURLE_OK);
  };
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_PROXY, "");  // whatever the environment says
  set(CURLOPT_POST, 1L);
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(CURLOPT_POSTFIELDS, request.body.data());
  set(CURLOPT_HTTPHEADER, headers);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_TCP_KEEPIDLE, 5L);
  set(CURLOPT_TCP_KEEPINTVL, 2L);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.timeout_ms));
  if (on_bytes == nullptr) set(CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout_ms));
  set(CURLOPT_ERRORBUFFER, fault);
  set(CURLOPT_WRITEFUNCTION, &Receiver::take);
  set(CURLOPT_WRITEDATA, &receiver);
  if (!tls_.ca.empty()) set(CURLOPT_CAINFO, tls_.ca.c_str());
  if (!tls_.cert.empty()) set(CURLOPT_SSLCERT, tls_.cert.c_str());
  if (!tls_.key.empty()) set(CURLOPT_SSLKEY, tls_.key.c_str());

  ASSERT(curl_multi_add_handle(handles_->multi, easy) == CURLM_OK);
  CURLcode code = CURLE_ABORTED_BY_CALLBACK;
  for (int running = 1; running != 0;) {
    if (interrupted_.load()) break;
    curl_multi_perform(handles_->multi, &running);
    if (running != 0) curl_multi_poll(handles_->multi, nullptr, 0, kPollMs, nullptr);
  }
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(handles_->multi, &left)) {
    if (message->msg == CURLMSG_DONE) code = message->data.result;
  }
  curl_multi_remove_handle(handles_->multi, easy);
  curl_slist_free_all(headers);

  HttpReply reply;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  reply.status = static_cast<int>(status);
  reply.body = std::move(receiver.body);
  char* address = nullptr;
  curl_easy_getinfo(easy, CURLINFO_LOCAL_IP, &address);
  if (address != nullptr) local_address_ = address;
  if (code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST) {
    return HttpReply{0, fmt::format("{}: {}", request.url, fault)};
  }
  if (code != CURLE_OK) {
    return Error{
        fmt::format("{}: {}", request.url, fault[0] != '\0' ? fault : curl_easy_strerror(code))};
  }
  return reply;
}

}  // namespace slotcar::cluster
