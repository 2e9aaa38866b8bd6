// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/StepProfile.h"

#include "support/Json.h"

#include <algorithm>
#include <tuple>

using namespace tert;
using namespace tert::session;
using namespace tert::training;

Expected<StepProfile>
training::profileStep(const Session &session,
                      const std::function<Error()> &step) {
  tert_context *context = session.context();
  if (tert_status status = tert_profile_start(context))
    return session.failure(status, "cannot start profiling");
  Error failed = step();
  const tert_status stopped = tert_profile_stop(context);
  if (failed)
    return failed;
  size_t count = 0;
  tert_status status =
      stopped ? stopped : tert_profile_read(context, nullptr, 0, &count);
  std::vector<tert_profile_record> records(count);
  if (!status)
    status = tert_profile_read(context, records.data(), count, &count);
  if (status)
    return session.failure(status, "cannot read the profile");
  StepProfile profile;
  for (const tert_profile_record &record : records) {
    const tert_site *site = record.site;
    profile.ops.push_back({site && site->op ? site->op : "?",
                           site && site->location ? site->location : "",
                           record.seconds, record.flops});
    profile.seconds += record.seconds;
    profile.flops += record.flops;
  }
  std::sort(profile.ops.begin(), profile.ops.end(),
            [](const StepProfile::Op &a, const StepProfile::Op &b) {
              return std::tie(b.seconds, a.op, a.location) <
                     std::tie(a.seconds, b.op, b.location);
            });
  return profile;
}

double training::peakFlops(const Session &session) {
  tert_device_info info = {};
  if (tert_device_read_info(session.context(), &info))
    return 0;
  auto compiled = parseJson(session.description().options);
  const std::string precision = compiled.is_object() &&
                                        compiled.contains("precision") &&
                                        compiled["precision"].is_string()
                                    ? compiled["precision"].get<std::string>()
                                    : "f32";
  return precision == "fp8" && info.fp8_flops > 0 ? info.fp8_flops
         : precision == "f32"                     ? info.f32_flops
                                                  : info.bf16_flops;
}

uint64_t training::peakMemory(const Session &session) {
  tert_device_info info = {};
  return tert_device_read_info(session.context(), &info)
             ? 0
             : info.peak_bytes + info.temporary_bytes;
}
