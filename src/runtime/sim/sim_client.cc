#include "runtime/sim/sim_client.h"

#include <utility>

#include "base/assert.h"

namespace slotcar::runtime {

SimClient::SimClient(std::shared_ptr<SimConnection> connection)
    : connection_(std::move(connection)) {
  connection_->attach(kSide, this);
}

void SimClient::send(std::string_view bytes) {
  ASSERT(!finish_wanted_ && !closed_here_);
  unsent_.append(bytes);
  flush();
}

std::string SimClient::take() {
  return std::exchange(received_, {});
}

void SimClient::set_reading(bool on) {
  reading_ = on;
  read_all();
}

void SimClient::half_close() {
  finish_wanted_ = true;
  flush();
}

void SimClient::close() {
  if (closed_here_) return;
  closed_here_ = true;
  connection_->close(kSide);
}

void SimClient::break_now() {
  connection_->sever();
}

void SimClient::set_parted(bool parted) {
  connection_->set_parted(parted);
}

void SimClient::connection_changed() {
  const std::size_t received_before = received_.size();
  const bool closed_before = closed();
  const bool established_before = std::exchange(established_told_, established());
  flush();
  read_all();
  // Room alone is not reported: it comes from inside a step of the server's thread.
  if (received_.size() == received_before && closed() == closed_before &&
      established() == established_before) {
    return;
  }
  // The call may destroy this client, and with it the function.
  if (auto on_change = on_change_) on_change();
}

void SimClient::flush() {
  if (closed_here_ || finished_) return;
  if (connection_->broken(kSide)) {
    unsent_.clear();
    return;
  }
  if (!unsent_.empty()) unsent_.drop_front(connection_->write(kSide, unsent_.view()));
  if (unsent_.empty() && finish_wanted_) {
    finished_ = true;
    connection_->finish(kSide);
  }
}

void SimClient::read_all() {
  if (reading_ && !closed_here_) {
    char buffer[4096];
    while (const std::size_t size = connection_->read(kSide, buffer, sizeof buffer)) {
      received_.append(buffer, size);
    }
  }
  // What had arrived before the break may still be read.
  if (connection_->readable(kSide) > 0) return;
  ended_ = connection_->ended(kSide);
  broken_ = connection_->broken(kSide);
}

}  // namespace slotcar::runtime
