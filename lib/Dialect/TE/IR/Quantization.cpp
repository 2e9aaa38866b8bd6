// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fp8OpInterface and QuantizingProducerOpInterface of the te ops.

#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

SmallVector<Fp8Operand> MatmulOp::getFp8Operands() { return {}; }
LogicalResult MatmulOp::checkFp8(std::string &reason) { return failure(); }
Value MatmulOp::buildFp8Form(OpBuilder &builder,
                             ArrayRef<QuantizedValue> operands) {
  return {};
}
int64_t MatmulOp::getFlops() { return 2 * getM() * getN() * getK(); }

#define PRODUCER(OP)                                                           \
  bool OP::canQuantizeResult(unsigned result) { return false; }                \
  QuantizedResults OP::quantizeResult(RewriterBase &rewriter, unsigned result, \
                                      Value scale, Type rowwise,               \
                                      Type columnwise, bool keepResult) {      \
    return {};                                                                 \
  }
PRODUCER(LayerNormOp)
PRODUCER(ActivationOp)
PRODUCER(ActivationGradOp)
PRODUCER(AdamWOp)
#undef PRODUCER
