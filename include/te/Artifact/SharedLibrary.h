// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links an object file into a shared library.

#ifndef TE_ARTIFACT_SHAREDLIBRARY_H
#define TE_ARTIFACT_SHAREDLIBRARY_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace mlir::te {

/// Links `object` into a shared library named `soname` and returns its bytes.
/// Uses the first linker of ld.lld-22, ld.lld and ld that is found. Undefined
/// runtime symbols stay undefined: the process that loads the library provides
/// them.
FailureOr<std::string> linkSharedLibrary(ModuleOp module,
                                         llvm::ArrayRef<char> object,
                                         llvm::StringRef soname);

} // namespace mlir::te

#endif // TE_ARTIFACT_SHAREDLIBRARY_H
