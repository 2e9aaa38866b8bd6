// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dialect of one's own as a plugin of te-compile and te-opt. Its op has a
// gradient, may compute in bf16, and becomes a kernel that the compiler
// generates.

#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TERT/IR/TERT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

#include "OwnDialect.h.inc"
#define GET_OP_CLASSES
#include "OwnOps.h.inc"

#include "OwnDialect.cpp.inc"
#define GET_OP_CLASSES
#include "OwnOps.cpp.inc"

using namespace mlir;
using own::ScaleOp;

void own::OwnDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "OwnOps.cpp.inc"
      >();
}

namespace {
/// dx = factor * dy.
struct Vjp : te::DifferentiableOpInterface::ExternalModel<Vjp, ScaleOp> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const llvm::BitVector &needed,
                         MutableArrayRef<Value> operands) const {
    operands[0] =
        ScaleOp::create(builder, op->getLoc(), cotangents[0].getType(),
                        cotangents[0], cast<ScaleOp>(op).getFactorAttr());
    return success();
  }
};

/// bf16 if the operand is.
struct Precision
    : te::MixedPrecisionOpInterface::ExternalModel<Precision, ScaleOp> {
  SmallVector<unsigned> getComputeResults(Operation *op) const {
    if (getElementTypeOrSelf(op->getOperand(0)).isBF16())
      return {0};
    return {};
  }
  SmallVector<unsigned> getConvertibleResults(Operation *) const { return {0}; }
};

/// A loop over the elements, in float32.
struct Runtime : te::RuntimeOpInterface::ExternalModel<Runtime, ScaleOp> {
  LogicalResult lowerToRuntime(Operation *op, RewriterBase &rewriter) const {
    auto scale = cast<ScaleOp>(op);
    auto type = cast<RankedTensorType>(scale.getType());
    Location loc = op->getLoc();
    Value init = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                         type.getElementType());
    SmallVector<AffineMap> maps(
        2, rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    auto body = [&](OpBuilder &nested, Location nestedLoc, ValueRange values) {
      ImplicitLocOpBuilder b(nestedLoc, nested);
      Type f32 = b.getF32Type();
      Value x = values[0];
      if (x.getType() != f32)
        x = arith::ExtFOp::create(b, f32, x);
      Value factor = arith::ConstantOp::create(
          b, b.getF32FloatAttr(scale.getFactor().convertToFloat()));
      Value y = arith::MulFOp::create(b, x, factor);
      if (type.getElementType() != f32)
        y = arith::TruncFOp::create(b, type.getElementType(), y);
      linalg::YieldOp::create(b, y);
    };
    auto loop = linalg::GenericOp::create(rewriter, loc, type, scale.getX(),
                                          init, maps, loops, body);
    rewriter.replaceOp(op, loop->getResults());
    return success();
  }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "own", "1", [](DialectRegistry *registry) {
            registry->insert<own::OwnDialect>();
            registry->addExtension(
                +[](MLIRContext *context, own::OwnDialect *) {
                  ScaleOp::attachInterface<Vjp, Precision, Runtime>(*context);
                });
          }};
}
