// Whatever arrives, and however it is cut: the decoder returns the same requests and the same error
// as for the stream in one piece, and its memory is bounded by what has arrived.
#include <cstring>
#include <string>
#include <vector>

#include "base/assert.h"
#include "input.h"
#include "resp/decoder.h"

namespace {

using slotcar::fuzz::Input;
using slotcar::resp::Arguments;
using slotcar::resp::BlockPool;
using slotcar::resp::Decoder;
using slotcar::resp::DecoderLimits;

constexpr std::size_t kBulkBytesMax = 256 * 1024;

struct Run {
  explicit Run(const Input& input) : batch_max(input.choice(1) ? 3 : 16) {
    DecoderLimits limits;
    limits.bulk_bytes_max = kBulkBytesMax;
    limits.authenticated = !input.choice(0);
    decoder.set_limits(limits);
  }

  bool receive(std::string_view bytes) {
    while (!bytes.empty()) {
      const Decoder::Room room = decoder.prepare();
      ASSERT(room.size > 0);
      const std::size_t size = std::min(room.size, bytes.size());
      std::memcpy(room.data, bytes.data(), size);
      decoder.received(size);
      received += size;
      bytes.remove_prefix(size);
      while (take_batch()) {
      }
      check_memory();
      if (!decoder.error().empty()) return false;
    }
    return true;
  }

  // As a session: views are read only after the whole batch was taken.
  bool take_batch() {
    std::vector<Arguments> batch;
    Decoder::Outcome outcome = Decoder::Outcome::request;
    while (batch.size() < batch_max && outcome == Decoder::Outcome::request) {
      Arguments arguments;
      outcome = decoder.next(arguments);
      ASSERT((outcome == Decoder::Outcome::request) != arguments.empty());
      if (!arguments.empty()) batch.push_back(std::move(arguments));
    }
    for (const Arguments& arguments : batch) {
      transcript += "[";
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        transcript += std::to_string(arguments[i].size()) + ":";
        transcript += arguments[i];
      }
    }
    decoder.release();
    return outcome == Decoder::Outcome::request;
  }

  // A block, twice the bytes because buffers double, views (16 bytes for an argument of at least
  // six, doubling too), and the one big argument whose buffer has the size in its header.
  void check_memory() const {
    constexpr std::size_t kPromised = kBulkBytesMax + kBulkBytesMax / 4;
    ASSERT(decoder.footprint() <= 64 * 1024 + 8 * received + kPromised);
    ASSERT(decoder.buffered() <= received);
  }

  BlockPool pool;
  Decoder decoder{&pool, nullptr};
  std::size_t batch_max;
  std::size_t received = 0;
  std::string transcript;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input(data, size);
  Run whole(input);
  whole.receive(input.stream());
  Run pieces(input);
  input.in_pieces([&](std::string_view piece) { return pieces.receive(piece); });
  ASSERT(pieces.transcript == whole.transcript);
  ASSERT(pieces.decoder.error() == whole.decoder.error());
  return 0;
}
