/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compiles a model to an artifact that te-run executes, from plain C.
 */
#include <stdio.h>
#include <te-c/Compilation.h>
#include <te-c/Registration.h>

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s MODEL OUTPUT.so\n", argv[0]);
    return 2;
  }
  MlirContext context = teContextCreate();
  TeCompilation *compilation = teCompilationCreate(context);
  TeStatus status = teCompilationSetOption(compilation, "entry", "forward,vjp");
  if (status == TE_STATUS_OK)
    status = teCompilationLoadFile(compilation, argv[1]);
  if (status == TE_STATUS_OK)
    status = teCompilationRun(compilation);
  if (status == TE_STATUS_OK)
    status = teCompilationEmitFile(compilation, argv[2]);
  if (status == TE_STATUS_OK)
    printf("TE-MLIR %s has written %s\n", teGetVersion(), argv[2]);
  else
    fprintf(stderr, "%s\n", teCompilationGetMessage(compilation));
  teCompilationDestroy(compilation);
  mlirContextDestroy(context);
  return status;
}
