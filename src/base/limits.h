// Every bound on what comes from outside, in one place, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slotcar::limits {

// --- requests -------------------------------------------------------------------------------
// Redis's own bounds, so that every request that Redis accepts is accepted here too.
inline constexpr std::size_t kInlineBytesMax = 64 * 1024;
inline constexpr std::int64_t kMultibulkCountMax = INT32_MAX;
inline constexpr std::size_t kBulkBytesMaxDefault = 512u * 1024 * 1024;  // proto-max-bulk-len
// Before AUTH a client may send no more than AUTH or HELLO needs.
inline constexpr std::int64_t kUnauthenticatedCountMax = 10;
inline constexpr std::size_t kUnauthenticatedBulkBytesMax = 16 * 1024;
inline constexpr std::size_t kQueryBufferBytesMaxDefault = 1024u * 1024 * 1024;
// From this size on a bulk argument is received into a buffer of its own, which the value keeps.
inline constexpr std::size_t kBigArgumentBytes = 32 * 1024;
// An argument vector grows with what has arrived, never with what a header promises.
inline constexpr std::size_t kArgumentsReservedMax = 1024;

// --- replies --------------------------------------------------------------------------------
// A string up to this size is copied into the reply; a longer one is referenced. Below it the copy
// costs less than an entry in the queue and a shared count.
inline constexpr std::size_t kReplyCopyMax = 4 * 1024;
// One reply may take this fraction of the machine's memory where neither client-output-buffer-limit
// nor maxmemory bounds it. Redis has no bound here and is killed by the kernel.
inline constexpr std::size_t kReplyPartOfMachine = 2;
// What the client's side accepts from a server: one line, one string, the elements of one
// aggregate. No memory is reserved just because a header claims a size.
inline constexpr std::size_t kReplyLineBytesMax = 64 * 1024;
inline constexpr std::int64_t kReplyBulkBytesMax = std::int64_t{4} * 1024 * 1024 * 1024;
inline constexpr std::int64_t kReplyCountMax = INT32_MAX;

// --- values ---------------------------------------------------------------------------------
// Strings up to this live inside the entry; longer ones are counted buffers of their own.
inline constexpr std::size_t kEmbeddedStringMax = 512;
// From this size on memory for a string that a command lengthens is allocated before anything is
// changed, so that running out of memory is an error reply.
inline constexpr std::size_t kTriedBytesMin = 1024 * 1024;
// From this size on a buffer can be read while it is written to (base/long_reading.h); copying a
// shorter one takes some microseconds.
inline constexpr std::size_t kLongBytesMin = 64 * 1024;
// From this size on an argument of an effect is referenced by the log's record instead of copied
// (base/long_part.h). Copying a mebibyte takes 0.8 ms under a token. Shorter ones are copied all
// the same: the reply to a copied one need not wait for the log's thread, which may be in a sync.
inline constexpr std::size_t kReferredBytesMin = 4 * 1024 * 1024;
// A freed buffer of at least this size is given to the slow lane: unmapping it takes milliseconds.
inline constexpr std::size_t kFreeLaterBytes = 256 * 1024;
// Nodes of a big collection that are freed before the slow thread looks for other work: about a
// tenth of a millisecond.
inline constexpr std::size_t kFreedNodesPerSlice = 512;
// Keys of a flushed database that are freed likewise.
inline constexpr std::size_t kFreedKeysPerSlice = 1024;
// What a closed connection leaves (queued commands, unread replies) is freed this many at a time.
inline constexpr std::size_t kFreedCallsPerSlice = 512;
inline constexpr std::size_t kFreedOutputBytesPerSlice = 1024 * 1024;
// A call that looks at more elements or keys than this, is given more arguments, or an EXEC of more
// commands, is large: it takes a tenth of a millisecond or more, and is no work for a worker
// (shard/work_place.h).
inline constexpr std::size_t kQuickElementsMax = 1024;
// Of the arguments of a request that MONITOR shows, and of the commands of an EXEC.
inline constexpr std::size_t kMonitoredBytesMax = 16 * 1024;
inline constexpr std::size_t kMonitoredCommandsMax = 1024;
// Packed bytes beyond this become trees, whatever the thresholds of the types say: changing them
// moves all of them.
inline constexpr std::size_t kPackedBytesMax = 64 * 1024;
// Fields of one hash that expire in one go, so that a visit of the expirer stays short.
inline constexpr std::size_t kFieldsExpiredAtOnce = 64;
// Redis keeps the times of fields in 46 bits and refuses what lies beyond: the year 4199.
inline constexpr std::int64_t kFieldTimeMax = (std::int64_t{1} << 46) - 1;
// Bits of a Bloom filter lie in chunks that are made when they are needed, but each layer has a
// list of them from the start, one word for 64 KiB. These bound what a BF.RESERVE, or a header that
// comes with BF.LOADCHUNK or RESTORE, can make the server allocate at once: some megabytes.
inline constexpr std::uint64_t kBloomLayerBytesMax = std::uint64_t{16} * 1024 * 1024 * 1024;
inline constexpr std::uint64_t kBloomBytesMax = 2 * kBloomLayerBytesMax;
// Every call looks at each layer. Even with an expansion of 1 no real filter grows this long.
inline constexpr std::size_t kBloomLayersMax = 1024;
// Redis prints strings up to this long as embstr.
inline constexpr std::size_t kEmbstrMax = 44;

