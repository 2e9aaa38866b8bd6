// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device has to do: its memory, and one method per op of tert/ops.h,
// with the parameters of the op: BackendOps.def has them.
//
// Arguments reach a backend checked: dtypes, ranks, shapes and innermost
// strides are what ops.h asks for, required tensors are there, and every
// enumeration holds one of its values. A backend checks only what lies in the
// data (a token id) or what it cannot do itself (TERT_UNSUPPORTED), and reports
// both by throwing tert::Error with a message that need not name op or site.
#ifndef TERT_PROGRAM_BACKEND_H
#define TERT_PROGRAM_BACKEND_H

#include "program/BackendOps.h"
#include "program/Communicator.h"
#include "program/TablePart.h"
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

/// Moments on the device's time line.
class Timer {
public:
  virtual ~Timer() = default;
  /// Marks the moment when everything enqueued so far is done.
  virtual size_t mark() = 0;
  /// Between two marks; the backend has been synchronized since.
  virtual double seconds(size_t from, size_t to) const = 0;
};

/// One kernel of a recording, or what else the device did there.
struct RecordedKernel {
  std::string name;
  size_t begin, end; ///< the marks around it
  size_t op;         ///< the last mark before it that was made while recording
};

/// A run of a program's ops that the device repeats without the host.
class Graph {
public:
  virtual ~Graph() = default;
  /// Enqueues one run.
  virtual void launch() = 0;
  /// In their order; none if the graph was recorded without a timer, or the
  /// device does not tell.
  virtual const std::vector<RecordedKernel> &kernels() const {
    static const std::vector<RecordedKernel> none;
    return none;
  }
  /// Why a graph that was recorded with a timer has no kernels, for a person;
  /// empty if it has.
  virtual std::string whyNoKernels() const { return {}; }
};

class Backend {
public:
  virtual ~Backend() = default;

  //===-- Threads --------------------------------------------------------===//

  /// Makes this device the calling thread's, so that a context works from any
  /// thread, beside contexts of other devices. Returns what leave() takes to
  /// give the thread back the device it had. Throws if the device is gone.
  virtual int enter() { return 0; }
  virtual void leave(int previous) noexcept {}

  //===-- Memory ---------------------------------------------------------===//

  /// At least `bytes` bytes aligned to 256; never null.
  virtual void *allocate(size_t bytes) = 0;
  virtual void release(void *memory) noexcept = 0;
  virtual void copyToDevice(void *device, const void *host, size_t bytes) = 0;
  virtual void copyToHost(void *host, const void *device, size_t bytes) = 0;
  /// Memory that the next op may use for what it needs only while it runs;
  /// null, and no bytes, when there is none.
  virtual void useAsTemporary(void *memory, size_t bytes) {}
  /// Where ops read a constant of the program: tert_locate_constant.
  virtual const void *locate(const tert_constant &constant) {
    return constant.data;
  }
  /// Waits for everything enqueued, and throws what went wrong in it.
  virtual void synchronize() = 0;

  /// Texts for a person about the ops that ran so far.
  virtual std::vector<std::string> notices() const { return {}; }

  /// All but the ceilings.
  virtual tert_device_info deviceInfo() = 0;
  virtual Ceilings ceilings() const { return {}; }

  //===-- Recording and timing -------------------------------------------===//

  /// Whether ops can be recorded; if not, repeating a program means calling it
  /// again, and the two functions below are never called.
  virtual bool canCapture() const { return false; }
  /// Between these two calls ops are recorded and not run.
  virtual void beginCapture() {}
  /// `keep` is false when recording failed: what was recorded is thrown away
  /// and null returned. With a timer, one of createTimer(), the kernels are
  /// timed too, by further marks.
  virtual std::unique_ptr<Graph> endCapture(bool keep, Timer *timer) {
    return nullptr;
  }
  virtual std::unique_ptr<Timer> createTimer() = 0;

  /// Null where there is nothing to tune.
  virtual Tuner *tuner() { return nullptr; }

  //===-- Other ranks ----------------------------------------------------===//

  /// Connects this rank with the others of a group of at least two, which all
  /// call it; never while recording. Throws TERT_PEER_ERROR where one does not
  /// answer, TERT_UNSUPPORTED where the library is missing or not for this
  /// device.
  virtual std::unique_ptr<Communicator> connect(const Group &group,
                                                const Rendezvous &rendezvous) {
    throw Error(TERT_UNSUPPORTED, "this device exchanges nothing with others");
  }

  //===-- Ops ------------------------------------------------------------===//

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  virtual void name(const tert_site &site, TERT_LIST parameters) = 0;
#include "program/BackendOps.def"
#undef TERT_BACKEND_OP

  /// tert_launch: `operands` are the addresses of the kernel's inputs and
  /// outputs, each a multiple of its alignment.
  virtual void launchKernel(const tert_site &site, const tert_kernel &kernel,
                            int32_t numOperands, void *const *operands) = 0;

  /// A rank's share of tert_reduce_norm: *sum, in the device's memory, becomes
  /// the sum of squares of `n` contiguous float tensors. On a CPU it has the
  /// same bits whatever zeros are behind the elements of a tensor.
  virtual void sumOfSquares(const tert_site &site, int32_t n,
                            const tert_tensor *tensors, double *sum) = 0;

  /// tert_embedding_part.
  virtual void embeddingPart(const tert_site &site, const tert_tensor &ids,
                             const TablePart &table, const tert_tensor &y) = 0;
  /// tert_add_embedding_grad_part of a part that is not empty.
  virtual void addEmbeddingGradPart(const tert_site &site,
                                    const tert_tensor &ids,
                                    const tert_tensor &dy,
                                    const TablePart &dtable) = 0;

  /// tert_update.
  virtual void update(const tert_site &site, const UpdateStep &step) = 0;
};

/// The calling thread is on a backend's device as long as this lives.
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

/// Opens the device named `device`. Throws TERT_UNSUPPORTED when this build
/// knows no such device.
std::unique_ptr<Backend> createBackend(std::string_view device,
                                       const tert_options &options);

} // namespace tert

#endif // TERT_PROGRAM_BACKEND_H
