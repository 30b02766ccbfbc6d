// Pins that other threads read and drop while a writer goes on changing the tree: a pinned version
// never changes, and what only pins kept is freed with them. Meant for the thread sanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "types/cell.h"
#include "types/hash.h"

namespace slotcar::types {
namespace {

using Model = std::map<std::string, std::string>;

struct Job {
  OwnCell pin;
  std::shared_ptr<const Model> expected;
};

// From the writer to the readers.
class Jobs {
 public:
  void post(Job job) {
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
  }
  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }
  // False: there will be none.
  bool take(Job& job) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !jobs_.empty(); });
    if (jobs_.empty()) return false;
    job = std::move(jobs_.front());
    jobs_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool closed_ = false;
};

void read_pins(Jobs& jobs, std::atomic<int>& wrong) {
  Job job;
  while (jobs.take(job)) {
    Model seen;
    HashView(job.pin.view(), HashView::kBeforeAll).for_each([&](const Field& field) {
      seen.emplace(field.name.copy(), field.value.copy());
    });
    if (seen != *job.expected) ++wrong;
    job = {};  // the pin is dropped here, on this thread
  }
}

// Some values are long enough to be outside the leaves, some fields have a time.
void change(Hash& hash, Model& model, std::mt19937& random, int changes) {
  const unsigned erases_of_ten = random() % 8;
  for (int i = 0; i < changes; ++i) {
    const std::string name = "field:" + std::to_string(random() % 4000);
    if (random() % 10 < erases_of_ten) {
      hash.erase(name);
      model.erase(name);
      continue;
    }
    const std::string value =
        random() % 20 == 0 ? std::string(1200, 'l') : std::to_string(random());
    hash.put(name, value, random() % 3 == 0 ? static_cast<UnixMs>(random() % 1000) : kNever);
    model[name] = value;
  }
}

TEST(TreeThreads, PinsDoNotChangeWhileAWriterRuns) {
  constexpr int kReaders = 3;
  constexpr int kRounds = 150;
  constexpr int kChangesPerRound = 200;

  Settings settings;
  settings.hash_max_listpack_entries = 0;
  OwnCell cell;
  Hash hash(cell, settings);
  Model model;
  std::mt19937 random(1);

  Jobs jobs;
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < kReaders; ++i) readers.emplace_back([&] { read_pins(jobs, wrong); });
  for (int round = 0; round < kRounds; ++round) {
    change(hash, model, random, kChangesPerRound);
    jobs.post({OwnCell::pin(cell.view()), std::make_shared<const Model>(model)});
  }
  jobs.close();
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong.load(), 0);

  for (const auto& [name, value] : model) EXPECT_TRUE(hash.erase(name));
  EXPECT_EQ(hash.stored(), 0u);
  EXPECT_EQ(cell.tree()->footprint(), sizeof(HashTree));
}

}  // namespace
}  // namespace slotcar::types
