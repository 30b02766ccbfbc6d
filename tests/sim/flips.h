// Flips: one damage at a time to the files of a small node, and a start. Directories of several
// kinds are made by a simulated node (segments of 4 KB), whose acknowledged writes are known; then,
// case by case, a bit is flipped, or a file is cut off at some length, or removed. The start must
//   * have everything; or
//   * cut the last record, which no later one proves, with a warning, unless the server was stopped
//     in good order; or
//   * refuse, and name the file, the place and a way out.
// slotcar-check must call bad what a start refuses, and nothing else.
//
// Every bit of manifests and of all headers is flipped, one bit of every byte elsewhere; every file
// is cut off at every length. A case has a number, so that a campaign goes on from there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace slotcar::sim {

struct FlipsCounters {
  std::int64_t cases = 0;
  std::int64_t everything = 0;
  std::int64_t tail_cut = 0;
  std::int64_t refused = 0;

  std::string text() const;
};

class Flips {
 public:
  Flips();
  ~Flips();

  std::uint64_t count() const;
  // What is wrong with the outcome of this case; empty: nothing.
  std::string run(std::uint64_t number, FlipsCounters& counters) const;

 private:
  struct Directory;
  struct Case;
  Case find(std::uint64_t number) const;

  std::vector<std::unique_ptr<Directory>> directories_;
};

}  // namespace slotcar::sim
