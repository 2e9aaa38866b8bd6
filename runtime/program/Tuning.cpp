// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Check.h"
#include "program/Context.h"
#include "program/Tuner.h"

using namespace tert;

tert_status tert_tuning_device(tert_context *context, const char **device) {
  return callFunction(context, __func__, [&](Backend &backend) {
    checkGiven("device", device);
    Tuner *tuner = backend.tuner();
    *device = tuner ? tuner->device().c_str() : "";
  });
}

tert_status tert_tuning_load(tert_context *context,
                             const tert_tuning_record *records, size_t count) {
  return callFunction(context, __func__, [&](Backend &backend) {
    if (count && !records)
      invalidArgument("'records' is null");
    for (size_t i = 0; i < count; ++i)
      if (!records[i].problem || !records[i].plan)
        invalidArgument("a text of record " + std::to_string(i) + " is null");
    if (Tuner *tuner = backend.tuner())
      for (size_t i = 0; i < count; ++i)
        tuner->load(records[i].problem, records[i].plan);
  });
}

tert_status tert_tuning_read_usage(tert_context *context,
                                   tert_tuning_usage *usage) {
  return callFunction(context, __func__, [&](Backend &backend) {
    checkGiven("usage", usage);
    Tuner *tuner = backend.tuner();
    *usage = tuner ? tuner->usage() : tert_tuning_usage{};
  });
}

tert_status tert_tuning_search(tert_context *context, size_t index,
                               tert_tuning_record *record) {
  return callFunction(context, __func__, [&](Backend &backend) {
    checkGiven("record", record);
    Tuner *tuner = backend.tuner();
    size_t problems = tuner ? tuner->usage().problems : 0;
    if (index >= problems)
      invalidArgument("there is no problem " + std::to_string(index) +
                      "; the ops that ran on this context met " +
                      std::to_string(problems));
    context->tuned = tuner->search(index);
    const TuningRecord &found = context->tuned;
    *record = {found.problem.c_str(), found.plan.c_str(), found.firstSeconds,
               found.bestSeconds};
  });
}
