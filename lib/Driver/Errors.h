// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DRIVER_ERRORS_H
#define TE_LIB_DRIVER_ERRORS_H

#include "mlir/IR/Diagnostics.h"

namespace mlir::te {

/// An error that is not about a place in the model.
inline InFlightDiagnostic error(MLIRContext &context) {
  return emitError(UnknownLoc::get(&context));
}

} // namespace mlir::te

#endif // TE_LIB_DRIVER_ERRORS_H
