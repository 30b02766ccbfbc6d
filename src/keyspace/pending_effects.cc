#include "keyspace/hash_edit.h"
#include "keyspace/whole_effects.h"
namespace slotcar::keyspace {
#define P(n) __attribute__((weak)) void n(Hold&, DbIndex, std::string_view, const types::CellView&) {}
P(record_whole_list) P(record_whole_set) P(record_whole_hash) P(record_whole_sorted_set) P(record_whole_stream) P(record_whole_bloom)
__attribute__((weak)) void HashEdit::remove_due(std::size_t) {}
}
