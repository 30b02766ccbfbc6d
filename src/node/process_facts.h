// The system's data about this process and its machine, for INFO and MEMORY.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "console/info.h"

namespace slotcar::node {

std::string system_name();  // "Linux 6.1.0 x86_64"
std::string executable_path();
std::int64_t process_id();
std::int64_t resident_bytes();  // 0 if unknown
std::int64_t system_memory_bytes();
console::InfoCpu cpu_times();
std::string_view allocator_name();

}  // namespace slotcar::node
