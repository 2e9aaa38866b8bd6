// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of parameters with factors of the learning rate and the weight decay.

#ifndef TERT_TRAINING_GROUPS_H
#define TERT_TRAINING_GROUPS_H

#include "session/Session.h"

#include <string>
#include <vector>

namespace tert::training {

/// A group of te-compile --group, and what its parameters get.
struct ParameterGroup {
  std::string name;
  double rate = 1.0;  ///< Factor of the learning rate.
  double decay = 1.0; ///< Factor of the weight decay.
  /// The parameters keep their values in the first so many steps: the factor of
  /// the learning rate is 0.
  uint64_t frozenSteps = 0;
};

/// Parses "head:lr=0.1,decay=0,freeze=1000". Fails for anything else.
session::Expected<ParameterGroup> parseGroup(const std::string &text);

/// Sets the factors of the step with this index, from 0. Fails for a group that
/// the entry of `program` does not have.
session::Error setGroups(session::EntryCall &call,
                         const std::vector<ParameterGroup> &groups,
                         uint64_t step, const std::string &program);

} // namespace tert::training

#endif // TERT_TRAINING_GROUPS_H
