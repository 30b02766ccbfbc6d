#include "commands/generic/migration.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "node/node.h"
#include "peers/limits.h"
#include "shard/slot_check.h"
#include "storage/rdb/dump_payload.h"
#include "storage/rdb/rdb_writer.h"

namespace slotcar::commands {
namespace {

using peers::ExchangeEnd;

constexpr std::string_view kNotAlone =
    "ERR MIGRATE inside MULTI or a script is not possible: other clients would wait for the target";

std::string_view failure_text(ExchangeEnd end) {
  switch (end) {
    case ExchangeEnd::answered:
      break;
    case ExchangeEnd::cannot_connect:
      return "IOERR error or timeout connecting to the client";
    case ExchangeEnd::cannot_write:
      return "IOERR error or timeout writing to target instance";
    case ExchangeEnd::cannot_read:
      return "IOERR error or timeout reading to target instance";
  }
  return {};
}

shard::MovingKeys& moving_keys(Call& call) {
  return call.node().scheduler().holds().moving_keys();
}

constexpr std::string_view kSlotComesBack = "CLUSTERDOWN Hash slot not served";

void append_word(std::string& requests, std::string_view word) {
  fmt::format_to(std::back_inserter(requests), "${}\r\n", word.size());
  requests.append(word);
  requests.append("\r\n");
}

}  // namespace

void Migration::begin(Call& call, MigrateRequest request) {
  Migration& self = of(call);
  self.request_ = std::move(request);
  if (const cluster::Lease* const lease = call.node().services().cluster.lease) {
    // In this order: in a term that began after the first check its slot may be lost.
    self.term_ = lease->term();
    const shard::SlotCheck::Verdict verdict = call.settings().slots->check(call.thread(), call);
    if (verdict.is_refused) return;
    // It was here a moment ago, and comes back: the lease was lost and regained.
    if (verdict.waits_in != nullptr) return call.reply().error(kSlotComesBack);
  }
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    const Entry* entry = call.find(i);
    if (entry == nullptr) continue;
    self.items_.push_back(pin(i, *entry));
  }
  if (self.items_.empty()) return call.reply().simple("NOKEY");
  if (call.in_transaction() || call.context().script != nullptr) {
    return call.reply().error(kNotAlone);
  }
  if (!self.request_.copy) {
    shard::MovingKeys& moving = moving_keys(call);
    for (const Item& item : self.items_) moving.add(call, item.key);
  }
  call.finish_without_tokens(send);
}

Migration::Item Migration::pin(std::size_t key, const Entry& entry) {
  Item item;
  item.key = key;
  item.expires_at = entry.has_expiry() ? entry.expires_at() : kNever;
  item.type = entry.type();
  if (!entry.is_string()) {
    item.cell = types::OwnCell::pin(entry.cell());
    return item;
  }
  const types::StringRef string = entry.string();
  if (string.form == types::StringRef::Form::shared) {
    item.long_string = base::SharedBytes::share(string.buffer);
  } else {
    types::StringRef::Scratch scratch;
    item.text = string.view(scratch);
  }
  return item;
}

// A pin keeps what it refers to, so the same place is the same value (commands/long_store.h).
bool Migration::is_unchanged(const Item& item, const Entry& entry) {
  if (entry.type() != item.type) return false;
  if ((entry.has_expiry() ? entry.expires_at() : kNever) != item.expires_at) return false;
  if (!entry.is_string()) {
    const types::CellView now = entry.cell();
    const types::CellView sent = item.cell.view();
    if ((now.tree != nullptr) != (sent.tree != nullptr)) return false;
    return now.tree != nullptr ? now.tree->same_version(*sent.tree) : now.packed == sent.packed;
  }
  const types::StringRef string = entry.string();
  if (string.form == types::StringRef::Form::shared) {
    return item.long_string && string.text.data() == item.long_string.data() &&
           string.text.size() == item.long_string.size();
  }
  types::StringRef::Scratch scratch;
  return !item.long_string && string.view(scratch) == item.text;
}

// --- without tokens, on a slow thread ----------------------------------------------------------

void Migration::send(Call& call) {
  Migration& self = of(call);
  std::string requests;
  self.write_batch(call, requests);
  if (self.batch_.empty()) return self.end_sending(call);
  peers::Exchange& exchange = self.exchange_;
  exchange.target = &self.request_.target;
  exchange.requests = base::SharedBytes::copy_of(requests, call.hold().reclaimer);
  exchange.request_count = self.batch_.size();
  exchange.owner = &call;
  exchange.may_send = may_send;
  exchange.done = [](peers::Exchange& ended) {
    Call& parked = *static_cast<Call*>(ended.owner);
    parked.schedule().scheduler->finish_parked(parked);
  };
  call.finish_without_tokens(read_answers);
  call.park();
  call.node().peers().start(exchange);
}