// --- files ----------------------------------------------------------------------------------
// One string in a snapshot's file. Redis has no bound there but memory; a packed string says its
// size in a word of 32 bits, and so do elements of lists.
inline constexpr std::size_t kFileStringBytesMax = UINT32_MAX - 1024;
// The manifest has a dozen lines, and one for each log segment of usually 64 MB. This is enough for
// a log of some terabytes. A longer file is not a manifest.
inline constexpr std::size_t kManifestBytesMax = 16 * 1024 * 1024;
// A line of a redis AOF that says how much follows, or an annotation.
inline constexpr std::size_t kAofLineBytesMax = 1024;

// --- turns ----------------------------------------------------------------------------------
// One connection's share of a turn: calls decoded together, and calls before others get a turn.
inline constexpr std::size_t kBatchCallsMax = 16;
inline constexpr std::size_t kTurnCallsMax = 256;
// A thread that releases a token runs at most this many queued calls, then hands the rest on.
inline constexpr int kReleaseRunsMax = 32;
inline constexpr std::int64_t kReleaseRunsNsMax = 50'000;
// How often a call that holds tokens gives way to a slow holder; then it waits in order, holding.
inline constexpr int kRetreatsMax = 2;
// How often a call gives its tokens back for want of a slow thread; then it keeps one while it
// queues for them.
inline constexpr int kSlowTriesMax = 2;
// How much is read from, or written to, one connection before the next one is served.
inline constexpr std::size_t kReadBytesPerTurn = 256 * 1024;
inline constexpr std::size_t kWriteBytesPerTurn = 256 * 1024;
// A connection that does not read its replies has no more commands run once this much output is
// queued for it. Far above what a client that writes a whole pipeline before it reads needs.
inline constexpr std::size_t kUnreadOutputMax = 64 * 1024 * 1024;
// Before AUTH no client needs long replies.
inline constexpr std::size_t kUnauthenticatedOutputMax = 64 * 1024;
// A client that has ended its half of the connection may still read, or be gone: so much is written
// of a reply for it.
inline constexpr std::size_t kReplyAfterEndMax = 16 * 1024 * 1024;
// A client that is killed is still sent so much if it has not read it yet, for some seconds.
inline constexpr std::size_t kKilledOutputMax = 64 * 1024;
// WATCH of many keys registers so many in one hold of a shard's token, and they are removed
// likewise: some tens of microseconds.
inline constexpr std::size_t kWatchesPerHold = 256;
// Channels and patterns that a connection subscribes to, or gives up, in one turn.
inline constexpr std::size_t kSubscriptionsPerTurn = 128;
// So few are removed on the spot, by EXEC itself or where the tokens are free; nearly all WATCHes.
inline constexpr std::size_t kWatchesRemovedAtOnce = 64;
// Expired keys removed in one hold of a shard's token, and such holds of one worker in one turn: so
// a million keys that expire in the same millisecond cost a turn half a millisecond.
inline constexpr int kExpirePerHold = 64;
inline constexpr int kExpireHoldsPerTurn = 4;
// Keys evicted likewise.
inline constexpr int kEvictedPerHold = 16;
// One connection's share of a turn, for calls that are long each: who has worked for so long after
// a batch goes on in the next turn.
inline constexpr std::int64_t kTurnShareNs = 1'000'000;
// Connections that go on in one turn after a CLIENT PAUSE.
inline constexpr std::size_t kUnpausedPerTurn = 32;

