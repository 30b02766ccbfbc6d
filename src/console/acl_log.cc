#include "console/acl_log.h"

#include <algorithm>
#include <utility>

#include "console/client_line.h"

namespace slotcar::console {
namespace {

// As Redis: how far apart equal entries may be to be one, and how many are looked at for that.
constexpr UnixMs kGroupedWithinMs = 60'000;
constexpr std::size_t kLookedAtMax = 10;
// Of a name that a client has chosen: it may be a value's length.
constexpr std::size_t kNameBytesMax = 1024;

std::string object_of(const shard::Call& call, const acl::Verdict& verdict) {
  switch (verdict.denial) {
    case acl::Denial::key:
    case acl::Denial::channel:
      return std::string(call.arg(verdict.argument).substr(0, kNameBytesMax));
    case acl::Denial::auth:
      return std::string(call.arg(0));
    default:
      return call.command().lower_name;
  }
}

}  // namespace

void AclLog::note(const shard::Call& call, const acl::Verdict& verdict, acl::Context context,
                  std::string_view user) {
  if (verdict.denial == acl::Denial::lookup) return;  // an error of the command, as in Redis
  counts_[static_cast<std::size_t>(verdict.denial)].fetch_add(1, std::memory_order_relaxed);
  Entry entry;
  entry.reason = verdict.denial;
  entry.context = context;
  entry.object = object_of(call, verdict);
  entry.user = user.substr(0, kNameBytesMax);
  entry.created = entry.updated = clock_.unix_ms();
  const ClientId client = call.caller().client;
  if (const auto record = clients_.find(client)) {
    ClientFacts facts = client_facts(clients_, *record, entry.created,
                                     {.client = client, .command = &call.command()});
    for (std::string* name :
         {&facts.name, &facts.user, &facts.library_name, &facts.library_version}) {
      if (name->size() > kNameBytesMax) name->resize(kNameBytesMax);
    }
    entry.client = client_line(facts);
  }
  std::lock_guard lock(mutex_);
  const auto most = static_cast<std::size_t>(length_max_.get());
  const auto end =
      entries_.begin() + static_cast<std::ptrdiff_t>(std::min(entries_.size(), kLookedAtMax));
  const auto same = std::find_if(entries_.begin(), end, [&entry](const Entry& old) {
    return old.reason == entry.reason && old.context == entry.context &&
           std::abs(entry.updated - old.updated) <= kGroupedWithinMs &&
           old.object == entry.object && old.user == entry.user;
  });
  if (most != 0 && same != end) {
    entry.count = same->count + 1;
    entry.id = same->id;
    entry.created = same->created;
    entries_.erase(same);
  } else if (most != 0) {
    entry.id = next_id_++;
  }
  if (most != 0) entries_.push_front(std::move(entry));
  while (entries_.size() > most) entries_.pop_back();
}

std::vector<AclLog::Entry> AclLog::newest(std::size_t count) const {
  std::lock_guard lock(mutex_);
  const std::size_t many = std::min(count, entries_.size());
  return {entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(many)};
}

void AclLog::clear() {
  std::lock_guard lock(mutex_);
  entries_.clear();
}

}  // namespace slotcar::console
