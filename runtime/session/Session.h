// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact on an open device: the states in the device's memory, and calls
// of entries.

#ifndef TERT_SESSION_SESSION_H
#define TERT_SESSION_SESSION_H

#include "session/Artifact.h"
#include "session/MemoryNeed.h"
#include "tert/context.h"
#include "tert/graph.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tert::session {

/// Memory of a context.
class DeviceBuffer {
public:
  static Expected<DeviceBuffer> allocate(tert_context *context, size_t bytes,
                                         const std::string &purpose);
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer &&other) noexcept { swap(other); }
  DeviceBuffer &operator=(DeviceBuffer &&other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBuffer();

  void *get() const { return memory; }
  size_t size() const { return bytes; }

private:
  void swap(DeviceBuffer &other) {
    std::swap(context, other.context);
    std::swap(memory, other.memory);
    std::swap(bytes, other.bytes);
  }
  tert_context *context = nullptr;
  void *memory = nullptr;
  size_t bytes = 0;
};

/// An arena that calls share of which one runs after the other, and whose
/// outputs nobody reads after another one has run.
using SharedArena = std::shared_ptr<const DeviceBuffer>;

struct SessionOptions {
  int32_t rank = 0;       ///< Which of the ranks of the program's mesh this is
  std::string device;     ///< Empty: the one that the artifact is for
  int32_t numThreads = 0; ///< 0: every available core
  /// Refuses a program that will not fit, before anything is allocated.
  bool checkMemory = true;
  /// Every op waits for the device, so that a fault names the op. Slow.
  bool synchronous = false;
  /// Faster algorithms that add in another order from run to run.
  bool nondeterministic = false;
};

class Session {
public:
  /// Opens the device and allocates the states, which are undefined until
  /// initializeStates() or loadCheckpoint().
  static Expected<std::unique_ptr<Session>>
  create(Artifact artifact, const SessionOptions &options);

  const Artifact &artifact() const { return program; }
  const Description &description() const { return program.description(); }
  tert_context *context() const { return device.get(); }
  /// Which of the ranks of the program's mesh this one is.
  int32_t rank() const { return chosen.rank; }

  /// Reads or writes `bytes` of the state at `index` of description().states,
  /// from byte `offset`.
  Error readState(size_t index, void *host, size_t bytes,
                  size_t offset = 0) const;
  Error writeState(size_t index, const void *host, size_t bytes,
                   size_t offset = 0);
  /// Writes zeros to `bytes` of a state from byte `offset`, or to all of it.
  Error clearState(size_t index) {
    return clearState(index, stateBytes(index));
  }
  Error clearState(size_t index, size_t bytes, size_t offset = 0);
  /// Writes this rank's part of a state: `fill` puts the elements of a range of
  /// the whole tensor, in the state's dtype, where it is told to; what is
  /// beyond an end is zero.
  Error fillState(size_t index,
                  const std::function<Error(const ShardRange &, char *)> &fill);
  /// Calls `visit` with the bytes of a state, piece by piece.
  Error
  visitState(size_t index,
             const std::function<Error(const char *, size_t)> &visit) const;
  void *stateAddress(size_t index, size_t offset = 0) const {
    return static_cast<char *>(states.get()) + stateOffsets[index] + offset;
  }
  size_t stateBytes(size_t index) const {
    return description().states[index].type.bytes();
  }
  size_t stateBytes() const;
  const SessionOptions &options() const { return chosen; }
  /// One arena that each of these entries has room in, as far as the program
  /// has them.
  Expected<SharedArena>
  allocateArena(const std::vector<std::string> &entries) const;
  /// Fails if an entry (null: the states alone) will not fit.
  Error checkFits(const EntryDescription *entry) const;

  /// The context's message for a call that returned `status`.
  Error failure(tert_status status, const std::string &action) const;

private:
  struct Close {
    void operator()(tert_context *context) const { tert_close(context); }
  };
  Session(Artifact artifact, const SessionOptions &options)
      : program(std::move(artifact)), chosen(options) {}
  // In this order: buffers go before the device, the device before the code.
  Artifact program;
  SessionOptions chosen;
  tert_device_info atStart = {}; ///< The device before anything was allocated.
  std::unique_ptr<tert_context, Close> device;
  /// All states one behind the other, so that other ranks' GPUs see small ones,
  /// too: drivers show each other large allocations alone.
  DeviceBuffer states;
  std::vector<size_t> stateOffsets;
};

/// One entry, ready to be called any number of times: its arena, inputs,
/// scalars and outputs in the device's memory.
class EntryCall {
public:
  /// Scalars with a default have it; everything else is to be set. Without an
  /// arena to share the call has one of its own.
  static Expected<EntryCall> create(Session &session, const std::string &entry,
                                    SharedArena arena = nullptr);

  const EntryDescription &description() const { return *entry; }
  /// Of the program that the entry is of.
  const Description &program() const { return session->description(); }
  /// `host` holds the bytes of the argument's dtype and shape.
  Error setInput(const ArgumentDescription &argument, const void *host);
  /// Writes a number in the scalar's dtype; fails if that does not hold it.
  Error setScalar(const ArgumentDescription &argument, double value);
  /// Sets a scalar by name if the entry has it; tells whether it has.
  Expected<bool> setScalar(const std::string &name, double value);
  /// The same of an i64 scalar, which may be more than a double holds.
  Expected<bool> setInteger(const std::string &name, int64_t value);
  /// Runs the entry and waits for it.
  Error run();
  /// Starts the entry without waiting. The first call issues its ops one by
  /// one and waits for each, the second records them, and from then on the
  /// recording is repeated. What goes wrong on the device is reported by the
  /// first call itself, and after that when something is waited for or read.
  Error enqueue();
  /// Waits for everything started.
  Error wait();
  Error readOutput(const ArgumentDescription &argument, void *host) const;
  /// An f32 scalar output by name.
  Expected<float> readScalar(const std::string &name) const;

private:
  EntryCall(Session &session, const EntryDescription &entry,
            tert_entry function)
      : session(&session), entry(&entry), function(function) {}
  /// `status` of a call on the device, with advice.
  Error failure(tert_status status, const std::string &action) const;
  size_t indexOf(const ArgumentDescription &argument) const {
    return static_cast<size_t>(&argument - entry->arguments.data());
  }
  Session *session;
  const EntryDescription *entry;
  tert_entry function;
  std::vector<DeviceBuffer> buffers;
  SharedArena arena;
  std::vector<void *> addresses;
  struct Release {
    void operator()(tert_graph *graph) const { tert_graph_release(graph); }
  };
  bool ranOnce = false;
  std::unique_ptr<tert_graph, Release> graph;
};

} // namespace tert::session

#endif // TERT_SESSION_SESSION_H
