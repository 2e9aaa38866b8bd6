// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type behind the opaque tert_context, and the single path through which
// every op is called.
#ifndef TERT_PROGRAM_CONTEXT_H
#define TERT_PROGRAM_CONTEXT_H

#include "program/Backend.h"
#include "program/Error.h"
#include "program/Job.h"
#include "program/Tuner.h"
#include "program/Work.h"

#include <exception>
#include <initializer_list>
#include <map>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tert {

/// One call of an op: the backend's ops, at its site, and the amount of work,
/// which is determined only for a profile.
class OpCall {
public:
  OpCall(Backend &backend, const tert_site &site, bool profiled)
      : backend(backend), site(site), profiled(profiled) {}

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  void name(TERT_LIST parameters) { backend.name(site, TERT_LIST arguments); }
#include "program/BackendCalls.def"

  // These add to the work; see Work.h.
  void moves(std::initializer_list<const tert_tensor *> tensors) {
    if (profiled)
      work = work + tert::moves(tensors);
  }
  void moves(const TensorList &tensors) {
    for (const tert_tensor &tensor : tensors)
      moves({&tensor});
  }
  void writes(const tert_quantized *quantized) {
    if (profiled)
      work = work + tert::writes(quantized);
  }
  void multiplies(double flops, tert_dtype math,
                  std::initializer_list<const tert_tensor *> tensors) {
    if (profiled)
      work = tert::multiplies(flops, math, tensors) + work;
  }
  const Work &getWork() const { return work; }

  Backend &backend;
  const tert_site &site;

private:
  const bool profiled;
  Work work;
};

} // namespace tert

struct tert_context {
  explicit tert_context(std::unique_ptr<tert::Backend> backend)
      : backend(std::move(backend)) {}

  /// Destroys an object of the device, with the device current and without
  /// throwing.
  template <typename Fn> void destroy(const Fn &body) noexcept {
    try {
      tert::OnDevice device(*backend);
      body();
    } catch (...) {
      // The device is lost, and the object with it.
    }
  }

  /// Calls `body` with an OpCall, times it when profiling, and converts
  /// exceptions to a status and a message that names op and location.
  template <typename Fn>
  tert_status call(const tert_site &site, const Fn &body) noexcept {
    try {
      tert::OnDevice device(*backend);
      tert::Job::Call rank(job.get());
      backend->useAsTemporary(
          arena && site.spare_bytes > 0 ? arena + site.spare_offset : nullptr,
          size_t(site.spare_bytes));
      const bool profiled = site.index >= 0 && profile.timer;
      tert::OpCall op(*backend, site, profiled);
      size_t begin = profiled ? profile.timer->mark() : 0;
      body(op);
      if (profiled)
        profile.calls.push_back(
            {&site, op.getWork(), begin, profile.timer->mark()});
      if (site.index >= 0 && synchronous)
        backend->synchronize();
      rank.finish();
      return TERT_OK;
    } catch (...) {
      return setError(site, std::current_exception());
    }
  }

  /// Keeps a text for tert_read_notice.
  void addNotice(std::string text);

  /// Returns the status of `exception`; its message becomes the last error.
  tert_status setError(const tert_site &site,
                       const std::exception_ptr &exception) noexcept;

  /// The ranks along `axes`, whether or not they are connected.
  tert::Group groupAlong(int32_t axes) const {
    return job ? job->groupAlong(axes) : tert::groupWithoutJob();
  }

  std::unique_ptr<tert::Backend> backend;
  /// Null if the context has no job.
  std::unique_ptr<tert::Job> job;
  /// Arena of the running entry; null outside of entries.
  char *arena = nullptr;
  /// Notices for the user besides those of the backend; each text once.
  std::vector<std::string> notices;
  /// One context runs one call at a time, so these need no lock.
  std::string lastError;
  std::string notice;       // keeps the text of tert_read_notice alive
  tert::TuningRecord tuned; // keeps the texts of tert_tuning_search alive
  /// Every op of a site waits for the device, so that errors are reported for
  /// the op that caused them. Never set while recording.
  bool synchronous = false;

  /// Time spent at call sites. Sites without an index are excluded: records
  /// store addresses of sites, and theirs may be on the stack.
  struct Profile {
    struct Call {
      const tert_site *site;
      tert::Work work;
      size_t begin, end; ///< marks of the timer
    };
    /// Adds the calls to the records and spans, and stops.
    void finish(tert_context &context);
    /// Adds the kernels of the recordings, and stops.
    void finishKernels(tert_context &context);

    std::unique_ptr<tert::Timer> timer; ///< null when not profiling
    std::vector<Call> calls;
    std::vector<tert_profile_span> spans;
    /// Graphs recorded while profiling, alive until they have run.
    std::vector<std::unique_ptr<tert::Graph>> graphs;
    /// Keyed by index first: sites of several artifacts may have the same one.
    std::map<std::pair<int32_t, const tert_site *>, tert_profile_record>
        records;
    std::map<std::tuple<int32_t, const tert_site *, std::string>,
             tert_profile_kernel>
        kernels; // their names are in the keys
    std::vector<tert_profile_kernel_span> kernelSpans;
  };
  Profile profile;
};

namespace tert {

/// The site in messages if the caller gives none.
inline tert_site anonymousSite(const char *op) { return {op, "", -1, 0, 0}; }

/// Body of every extern "C" op. `body` gets an OpCall.
template <typename Fn>
tert_status callOp(tert_context *context, const tert_site *site, const char *op,
                   const Fn &body) noexcept {
  if (!context)
    return TERT_INVALID_ARGUMENT;
  // Its index excludes it from the profile, which stores addresses of sites.
  tert_site unknown = anonymousSite(op);
  return context->call(site ? *site : unknown, body);
}

/// Body of every other function of a context. `body` gets the backend.
template <typename Fn>
tert_status callFunction(tert_context *context, const char *function,
                         const Fn &body) noexcept {
  return callOp(context, nullptr, function,
                [&](OpCall &op) { body(op.backend); });
}

} // namespace tert

#endif // TERT_PROGRAM_CONTEXT_H
