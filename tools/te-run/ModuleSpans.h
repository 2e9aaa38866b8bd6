// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a call was in which module of the model.

#ifndef TE_RUN_MODULESPANS_H
#define TE_RUN_MODULESPANS_H

#include "OpProfile.h"

namespace tert::run {

/// Consecutive ops of one module, in seconds since the first op.
struct ModuleSpan {
  std::string name;   ///< "c_fc", "h.0": an index belongs to its list
  std::string module; ///< "transformer.h.0.mlp.c_fc"
  double begin, seconds;
};

/// The module of a location, "h.0.mlp" of "h.0.mlp (model.py:12)"; empty for an
/// op of none.
std::string moduleOf(const std::string &location);

/// Spans of all modules that the ops are in. A span contains those of the
/// modules inside, which follow it.
std::vector<ModuleSpan> spansOfModules(const std::vector<OpSpan> &ops);

} // namespace tert::run

#endif // TE_RUN_MODULESPANS_H
