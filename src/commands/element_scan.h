// Shared by HSCAN, SSCAN and ZSCAN: the grammar (cursor [MATCH pattern] [COUNT count], and
// NOVALUES where there are values), collecting a page, and moving a long page to the slow
// lane.
//
// A command names a type with
//
//   static constexpr types::Type kType;
//   static constexpr bool kHasValues;               whether NOVALUES is understood
//   // Puts the next page into `page` and returns the cursor after it, 0 at the end. Small (packed)
//   // collections come whole, whatever COUNT says.
//   static std::uint64_t page(Call&, const types::CellView&, const ElementScan&, ScanPage& page);
//
// and runs `scan_elements<ThatType>`. A cursor is a position in an order of the elements that does
// not depend on other changes (the order of their hashes), so the server keeps no state.
//
// Clients see half of the hash, because many keep a cursor in a signed 64-bit number. So a page
// never ends between two hashes that differ only in the lowest bit.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

#include "base/glob.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "commands/collection.h"
#include "commands/element_work.h"
#include "runtime/output.h"

namespace slotcar::commands {

struct ElementScan {
  std::uint64_t cursor = 0;
  std::string_view match = "*";
  std::size_t count = 10;
  bool values = true;

  bool matches(std::string_view name) const {
    return match == "*" || base::glob_match(match, name);
  }
  bool matches(const types::Element& name) const {
    if (match == "*") return true;
    types::Element::Scratch scratch;
    return base::glob_match(match, name.view(scratch));
  }
};

inline std::uint64_t read_scan_cursor(ArgReader& args) {
  const std::string_view text = args.next();
  std::uint64_t cursor = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, cursor);
  if (failure != std::errc() || stop != end) args.fail("ERR invalid cursor");
  return cursor << 1;
}

// To clients, the page ends at the same cursor as it began.
inline bool is_same_cursor(std::uint64_t a, std::uint64_t b) {
  return a >> 1 == b >> 1;
}

// What follows the cursor.
inline ElementScan read_scan_options(ArgReader& args, std::uint64_t cursor, bool has_values) {
  ElementScan scan;
  scan.cursor = cursor;
  while (!args.done()) {
    if (args.accept_with("MATCH", 1)) {
      scan.match = args.next();
    } else if (args.accept_with("COUNT", 1)) {
      const std::int64_t count = args.integer();
      if (count < 1) args.fail(schema::kSyntaxError);
      scan.count = static_cast<std::size_t>(count);
    } else if (has_values && args.accept("NOVALUES")) {
      scan.values = false;
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return scan;
}

// The elements of a page: their number is known only at the end.
class ScanPage {
 public:
  explicit ScanPage(Call& call) : writer_(elements_, call.caller().protocol) {
    elements_.set_guard(call.reply().output().guard());
  }
  ScanPage(const ScanPage&) = delete;
  ScanPage& operator=(const ScanPage&) = delete;

  void add(const types::Element& element) {
    reply_element(writer_, element);
    ++count_;
  }
  void add(std::string_view element) {
    writer_.bulk(element);
    ++count_;
  }
  // COUNT counts visited elements, whether or not they matched.
  void look() { ++looked_; }
  std::size_t looked() const { return looked_; }

  void answer(Call& call, std::uint64_t cursor) {
    char digits[24];
    const auto length = static_cast<std::size_t>(base::print_uint64(digits, cursor >> 1));
    call.reply().array(2);
    call.reply().bulk(std::string_view(digits, length));
    call.reply().array(count_);
    call.reply().output().splice(std::move(elements_));
  }

 private:
  runtime::Output elements_;
  resp::ReplyWriter writer_;
  std::size_t count_ = 0;
  std::size_t looked_ = 0;
};

template <class Collection>
void scan_elements_of(Call& call, const types::CellView& seen, const ElementScan& scan) {
  ScanPage page(call);
  const std::uint64_t next = Collection::page(call, seen, scan, page);
  page.answer(call, next);
}

// The rest of a long page, on the slow lane. The arguments were valid when they were read first.
template <class Collection>
void scan_pinned_elements(Call& call) {
  ArgReader args(call.args(), 2);
  const std::uint64_t cursor = read_scan_cursor(args);
  const ElementScan scan = read_scan_options(args, cursor, Collection::kHasValues);
  scan_elements_of<Collection>(call, call.state<Pinned>().cells[0].view(), scan);
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

// The handler. As in Redis the options are not checked if the key is missing.
template <class Collection>
void scan_elements(Call& call) {
  ArgReader args(call.args(), 2);
  const std::uint64_t cursor = read_scan_cursor(args);
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.find(0);
  if (entry == nullptr) return ScanPage(call).answer(call, 0);
  if (!absent_or(call, entry, Collection::kType)) return;
  const ElementScan scan = read_scan_options(args, cursor, Collection::kHasValues);
  if (args.failed()) return call.reply().error(args.error());
  const types::CellView seen = entry->cell();
  if (seen.tree != nullptr && call.is_large(work_of(seen, scan.count))) {
    return pin_and_answer(call, seen, scan_pinned_elements<Collection>);
  }
  scan_elements_of<Collection>(call, seen, scan);
}

}  // namespace slotcar::commands
