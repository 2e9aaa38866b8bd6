/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A job: processes, the ranks, that run the same program side by side, each on
 * a device of its own, and exchange tensors by the collectives of tert/ops.h.
 */
#ifndef TERT_JOB_H
#define TERT_JOB_H

#include "tert/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Small values by name that all ranks see, until they have communicators. Both
 * functions block, may be called by several threads, and return TERT_OK, or
 * write to `message` (NUL-terminated, cut to `message_size`) why not. */
typedef struct tert_store {
  void *data;
  tert_status (*set)(void *data, const char *key, const void *value,
                     size_t bytes, char *message, size_t message_size);
  /* Waits for the key. Of its *bytes, at most `capacity` are copied. */
  tert_status (*get)(void *data, const char *key, void *value, size_t capacity,
                     size_t *bytes, char *message, size_t message_size);
} tert_store;

typedef struct tert_job {
  /* The mesh: ranks along each of its axes, the last one fastest. `rank` is the
   * place of this process, in row-major order. */
  int32_t rank;
  int32_t num_axes;
  const int32_t *sizes;
  /* What exchanges: "tcp" (host memory), "nccl" (GPUs); null: what suits the
   * context's device. Opened by name when it is asked for: libtert-NAME.so. */
  const char *library;
  /* Seconds after which a rank that waits for others gives up; 0: 60. */
  int32_t timeout_seconds;
  tert_store store; /* outlives the context */
  /* What the ranks alone know, the same in all of them, copied: nobody without
   * it gets a connection of "tcp". Null and 0: they draw one and tell it through
   * the store, whose values nobody else must then read. */
  const void *secret;
  size_t secret_bytes;
} tert_job;

/* Makes the context a rank of the job; all ranks call it. Once, before any
 * program runs. Waits for the others, and fails with TERT_PEER_ERROR where one
 * does not come or has another mesh. */
tert_status tert_join(tert_context *context, const tert_job *job);

/* Both are for another thread than the one that uses the context, such as a
 * watchdog; between tert_join and tert_close. */

/* TERT_OK while nothing is known to be wrong with the job, or the context has
 * none. Otherwise TERT_PEER_ERROR, and why in `message` (NUL-terminated, cut to
 * `message_size`): a communicator has failed, or this rank has waited for
 * others for the job's timeout. */
tert_status tert_check_job(tert_context *context, char *message,
                           size_t message_size);

/* Ends the exchanges that are under way on this rank, also those of a graph:
 * they, and whatever is called after them, fail with TERT_PEER_ERROR and this
 * reason. What they were to write is undefined. The first reason stays. */
tert_status tert_abort_job(tert_context *context, const char *reason);

#ifdef __cplusplus
}
#endif
#endif /* TERT_JOB_H */
