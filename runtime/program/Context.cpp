// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Context.h"

#include "program/Check.h"
#include "program/Library.h"
#include "tert/context.h"
#include "tert/device.h"

#include <algorithm>

using namespace tert;

//===-- tert_context ------------------------------------------------------===//

/// "tert.matmul at h.0.attn (model.py:12): ..."
static std::string prefixOf(const tert_site &site) {
  std::string text = site.op ? site.op : "unnamed op";
  if (site.location && *site.location)
    text += std::string(" at ") + site.location;
  return text + ": ";
}

namespace {
struct Explanation {
  tert_status status;
  std::string message;
  bool namesSite = false;
};
} // namespace

/// Status and message of an exception.
static Explanation explain(const std::exception_ptr &exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error &error) {
    return {error.getStatus(), error.what(), error.namesSite()};
  } catch (const std::bad_alloc &) {
    return {TERT_OUT_OF_MEMORY, "out of memory"};
  } catch (const std::exception &error) {
    return {TERT_DEVICE_ERROR, error.what()};
  } catch (...) {
    return {TERT_DEVICE_ERROR, "unknown error"};
  }
}

tert_status
tert_context::setError(const tert_site &site,
                       const std::exception_ptr &exception) noexcept {
  try {
    Explanation why = explain(exception);
    lastError = (why.namesSite ? "" : prefixOf(site)) + why.message;
    return why.status;
  } catch (...) {
    lastError.clear();
    return TERT_OUT_OF_MEMORY;
  }
}

void tert_context::addNotice(std::string text) {
  if (std::find(notices.begin(), notices.end(), text) == notices.end())
    notices.push_back(std::move(text));
}

void tert_context::Profile::finish(tert_context &context) {
  Backend &backend = *context.backend;
  backend.synchronize();
  const Ceilings ceilings = backend.ceilings();
  for (const Call &call : calls) {
    tert_profile_record &record =
        records
            .try_emplace({call.site->index, call.site},
                         tert_profile_record{call.site, 0, 0, 0, 0, 0})
            .first->second;
    double begin = timer->seconds(calls.front().begin, call.begin);
    double seconds = timer->seconds(call.begin, call.end);
    double floor = floorSeconds(call.work, ceilings);
    record.calls += 1;
    record.seconds += seconds;
    record.floor_seconds += floor;
    record.bytes += call.work.bytes;
    record.flops += call.work.flops;
    spans.push_back(
        {call.site, begin, seconds, floor, call.work.bytes, call.work.flops});
  }
  finishKernels(context);
  calls.clear();
  graphs.clear();
  timer.reset();
}

void tert_context::Profile::finishKernels(tert_context &context) {
  std::map<size_t, const tert_site *> sites; // by the mark at the begin of a
                                             // call
  for (const Call &call : calls)
    sites[call.begin] = call.site;
  for (const std::unique_ptr<Graph> &graph : graphs) {
    if (std::string why = graph->whyNoKernels(); !why.empty())
      context.addNotice("the profile has no times of single kernels: " + why);
    for (const RecordedKernel &kernel : graph->kernels()) {
      auto call = sites.find(kernel.op);
      if (call == sites.end()) // between two ops
        continue;
      const tert_site *site = call->second;
      auto entry = kernels.try_emplace({site->index, site, kernel.name}).first;
      tert_profile_kernel &sum = entry->second;
      sum.site = site;
      sum.name = std::get<std::string>(entry->first).c_str();
      double seconds = timer->seconds(kernel.begin, kernel.end);
      sum.calls += 1;
      sum.seconds += seconds;
      kernelSpans.push_back({site, sum.name,
                             timer->seconds(calls.front().begin, kernel.begin),
                             seconds});
    }
  }
}

//===-- Opening -----------------------------------------------------------===//

tert_status tert_open(const char *device, const tert_options *options,
                      tert_context **context, char *message,
                      size_t message_size) {
  if (!context)
    return TERT_INVALID_ARGUMENT;
  *context = nullptr;
  try {
    if (!device)
      invalidArgument("no device is named: pass \"cpu\"");
    tert_options defaults = {};
    const tert_options &chosen = options ? *options : defaults;
    if (chosen.num_threads < 0 || chosen.num_threads > 4096)
      invalidArgument("num_threads is " + std::to_string(chosen.num_threads) +
                      ", but must be in [0, 4096]; 0 means every core");
    *context = new tert_context(createBackend(device, chosen));
    return TERT_OK;
  } catch (...) {
    try {
      Explanation why = explain(std::current_exception());
      writeMessage("tert_open: " + why.message, message, message_size);
      return why.status;
    } catch (...) {
      if (message && message_size)
        *message = '\0';
      return TERT_OUT_OF_MEMORY;
    }
  }
}

