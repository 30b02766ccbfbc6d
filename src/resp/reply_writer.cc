#include "resp/reply_writer.h"

#include <algorithm>

#include "base/assert.h"
#include "base/limits.h"

namespace slotcar::resp {

void ReplyWriter::longer_bulk(std::string_view bytes) {
  if (bytes.size() > limits::kReplyCopyMax) {  // No block has room for it in one piece.
    header('$', static_cast<std::int64_t>(bytes.size()));
    out_->append(bytes);
    put("\r\n");
    return;
  }
  char* const start = out_->reserve(kHeaderBytesMax + bytes.size() + 2);
  char* const text = put_header(start, '$', static_cast<std::int64_t>(bytes.size()));
  std::memcpy(text, bytes.data(), bytes.size());
  out_->commit_to(put_line_end(text + bytes.size()));
}

void ReplyWriter::simple(std::string_view text) {
  line('+', text);
}

void ReplyWriter::error(std::string_view text) {
  line('-', text);
  ++errors_;
  // As Redis: what has no code within its first bytes counts as ERR.
  constexpr std::size_t kCodeLooks = 32;
  const std::size_t space = text.substr(0, kCodeLooks).find(' ');
  const std::string_view code =
      space != std::string_view::npos ? text.substr(0, space) : std::string_view("ERR");
  error_code_size_ = static_cast<std::uint8_t>(std::min(code.size(), sizeof error_code_));
  std::memcpy(error_code_, code.data(), error_code_size_);
}

// An error may quote what a client sent; a line end in it would forge a second reply.
void ReplyWriter::line(char type, std::string_view text) {
  char* const start = out_->reserve(text.size() + 3);
  char* p = start;
  *p++ = type;
  for (char c : text) *p++ = c == '\r' || c == '\n' ? ' ' : c;
  p = put_line_end(p);
  out_->commit(static_cast<std::size_t>(p - start));
}

void ReplyWriter::bulk(const base::SharedBytes& bytes, std::size_t offset, std::size_t size) {
  ASSERT(offset <= bytes.size() && size <= bytes.size() - offset);
  if (size <= limits::kReplyCopyMax) {
    bulk(bytes.view().substr(offset, size));
    return;
  }
  header('$', static_cast<std::int64_t>(size));
  out_->append(bytes, offset, size);
  put("\r\n");
}

void ReplyWriter::bulk_integer(std::int64_t value) {
  char digits[24];
  const int size = base::print_int64(digits, value);
  bulk(std::string_view(digits, static_cast<std::size_t>(size)));
}

void ReplyWriter::boolean(bool value) {
  if (resp3()) {
    value ? put("#t\r\n") : put("#f\r\n");
  } else {
    value ? put(":1\r\n") : put(":0\r\n");
  }
}

void ReplyWriter::real(double value) {
  char text[base::kDoubleCharsMax];
  real_text({text, static_cast<std::size_t>(base::print_double(text, value))});
}

void ReplyWriter::real_text(std::string_view printed) {
  if (resp3()) {
    line(',', printed);
  } else {
    bulk(printed);
  }
}

void ReplyWriter::big_number(std::string_view digits) {
  if (resp3()) {
    line('(', digits);
  } else {
    bulk(digits);
  }
}

void ReplyWriter::verbatim(std::string_view text, std::string_view format) {
  if (!resp3()) {
    bulk(text);
    return;
  }
  ASSERT(format.size() == 3);
  header('=', static_cast<std::int64_t>(text.size() + 4));
  out_->append(format);
  put(":");
  out_->append(text);
  put("\r\n");
}

}  // namespace slotcar::resp
