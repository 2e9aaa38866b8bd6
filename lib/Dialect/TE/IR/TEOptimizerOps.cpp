// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimizer ops.

#include "OpMethods.h"
#include "Verification.h"
#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

void ClipCoefficientOp::watchAmaxes(ValueRange amaxes) {
  getAmaxesMutable().append(amaxes);
}

//===----------------------------------------------------------------------===//
// Update
//===----------------------------------------------------------------------===//

LogicalResult UpdateOp::verify() {
  ElementwiseOptimizerAttrInterface optimizer = getOptimizer();
  auto expectCount = [&](StringRef what, size_t count,
                         size_t wanted) -> LogicalResult {
    if (count == wanted)
      return success();
    return emitOpError() << "has " << count << " " << what << ", but "
                         << optimizer << " takes " << wanted;
  };
  const size_t numStates = optimizer.getStateNames().size();
  if (failed(expectCount("scalars", getScalars().size(),
                         optimizer.getScalars().size())) ||
      failed(expectCount("states", getStates().size(), numStates)) ||
      failed(expectCount("new states", getNewStates().size(), numStates)))
    return failure();
  Type type = getParam().getType();
  for (TypeRange types : {TypeRange(getStates()), TypeRange(getNewStates())})
    for (Type state : types)
      if (state != type)
        return emitOpError() << "expects states of the parameter's type "
                             << type << ", got " << state;
  ArrayRef<int64_t> shape = getParam().getType().getShape();
  if (failed(verifyShape(*this, "the gradient", getGradient(), shape)))
    return failure();
  if (getScale() && shape.size() != 2)
    return emitOpError() << "quantizes a parameter that is not a matrix: "
                         << type;
  SmallVector<int64_t> matrix(shape);
  matrix.resize(2);
  return verifyQuantizedResults(*this, matrix, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}

bool UpdateOp::canQuantizeResult(unsigned result) {
  return result == 0 && !getScale() && getParam().getType().getRank() == 2;
}

// The new parameter is the master copy: it is kept whatever `keepResult` says.
QuantizedResults UpdateOp::quantizeResult(RewriterBase &rewriter, unsigned,
                                          Value scale, Type rowwise,
                                          Type columnwise, bool) {
  auto op = UpdateOp::create(rewriter, getLoc(), getNewParam().getType(),
                             getNewStates().getTypes(), rowwise, columnwise,
                             amaxType(rewriter), getOptimizer(), getGradient(),
                             getCoefficient(), getScalars(), getStep(), scale,
                             getParam(), getStates(), getDecayAttr());
  SmallVector<std::pair<Value, Value>> others;
  for (auto [from, to] : llvm::zip_equal(getNewStates(), op.getNewStates()))
    others.push_back({from, to});
  return finish(rewriter, *this, op, op.getNewParam(), others);
}

Work UpdateOp::getWork() {
  return movesAndMore(*this, /*sumsRows=*/false, bool(getScale()));
}
