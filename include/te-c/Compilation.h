/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A model in, an artifact out, from C: what te-compile does, step by step.
 *
 *   TeCompilation *compilation = teCompilationCreate(context);
 *   teCompilationSetOption(compilation, "entry", "forward");
 *   if (teCompilationLoadFile(compilation, "model.onnx") != TE_STATUS_OK ||
 *       teCompilationRun(compilation) != TE_STATUS_OK ||
 *       teCompilationEmitFile(compilation, "model.so") != TE_STATUS_OK)
 *     fprintf(stderr, "%s\n", teCompilationGetMessage(compilation));
 *   teCompilationDestroy(compilation);
 *
 * Nothing is printed and no function ends the process: errors are a status and
 * a message, and every diagnostic goes to a callback, if there is one. A
 * compilation is for one thread at a time, and so is its context.
 */
#ifndef TE_C_COMPILATION_H
#define TE_C_COMPILATION_H

#include "mlir-c/IR.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TeCompilation TeCompilation;

typedef enum TeStatus {
  TE_STATUS_OK = 0,
  /* The model cannot be read or compiled, or a file cannot be written. */
  TE_STATUS_FAILED = 1,
  /* An option that does not exist, a value that it does not take, options that
   * contradict each other, or a function called out of turn. */
  TE_STATUS_WRONG_USAGE = 2
} TeStatus;

typedef enum TeSeverity {
  TE_SEVERITY_NOTE = 0, /* belongs to the diagnostic before it */
  TE_SEVERITY_WARNING = 1,
  TE_SEVERITY_ERROR = 2,
  TE_SEVERITY_REMARK = 3
} TeSeverity;

/* `location` is MLIR's text of a place in the model ("model.mlir":3:5), or
 * empty where there is none. Both texts end with the call. */
typedef void (*TeDiagnosticCallback)(TeSeverity severity, const char *location,
                                     const char *message, void *userData);

/* Of a context with TE-MLIR's dialects (teContextCreate, or any context with
 * those of teRegisterAllDialects), which must outlive it. */
MLIR_CAPI_EXPORTED TeCompilation *teCompilationCreate(MlirContext context);
/* Nothing happens to a null pointer. */
MLIR_CAPI_EXPORTED void teCompilationDestroy(TeCompilation *compilation);

/* Diagnostics of every later step go to `callback`, if it is not null. */
MLIR_CAPI_EXPORTED void teCompilationSetDiagnosticCallback(
    TeCompilation *compilation, TeDiagnosticCallback callback, void *userData);

/* What the last step that failed had to say: its errors with their places, a
 * line each. Valid until the next call with this compilation; never null. */
MLIR_CAPI_EXPORTED const char *
teCompilationGetMessage(const TeCompilation *compilation);

/* Sets an option of te-compile, before a model is loaded: "precision", "fp8".
 * The value of a flag is "true" or "false". 'te-compile --help-all' lists
 * them. */
MLIR_CAPI_EXPORTED TeStatus teCompilationSetOption(TeCompilation *compilation,
                                                   const char *name,
                                                   const char *value);

/* Checks the options against each other and reads a model: ONNX, MLIR or MLIR
 * bytecode with a function @forward. */
MLIR_CAPI_EXPORTED TeStatus teCompilationLoadFile(TeCompilation *compilation,
                                                  const char *path);
/* The same from memory, which is copied. `name` stands for the path in
 * messages, and the data beside an ONNX model is looked for in its folder. */
MLIR_CAPI_EXPORTED TeStatus teCompilationLoadBuffer(TeCompilation *compilation,
                                                    const char *name,
                                                    const void *data,
                                                    size_t bytes);

/* Runs the passes that the option "emit" asks for. */
MLIR_CAPI_EXPORTED TeStatus teCompilationRun(TeCompilation *compilation);

/* Writes the result to the file `path`, or where the options say if it is null;
 * the parameters' values beside an artifact or an object; the report if the
 * option "report" asks for one. */
MLIR_CAPI_EXPORTED TeStatus teCompilationEmitFile(TeCompilation *compilation,
                                                  const char *path);
/* Hands the result to `callback` instead, in one or more pieces: text or an
 * object file, but not a shared library, which a linker writes. */
MLIR_CAPI_EXPORTED TeStatus teCompilationEmitToCallback(
    TeCompilation *compilation, MlirStringCallback callback, void *userData);

/* The module as it is after the last step; null before a model is loaded. It
 * belongs to the compilation. */
MLIR_CAPI_EXPORTED MlirModule
teCompilationGetModule(const TeCompilation *compilation);

#ifdef __cplusplus
}
#endif

#endif /* TE_C_COMPILATION_H */
