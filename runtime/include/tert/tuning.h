/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans found by search. A device may know many algorithms for one problem (a
 * matrix product of certain shapes and types) and guess which is fastest. Here
 * it times them, and what it found can be kept and given to later contexts.
 */
#ifndef TERT_TUNING_H
#define TERT_TUNING_H

#include "tert/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One problem and the plan for it. Both texts are the device's own: the first
 * says what is computed and is equal for equal problems; the second is valid
 * only on the device and library that tert_tuning_device names. */
typedef struct tert_tuning_record {
  const char *problem;
  const char *plan;
  double first_seconds; /* median time of what the library proposes first */
  double best_seconds;  /* median time of the plan */
} tert_tuning_record;

/* Of the problems that ops on this context have met so far. */
typedef struct tert_tuning_usage {
  size_t problems;
  size_t tuned;   /* have the plan that was loaded or searched */
  size_t refused; /* had a plan loaded that the library does not take */
} tert_tuning_usage;

/* What plans depend on besides the problem: GPU, multiprocessors, library
 * version. Empty where nothing can be tuned, as on the CPU. Valid until the
 * context is closed. */
tert_status tert_tuning_device(tert_context *context, const char **device);

/* Gives the context plans for problems that its ops have not met yet. Only
 * `problem` and `plan` are read. */
tert_status tert_tuning_load(tert_context *context,
                             const tert_tuning_record *records, size_t count);

tert_status tert_tuning_read_usage(tert_context *context,
                                   tert_tuning_usage *usage);

/* Searches the plan of problem number `index` (below usage.problems), with
 * operands of its own, and makes it the one in use. Graphs captured before keep
 * the old one. The texts are valid until the next call on this context. */
tert_status tert_tuning_search(tert_context *context, size_t index,
                               tert_tuning_record *record);

#ifdef __cplusplus
}
#endif
#endif /* TERT_TUNING_H */
