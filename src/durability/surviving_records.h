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
#include "storage/manifest.h"

namespace slotcar::durability {

// `last` is the last record of the segments in `log_directory`. The records follow it without a
// gap: a number that was given and not used is filled with a record that means nothing. An error
// when the two cannot belong together, or the buffer is damaged. A warning when it should be there
// and is not.
Result<storage::LogWriter::Tail> surviving_records(runtime::SharedMemory& memory,
                                                   const storage::Manifest& manifest, Lsn last,
                                                   const std::string& log_directory,
                                                   runtime::Logger& log);

}  // namespace slotcar::durability
