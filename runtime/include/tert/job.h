/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A job: processes (ranks) that run the same program in parallel, each on its
 * own device, with the collectives of tert/ops.h.
 */
#ifndef TERT_JOB_H
#define TERT_JOB_H

#include "tert/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Small values by key, visible to all ranks, used until they have
 * communicators. Both functions block, may be called from several threads, and
 * return TERT_OK, or write the reason of failure to `message` (NUL-terminated,
 * truncated to `message_size`). */
typedef struct tert_store {
  void *data;
  tert_status (*set)(void *data, const char *key, const void *value,
                     size_t bytes, char *message, size_t message_size);
  /* Waits for the key. Copies at most `capacity` of its *bytes. */
  tert_status (*get)(void *data, const char *key, void *value, size_t capacity,
                     size_t *bytes, char *message, size_t message_size);
} tert_store;

typedef struct tert_job {
  /* The mesh: number of ranks along each axis, the last one fastest. `rank` is
   * the index of this process, in row-major order. */
  int32_t rank;
  int32_t num_axes;
  const int32_t *sizes;
  /* Library for collectives: "tcp" (host memory), "nccl" (GPUs); null: the one
   * for the context's device. Loaded by name on request: libtert-NAME.so. */
  const char *library;
  /* Seconds that a rank waits for others before it gives up; 0: 60. */
  int32_t timeout_seconds;
  tert_store store; /* outlives the context */
  /* A secret of the ranks, the same on all of them; copied. "tcp" accepts no
   * connection without it. Null and 0: the ranks generate one and share it
   * through the store, whose values others must not be able to read then. */
  const void *secret;
  size_t secret_bytes;
} tert_job;

/* Makes the context a rank of the job; all ranks call it. Call once, before any
 * program runs. Waits for the others, and fails with TERT_PEER_ERROR if one
 * does not join or has a different mesh. */
tert_status tert_join(tert_context *context, const tert_job *job);

/* Call both from another thread than the one that uses the context, such as a
 * watchdog, between tert_join and tert_close. */

/* TERT_OK if the context has no job or no error of it is known. Otherwise
 * TERT_PEER_ERROR, with the reason in `message` (NUL-terminated, truncated to
 * `message_size`): a communicator has failed, or this rank has waited for
 * others for the job's timeout. */
tert_status tert_check_job(tert_context *context, char *message,
                           size_t message_size);

/* Ends the collectives in flight on this rank, also those of a graph. They, and
 * all later calls, fail with TERT_PEER_ERROR and this reason. Their results are
 * undefined. The first reason is kept. */
tert_status tert_abort_job(tert_context *context, const char *reason);

#ifdef __cplusplus
}
#endif
#endif /* TERT_JOB_H */
