// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface of a device: its memory, and one method per op of tert/ops.h, with
// the op's parameters (BackendCalls.def).
//
// Arguments have been checked: dtypes, ranks, shapes and innermost strides
// satisfy ops.h, required tensors are present, and every enumeration has one of
// its values. A backend checks only the data itself (a token id) and whether it
// supports the call (TERT_UNSUPPORTED), and reports both by throwing
// tert::Error with a message that need not name op or site.
#ifndef TERT_PROGRAM_BACKEND_H
#define TERT_PROGRAM_BACKEND_H

#include "collectives/Communicator.h"
#include "program/BackendOps.h"
#include "program/TableShard.h"
#include "program/Update.h"
#include "program/Work.h"
#include "tert/device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tert {

class Tuner;

/// Time stamps of the device.
class Timer {
public:
  virtual ~Timer() = default;
  /// Marks the time at which everything enqueued so far is done.
  virtual size_t mark() = 0;
  /// Time between two marks; the backend has been synchronized since.
  virtual double seconds(size_t from, size_t to) const = 0;
};

/// One kernel of a recording, or another operation of the device.
struct RecordedKernel {
  std::string name;
  size_t begin, end; ///< the marks around it
  size_t op;         ///< the last mark before it made while recording
};

/// A recorded run of a program's ops that the device replays without the host.
class Graph {
public:
  virtual ~Graph() = default;
  /// Enqueues one run.
  virtual void launch() = 0;
  /// In order; none if the graph was recorded without a timer, or the device
  /// does not report them.
  virtual const std::vector<RecordedKernel> &kernels() const {
    static const std::vector<RecordedKernel> none;
    return none;
  }
  /// Message why a graph that was recorded with a timer has no kernels; empty
  /// if it has.
  virtual std::string whyNoKernels() const { return {}; }
};

class Backend {
public:
  virtual ~Backend() = default;

  //===-- Threads --------------------------------------------------------===//

  /// Binds the calling thread to this device, so that a context works from any
  /// thread, and beside contexts of other devices. Returns the argument for
  /// leave(), which restores the thread's previous device. Throws if the device
  /// is lost.
  virtual int enter() { return 0; }
  virtual void leave(int previous) noexcept {}

  //===-- Memory ---------------------------------------------------------===//

  /// At least `bytes` bytes aligned to 256; never null.
  virtual void *allocate(size_t bytes) = 0;
  virtual void release(void *memory) noexcept = 0;
  /// The same in memory of the host that ops can access.
  virtual void *allocateHost(size_t bytes) { return allocate(bytes); }
  virtual void releaseHost(void *memory) noexcept { release(memory); }
  virtual void copyToDevice(void *device, const void *host, size_t bytes) = 0;
  virtual void copyToHost(void *host, const void *device, size_t bytes) = 0;
  /// Sets temporary memory for the next op, valid while it runs; null and 0
  /// bytes if there is none.
  virtual void useAsTemporary(void *memory, size_t bytes) {}
  /// Address at which ops read a constant: tert_locate_constant.
  virtual const void *locate(const tert_constant &constant) {
    return constant.data;
  }
  /// Enqueues what follows on a stream of the caller's: tert_set_stream.
  virtual void useStream(void *stream) {}
  /// Waits for everything enqueued, and throws its errors.
  virtual void synchronize() = 0;

  /// Notices for the user about the ops that ran so far.
  virtual std::vector<std::string> notices() const { return {}; }

  /// True if quantizations, products and amaxes may have the scales of blocks
  /// (tert_scaled).
  virtual bool takesScaleBlocks() const { return false; }
  /// True if the scales that codes are multiplied with may be f8E8M0.
  virtual bool takesE8M0Scales() const { return false; }

  /// All fields except the peak rates.
  virtual tert_device_info deviceInfo() = 0;
  virtual Ceilings ceilings() const { return {}; }

  //===-- Recording and timing -------------------------------------------===//

  /// True if ops can be recorded. Otherwise a program is repeated by calling it
  /// again, and the two functions below are never called.
  virtual bool canCapture() const { return false; }
  /// Between these two calls, ops are recorded instead of run.
  virtual void beginCapture() {}
  /// `keep` is false if recording failed: the recording is dropped and null
  /// returned. With a timer of createTimer(), the kernels are timed, too, by
  /// further marks.
  virtual std::unique_ptr<Graph> endCapture(bool keep, Timer *timer) {
    return nullptr;
  }
  virtual std::unique_ptr<Timer> createTimer() = 0;

  /// Null if there is nothing to tune.
  virtual Tuner *tuner() { return nullptr; }

  //===-- Other ranks ----------------------------------------------------===//

  /// Connects this rank with the others of a group of at least two, all of
  /// which call it; never while recording. Throws TERT_PEER_ERROR if one does
  /// not answer, and TERT_UNSUPPORTED if the library is missing or does not
  /// support this device.
  virtual std::unique_ptr<Communicator> connect(const Group &group,
                                                const Rendezvous &rendezvous) {
    throw Error(TERT_UNSUPPORTED, "this device does not support collectives");
  }

  //===-- Ops ------------------------------------------------------------===//

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  virtual void name(const tert_site &site, TERT_LIST parameters) = 0;
#include "program/BackendCalls.def"
};

/// Binds the calling thread to a backend's device during its lifetime.
class OnDevice {
public:
  explicit OnDevice(Backend &backend)
      : backend(backend), previous(backend.enter()) {}
  ~OnDevice() { backend.leave(previous); }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;

private:
  Backend &backend;
  int previous;
};

/// Opens the device named `device`. Throws TERT_UNSUPPORTED if this build does
/// not support such a device.
std::unique_ptr<Backend> createBackend(std::string_view device,
                                       const tert_options &options);

} // namespace tert

#endif // TERT_PROGRAM_BACKEND_H
