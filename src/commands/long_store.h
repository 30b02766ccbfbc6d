// LongStore: how a command that makes a value out of others stores it (SUNIONSTORE,
// ZRANGESTORE, SORT ... STORE, SPOP of many). The work may take long, and no other client
// should wait for it:
//
//   1. under the tokens: find the sources, check them, pin them (O(1) for what is big);
//   2. on the slow lane, without tokens: make the result out of the pins;
//   3. under the tokens again: if every source still is what was pinned, store the result and
//      answer. The call then is as if it had done everything at this moment,
//      without any other call in between.
//
// If a source has changed meanwhile the call begins again, and the second time that happens it does
// all its work holding the tokens, on the slow lane, to guarantee progress. Short work, or work in
// an EXEC, is done at once under the tokens that are held anyway.
//
// A command has three steps (StoreSteps) and a state, LongStore or a class derived from it for data
// that the steps share:
//
//   void sunionstore(Call& call) { call.state<LongStore>().run(call, kSteps); }
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "commands/collection.h"
#include "commands/counted_as.h"
#include "keyspace/whole_effects.h"
#include "types/cell.h"
#include "types/type.h"

namespace slotcar::commands {

class LongStore;

struct StoreSteps {
  // Under the tokens, maybe several times: reads the arguments, finds the sources (`look_at`),
  // and calls `takes_long` with the amount of work. False: it has replied, and nothing is left to
  // do.
  bool (*find)(Call&, LongStore&);
  // With or without the tokens: makes `result` from `sources`, touches no keyspace. May be
  // repeated.
  void (*work)(Call&, LongStore&);
  // Under the tokens: stores the result, and replies.
  void (*store)(Call&, LongStore&);
  // Whether storing takes long, too, after long work.
  bool stores_long = false;
  // What the result is. It is then also written down for the log without the tokens.
  std::optional<types::Type> result = std::nullopt;
};

// A value that the result depends on, present or not. Collections only.
struct StoreSource {
  std::size_t key = 0;  // its index among the call's keys
  bool present = false;
  types::Type type = types::Type::set;
  types::CellView seen = {};  // empty if missing; valid during the next step
};

class LongStore : public shard::CallState {
 public:
  void run(Call& call, const StoreSteps& steps) {
    steps_ = &steps;
    begin(call);
  }

  // --- for the steps
  std::vector<StoreSource> sources;
  types::OwnCell result;
  std::size_t target = 0;  // the key under which it will be
  bool takes_long = false;
  // The effects of the result, if they have been made; null: not yet.
  const keyspace::PreparedEffects* prepared() const { return prepared_ ? &*prepared_ : nullptr; }

  // Finds a key as a read does and makes it a source. If it is a string, the step has to send the
  // error and must not continue with it.
  const Entry* look_at(Call& call, std::size_t key) {
    const Entry* entry = call.find(key);
    StoreSource source{.key = key, .present = entry != nullptr};
    if (entry != nullptr) {
      source.type = entry->type();
      if (!entry->is_string()) source.seen = entry->cell();
    }
    sources.push_back(source);
    return entry;
  }

 private:
  // How often the sources may change before the work is done under the tokens.
  static constexpr int kChangesMax = 2;

  static LongStore& of(Call& call) { return call.state<LongStore>(); }

  void begin(Call& call) {
    let_go(call.hold().reclaimer);
    sources.clear();
    takes_long = false;
    if (!steps_->find(call, *this)) return;
    if (!takes_long || holding_) return work_and_store(call);
    // A transaction keeps its tokens, so nothing can change meanwhile.
    if (call.in_transaction()) return call.finish_without_tokens(work_and_store);
    pins_.reserve(sources.size());
    for (StoreSource& source : sources) {
      pins_.push_back(types::OwnCell::pin(source.seen));
      source.seen = pins_.back().view();
    }
    call.finish_without_tokens(work_on_pins);
  }

  static void work_and_store(Call& call) {
    LongStore& self = of(call);
    self.steps_->work(call, self);
    self.steps_->store(call, self);
  }

  static void work_on_pins(Call& call) {
    LongStore& self = of(call);
    self.steps_->work(call, self);
    self.prepare_effects(call);
    call.come_back_with_tokens(swap_in, self.steps_->stores_long);
  }

  // To write a million elements down takes longer than to store them.
  void prepare_effects(Call& call) {
    prepared_.reset();
    if (!steps_->result || !result.is_tree() || !call.hold().effects->recording()) return;
    prepared_ = keyspace::prepare_whole(call.db(), call.key(target).name, *steps_->result,
                                        result.view(), call.hold().reclaimer);
  }

  static void swap_in(Call& call) {
    LongStore& self = of(call);
    if (self.is_unchanged(call)) {
      self.steps_->store(call, self);
      self.let_go(call.hold().reclaimer);
    } else if (++self.changes_ < kChangesMax) {
      self.begin(call);
    } else {
      call.finish_without_tokens(ask_for_tokens);
    }
  }

  static void ask_for_tokens(Call& call) {
    of(call).holding_ = true;
    call.come_back_with_tokens(work_holding, true);
  }
  static void work_holding(Call& call) { of(call).begin(call); }

  // A pin keeps its nodes alive, so they cannot have been freed and replaced at the same address:
  // the same root is the same tree.
  bool is_unchanged(Call& call) const {
    for (const StoreSource& source : sources) {
      const Entry* entry = call.peek(source.key);
      if ((entry != nullptr) != source.present) return false;
      if (entry == nullptr) continue;
      if (entry->type() != source.type) return false;
      const types::CellView now = entry->cell();
      if ((now.tree != nullptr) != (source.seen.tree != nullptr)) return false;
      if (now.tree != nullptr ? !now.tree->same_version(*source.seen.tree)
                              : now.packed != source.seen.packed) {
        return false;
      }
    }
    return true;
  }

  // A pin, or an unused result, may be the last reference to a big tree, which must not be freed
  // while tokens are held.
  void let_go(base::Reclaimer* reclaimer) override {
    for (types::OwnCell& pin : pins_) types::let_go(pin.take_tree(), reclaimer);
    types::let_go(result.take_tree(), reclaimer);
    pins_.clear();
    result = types::OwnCell();
    prepared_.reset();
  }

  const StoreSteps* steps_ = nullptr;
  std::vector<types::OwnCell> pins_;  // of `sources`, in their order
  std::optional<keyspace::PreparedEffects> prepared_;
  int changes_ = 0;
  bool holding_ = false;
};

// The usual third step: the result replaces the key with index `target`, or removes it if empty.
// `event` lives as long as the command. A new value counts as `changes` (SORT and GEOSEARCHSTORE:
// as many as it has elements).
inline void store_or_remove(Call& call, std::size_t target, types::Type type,
                            types::OwnCell&& result, bool is_empty, EventClass kind,
                            std::string_view event, std::size_t changes = 1,
                            const keyspace::PreparedEffects* prepared = nullptr) {
  if (is_empty) {
    call.space(target).remove(call.hold(), call.db(), call.key(target));
  } else {
    const CountedAs counted(call, changes);
    call.space(target).set_collection(call.hold(), call.db(), call.key(target), type,
                                      std::move(result), std::nullopt, prepared);
    call.notify(target, kind, event);
  }
}

}  // namespace slotcar::commands
