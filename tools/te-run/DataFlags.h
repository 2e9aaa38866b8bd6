// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags for data, shared by train and eval.

#ifndef TE_RUN_DATAFLAGS_H
#define TE_RUN_DATAFLAGS_H

#include "training/Data.h"

#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace tert::run {

CLI::Option *addDataFlag(CLI::App &command, const std::string &flag,
                         training::DataNames &names);
/// Adds the flag for the token that ends a document, of all of `data`.
CLI::Option *addDocumentFlag(CLI::App &command,
                             std::vector<training::DataNames *> data);
/// Adds the flag for the format of the file given by the flag `data`.
CLI::Option *addFormatFlag(CLI::App &command, const std::string &flag,
                           const std::string &data,
                           training::DataFormat &format);

} // namespace tert::run

#endif // TE_RUN_DATAFLAGS_H
