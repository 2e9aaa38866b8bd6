// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te-c/Registration.h"

#include "te/Driver/Compilation.h"
#include "te/Driver/Input.h"
#include "te/InitAll.h"

#include "mlir/CAPI/IR.h"

const char *teGetVersion(void) { return TE_VERSION; }

void teRegisterAllDialects(MlirDialectRegistry registry) {
  mlir::te::registerAllDialects(*unwrap(registry));
  mlir::te::registerModelDialects(*unwrap(registry));
}

void teRegisterAllPasses(void) { mlir::te::registerAllPasses(); }

MlirContext teContextCreate(void) {
  return wrap(mlir::te::createCompilationContext().release());
}
