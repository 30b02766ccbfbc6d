// Report: the output of slotcar-check, line by line, and whether anything was bad.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ids.h"

namespace slotcar::check {

class Report {
 public:
  using Sink = std::function<void(std::string_view line)>;
  Report(Sink good, Sink bad, bool print)
      : good_(std::move(good)), bad_(std::move(bad)), print_(print) {}

  // Whether records and keys are printed, too.
  bool print() const { return print_; }
  void line(std::string_view text) { good_(text); }
  // "FILE: at byte N: reason".
  void bad(std::string_view text) {
    bad_(text);
    is_good_ = false;
  }
  bool is_good() const { return is_good_; }

 private:
  Sink good_;
  Sink bad_;
  bool print_;
  bool is_good_ = true;
};

// On one line: quoted, with escapes for unprintable bytes.
std::string quoted(std::string_view bytes);
// 2026-11-16T02:49:56.123Z
std::string time_text(UnixMs when);
// A record's payload: its commands with their arguments quoted.
std::string commands_text(std::string_view payload);

}  // namespace slotcar::check
