// TlsHandshake: the server's half of the handshake of one connection, before there is a session.
//
// The home thread (the worker's) moves bytes; what they mean is computed on another thread, the
// lane: signing with an RSA key takes a millisecond, in which the worker answers many requests of
// others. The engine travels: home -> lane -> home, once for each message of the client.
//
// May be destroyed at any moment on the home thread. An engine that is on its way then frees itself
// when it comes home.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "runtime/executor.h"
#include "runtime/stream.h"
#include "runtime/tls/tls_engine.h"
#include "runtime/tls/tls_stream.h"

namespace slotcar::runtime {

class TlsHandshake final : private StreamEvents {
 public:
  // `ended` is called once, on the home thread, and may destroy this object. `travelling` counts
  // the engines that are not at home; it belongs to the home thread and outlives them.
  TlsHandshake(std::unique_ptr<Stream> wire, std::unique_ptr<TlsEngine> engine, TaskRunner& home,
               TaskRunner& lane, std::size_t& travelling, std::function<void(TlsHandshake&)> ended);
  ~TlsHandshake() override;
  TlsHandshake(const TlsHandshake&) = delete;
  TlsHandshake& operator=(const TlsHandshake&) = delete;

  bool succeeded() const { return succeeded_; }
  const std::string& trouble() const { return trouble_; }
  // After success, once.
  std::unique_ptr<TlsStream> take_stream();
  const Stream& wire() const { return *wire_; }

 private:
  // The engine and where it is. Only the thread that it is on touches it, except for `abandoned`.
  struct Trip : Task {
    Trip(TlsHandshake& h, std::unique_ptr<TlsEngine> e, TaskRunner& home, std::size_t& travelling);
    static void compute(Task& task);
    static void arrive(Task& task);

    TlsHandshake* handshake;  // the home thread's; null: destroyed
    std::unique_ptr<TlsEngine> engine;
    TaskRunner& home;
    std::size_t& travelling;
    TlsEngine::Progress progress = TlsEngine::Progress::wants_input;
    std::atomic<bool> abandoned{false};
  };

  void on_input() override;
  void on_output_room() override;
  void on_closed() override;
  void depart();
  void arrived();
  void fail(std::string why);
  void end();
  bool push();

  std::unique_ptr<Stream> wire_;
  TaskRunner& home_;
  TaskRunner& lane_;
  std::unique_ptr<Trip> trip_;
  std::function<void(TlsHandshake&)> ended_;
  std::string trouble_;
  std::size_t received_ = 0;
  bool away_ = false;
  bool succeeded_ = false;
  bool over_ = false;
};

}  // namespace slotcar::runtime