void tert_close(tert_context *context) {
  if (!context)
    return;
  // The profile's timer and graphs and the job's communicators also belong to
  // the device, so the backend is destroyed last.
  context->destroy([&] {
    context->profile = {};
    context->job.reset();
  });
  delete context;
}

const char *tert_last_error(const tert_context *context) {
  return context ? context->lastError.c_str() : "no context";
}

//===-- Memory ------------------------------------------------------------===//

static tert_status allocate(tert_context *context, const char *function,
                            size_t bytes, void **memory,
                            void *(Backend::*by)(size_t)) {
  return callFunction(context, function, [&](Backend &backend) {
    checkGiven("memory", memory);
    *memory = nullptr;
    try {
      *memory = (backend.*by)(bytes);
    } catch (const std::bad_alloc &) {
      throw Error(TERT_OUT_OF_MEMORY,
                  "no memory for " + std::to_string(bytes) + " bytes");
    }
  });
}

tert_status tert_allocate(tert_context *context, size_t bytes, void **memory) {
  return allocate(context, __func__, bytes, memory, &Backend::allocate);
}

tert_status tert_allocate_host(tert_context *context, size_t bytes,
                               void **memory) {
  return allocate(context, __func__, bytes, memory, &Backend::allocateHost);
}

void tert_release(tert_context *context, void *memory) {
  if (context && memory)
    context->destroy([&] { context->backend->release(memory); });
}

void tert_release_host(tert_context *context, void *memory) {
  if (context && memory)
    context->destroy([&] { context->backend->releaseHost(memory); });
}

static void checkCopy(const void *device, const void *host, size_t bytes) {
  if (bytes != 0 && (!device || !host))
    invalidArgument("a null address for " + std::to_string(bytes) + " bytes");
}

tert_status tert_copy_to_device(tert_context *context, void *device,
                                const void *host, size_t bytes) {
  return callFunction(context, __func__, [&](Backend &backend) {
    checkCopy(device, host, bytes);
    if (bytes)
      backend.copyToDevice(device, host, bytes);
  });
}

tert_status tert_copy_to_host(tert_context *context, void *host,
                              const void *device, size_t bytes) {
  return callFunction(context, __func__, [&](Backend &backend) {
    checkCopy(device, host, bytes);
    if (bytes)
      backend.copyToHost(host, device, bytes);
  });
}

tert_status tert_synchronize(tert_context *context) {
  return callFunction(context, __func__,
                      [&](Backend &backend) { backend.synchronize(); });
}

//===-- Profile -----------------------------------------------------------===//

tert_status tert_profile_start(tert_context *context) {
  return callFunction(context, __func__, [&](Backend &backend) {
    backend.synchronize();
    context->profile = {};
    context->profile.timer = backend.createTimer();
  });
}

tert_status tert_profile_stop(tert_context *context) {
  return callFunction(context, __func__, [&](Backend &) {
    if (context->profile.timer)
      context->profile.finish(*context);
  });
}

/// Copies as many of `from` as fit, and sets their total number.
template <typename T, typename List, typename Get>
static void copyOut(const List &from, const Get &get, T *to, size_t capacity,
                    size_t *count) {
  if (!count || (capacity != 0 && !to))
    invalidArgument("the list or 'count' is null");
  *count = from.size();
  size_t written = 0;
  for (const auto &item : from) {
    if (written == capacity)
      break;
    to[written++] = get(item);
  }
}

/// Adds the measurements so far; measuring continues.
static void finishSoFar(tert_context &context, Backend &backend) {
  tert_context::Profile &profile = context.profile;
  if (!profile.timer)
    return;
  profile.finish(context);
  profile.timer = backend.createTimer();
}

/// Reads a list of the profile; `get` converts an item to its record.
template <typename T, typename List, typename Get>
static tert_status readProfile(tert_context *context, const char *function,
                               List tert_context::Profile::*list,
                               const Get &get, T *to, size_t capacity,
                               size_t *count) {
  return callFunction(context, function, [&](Backend &backend) {
    finishSoFar(*context, backend);
    copyOut(context->profile.*list, get, to, capacity, count);
  });
}

static constexpr auto itself = [](const auto &item) { return item; };
static constexpr auto value = [](const auto &item) { return item.second; };

tert_status tert_profile_read(tert_context *context,
                              tert_profile_record *records, size_t capacity,
                              size_t *count) {
  return readProfile(context, "tert_profile_read",
                     &tert_context::Profile::records, value, records, capacity,
                     count);
}

tert_status tert_profile_read_spans(tert_context *context,
                                    tert_profile_span *spans, size_t capacity,
                                    size_t *count) {
  return readProfile(context, "tert_profile_read_spans",
                     &tert_context::Profile::spans, itself, spans, capacity,
                     count);
}

