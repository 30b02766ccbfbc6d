// Who frees what takes long to free: not the thread that drops it.
#pragma once

#include <cstdint>
#include <memory>

namespace slotcar::base {

// Something big that nobody needs any more. It is freed in slices, so that whoever does it can turn
// to something else in between; nobody but the Reclaimer touches it.
class Garbage {
 public:
  // `objects`: how many keys' values it was, for INFO (lazyfree_pending_objects); 0 for parts.
  explicit Garbage(std::int64_t objects) : objects_(objects) {}
  virtual ~Garbage() = default;
  Garbage(const Garbage&) = delete;
  Garbage& operator=(const Garbage&) = delete;

  // Frees a part of it, about as much as takes a tenth of a millisecond. True: nothing is left.
  virtual bool free_some() = 0;
  std::int64_t objects() const { return objects_; }

 private:
  std::int64_t objects_;
};

// Takes garbage whose release costs more than the caller may spend. Implemented by the slow lane.
class Reclaimer {
 public:
  virtual ~Reclaimer() = default;
  virtual void free_later(std::unique_ptr<Garbage> garbage) = 0;
};

}  // namespace slotcar::base
