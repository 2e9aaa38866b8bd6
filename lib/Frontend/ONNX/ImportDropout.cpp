// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ImportDropout.h"

#include "TensorMath.h"

#include "te/Dialect/TE/IR/LayerOps.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// The number of the next dropout, counted through the model.
static int64_t getNextStream(OpBuilder &builder) {
  Block::iterator at = builder.getInsertionPoint();
  while (at != builder.getInsertionBlock()->begin())
    if (auto last = dyn_cast<DropoutOp>(*--at))
      return int64_t(last.getStream()) + 1;
  return 0;
}

/// Returns whether dropout is active, from the constant input `training_mode`.
static FailureOr<bool> isTraining(GraphImporter &importer, const Node &node) {
  if (!node.hasInput(2))
    return false;
  const ConstantTensor *training = importer.getConstant(node, 2);
  if (!training || training->getNumElements() != 1)
    return importer.unsupported(
        node, "its training_mode is not one constant truth value; export with "
              "model.train() or model.eval() called before");
  return training->isBool() ? training->toVector<uint8_t>().front() != 0
                            : training->getSplat().value_or(1.0) != 0.0;
}

static LogicalResult importDropout(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0);
  FailureOr<bool> training = isTraining(importer, node);
  if (!x || failed(training))
    return failure();
  // The caller of the program chooses the seed.
  (void)node.getInt("seed");
  (void)node.getFloat("ratio");
  float ratio = 0;
  if (*training) {
    ratio = 0.5f;
    if (node.hasInput(1)) {
      const ConstantTensor *given = importer.getConstant(node, 1);
      std::optional<double> number = given ? given->getSplat() : std::nullopt;
      if (!number || given->getNumElements() != 1)
        return importer.unsupported(node, "its ratio is not a constant number");
      ratio = float(*number);
    }
    if (!(ratio >= 0 && ratio < 1))
      return importer.unsupported(
          node, "its ratio is not a probability below 1; with 1 nothing would "
                "be left");
    if (!isFloat(x))
      return importer.unsupported(node, "its input is not made of floats");
  }
  OpBuilder &b = importer.builder;
  Location loc = node.getLoc();
  int64_t stream = getNextStream(b);
  auto drop = [&](Value value) -> Value {
    return ratio == 0 ? value
                      : DropoutOp::create(b, loc, value.getType(), value,
                                          /*seed=*/Value(),
                                          llvm::APFloat(ratio), stream);
  };
  importer.defineAt(node, 0, drop(x));
  if (node.getNumOutputs() > 1) {
    // Dropout of ones, as the mask.
    auto type = cast<RankedTensorType>(x.getType()).clone(b.getF32Type());
    TensorMath math(importer, loc);
    importer.defineAt(node, 1,
                      math.compare(arith::CmpFPredicate::ONE,
                                   drop(importer.splat(loc, type, 1)),
                                   importer.splat(loc, type, 0)));
  }
  return success();
}

void onnx_import::populateDropoutHandlers(HandlerTable &table) {
  table["Dropout"] = importDropout;
}
