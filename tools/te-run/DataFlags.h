// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags that name data, which train and eval share.

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
                         std::string &path);
/// How the file of the flag `data` is read.
CLI::Option *addFormatFlag(CLI::App &command, const std::string &flag,
                           const std::string &data,
                           training::DataFormat &format);

} // namespace tert::run

#endif // TE_RUN_DATAFLAGS_H