// --- waiting --------------------------------------------------------------------------------
// Calls that wait for keys (BLPOP and the like) hold memory and, at a push, the token of their
// shard. These are the defaults of settings.
inline constexpr std::int64_t kWaitersPerKeyMaxDefault = 10'000;
inline constexpr std::int64_t kWaitersMaxDefault = 50'000;
inline constexpr std::int64_t kKeysPerWaitMaxDefault = 128;
// So many are served in one hold; then other calls of the shard get their turn.
inline constexpr std::int64_t kWakeupBatchDefault = 64;

// --- node -----------------------------------------------------------------------------------
inline constexpr std::uint32_t kSlots = 16384;
inline constexpr std::uint32_t kShardsMax = kSlots;
inline constexpr std::uint32_t kShardsDefault = 1024;
inline constexpr std::uint32_t kDatabasesMax = 16384;
// Of a cluster's topology: as many nodes as Redis recommends, and room for one line per slot.
inline constexpr std::size_t kMembersMax = 1000;
inline constexpr std::size_t kMemberIdBytes = 40;
inline constexpr std::size_t kEndpointBytesMax = 255;  // a host name, or a name for people
inline constexpr std::size_t kTopologyBytesMax = 4 * 1024 * 1024;
// How often a topology file is looked at: clients follow a change within a second.
inline constexpr std::int64_t kTopologyLookNs = 100'000'000;
// Connections, whatever maxclients says. Each may have an admitted write under way whose record has
// still to come, and the log's ring keeps room for all of them (storage/log/log.h).
inline constexpr std::int64_t kClientsMax = 100'000;
inline constexpr std::uint32_t kWorkersMax = 256;
inline constexpr std::uint32_t kSlowThreadsMax = 64;
inline constexpr std::size_t kReplyDepthMax = 128;

// Numbers of the log that a killed process may have taken and not used: one for each thread that
// runs calls. More of them mean that the log buffer is damaged.
inline constexpr std::size_t kLogGapsMax = 4096;

// --- TLS ------------------------------------------------------------------------------------
// Handshakes that a worker has under way, and how long one may take. A live client needs a fraction
// of a second; when there are more, the oldest is dropped.
inline constexpr std::size_t kTlsHandshakesPerWorkerMax = 512;
inline constexpr std::int64_t kTlsHandshakeMs = 10'000;
// What a client may send before its handshake is over: a certificate chain and some early
// requests.
inline constexpr std::size_t kTlsHandshakeBytesMax = 256 * 1024;
// Ciphertext that one connection decrypts in one turn: 3,000 records of one byte, about 2 ms.
inline constexpr std::size_t kTlsReadBytesPerTurn = 64 * 1024;
// Steps of the protocol itself in one turn after the handshake (new keys, each some microseconds):
// no client needs that many.
inline constexpr int kTlsStepsPerTurn = 64;
// With this much ciphertext queued for the wire no more is encrypted, and with the double nothing
// is read that the protocol itself would have to answer.
inline constexpr std::size_t kTlsBacklogBytes = 256 * 1024;
inline constexpr std::size_t kTlsCiphertextBytesMax = 2 * kTlsBacklogBytes;
// Failed handshakes that a worker writes to the log in a second; the rest are counted.
inline constexpr int kTlsFailuresLoggedPerSecond = 10;

// --- scripts --------------------------------------------------------------------------------
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
// What a script publishes leaves at its end, so it is kept until then: as much as a subscriber that
// does not read may have, twice.
inline constexpr std::size_t kScriptMessageBytesMax = 64u * 1024 * 1024;
// Commands, denials and lines for MONITOR that a script keeps until it is certain that it does not
// begin anew. One that has come so far is counted at once.
inline constexpr std::size_t kScriptCountsKept = 4096;
inline constexpr std::size_t kScriptDenialsKept = 128;
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
