/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A context is one open device: its memory, its threads or streams, the last
 * error and, if requested, the time spent at every call site.
 */
#ifndef TERT_CONTEXT_H
#define TERT_CONTEXT_H

#include "tert/types.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tert_context tert_context;

typedef struct tert_options {
  int32_t num_threads; /* CPU: number of threads; 0 means every available
                          core */
  /* Not 0: a backend may use faster algorithms whose order of summation varies
   * between runs (CUDA: the gradient of attention). */
  int32_t nondeterministic;
} tert_options;

/* Opens the backend named by `device` ("cpu", "cuda:0"). `options` may be null.
 * On failure *context is null and the reason is written to `message`
 * (NUL-terminated, truncated to `message_size`). */
tert_status tert_open(const char *device, const tert_options *options,
                      tert_context **context, char *message,
                      size_t message_size);
void tert_close(tert_context *context);

/* Message of the last call on this context that did not return TERT_OK: op,
 * source location, shapes, and what to do. Valid until the next call. */
const char *tert_last_error(const tert_context *context);

/* Device memory, aligned to 256 bytes. */
tert_status tert_allocate(tert_context *context, size_t bytes, void **memory);
void tert_release(tert_context *context, void *memory);
/* The same in the host's memory, which the host, and ops, read and write in
 * place; a GPU does so over its bus. For a CPU it is tert_allocate. */
tert_status tert_allocate_host(tert_context *context, size_t bytes,
                               void **memory);
void tert_release_host(tert_context *context, void *memory);
tert_status tert_copy_to_device(tert_context *context, void *device,
                                const void *host, size_t bytes);
tert_status tert_copy_to_host(tert_context *context, void *host,
                              const void *device, size_t bytes);
tert_status tert_synchronize(tert_context *context);

/* Sets the address of the arena for the following ops; tert_site.spare_offset
 * counts from it. Null: no arena. Every entry that has an arena calls it
 * first. */
tert_status tert_set_arena(tert_context *context, void *arena);

/* The address at which ops on this context's device read a constant: its own
 * address if they read host memory, otherwise that of a copy, which is made at
 * the first call, never while recording, and kept until tert_close.
 */
tert_status tert_locate_constant(tert_context *context,
                                 const tert_constant *constant,
                                 const void **address);

/* The address of this rank's shard of a tensor shared by all ranks along
 * `axes`: `distance` bytes after the shard of the previous rank; the first one
 * is at `whole`. `ranks` is the required number of ranks; a context without a
 * job has 1. */
tert_status tert_locate_part(tert_context *context, void *whole,
                             int64_t distance, int32_t ranks, int32_t axes,
                             void **part);

/* Notices about the ops that ran so far, such as one without a fast
 * implementation: *notice is text number `index`, null after the last. Valid
 * until the next call. */
tert_status tert_read_notice(tert_context *context, size_t index,
                             const char **notice);

/* Makes every op wait for the device, so that an error on the device is
 * returned by the call of the op that caused it; 0 ends this. Not while
 * recording. */
tert_status tert_set_synchronous(tert_context *context, int32_t synchronous);

/* The following ops of this context, and its copies, go to `stream`, a stream
 * of the caller's for this device (CUDA: a cudaStream_t; null is the legacy
 * default stream), behind the ops before. Without a call of this they go to a
 * stream of the context's own. Call it before every entry if the stream may be
 * one that is being captured: nothing is allocated then, so the entry must have
 * run once before. What is recorded with tert_graph_capture keeps its stream.
 * On a device without streams (CPU) there is nothing to do. TERT_UNSUPPORTED if
 * the context is a rank of a job. */
tert_status tert_set_stream(tert_context *context, void *stream);

/* Wall time per site. Between start and stop, every op call adds to its site's
 * record; `tert_profile_read` copies up to `capacity` records, ordered by site
 * index, and sets *count to their total number. */
typedef struct tert_profile_record {
  const tert_site *site;
  int64_t calls;
  double seconds;
  /* Lower bound of the device's time for them, from the bytes and matrix
   * operations that they cannot avoid; 0 if the device's peak rates are
   * unknown. */
  double floor_seconds;
  double bytes;
  double flops;
} tert_profile_record;
tert_status tert_profile_start(tert_context *context);
tert_status tert_profile_stop(tert_context *context);
tert_status tert_profile_read(tert_context *context,
                              tert_profile_record *records, size_t capacity,
                              size_t *count);

/* One call, in seconds since the first one. `tert_profile_read_spans` copies
 * up to `capacity` of them, in the order of the calls. */
typedef struct tert_profile_span {
  const tert_site *site;
  double begin, seconds;
  double floor_seconds, bytes, flops;
} tert_profile_span;
tert_status tert_profile_read_spans(tert_context *context,
                                    tert_profile_span *spans, size_t capacity,
                                    size_t *count);

/* Kernels that a call ran on the device, if the device reports them: those of
 * entries that are launched as graphs. The marks between two kernels of an op
 * cost about a microsecond each. `tert_profile_read_kernels` copies up to
 * `capacity` sums over calls, ordered by site index and name;
 * `tert_profile_read_kernel_spans` every run of a kernel, in the order of the
 * calls, with the time origin of tert_profile_read_spans. Names are without
 * namespaces and parameters, and are valid until profiling restarts or the
 * context is closed. */
typedef struct tert_profile_kernel {
  const tert_site *site;
  const char *name;
  int64_t calls;
  double seconds;
} tert_profile_kernel;
tert_status tert_profile_read_kernels(tert_context *context,
                                      tert_profile_kernel *kernels,
                                      size_t capacity, size_t *count);

typedef struct tert_profile_kernel_span {
  const tert_site *site;
  const char *name;
  double begin, seconds;
} tert_profile_kernel_span;
tert_status tert_profile_read_kernel_spans(tert_context *context,
                                           tert_profile_kernel_span *spans,
                                           size_t capacity, size_t *count);

/* Time stamps of the device: each mark is the time at which everything enqueued
 * before it is done. `tert_timer_read` waits for the device and copies up to
 * `capacity` seconds between consecutive marks; *count is their number. Release
 * before the context is closed; null is allowed. */
typedef struct tert_timer tert_timer;
tert_status tert_timer_create(tert_context *context, tert_timer **timer);
tert_status tert_timer_mark(tert_timer *timer);
tert_status tert_timer_read(tert_timer *timer, double *seconds, size_t capacity,
                            size_t *count);
void tert_timer_release(tert_timer *timer);

#ifdef __cplusplus
}
#endif
#endif /* TERT_CONTEXT_H */
