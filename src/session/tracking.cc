#include "session/tracking.h"

namespace slotcar::session {

using keyspace::Tracker;

Tracking::Tracking(ClientRecord& record, WorkerId worker, Identity& identity, Trackers& trackers)
    : record_(record),
      identity_(identity),
      trackers_(trackers),
      tracker_(std::make_shared<Tracker>(record.id, worker)) {
  record_.tracker.publish(tracker_);
}

void Tracking::track(const TrackingOptions& options) {
  on_ = true;
  options_ = options;
  tracker_->noloop.store(options.noloop, std::memory_order_relaxed);
  tracker_->redirect.store(options.redirect.value, std::memory_order_relaxed);
  tracker_->redirect_broken.store(false, std::memory_order_relaxed);
  tracker_->mode.store(options.by_prefix ? Tracker::Mode::by_prefix : Tracker::Mode::by_key,
                       std::memory_order_release);
  trackers_.add(tracker_);
  if (options.by_prefix) {
    for (const std::string& prefix : options.prefixes) track_prefix(prefix);
    if (options.prefixes.empty()) track_prefix("");
  }
  note();
}

void Tracking::track_prefix(const std::string& prefix) {
  if (!prefixes_.insert(prefix).second) return;
  trackers_.add_prefix(prefix, tracker_);
  record_.memory.tracking.add(prefix.size() + ClientMemory::kNameBytes);
}

void Tracking::untrack() {
  if (!on_) return;
  tracker_->mode.store(Tracker::Mode::off, std::memory_order_release);
  tracker_->redirect_broken.store(false, std::memory_order_relaxed);
  trackers_.remove(tracker_);
  on_ = caching_ = caching_used_ = false;
  options_ = {};
  prefixes_.clear();
  record_.memory.tracking.set(0);
  note();
}

void Tracking::set_caching() {
  caching_ = true;
  note();
}

void Tracking::use_up_caching(const schema::Command& command, bool in_multi) {
  caching_used_ = false;
  if (!caching_ || command.name.starts_with("CLIENT|")) return;
  if (in_multi && !command.runs_transaction) return;
  caching_ = false;
  caching_used_ = true;
  note();
}

void Tracking::begin_multi() {
  if (caching_used_) set_caching();  // it holds for the transaction
}

void Tracking::note() {
  identity_.set_tracker(remembers_reads() ? tracker_.get() : nullptr);
}

}  // namespace slotcar::session
