// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safetensors files that te-run writes for others: results of a call, exported
// parameters. They say who wrote them, and replace only each other.

#ifndef TERT_SESSION_RESULTFILE_H
#define TERT_SESSION_RESULTFILE_H

#include "session/Error.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tert::session {

/// The metadata by which such a file is known, to be written into it.
std::map<std::string, std::string> resultMetadata();

/// Fails if what is written to `path` would replace a file of another program,
/// which is one that `isOwn` does not know by its path and that is not empty,
/// or one of the `inputs` of the same command. `option` names the file on the
/// command line ("--outputs").
Error checkPlace(const std::string &path,
                 const std::vector<std::string> &inputs,
                 const std::string &option,
                 const std::function<bool(const std::string &)> &isOwn);

/// The same for results, which replace only each other.
Error checkResultPlace(const std::string &path,
                       const std::vector<std::string> &inputs,
                       const std::string &option);

} // namespace tert::session

#endif // TERT_SESSION_RESULTFILE_H
