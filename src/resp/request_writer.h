// A request as clients send it, for connections that this server opens to others.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>

#include "runtime/output.h"

namespace slotcar::resp {

inline void append_request(runtime::Output& output, std::initializer_list<std::string_view> words) {
  output.append(fmt::format("*{}\r\n", words.size()));
  for (const std::string_view word : words) {
    output.append(fmt::format("${}\r\n", word.size()));
    output.append(word);
    output.append("\r\n");
  }
}

}  // namespace slotcar::resp
