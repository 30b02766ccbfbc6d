#include "keyspace/cut.h"

#include <optional>
#include <utility>

#include "base/assert.h"
#include "base/limits.h"
#include "keyspace/edit/entry_editor.h"

namespace slotcar::keyspace {

EntryImage::EntryImage(const Entry& entry) {
  std::optional<UnixMs> when;
  if (entry.has_expiry()) when = entry.expires_at();
  EntryEditor::Content content;
  if (EntryEditor::keeps_long_buffer(entry)) {
    reading_ = std::make_unique<base::LongReading>(EntryEditor::share_buffer(entry));
    content = EntryEditor::embedded_raw({});
  } else {
    content = EntryEditor::content_of(entry);
  }
  Entry* image = EntryEditor::make(entry.key(), std::move(content), when);
  EntryEditor::copy_stamp(*image, entry);
  entry_.reset(image);
}

void EntryImage::Release::operator()(Entry* entry) const {
  EntryEditor::release(entry);
}

bool is_better_pinned(const Entry& entry) {
  return EntryEditor::keeps_tree(entry) || EntryEditor::keeps_buffer(entry);
}

void Cut::add(DbIndex db, Contents& contents) {
  parts_.push_back({db, &contents, nullptr});
}

bool Cut::passed(std::size_t part, std::uint32_t table, std::uint64_t hash) const {
  if (part != part_) return part < part_;
  if (table != table_) return table < table_;
  return position(hash) < position_;
}

void Cut::save(const Contents* contents, std::uint32_t table, const Key& key, const Entry* now) {
  if (contents == nullptr || done()) return;
  for (std::size_t part = part_; part < parts_.size(); ++part) {
    if (parts_[part].contents != contents) continue;
    if (passed(part, table, key.hash)) return;
    const auto [at, added] = noted_.emplace(Noted{std::string(key.name), key.hash, part});
    if (added && now != nullptr) saved_.push_back({parts_[part].db, EntryImage(*now)});
    return;
  }
}

void Cut::keep(const std::shared_ptr<Contents>& contents) {
  for (Part& part : parts_) {
    if (part.contents == contents.get()) part.kept = contents;
  }
}

bool Cut::visit(std::size_t count, const Visit& visit) {
  std::size_t seen = 0;
  while (seen < count) {
    if (done()) return false;
    Part& part = parts_[part_];
    if (const auto occupied = part.contents->next_occupied(table_); occupied != table_) {
      if (!occupied) {  // this part is done
        part.kept.reset();
        part.contents = nullptr;
        ++part_;
        table_ = 0;
      } else {
        table_ = *occupied;
      }
      position_ = 0;
      continue;
    }
    const Table& table = part.contents->tables()[table_];
    const Table::Slice slice = table.slice(position_, count - seen);
    Table::visit(slice, [&](const Entry* entry) {
      ++seen;
      const std::uint64_t hash = hasher_.hash(entry->key(), hasher_.seed);
      // A merge of segments may have made the slice begin before the walk's position.
      if (position(hash) < position_) return;
      if (const auto noted = noted_.find(NotedView{entry->key(), hash, part_});
          noted != noted_.end()) {
        noted_.erase(noted);
        return;
      }
      visit(part.db, *entry);
    });
    if (slice.next) {
      position_ = *slice.next;
    } else {
      ++table_;
      position_ = 0;
    }
  }
  return !done();
}

}  // namespace slotcar::keyspace
