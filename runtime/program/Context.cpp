// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Context.h"

#include "program/Check.h"
#include "tert/context.h"

#include <algorithm>
#include <cstring>

using namespace tert;

//===-- tert_context
//--------------------------------------------------------===//

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

/// The status and the text of an exception.
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

void tert_context::Profile::finish(Backend &backend) {
  backend.synchronize();
  for (const Call &call : calls) {
    tert_profile_record &record =
        records
            .try_emplace({call.site->index, call.site},
                         tert_profile_record{call.site, 0, 0})
            .first->second;
    record.calls += 1;
    record.seconds += timer->seconds(call.begin, call.end);
  }
  calls.clear();
  timer.reset();
}

//===-- Opening
//------------------------------------------------------------===//

static void writeMessage(const std::string &text, char *message,
                         size_t message_size) {
  if (!message || message_size == 0)
    return;
  size_t length = std::min(text.size(), message_size - 1);
  std::memcpy(message, text.data(), length);
  message[length] = '\0';
}

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

void tert_close(tert_context *context) { delete context; }

const char *tert_last_error(const tert_context *context) {
  return context ? context->lastError.c_str() : "no context";
}

//===-- Memory
//-------------------------------------------------------------===//

tert_status tert_allocate(tert_context *context, size_t bytes, void **memory) {
  return callOp(context, nullptr, "tert_allocate",
                [&](Backend &backend, const tert_site &) {
                  if (!memory)
                    invalidArgument("'memory' is null");
                  *memory = nullptr;
                  try {
                    *memory = backend.allocate(bytes);
                  } catch (const std::bad_alloc &) {
                    throw Error(TERT_OUT_OF_MEMORY, "no memory for " +
                                                        std::to_string(bytes) +
                                                        " bytes");
                  }
                });
}

void tert_release(tert_context *context, void *memory) {
  if (context && memory)
    context->backend->release(memory);
}

static void checkCopy(const void *device, const void *host, size_t bytes) {
  if (bytes != 0 && (!device || !host))
    invalidArgument("a null address for " + std::to_string(bytes) + " bytes");
}

tert_status tert_copy_to_device(tert_context *context, void *device,
                                const void *host, size_t bytes) {
  return callOp(context, nullptr, "tert_copy_to_device",
                [&](Backend &backend, const tert_site &) {
                  checkCopy(device, host, bytes);
                  if (bytes)
                    backend.copyToDevice(device, host, bytes);
                });
}

tert_status tert_copy_to_host(tert_context *context, void *host,
                              const void *device, size_t bytes) {
  return callOp(context, nullptr, "tert_copy_to_host",
                [&](Backend &backend, const tert_site &) {
                  checkCopy(device, host, bytes);
                  if (bytes)
                    backend.copyToHost(host, device, bytes);
                });
}

tert_status tert_synchronize(tert_context *context) {
  return callOp(
      context, nullptr, "tert_synchronize",
      [&](Backend &backend, const tert_site &) { backend.synchronize(); });
}

//===-- Profile
//------------------------------------------------------------===//

tert_status tert_profile_start(tert_context *context) {
  return callOp(context, nullptr, "tert_profile_start",
                [&](Backend &backend, const tert_site &) {
                  backend.synchronize();
                  context->profile = {};
                  context->profile.timer = backend.createTimer();
                });
}

tert_status tert_profile_stop(tert_context *context) {
  return callOp(context, nullptr, "tert_profile_stop",
                [&](Backend &backend, const tert_site &) {
                  if (context->profile.timer)
                    context->profile.finish(backend);
                });
}

tert_status tert_profile_read(tert_context *context,
                              tert_profile_record *records, size_t capacity,
                              size_t *count) {
  return callOp(context, nullptr, "tert_profile_read",
                [&](Backend &backend, const tert_site &) {
                  if (!count || (capacity != 0 && !records))
                    invalidArgument("'records' or 'count' is null");
                  tert_context::Profile &profile = context->profile;
                  if (profile.timer) {
                    profile.finish(backend);
                    profile.timer = backend.createTimer();
                  }
                  *count = profile.records.size();
                  size_t written = 0;
                  for (const auto &[key, record] : profile.records) {
                    if (written == capacity)
                      break;
                    records[written++] = record;
                  }
                });
}
