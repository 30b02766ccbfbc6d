// SHA-256 (FIPS 180-4): what a user's passwords are kept as, here and in Redis's files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace slotcar::acl {

inline constexpr std::size_t kSha256Bytes = 32;

std::array<std::uint8_t, kSha256Bytes> sha256(std::string_view message);
// 64 lowercase hexadecimal digits.
std::string sha256_hex(std::string_view message);

}  // namespace slotcar::acl
