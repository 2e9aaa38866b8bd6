// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of an entry from a safetensors file.

#ifndef TERT_TRAINING_INPUTS_H
#define TERT_TRAINING_INPUTS_H

#include "session/Session.h"
#include "support/Safetensors.h"

#include <map>
#include <string>

namespace tert::training {

/// Names of the file's tensors by name of the argument, if they differ.
using NameMap = std::map<std::string, std::string>;

/// The tensor for an argument: the one given by `names`, or else named like the
/// argument, with or without "input." before it; null if the file has none.
const session::TensorView *findInput(const session::SafetensorsFile &file,
                                     const std::string &argument,
                                     const NameMap &names);

/// Sets every input of the entry, and the scalars that the file contains. All
/// missing tensors and wrong shapes or dtypes are reported at once, with those
/// of the entry and of the file.
session::Error setInputs(session::EntryCall &call,
                         const session::SafetensorsFile &file,
                         const NameMap &names);

} // namespace tert::training

#endif // TERT_TRAINING_INPUTS_H
