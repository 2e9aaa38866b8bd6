// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an embedder does to differentiate an op of its own: an external model of
// DifferentiableOpInterface, here for arith.mulf on tensors.

#include "TestPasses.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

namespace {
struct MulFVjp
    : DifferentiableOpInterface::ExternalModel<MulFVjp, arith::MulFOp> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const llvm::BitVector &needed,
                         MutableArrayRef<Value> operandCotangents) const {
    Value dy = convertElementType(builder, op->getLoc(), cotangents[0],
                                  getElementTypeOrSelf(op->getResult(0)));
    for (unsigned i : needed.set_bits())
      operandCotangents[i] = arith::MulFOp::create(builder, op->getLoc(), dy,
                                                   op->getOperand(1 - i));
    return success();
  }
};
} // namespace

void mlir::te::test::registerExternalVjp(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::MulFOp::attachInterface<MulFVjp>(*context);
  });
}
