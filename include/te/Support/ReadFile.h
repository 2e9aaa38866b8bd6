// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads files named by users, without blocking and with a size limit.

#ifndef TE_SUPPORT_READFILE_H
#define TE_SUPPORT_READFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>

namespace mlir::te {

/// Largest model, in bytes, which is also protobuf's limit. Values of
/// parameters are in separate files.
inline constexpr uint64_t kMostModelBytes = (uint64_t(1) << 31) - 1;
/// Largest handwritten text, such as a policy, in bytes.
inline constexpr uint64_t kMostTextBytes = uint64_t(1) << 20;

/// Reads a regular file of at most `mostBytes`. Pipes, which may never end or
/// have no writer, devices and directories are rejected. The error says what is
/// wrong and what to do: "cannot read 'm.onnx': No such file or directory".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path, uint64_t mostBytes);

/// Reads standard input to its end, at most `mostBytes`; the buffer's name is
/// "-".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readStandardInput(uint64_t mostBytes);

} // namespace mlir::te

#endif // TE_SUPPORT_READFILE_H
