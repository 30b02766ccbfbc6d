// What a killed process has left: the records of its log buffer (storage/log/log_buffer.h)
// that the segments of its log do not have.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/log.h"
#include "runtime/shared_memory.h"
#include "storage/log/log_writer.h"

namespace slotcar::durability {

// `life` is the manifest's, `last` the last record of the segments in `log_directory`. The records
// follow it without a gap: an LSN that was reserved and not used is filled with an empty record. An
// error if the two cannot belong together, or if the buffer is damaged.
Result<storage::LogWriter::Tail> surviving_records(runtime::SharedMemory& memory,
                                                   std::uint64_t life, Lsn last,
                                                   const std::string& log_directory,
                                                   runtime::Logger& log);

}  // namespace slotcar::durability
