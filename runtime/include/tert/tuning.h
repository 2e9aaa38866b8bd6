/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans found by search. A device may offer many algorithms for one problem (a
 * matrix product of certain shapes and types) and guess which is fastest. The
 * search times them, and its results can be stored and loaded into later
 * contexts.
 */
#ifndef TERT_TUNING_H
#define TERT_TUNING_H

#include "tert/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One problem and its plan. Both texts are specific to the device: the first
 * describes the computation and is equal for equal problems; the second is
 * valid only for the device and library that tert_tuning_device names. */
typedef struct tert_tuning_record {
  const char *problem;
  const char *plan;
  double first_seconds; /* median time of the library's first proposal */
  double best_seconds;  /* median time of the plan */
} tert_tuning_record;

/* Counts the problems of the ops that have run on this context. */
typedef struct tert_tuning_usage {
  size_t problems;
  size_t tuned;   /* use a plan that was loaded or searched */
  size_t refused; /* a plan was loaded that the library refuses */
} tert_tuning_usage;

/* Everything that plans depend on besides the problem: GPU, multiprocessors,
 * library version. Empty if nothing can be tuned, as on the CPU. Valid until
 * the context is closed. */
tert_status tert_tuning_device(tert_context *context, const char **device);

/* Loads plans for problems that this context's ops have not used yet. Only
 * `problem` and `plan` are read. */
tert_status tert_tuning_load(tert_context *context,
                             const tert_tuning_record *records, size_t count);

tert_status tert_tuning_read_usage(tert_context *context,
                                   tert_tuning_usage *usage);

/* Searches the plan of problem number `index` (below usage.problems), with its
 * own operands, and uses it from then on. Graphs captured before keep the old
 * one. The texts are valid until the next call on this context. */
tert_status tert_tuning_search(tert_context *context, size_t index,
                               tert_tuning_record *record);

#ifdef __cplusplus
}
#endif
#endif /* TERT_TUNING_H */
