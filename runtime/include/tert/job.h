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
  /* What exchanges: "gloo" (host memory), "nccl" (GPUs); null: what suits the
   * context's device. Opened by name when it is asked for: libtert-NAME.so. */
  const char *library;
  /* Seconds after which a rank that waits for others gives up; 0: 60. */
  int32_t timeout_seconds;
  tert_store store; /* outlives the context */
} tert_job;

/* Makes the context a rank of the job; all ranks call it. Once, before any
 * program runs. */
tert_status tert_join(tert_context *context, const tert_job *job);

#ifdef __cplusplus
}
#endif
#endif /* TERT_JOB_H */
