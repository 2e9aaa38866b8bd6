// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers TOSA by upstream's lowering to linalg.

#include "Linalg/Linalg.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::te;

bool mlir::te::hasTosa(func::FuncOp model) {
  return model
      .walk([](Operation *op) {
        return isa_and_present<tosa::TosaDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<std::string> mlir::te::getTosaProblem(Operation *op) {
  if (isa<tosa::IfOp>(op))
    return "its way depends on the model's inputs; compute both and choose "
           "with tosa.select";
  if (isa<tosa::WhileOp>(op))
    return "how often it runs depends on the model's inputs; write it as often "
           "as it runs";
  return std::nullopt;
}

void mlir::te::addTosaLowering(OpPassManager &pm) {
  // Without the checks of TOSA's profiles: only ops that linalg cannot express
  // are rejected.
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(), std::nullopt);
  pm.addNestedPass<func::FuncOp>(createTosaToArithPass());
  pm.addNestedPass<func::FuncOp>(createTosaToTensorPass());
  // Shapes that were operands of reshapes are dead now.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}

void mlir::te::registerTosaLoweringDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, index::IndexDialect,
                  linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                  tensor::TensorDialect, tosa::TosaDialect>();
}
