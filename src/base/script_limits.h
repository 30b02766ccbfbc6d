// The bounds on what scripts may ask for, each with its reason. Apart from base/limits.h, which
// nearly every file includes, because only src/scripting needs them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slotcar::limits {

// The text of a script or of a library. Lua's lexer counts in 32 bits.
inline constexpr std::size_t kScriptTextBytesMax = 16u * 1024 * 1024;
// What one interpreter may hold, garbage included: enough for a value of the largest size (512 MB)
// and its reply. More is an error of the script; Redis has no bound and is killed by the kernel.
inline constexpr std::size_t kScriptMemoryBytesMax = 2048u * 1024 * 1024;
// A string that a library function builds: a value of the largest size.
inline constexpr std::size_t kScriptStringBytesMax = 512u * 1024 * 1024;
// Values that `unpack` gives at once, as many as Lua's stack has room for.
inline constexpr std::size_t kScriptResultsMax = 8000;
// Nested items of one pattern. Each takes some 200 bytes of the thread's stack.
inline constexpr int kScriptPatternDepthMax = 4000;
// Nested arrays and maps in what cmsgpack.unpack reads. Each takes up to a kilobyte of the thread's
// stack, more under a sanitizer; cmsgpack.pack itself nests 16 at most.
inline constexpr int kScriptUnpackDepthMax = 1000;
// Values in one reply of a script: a table that holds itself twice would have no end.
inline constexpr std::size_t kScriptReplyValuesMax = 64u * 1024 * 1024;
// The buffer for the replies of a script's commands is kept up to this size.
inline constexpr std::size_t kScriptReplyBufferKept = 64 * 1024;
// Compiled scripts that one interpreter keeps; the least recently used are dropped. Redis 7.4 keeps
// as many of EVAL's.
inline constexpr std::size_t kCompiledScriptsMax = 500;

// A script that took longer than this begins on a slow thread the next time: about what the longest
// command does that a worker runs by itself.
inline constexpr std::int64_t kScriptQuickNsMax = 1'000'000;
// One that is still running after this on a worker is taken back and starts again on a slow thread.
inline constexpr std::int64_t kScriptOnWorkerNsMax = 4'000'000;
// After a surprise a script must have been as it was expected this many times to be trusted again.
inline constexpr int kScriptTrustedAfter = 16;
// After this a script can be seen by SCRIPT KILL and FUNCTION STATS.
inline constexpr std::int64_t kScriptSeenNs = 50'000'000;
// While a script is busy, how often those are answered who wait for its tokens.
inline constexpr std::int64_t kBusyAnswerNs = 5'000'000;
// The text of a script whose SHA a worker computes itself.
inline constexpr std::size_t kScriptTextQuickMax = 64 * 1024;
// Scripts of EVAL that the node keeps, the least used go. As Redis 7.4.
inline constexpr std::size_t kEvalScriptsMax = 500;

}  // namespace slotcar::limits
