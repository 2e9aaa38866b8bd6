// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support for ops of unknown dialects.

#ifndef TE_SUPPORT_UNREGISTEREDOPS_H
#define TE_SUPPORT_UNREGISTEREDOPS_H

#include "mlir/IR/MLIRContext.h"

namespace mlir::te {

/// Lets a context accept ops of unknown dialects for the lifetime of this
/// object, so that all of them can be listed together.
class AllowUnregistered {
public:
  explicit AllowUnregistered(MLIRContext &context)
      : context(context), before(context.allowsUnregisteredDialects()) {
    context.allowUnregisteredDialects(true);
  }
  AllowUnregistered(const AllowUnregistered &) = delete;
  AllowUnregistered &operator=(const AllowUnregistered &) = delete;
  ~AllowUnregistered() { context.allowUnregisteredDialects(before); }

private:
  MLIRContext &context;
  bool before;
};

} // namespace mlir::te

#endif // TE_SUPPORT_UNREGISTEREDOPS_H
