// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses a program of the te dialect and looks at an op through its C++ class.

#include "te/Dialect/TE/IR/TE.h"
#include "te/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

int main() {
  mlir::DialectRegistry registry;
  mlir::te::registerAllDialects(registry);
  mlir::te::registerAllPasses();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @forward(%x: tensor<64x128xf32>, %w: tensor<32x128xf32>) -> tensor<64x32xf32> {
      %y = te.matmul %x, %w {transpose_b}
        : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
      return %y : tensor<64x32xf32>
    })",
                                                        &context);
  if (!module)
    return 1;
  int64_t depth = 0;
  module->walk([&](mlir::te::MatmulOp op) { depth = op.getK(); });
  return depth == 128 ? 0 : 1;
}
