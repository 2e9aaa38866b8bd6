// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te-c/Passes.h"

#include "te/Conversion/Passes.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/CAPI/Pass.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::tert;

#include "te/Conversion/Passes.capi.cpp.inc"
#include "te/Dialect/TE/Transforms/Distribution/Passes.capi.cpp.inc"
#include "te/Dialect/TE/Transforms/Passes.capi.cpp.inc"
#include "te/Dialect/TERT/Transforms/Memory/Passes.capi.cpp.inc"
#include "te/Dialect/TERT/Transforms/Passes.capi.cpp.inc"
