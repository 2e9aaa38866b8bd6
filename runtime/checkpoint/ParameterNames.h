// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of a program with all their names in the exported model, as
// text for a checkpoint.

#ifndef TERT_CHECKPOINT_PARAMETERNAMES_H
#define TERT_CHECKPOINT_PARAMETERNAMES_H

#include "artifact/Description.h"

#include <optional>
#include <string>
#include <vector>

namespace tert::session {

/// A JSON object: {"lm_head.weight": ["transformer.wte.weight"], "h.0.bias":
/// []}.
std::string parameterNames(const Description &description);

/// The buffers of the exported model, as text for a checkpoint: a JSON array;
/// empty if there are none.
std::string bufferNames(const Description &description);

/// The frozen parameters, in the order of the states.
std::vector<std::string> frozenParameters(const Description &description);

/// frozenParameters() as text for a checkpoint, a JSON array; empty if all are
/// trained.
std::string frozenNames(const Description &description);

/// Parses such a text; empty for an invalid one.
std::vector<std::string> parseNames(const std::string &text);

/// The name of a parameter, followed by its other names.
using Names = std::vector<std::string>;

/// Parses such a text; nothing if it is invalid.
std::optional<std::vector<Names>> parseParameterNames(const std::string &text);

} // namespace tert::session

#endif // TERT_CHECKPOINT_PARAMETERNAMES_H
