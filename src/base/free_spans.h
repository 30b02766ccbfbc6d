// Free memory between memory that is in use, handed back to the system.
//
// The allocator takes memory in segments of 32 MB, each of them one thread's, and divides it into
// spans, one for each page of blocks. A segment without any block goes back to the system, but one
// in which a single block lives keeps the memory of its free spans: the allocator notes that they
// are due, and looks at the note only when it takes the next span of that very segment. After a
// FLUSHALL no thread does. So a data set that is gone leaves some segments of each thread that has
// served it, all of them resident: 130 MB where 12 MB are in use.
//
// Here a thread takes the spans that its segments have, the largest first. That makes the allocator
// look at the notes, and when they are given back, it hands them to the system at once.
#pragma once

#include <chrono>

namespace slotcar::base {

// Of the calling thread's segments, if they are few: where much is in use, what is free of it is
// little beside that and is soon used again. Ends soon after `budget`; what is left is for the next
// call. To hand back a segment takes 2 to 3 ms.
void return_free_spans(std::chrono::microseconds budget);

}  // namespace slotcar::base
