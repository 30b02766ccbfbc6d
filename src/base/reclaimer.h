// Frees what takes long to free, on another thread than the one that drops it.
#pragma once

#include <cstdint>
#include <memory>

namespace slotcar::base {

// Something big that is no longer needed. It is freed in slices, so that the thread that frees it
// can do other work in between. Only the Reclaimer touches it.
class Garbage {
 public:
  // `objects`: how many keys' values it contains, for INFO (lazyfree_pending_objects); 0 for parts.
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
