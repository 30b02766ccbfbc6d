#include "types/stream/stream.h"

#include <algorithm>

#include "base/assert.h"

namespace slotcar::types {

namespace {

// The memory of a group's entry in the table of groups.
std::size_t cost_of(std::string_view name) {
  return 80 + name.size();
}

}  // namespace

// --- StreamObject ------------------------------------------------------------------------------

std::unique_ptr<TreeObject> StreamObject::share() const {
  return std::make_unique<StreamObject>(*this);
}

bool StreamObject::free_some(std::size_t& nodes) {
  if (!entries_.free_some(nodes)) return false;
  Groups* groups = groups_.sole();
  if (groups == nullptr) return true;
  for (; !groups->empty(); groups->erase(groups->begin()), --nodes) {
    ConsumerGroup* group = groups->begin()->second.sole();
    if (nodes == 0 || (group != nullptr && !group->free_some(nodes)) || nodes == 0) return false;
  }
  return true;
}

bool StreamObject::same_version(const TreeObject& earlier) const {
  const auto& other = static_cast<const StreamObject&>(earlier);
  return entries_.same_version(other.entries_) && last_id_ == other.last_id_ &&
         max_deleted_id_ == other.max_deleted_id_ && entries_added_ == other.entries_added_ &&
         groups_.same_version(other.groups_);
}

StreamId StreamObject::last_entry_id() const {
  const StreamCursor last(*this, {}, StreamId::max(), true);
  return last.found() ? last.id() : StreamId{};
}

bool StreamObject::find(Path& path, StreamLeaf::Record& record, const StreamId& id) const {
  if (!seek(path, id)) return false;
  const StreamLeaf& leaf = path.leaf();
  bool more = leaf.first(record);
  while (more && record.id < id) more = leaf.next(record);
  return more && record.id == id && !record.deleted;
}

bool StreamObject::has(const StreamId& id) const {
  Path path;
  StreamLeaf::Record record;
  return find(path, record, id);
}

std::size_t StreamObject::count_before(const StreamId& id) const {
  if (size() == 0 || id <= first_id_) return 0;
  if (id > last_id_) return size();
  Path path;
  seek(path, id);
  std::size_t count = entries_.rank_of(path);
  StreamLeaf::Record record;
  for (bool more = path.leaf().first(record); more && record.id < id;
       more = path.leaf().next(record)) {
    if (!record.deleted) ++count;
  }
  return count;
}

std::size_t StreamObject::count_between(const StreamId& from, const StreamId& to) const {
  if (to < from) return 0;
  StreamId after = to;
  const std::size_t until = after.step_up() ? count_before(after) : size();
  return until - count_before(from);
}

void StreamObject::find_first_id() {
  const StreamCursor first(*this, {}, StreamId::max());
  first_id_ = first.found() ? first.id() : StreamId{};
}

const ConsumerGroup* StreamObject::group(std::string_view name) const {
  if (!groups_) return nullptr;
  const auto found = groups_->find(name);
  return found == groups_->end() ? nullptr : &*found->second;
}

bool StreamObject::is_torn_after(const StreamId& from) const {
  if (size() == 0 || max_deleted_id_.is_zero()) return false;
  if (first_id_ > max_deleted_id_) return false;
  return from <= max_deleted_id_;
}

std::int64_t StreamObject::reads_at(const StreamId& id) const {
  const auto added = static_cast<std::int64_t>(entries_added_);
  const auto length = static_cast<std::int64_t>(size());
  if (added == 0) return 0;
  if (length == 0 && id <= last_id_) return added;
  if (id == last_id_) return added;
  if (id > last_id_) return ConsumerGroup::kUnknownReads;
  // Reads can be counted only if no entry of the run was deleted.
  if (!max_deleted_id_.is_zero() && max_deleted_id_ >= first_id_) {
    return ConsumerGroup::kUnknownReads;
  }
  if (id < first_id_) return added - length;
  if (id == first_id_) return added - length + 1;
  return ConsumerGroup::kUnknownReads;
}

std::optional<std::int64_t> StreamObject::lag(const ConsumerGroup& group) const {
  const auto added = static_cast<std::int64_t>(entries_added_);
  if (added == 0) return 0;
  if (group.entries_read() != ConsumerGroup::kUnknownReads && !is_torn_after(group.last_id())) {
    return added - group.entries_read();
  }
  const std::int64_t reads = reads_at(group.last_id());
  if (reads == ConsumerGroup::kUnknownReads) return std::nullopt;
  return added - reads;
}

// --- StreamCursor ------------------------------------------------------------------------------

StreamCursor::StreamCursor(const StreamObject& stream, const StreamId& from, const StreamId& to,
                           bool backwards)
    : stream_(&stream), from_(from), to_(to), backwards_(backwards) {
  if (from <= to) begin();
}

void StreamCursor::begin() {
  if (!stream_->seek(path_, backwards_ ? to_ : from_)) return;
  // Every leaf in the tree has entries.
  found_ = backwards_ ? path_.leaf().last(record_) : path_.leaf().first(record_);
  settle();
}

bool StreamCursor::step() {
  const StreamLeaf& leaf = path_.leaf();
  if (backwards_ ? leaf.prev(record_) : leaf.next(record_)) return true;
  if (backwards_) return stream_->entries_.prev(path_) && path_.leaf().last(record_);
  return stream_->entries_.next(path_) && path_.leaf().first(record_);
}

// To the first living entry from here on that is in the range.
void StreamCursor::settle() {
  for (; found_; found_ = step()) {
    const bool over = backwards_ ? record_.id < from_ : record_.id > to_;
    if (over) {
      found_ = false;
      return;
    }
    const bool yet = backwards_ ? record_.id > to_ : record_.id < from_;
    if (!yet && !record_.deleted) return;
  }
}

void StreamCursor::next() {
  found_ = step();
  settle();
}

// --- Stream ------------------------------------------------------------------------------------

bool next_stream_id(const StreamId& last, std::int64_t now, StreamId& id) {
  const auto ms = static_cast<std::uint64_t>(now);
  if (ms > last.ms) {
    id = {ms, 0};
    return true;
  }
  id = last;
  return id.step_up();
}

void Stream::make() {
  if (cell_->is_empty()) cell_->become_tree(std::make_unique<StreamObject>());
}

// Whether the entry goes into this leaf, or begins a new one. Redis's rule, deleted entries
// included, because what ~ trims shows where the leaves end.
bool Stream::fits(const StreamLeaf& leaf, StreamFields fields) const {
  const std::int64_t bytes_set = settings_->stream_node_max_bytes.get();
  const std::int64_t entries_max = settings_->stream_node_max_entries.get();
  std::size_t bytes_max = kEntryBytesMax;
  if (bytes_set > 0) bytes_max = std::min(bytes_max, static_cast<std::size_t>(bytes_set));
  std::size_t bytes = leaf.pack().bytes().size();
  for (const std::string_view text : fields) bytes += text.size();
  if (bytes >= bytes_max) return false;
  if (entries_max <= 0) return true;
  return leaf.items() + leaf.deleted() < static_cast<std::size_t>(entries_max);
}

// A leaf without living entries is freed.
void Stream::update(StreamObject::Path& path, StreamLeaf* leaf) {
  StreamObject& stream = *object();
  if (leaf->items() == 0) --stream.leaves_;
  stream.entries_.update(path, leaf);
}

void Stream::add(const StreamId& id, StreamFields fields) {
  StreamObject& stream = *object();
  __builtin_prefetch(stream.leaf_hint_, 1);
  __builtin_prefetch(stream.end_hint_, 1);
  ASSERT(id > stream.last_id_);
  StreamObject::Path path;
  const bool any = stream.entries_.last(path);
  // Ids ascend within a leaf. A deleted entry at its end may be above the stream's last id.
  const auto follows = [&id](const StreamLeaf& leaf) {
    return leaf.deleted() == 0 || leaf.last_id() < id;
  };
  if (any && fits(path.leaf(), fields) && follows(path.leaf())) {
    StreamLeaf* leaf = stream.entries_.writable(path);
    StreamLeaf::append(leaf, id, fields);
    stream.leaf_hint_ = leaf;
    const std::string_view bytes = leaf->pack().bytes();
    stream.end_hint_ = bytes.data() + bytes.size();
    update(path, leaf);
  } else {
    if (any) {
      StreamLeaf* full = stream.entries_.writable(path);
      StreamLeaf::shrink(full);
      update(path, full);
    }
    stream.entries_.append_leaf(StreamLeaf::make(id, fields), id);
    ++stream.leaves_;
  }
  stream.last_id_ = id;
  // DUMP contains it as a signed number, and XSETID may have set it to any.
  if (stream.entries_added_ < INT64_MAX) ++stream.entries_added_;
  if (stream.size() == 1) stream.first_id_ = id;
}

bool Stream::erase(const StreamId& id) {
  StreamObject& stream = *object();
  StreamObject::Path path;
  StreamLeaf::Record record;
  if (!stream.find(path, record, id)) return false;
  StreamLeaf* leaf = stream.entries_.writable(path);
  StreamLeaf::mark_deleted(leaf, record);
  update(path, leaf);
  stream.max_deleted_id_ = std::max(stream.max_deleted_id_, id);
  if (id == stream.first_id_) stream.find_first_id();
  return true;
}

std::size_t Stream::trim(const StreamTrim& trim) {
  if (trim.by == StreamTrim::By::nothing) return 0;
  const bool by_length = trim.by == StreamTrim::By::length;
  StreamObject& stream = *object();
  StreamId up_to = StreamId::max();
  if (!by_length) {
    up_to = trim.min_id;
    if (!up_to.step_down() || stream.first_id_ > up_to) return 0;
  }
  std::size_t gone = 0;
  StreamObject::Path path;
  while (stream.entries_.first(path)) {
    if (by_length && stream.size() <= trim.max_length) break;
    const StreamLeaf& seen = path.leaf();
    const std::size_t living = seen.items();
    if (trim.limit != 0 && gone + living > trim.limit) break;
    const bool whole =
        by_length ? stream.size() - living >= trim.max_length : seen.last_id() < trim.min_id;
    if (!whole && trim.whole_leaves) break;
    const std::size_t max = by_length ? stream.size() - trim.max_length : living;
    StreamLeaf* leaf = stream.entries_.writable(path);
    if (whole) {
      leaf->forget_all();
      gone += living;
    } else {
      gone += StreamLeaf::mark_front(leaf, max, up_to);
    }
    update(path, leaf);
    if (!whole) break;
  }
  if (gone != 0) stream.find_first_id();
  return gone;
}

void Stream::set_ids(const StreamId& last_id, const StreamId& max_deleted_id, std::uint64_t added) {
  StreamObject& stream = *object();
  stream.last_id_ = last_id;
  stream.max_deleted_id_ = max_deleted_id;
  stream.entries_added_ = added;
}

bool Stream::append_leaf(const StreamId& master, std::string_view listpack) {
  StreamObject& stream = *object();
  StreamLeaf* leaf = StreamLeaf::from_outside(master, listpack);
  if (leaf == nullptr) return false;
  if (stream.size() != 0 && master <= stream.last_id_) {
    StreamLeaf::free(leaf);
    return false;
  }
  // Deleted entries do not count: XSETID may have set the last id below theirs, and later entries
  // and leaves follow the last living one.
  StreamLeaf::Record last;
  for (bool found = leaf->last(last); found && last.deleted;) found = leaf->prev(last);
  const std::size_t living = leaf->items();
  stream.entries_.append_leaf(leaf, master);
  ++stream.leaves_;
  stream.last_id_ = last.id;
  stream.entries_added_ += living;
  if (stream.size() == living) stream.find_first_id();
  return true;
}

bool Stream::make_group(std::string_view name, const StreamId& last_id, std::int64_t entries_read) {
  StreamObject& stream = *object();
  if (stream.group(name) != nullptr) return false;
  if (!stream.groups_) stream.groups_ = SharedPart<StreamObject::Groups>::make();
  auto group = SharedPart<ConsumerGroup>::make(last_id, entries_read);
  stream.group_bytes_ += cost_of(name) + group->footprint();
  stream.groups_.own().emplace(name, std::move(group));
  return true;
}

bool Stream::remove_group(std::string_view name) {
  StreamObject& stream = *object();
  const ConsumerGroup* group = stream.group(name);
  if (group == nullptr) return false;
  stream.group_bytes_ -= cost_of(name) + group->footprint();
  StreamObject::Groups& groups = stream.groups_.own();
  groups.erase(groups.find(name));
  return true;
}

}  // namespace slotcar::types
