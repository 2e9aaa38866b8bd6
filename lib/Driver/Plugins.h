// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialects and passes that another program or a library brings.

#ifndef TE_LIB_DRIVER_PLUGINS_H
#define TE_LIB_DRIVER_PLUGINS_H

#include "te/Driver/Options.h"

#include "mlir/IR/MLIRContext.h"

namespace mlir::te {

/// Loads the plugins that the options name; their dialects are added to
/// `context`, their passes to the process.
LogicalResult loadPlugins(const CompileOptions &options, MLIRContext &context);

/// Adds the passes of `text`, on modules: "canonicalize,my-lowering", with or
/// without "builtin.module(...)" around it. `option` is what a user wrote.
LogicalResult addPasses(OpPassManager &pm, llvm::StringRef text,
                        llvm::StringRef option, MLIRContext &context);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_PLUGINS_H
