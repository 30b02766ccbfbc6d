// StreamReader: XREAD in a loop, without consumer groups. It keeps the place in each stream, so
// that no entry is skipped between two reads:
//
//   StreamReader reader(client, {{"orders", "0"}, {"news", "$"}});
//   while (auto entry = reader.next(1s)) {      // Result<std::optional<StreamReader::Entry>>
//     if (*entry) handle((*entry)->stream, (*entry)->entry);
//   }
//
// "0" reads from the beginning, an id continues behind it, "$" begins with the first entry that is
// added after the first read has begun (XREAD's own "$" would begin anew with every read).
// `position` is what to continue with later. Entries that were trimmed before they were read are
// not seen.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "slotcar/client.h"
#include "slotcar/commands/stream.h"
#include "slotcar/task.h"

namespace slotcar::client {

class StreamReader {
 public:
  struct Entry {
    std::string stream;
    StreamEntry entry;
  };
  struct Place {
    std::string stream;
    std::string after;  // an id, "0" or "$"
  };

  // `count`: at most so many entries of each stream with one read.
  StreamReader(Client& client, std::vector<Place> places, std::int64_t count = 100,
               CallOptions options = {})
      : client_(&client), places_(std::move(places)), count_(count), options_(std::move(options)) {}

  // Nothing: no entry came within `at_most`.
  Result<std::optional<Entry>> next(Millis at_most);
  // Some entries; none if none came within `at_most`. Entries that `next` still holds come first.
  Task<Result<std::vector<Entry>>> next_page(Millis at_most);

  // Behind the last entry of the stream that was returned.
  std::string position(std::string_view stream) const;

 private:
  using Read = std::optional<std::vector<std::pair<std::string, std::vector<StreamEntry>>>>;
  // The place of the last entry is asked for once, for each "$".
  Place* unknown_place();
  static Request last_of(const Place& place);
  static Status take_last(Place& place, Result<Reply>&& reply);
  Request request(Millis at_most) const;
  Status take(Result<Reply>&& reply);
  std::optional<Entry> take_one();

  Client* client_;
  std::vector<Place> places_;  // behind what was returned
  std::int64_t count_;
  CallOptions options_;
  std::vector<Entry> entries_ = {};  // read and not returned yet, from place_ on
  std::size_t place_ = 0;
};

}  // namespace slotcar::client
