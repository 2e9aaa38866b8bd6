// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/UseTuning.h"

#include "session/Session.h"
#include "tuning/TuningDatabase.h"

#include <vector>

using namespace tert::session;

Error tert::session::useTuning(Session &session, const std::string &path,
                               std::string *warning) {
  tert_context *context = session.context();
  const char *device = "";
  if (tert_status status = tert_tuning_device(context, &device))
    return session.failure(status, "cannot ask the device about tuning");
  if (!*device)
    return Error::success(); // nothing to tune on this device
  auto ignored = [&](const std::string &why) {
    *warning = ignoredTuning(path, why);
    return Error::success();
  };
  Expected<TuningDatabase> database = TuningDatabase::read(path);
  if (!database)
    return ignored(database.takeError().message());
  const TuningDatabase::Plans &plans = database->plansFor(device);
  if (plans.empty())
    return ignored(database->reasonWithoutPlansFor(device));
  std::vector<tert_tuning_record> records;
  for (const auto &[problem, plan] : plans)
    records.push_back({problem.c_str(), plan.plan.c_str(), 0, 0});
  tert_status status =
      tert_tuning_load(context, records.data(), records.size());
  return status == TERT_OK
             ? Error::success()
             : session.failure(status, "cannot use '" + path + "'");
}
