// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For files that include BackendOps.def.
#ifndef TERT_PROGRAM_BACKENDOPS_H
#define TERT_PROGRAM_BACKENDOPS_H

#include "tert/types.h"

/// The elements of a list in parentheses.
#define TERT_LIST(...) __VA_ARGS__

#endif // TERT_PROGRAM_BACKENDOPS_H
