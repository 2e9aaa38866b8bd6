/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Handles of the dialects, for those who register dialects one by one:
 *
 *   mlirDialectHandleRegisterDialect(mlirGetDialectHandle__te__(), context);
 *
 * A handle brings a dialect with its types, attributes and ops. The passes need
 * more, targets and what ops of other dialects implement: contexts that run
 * them are made with teRegisterAllDialects (Registration.h).
 */
#ifndef TE_C_DIALECTS_H
#define TE_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The graph: mlirGetDialectHandle__te__(). */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TE, te);
/* Calls of the runtime: mlirGetDialectHandle__tert__(). */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TERT, tert);

#ifdef __cplusplus
}
#endif

#endif /* TE_C_DIALECTS_H */
