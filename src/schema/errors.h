// Error texts that many commands share, in Redis 7.2's words. Texts of a single command are in its
// file.
#pragma once

#include <string_view>

namespace slotcar::schema {

inline constexpr std::string_view kSyntaxError = "ERR syntax error";
inline constexpr std::string_view kNotInteger = "ERR value is not an integer or out of range";
inline constexpr std::string_view kNotFloat = "ERR value is not a valid float";
inline constexpr std::string_view kOutOfRange = "ERR value is out of range";
inline constexpr std::string_view kMustBePositive = "ERR value is out of range, must be positive";
inline constexpr std::string_view kWrongType =
    "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr std::string_view kNoSuchKey = "ERR no such key";
inline constexpr std::string_view kOverflow = "ERR increment or decrement would overflow";
inline constexpr std::string_view kStringTooLong =
    "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
inline constexpr std::string_view kNoMemory =
    "OOM the server has not enough memory for a string of that size";
inline constexpr std::string_view kSameObject = "ERR source and destination objects are the same";
inline constexpr std::string_view kDbOutOfRange = "ERR DB index is out of range";
inline constexpr std::string_view kInvalidDb = "ERR invalid DB index";
inline constexpr std::string_view kOom = "OOM command not allowed when used memory > 'maxmemory'.";
inline constexpr std::string_view kMisconf =
    "MISCONF Errors writing to the append only file: writes are refused until the disk takes them "
    "again. Reads are served. See the log and INFO persistence.";
inline constexpr std::string_view kMisconfSave =
    "MISCONF Slotcar is configured to save RDB snapshots, but it's currently unable to persist to "
    "disk. Commands that may modify the data set are disabled, because this instance is configured "
    "to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error "
    "option). Please check the logs for details about the RDB error.";

}  // namespace slotcar::schema
