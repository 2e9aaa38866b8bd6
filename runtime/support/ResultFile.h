// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safetensors files that te-run writes for other programs: results of a call,
// exported parameters. Their metadata names te-run, and they replace only such
// files.

#ifndef TERT_SUPPORT_RESULTFILE_H
#define TERT_SUPPORT_RESULTFILE_H

#include "support/Error.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tert::session {

/// The metadata that identifies such a file.
std::map<std::string, std::string> resultMetadata();

/// Fails if writing `path` would replace one of the `inputs` of the same
/// command, or a non-empty file that `isOwn` does not recognize, by its path,
/// as one of ours. `option` is the file's option on the command line
/// ("--outputs").
Error checkOverwrite(const std::string &path,
                     const std::vector<std::string> &inputs,
                     const std::string &option,
                     const std::function<bool(const std::string &)> &isOwn);

/// checkOverwrite() for results, which replace only results.
Error checkResultOverwrite(const std::string &path,
                           const std::vector<std::string> &inputs,
                           const std::string &option);

} // namespace tert::session

#endif // TERT_SUPPORT_RESULTFILE_H
