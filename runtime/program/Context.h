// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind the opaque tert_context, and the one way through which
// every op is called.
#ifndef TERT_PROGRAM_CONTEXT_H
#define TERT_PROGRAM_CONTEXT_H

#include "program/Backend.h"
#include "program/Error.h"
#include "program/Job.h"
#include "program/Tuner.h"
#include "program/Work.h"

#include <exception>
#include <map>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

struct tert_context {
  explicit tert_context(std::unique_ptr<tert::Backend> backend)
      : backend(std::move(backend)) {}

  /// Destroys something of the device's, on the device and without throwing.
  template <typename Fn> void destroy(const Fn &body) noexcept {
    try {
      tert::OnDevice device(*backend);
      body();
    } catch (...) {
      // The device is gone, and with it what was to be destroyed.
    }
  }

  /// Calls `body`, times it when profiling, and turns whatever it throws into
  /// a status and a message that names op and location. `work` says what the
  /// call had to do; it is asked only for a profile.
  template <typename Fn, typename WorkFn>
  tert_status call(const tert_site &site, const Fn &body,
                   const WorkFn &work) noexcept {
    try {
      tert::OnDevice device(*backend);
      tert::Job::Call rank(job.get());
      backend->useAsTemporary(
          arena && site.spare_bytes > 0 ? arena + site.spare_offset : nullptr,
          size_t(site.spare_bytes));
      if (site.index < 0) {
        body();
        rank.finish();
        return TERT_OK;
      }
      size_t begin = profile.timer ? profile.timer->mark() : 0;
      body();
      if (profile.timer)
        profile.calls.push_back({&site, work(), begin, profile.timer->mark()});
      if (synchronous)
        backend->synchronize();
      rank.finish();
      return TERT_OK;
    } catch (...) {
      return setError(site, std::current_exception());
    }
  }

  /// Keeps a text for tert_read_notice.
  void addNotice(std::string text);

  /// Status of `exception`; its message becomes the last error.
  tert_status setError(const tert_site &site,
                       const std::exception_ptr &exception) noexcept;

  std::unique_ptr<tert::Backend> backend;
  /// Null where the context is no rank of a job.
  std::unique_ptr<tert::Job> job;
  /// Of the entry that runs; null outside of entries.
  char *arena = nullptr;
  /// What a person should know and the backend does not say; each text once.
  std::vector<std::string> notices;
  /// One context runs one call at a time, so these need no lock.
  std::string lastError;
  std::string notice;       // keeps the text of tert_read_notice
  tert::TuningRecord tuned; // keeps the texts of tert_tuning_search
  /// Every op of a site waits for the device, which then reports what went
  /// wrong in that op and in no other. Never set while recording.
  bool synchronous = false;

  /// Time spent at call sites. Sites without an index stay out of it: it stores
  /// addresses, and theirs may be of the stack.
  struct Profile {
    struct Call {
      const tert_site *site;
      tert::Work work;
      size_t begin, end; ///< marks of the timer
    };
    /// Adds the calls to the records and spans, and stops.
    void finish(tert_context &context);
    /// The same for the kernels of the recordings.
    void finishKernels(tert_context &context);

    std::unique_ptr<tert::Timer> timer; ///< null when not profiling
    std::vector<Call> calls;
    std::vector<tert_profile_span> spans;
    /// What was recorded while profiling, alive until it has run.
    std::vector<std::unique_ptr<tert::Graph>> graphs;
    /// By index first: sites of several artifacts may share one.
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

/// The site that messages name when the caller gives none.
inline tert_site anonymousSite(const char *op) { return {op, "", -1, 0, 0}; }

/// Of calls that move nothing worth counting.
struct NoWork {
  Work operator()() const { return {}; }
};

/// Body of every extern "C" op: `body` gets the backend and the site; `work`
/// returns what it did.
template <typename Fn, typename WorkFn = NoWork>
tert_status callOp(tert_context *context, const tert_site *site, const char *op,
                   const Fn &body, const WorkFn &work = {}) noexcept {
  if (!context)
    return TERT_INVALID_ARGUMENT;
  // Its index keeps it out of the profile, which stores addresses of sites.
  tert_site unknown = anonymousSite(op);
  const tert_site &named = site ? *site : unknown;
  return context->call(named, [&] { body(*context->backend, named); }, work);
}

} // namespace tert

#endif // TERT_PROGRAM_CONTEXT_H
