#include "durability/manifest_file.h"

namespace slotcar::durability {

using storage::Manifest;
using storage::SegmentEntry;

void ManifestFile::start(std::string directory, Manifest manifest, bool there) {
  std::lock_guard lock(mutex_);
  directory_ = std::move(directory);
  manifest_ = std::move(manifest);
  there_ = there;
}

void ManifestFile::may_be_made() {
  std::lock_guard lock(mutex_);
  may_be_made_ = true;
}

void ManifestFile::move_to(std::string directory) {
  std::lock_guard lock(mutex_);
  directory_ = std::move(directory);
  manifest_.log.clear();
  manifest_.snapshot.reset();
  manifest_.segments.emplace();
  manifest_.last.reset();
  manifest_.life = 0;
  manifest_.boot_id.clear();
  there_ = false;
}

Status ManifestFile::update(const std::string& directory,
                            const std::function<void(Manifest&)>& change) {
  std::lock_guard lock(mutex_);
  Manifest changed = manifest_;
  change(changed);
  return write(directory, std::move(changed));
}

Status ManifestFile::list_segments(const std::vector<SegmentEntry>& segments) {
  std::lock_guard lock(mutex_);
  Manifest changed = manifest_;
  const std::vector<SegmentEntry>& before = *manifest_.segments;
  const bool begins =
      !segments.empty() && (before.empty() || segments.back().number > before.back().number);
  if (begins) changed.last.reset();
  changed.segments = segments;
  has_begun_ = has_begun_ || begins;
  return write_if_wanted(std::move(changed));
}

Status ManifestFile::note_life(std::uint64_t life, const std::string& boot_id) {
  std::lock_guard lock(mutex_);
  Manifest changed = manifest_;
  changed.life = life;
  changed.boot_id = boot_id;
  return write_if_wanted(std::move(changed));
}

Status ManifestFile::write_if_wanted(Manifest changed) {
  if (there_ || may_be_made_) return write(directory_, std::move(changed));
  manifest_ = std::move(changed);
  return {};
}

Status ManifestFile::note_end(Lsn last) {
  std::lock_guard lock(mutex_);
  if (manifest_.log.empty() || manifest_.last == last) return {};
  Manifest changed = manifest_;
  changed.last = last;
  return write(directory_, std::move(changed));
}

bool ManifestFile::has_begun() const {
  std::lock_guard lock(mutex_);
  return has_begun_;
}

Status ManifestFile::write(const std::string& directory, Manifest manifest) {
  if (Status done = storage::write_manifest(disk_, directory, manifest); !done) return done;
  manifest_ = std::move(manifest);
  there_ = true;
  return {};
}

}  // namespace slotcar::durability
