// ReplyWriter: what a handler answers, encoded at once for the caller's protocol. The only place
// that knows how RESP2 and RESP3 differ in replies.
//
// The replies of hot commands are inline and write straight into the output's block: no temporary
// string, no second look at a length.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/copy_short.h"
#include "base/numbers.h"
#include "base/shared_bytes.h"
#include "runtime/output.h"

namespace slotcar::resp {

enum class Protocol : std::uint8_t { resp2 = 2, resp3 = 3 };

class ReplyWriter {
 public:
  ReplyWriter(runtime::Output& out, Protocol protocol) : out_(&out), protocol_(protocol) {}

  Protocol protocol() const { return protocol_; }
  runtime::Output& output() { return *out_; }
  void set_protocol(Protocol protocol) { protocol_ = protocol; }
  // No client will get this reply (its bound is reached, its client is gone, the server shuts
  // down): a loop that only answers can stop here.
  bool abandoned() const { return out_->abandoned(); }

  void ok() { put("+OK\r\n"); }
  void simple(std::string_view text);  // +text; as in an error, CR and LF become spaces
  void error(std::string_view text);   // -text; CR and LF in it become spaces
  void integer(std::int64_t value) { header(':', value); }  // :n
  void bulk(std::string_view bytes);                        // $n
  // Long strings are referenced, short ones copied.
  void bulk(const base::SharedBytes& bytes, std::size_t offset, std::size_t size);
  void bulk(const base::SharedBytes& bytes) { bulk(bytes, 0, bytes.size()); }
  void bulk_integer(std::int64_t value);  // a number as a bulk string
  // $-1, _
  void null() { resp3() ? put("_\r\n") : put("$-1\r\n"); }
  // *-1, _
  void null_array() { resp3() ? put("_\r\n") : put("*-1\r\n"); }
  void array(std::size_t count) { header('*', static_cast<std::int64_t>(count)); }  // *n
  // *2n, %n
  void map(std::size_t pairs) {
    header(resp3_type('%'), static_cast<std::int64_t>(resp3() ? pairs : 2 * pairs));
  }
  // *n, ~n and *n, >n
  void set(std::size_t count) { header(resp3_type('~'), static_cast<std::int64_t>(count)); }
  void push(std::size_t count) { header(resp3_type('>'), static_cast<std::int64_t>(count)); }
  void boolean(bool value);                  // :1, #t
  void real(double value);                   // $ as Redis prints it, ,n
  void real_text(std::string_view printed);  // $, ,: a number printed by the caller (GEOPOS)
  void big_number(std::string_view digits);  // $, (
  void verbatim(std::string_view text, std::string_view format = "txt");  // $, =

  // How many errors were written, and the code (first word) of the last one, for statistics and for
  // EXEC. The code is truncated to its buffer.
  int errors() const { return errors_; }
  // They were counted where they came from: a script hands on the error of a command.
  void forget_errors() { errors_ = 0; }
  std::string_view error_code() const { return {error_code_, error_code_size_}; }

 private:
  // A type, a number and the end of the line take no more than this.
  static constexpr std::size_t kHeaderBytesMax = 24;

  bool resp3() const { return protocol_ == Protocol::resp3; }
  char resp3_type(char type) const { return resp3() ? type : '*'; }

  template <std::size_t kSize>
  void put(const char (&text)[kSize]) {
    std::memcpy(out_->reserve(kSize - 1), text, kSize - 1);
    out_->commit(kSize - 1);
  }
  static char* put_header(char* out, char type, std::int64_t n) {
    *out++ = type;
    out += base::print_int64(out, n);
    return put_line_end(out);
  }
  static char* put_line_end(char* out) {
    std::memcpy(out, "\r\n", 2);
    return out + 2;
  }
  void header(char type, std::int64_t n) {
    char* const start = out_->reserve(kHeaderBytesMax);
    out_->commit(static_cast<std::size_t>(put_header(start, type, n) - start));
  }
  void line(char type, std::string_view text);
  void longer_bulk(std::string_view bytes);

  runtime::Output* out_;
  Protocol protocol_;
  int errors_ = 0;
  std::uint8_t error_code_size_ = 0;
  char error_code_[23] = {};
};

namespace detail {

// "$0\r\n" to "$999\r\n", each in a word of its own.
inline constexpr auto kShortBulkHeaders = [] {
  std::array<std::array<char, 8>, 1000> headers{};
  for (std::size_t size = 0; size < headers.size(); ++size) {
    char* out = headers[size].data();
    *out++ = '$';
    if (size >= 100) *out++ = static_cast<char>('0' + size / 100);
    if (size >= 10) *out++ = static_cast<char>('0' + size / 10 % 10);
    *out++ = static_cast<char>('0' + size % 10);
    *out++ = '\r';
    *out++ = '\n';
  }
  return headers;
}();

}  // namespace detail

inline void ReplyWriter::bulk(std::string_view bytes) {
  const std::size_t size = bytes.size();
  if (size >= detail::kShortBulkHeaders.size()) return longer_bulk(bytes);
  char* const start = out_->reserve(kHeaderBytesMax + size + 2);
  std::memcpy(start, detail::kShortBulkHeaders[size].data(), 8);
  char* const text = start + 4 + (size >= 10) + (size >= 100);
  out_->commit_to(put_line_end(base::copy_short(text, bytes)));
}

}  // namespace slotcar::resp
