// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te-c/Dialects.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TERT/IR/TERT.h"

#include "mlir/CAPI/Registration.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TE, te, mlir::te::TEDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TERT, tert, mlir::te::tert::TERTDialect)
