/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The dialects and passes of TE-MLIR for programs that use MLIR's C API. Its
 * functions (mlir-c/IR.h, Pass.h, Diagnostics.h, Support.h) are in libTEMLIR-C,
 * too.
 */
#ifndef TE_C_REGISTRATION_H
#define TE_C_REGISTRATION_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0" */
MLIR_CAPI_EXPORTED const char *teGetVersion(void);

/* Adds the dialects te and tert, every dialect that models and programs are
 * made of, the external models that the passes rely on, and the targets, to a
 * registry, for mlirContextAppendDialectRegistry. */
MLIR_CAPI_EXPORTED void teRegisterAllDialects(MlirDialectRegistry registry);

/* Makes all passes and pipelines known to mlirParsePassPipeline and
 * mlirOpPassManagerAddPipeline by their names ("te-raise"). Once a process. */
MLIR_CAPI_EXPORTED void teRegisterAllPasses(void);

/* A context for compilations: with all these dialects, and without threads.
 * mlirContextDestroy destroys it. */
MLIR_CAPI_EXPORTED MlirContext teContextCreate(void);

#ifdef __cplusplus
}
#endif

#endif /* TE_C_REGISTRATION_H */
