/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The hand-written artifact (toy_artifact.c) with a constructor, which ends
 * the process that loads it: whoever only reads it survives.
 */
#include "tert/artifact.h"
#include "toy_description.h"

#include <unistd.h>

const int32_t tert_artifact_abi_version = TOY_ABI;

__attribute__((constructor)) static void start(void) { _exit(42); }
