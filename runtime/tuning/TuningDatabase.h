// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of plans found by search, so that a program need not search again, and
// always uses the same ones.

#ifndef TERT_TUNING_TUNINGDATABASE_H
#define TERT_TUNING_TUNINGDATABASE_H

#include "support/Error.h"
#include "tert/tuning.h"

#include <map>
#include <string>
#include <string_view>

namespace tert::session {

/// The plan of a problem; tert/tuning.h describes the texts.
struct TunedPlan {
  std::string plan;
  double firstSeconds = 0, bestSeconds = 0;
};

/// Plans by device (with its library's version) and problem.
class TuningDatabase {
public:
  using Plans = std::map<std::string, TunedPlan>;

  /// Fails, with the reason, for anything but a valid and complete database of
  /// this version.
  static Expected<TuningDatabase> parse(std::string_view json);
  static Expected<TuningDatabase> read(const std::string &path);

  /// Empty if there are none for the device.
  const Plans &plansFor(const std::string &device) const;
  /// "'NVIDIA H200, …', '…'"
  std::string deviceNames() const;
  /// Message why a database does not apply to a device without plans in it.
  std::string reasonWithoutPlansFor(const std::string &device) const;
  /// Every device in the database.
  const std::map<std::string, Plans> &plansByDevice() const { return devices; }
  /// Replaces an existing plan.
  void put(const std::string &device, const std::string &problem,
           TunedPlan plan);

  /// Deterministic: the same text for the same plans.
  std::string toJson() const;
  /// Atomic: the file is complete, or unchanged.
  Error write(const std::string &path) const;

private:
  std::map<std::string, Plans> devices;
};

/// "model.tuning.json" for "model.so".
std::string defaultTuningPath(const std::string &artifact);

/// Message about a database that cannot be used.
std::string ignoredTuning(const std::string &path, const std::string &why);

} // namespace tert::session

#endif // TERT_TUNING_TUNINGDATABASE_H