bool Migration::may_send(const peers::Exchange& exchange) {
  Call& call = *static_cast<Call*>(exchange.owner);
  const cluster::Lease* const lease = call.node().services().cluster.lease;
  return lease == nullptr || lease->may_send(of(call).term_);
}

void Migration::write_batch(Call& call, std::string& requests) {
  batch_.clear();
  for (; next_ < items_.size() && requests.size() < limits::kMigrateBatchBytes; ++next_) {
    const Item& item = items_[next_];
    if (item.arrived) continue;
    std::int64_t ttl = 0;
    if (item.expires_at != kNever) {
      ttl = item.expires_at - call.now();
      if (ttl < 0) continue;  // it has expired, here and there
      if (ttl == 0) ttl = 1;
    }
    write_item(call, item, ttl, requests);
    batch_.push_back(next_);
  }
}

void Migration::write_item(Call& call, const Item& item, std::int64_t ttl, std::string& requests) {
  std::string payload;
  const base::Setting<bool>* packs = call.settings().packs_dumps;
  storage::RdbWriter out = packs == nullptr || packs->get() ? storage::RdbWriter(payload)
                                                            : storage::RdbWriter(payload, nullptr);
  if (item.type == types::Type::string) {
    storage::write_string(out, item.long_string ? item.long_string.view() : item.text);
  } else {
    storage::write_collection(out, item.type, item.cell.view());
  }
  storage::seal_payload(payload);
  const bool replaces = request_.replace || item.was_there;
  requests.append(replaces ? "*5\r\n" : "*4\r\n");
  append_word(requests, call.settings().slots != nullptr ? "RESTORE-ASKING" : "RESTORE");
  append_word(requests, call.key(item.key).name);
  append_word(requests, std::to_string(ttl));
  append_word(requests, payload);
  if (replaces) append_word(requests, "REPLACE");
}

void Migration::read_answers(Call& call) {
  Migration& self = of(call);
  const peers::Exchange& exchange = self.exchange_;
  for (std::size_t i = 0; i < exchange.accepted.size(); ++i) {
    if (exchange.accepted[i]) self.items_[self.batch_[i]].arrived = true;
  }
  if (self.error_.empty() && !exchange.first_error.empty()) {
    self.error_ = "ERR Target instance replied with error: " + exchange.first_error;
  }
  if (exchange.end == ExchangeEnd::answered) return send(call);
  if (self.error_.empty()) self.error_ = failure_text(exchange.end);
  self.end_sending(call);
}

void Migration::end_sending(Call& call) {
  exchange_.requests = {};
  if (request_.copy) return reply(call);
  call.come_back_with_tokens(settle, shard::is_large_size(items_.size()));
}

// --- under the tokens --------------------------------------------------------------------------

void Migration::settle(Call& call) {
  Migration& self = of(call);
  const bool some_changed = self.remove_arrived(call);
  if (some_changed && self.error_.empty() && ++self.rounds_ < limits::kMigrateRoundsMax) {
    self.next_ = 0;
    return call.finish_without_tokens(send);
  }
  if (some_changed && self.error_.empty()) {
    self.error_ = "IOERR a key was changed again and again while it was sent, and stays here";
  }
  moving_keys(call).remove_all(call.thread(), call);
  self.reply(call);
}

// True: keys have changed since they were sent. They are pinned anew.
bool Migration::remove_arrived(Call& call) {
  bool some_changed = false;
  for (Item& item : items_) {
    if (!item.arrived) continue;
    const Entry* entry = call.peek(item.key);
    if (entry == nullptr) continue;
    if (is_unchanged(item, *entry)) {
      call.space(item.key).remove(call.hold(), call.db(), call.key(item.key));
      continue;
    }
    types::let_go(item.cell.take_tree(), call.hold().reclaimer);
    item = pin(item.key, *entry);
    item.was_there = true;
    some_changed = true;
  }
  return some_changed;
}

void Migration::reply(Call& call) const {
  if (!error_.empty()) return call.reply().error(error_);
  call.reply().ok();
}

void Migration::let_go(base::Reclaimer* reclaimer) {
  for (Item& item : items_) types::let_go(item.cell.take_tree(), reclaimer);
  items_.clear();
}

}  // namespace slotcar::commands