tert_status tert_profile_read_kernels(tert_context *context,
                                      tert_profile_kernel *kernels,
                                      size_t capacity, size_t *count) {
  return readProfile(context, "tert_profile_read_kernels",
                     &tert_context::Profile::kernels, value, kernels, capacity,
                     count);
}

tert_status tert_profile_read_kernel_spans(tert_context *context,
                                           tert_profile_kernel_span *spans,
                                           size_t capacity, size_t *count) {
  return readProfile(context, "tert_profile_read_kernel_spans",
                     &tert_context::Profile::kernelSpans, itself, spans,
                     capacity, count);
}

//===-- Device ------------------------------------------------------------===//

tert_status tert_set_arena(tert_context *context, void *arena) {
  return callFunction(context, __func__, [&](Backend &) {
    context->arena = static_cast<char *>(arena);
  });
}

tert_status tert_locate_constant(tert_context *context,
                                 const tert_constant *constant,
                                 const void **address) {
  return callFunction(context, __func__, [&](Backend &backend) {
    if (!constant || !constant->data || !address)
      invalidArgument("'constant' or 'address' is null");
    *address = backend.locate(*constant);
  });
}

tert_status tert_locate_part(tert_context *context, void *whole,
                             int64_t distance, int32_t ranks, int32_t axes,
                             void **part) {
  return callFunction(context, __func__, [&](Backend &) {
    if (!whole || !part)
      invalidArgument("'whole' or 'part' is null");
    const Group group = context->groupAlong(axes);
    int64_t offset = 0;
    if (distance < 0 ||
        __builtin_mul_overflow(distance, int64_t(group.rank), &offset))
      invalidArgument("'distance' is " + std::to_string(distance));
    if (group.size() != ranks)
      invalidArgument("there are shards of " + std::to_string(ranks) +
                      " ranks, for the " + std::to_string(group.size()) +
                      " ranks along " + group.axes);
    *part = static_cast<char *>(whole) + offset;
  });
}

tert_status tert_read_notice(tert_context *context, size_t index,
                             const char **notice) {
  return callFunction(context, __func__, [&](Backend &backend) {
    checkGiven("notice", notice);
    std::vector<std::string> notices = backend.notices();
    notices.insert(notices.end(), context->notices.begin(),
                   context->notices.end());
    *notice = nullptr;
    if (index >= notices.size())
      return;
    context->notice = std::move(notices[index]);
    *notice = context->notice.c_str();
  });
}

tert_status tert_set_synchronous(tert_context *context, int32_t synchronous) {
  return callFunction(context, __func__, [&](Backend &) {
    context->synchronous = synchronous != 0;
  });
}

tert_status tert_set_stream(tert_context *context, void *stream) {
  return callFunction(context, __func__, [&](Backend &backend) {
    if (context->job)
      throw Error(TERT_UNSUPPORTED,
                  "the collectives of a job stay on the stream that the ranks "
                  "connected on; leave the context its own stream");
    backend.useStream(stream);
  });
}

tert_status tert_device_read_info(tert_context *context,
                                  tert_device_info *info) {
  return callFunction(context, __func__, [&](Backend &backend) {
    checkGiven("info", info);
    *info = backend.deviceInfo();
    Ceilings ceilings = backend.ceilings();
    info->fp8_flops = ceilings.fp8Flops;
    info->bf16_flops = ceilings.bf16Flops;
    info->f32_flops = ceilings.f32Flops;
    info->bytes_per_second = ceilings.bytes;
  });
}

//===-- Timer -------------------------------------------------------------===//

struct tert_timer {
  tert_context *context;
  std::unique_ptr<Timer> marks;
  size_t count = 0;
};

tert_status tert_timer_create(tert_context *context, tert_timer **timer) {
  return callFunction(context, __func__, [&](Backend &backend) {
    checkGiven("timer", timer);
    *timer = nullptr;
    *timer = new tert_timer{context, backend.createTimer()};
  });
}

tert_status tert_timer_mark(tert_timer *timer) {
  if (!timer)
    return TERT_INVALID_ARGUMENT;
  return callFunction(timer->context, __func__, [&](Backend &) {
    timer->count = timer->marks->mark() + 1;
  });
}

tert_status tert_timer_read(tert_timer *timer, double *seconds, size_t capacity,
                            size_t *count) {
  if (!timer)
    return TERT_INVALID_ARGUMENT;
  return callFunction(timer->context, __func__, [&](Backend &backend) {
    if (!count || (capacity != 0 && !seconds))
      invalidArgument("'seconds' or 'count' is null");
    backend.synchronize();
    *count = timer->count ? timer->count - 1 : 0;
    for (size_t i = 0; i < std::min(capacity, *count); ++i)
      seconds[i] = timer->marks->seconds(i, i + 1);
  });
}

void tert_timer_release(tert_timer *timer) {
  if (timer)
    timer->context->destroy([&] { timer->marks.reset(); });
  delete timer;
}
