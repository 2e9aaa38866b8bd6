// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the CPU backend: a function for each method of Backend
// (BackendCalls.def), with the execution as its first argument.
#ifndef TERT_CPU_OPS_H
#define TERT_CPU_OPS_H

#include "cpu/Execution.h"
#include "program/BackendOps.h"
#include "program/TableShard.h"
#include "program/Update.h"

namespace tert::cpu {

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  void name(Execution &execution, TERT_LIST parameters);
#include "program/BackendCalls.def"

} // namespace tert::cpu

#endif // TERT_CPU_OPS_H
