// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact on an open device: the states in device memory, and calls of
// entries.

#ifndef TERT_SESSION_SESSION_H
#define TERT_SESSION_SESSION_H

#include "artifact/Artifact.h"
#include "checkpoint/ProgramStates.h"
#include "session/MemoryNeed.h"
#include "tert/context.h"
#include "tert/graph.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tert::session {

/// Memory allocated from a context.
class DeviceBuffer {
public:
  enum class Of {
    Device,
    /// Memory of the host, which ops access in place.
    Host
  };
  static Expected<DeviceBuffer> allocate(tert_context *context, size_t bytes,
                                         const std::string &purpose,
                                         Of of = Of::Device);
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
    std::swap(isHost, other.isHost);
  }
  tert_context *context = nullptr;
  void *memory = nullptr;
  size_t bytes = 0;
  bool isHost = false;
};

/// An arena shared by calls that run one after another; a call's outputs are
/// invalid once another call has run.
using SharedArena = std::shared_ptr<const DeviceBuffer>;

struct SessionOptions {
  int32_t rank = 0;       ///< rank in the program's mesh
  std::string device;     ///< Empty: the artifact's default
  int32_t numThreads = 0; ///< 0: every available core
  /// Refuses a program that does not fit the memory, before any allocation.
  bool checkMemory = true;
  /// Waits for the device after every op, so that an error names its op. Slow.
  bool synchronous = false;
  /// Faster algorithms whose order of summation varies between runs.
  bool nondeterministic = false;
};

class Session : public ProgramStates {
public:
  /// Opens the device and allocates the states, which are undefined until
  /// initializeStates() or loadCheckpoint().
  static Expected<std::unique_ptr<Session>>
  create(Artifact artifact, const SessionOptions &options);

  const Artifact &artifact() const { return program; }
  const Description &description() const override {
    return program.description();
  }
  const std::string &path() const override { return program.path(); }
  int32_t rank() const override { return chosen.rank; }
  tert_context *context() const { return device.get(); }

  Error readState(size_t index, void *host, size_t bytes,
                  size_t offset = 0) const override;
  Error writeState(size_t index, const void *host, size_t bytes,
                   size_t offset = 0) override;
  void *stateAddress(size_t index, size_t offset = 0) const {
    const DeviceBuffer &memory =
        description().states[index].isOnHost ? hostStates : states;
    return static_cast<char *>(memory.get()) + stateOffsets[index] + offset;
  }
  const SessionOptions &options() const { return chosen; }
  /// An arena large enough for each of these entries, as far as the program has
  /// them.
  Expected<SharedArena>
  allocateArena(const std::vector<std::string> &entries) const;
  /// Fails if an entry (null: the states alone) does not fit the memory.
  Error checkFits(const EntryDescription *entry) const;

  /// Runs the entry `prepare`, if the program has it and what it reads was
  /// written since its last run; in `arena`, if that is large enough.
  Error prepare(const SharedArena &arena);

  /// The context's message for a call that returned `status`.
  Error failure(tert_status status, const std::string &action) const;

private:
  struct Close {
    void operator()(tert_context *context) const { tert_close(context); }
  };
  Session(Artifact artifact, const SessionOptions &options)
      : program(std::move(artifact)), chosen(options) {}
  // The order matters: buffers are destroyed before the device, the device
  // before the code.
  Artifact program;
  SessionOptions chosen;
  tert_device_info atStart = {}; ///< The device before any allocation.
  std::unique_ptr<tert_context, Close> device;
  /// All states in one allocation, so that other ranks' GPUs can access small
  /// ones, too: drivers share only large allocations.
  DeviceBuffer states;
  /// Those that only `init` reads.
  DeviceBuffer hostStates;
  /// In either of the two.
  std::vector<size_t> stateOffsets;
  /// Which states `prepare` reads, and whether one was written.
  std::vector<bool> prepared;
  bool mustPrepare = false;
};

/// An entry that can be called any number of times: its arena, inputs, scalars
/// and outputs in device memory.
class EntryCall {
public:
  /// Sets scalars to their defaults; all other arguments must be set. Without
  /// an arena to share, the call allocates its own.
  static Expected<EntryCall> create(Session &session, const std::string &entry,
                                    SharedArena arena = nullptr);

  const EntryDescription &description() const { return *entry; }
  /// The entry's program.
  const Description &program() const { return session->description(); }
  /// `host` contains the bytes of the argument's dtype and shape.
  Error setInput(const ArgumentDescription &argument, const void *host);
  /// Writes a number in the scalar's dtype; fails if it is not representable.
  Error setScalar(const ArgumentDescription &argument, double value);
  /// Sets a scalar by name if the entry has it; returns whether it does.
  Expected<bool> setScalar(const std::string &name, double value);
  /// Like setScalar, for an i64 scalar, which may exceed a double's precision.
  Expected<bool> setInteger(const std::string &name, int64_t value);
  /// Runs the entry and waits for it.
  Error run();
  /// Starts the entry without waiting. The first call issues its ops one by one
  /// and waits for each, the second records them, and later calls replay the
  /// recording. Errors on the device are returned by the first call itself, and
  /// later by the next wait or read.
  Error enqueue();
  /// Waits for all started calls.
  Error wait();
  Error readOutput(const ArgumentDescription &argument, void *host) const;
  /// An f32 scalar output by name.
  Expected<float> readScalar(const std::string &name) const;

private:
  EntryCall(Session &session, const EntryDescription &entry,
            tert_entry function)
      : session(&session), entry(&entry), function(function) {}
  /// Error for the `status` of a call on the device, with advice.
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
