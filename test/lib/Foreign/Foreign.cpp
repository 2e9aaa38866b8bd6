// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces of the foreign ops: all that it takes for them to be
// differentiated, held in bf16, quantized and, but for softsign, lowered.

#include "Foreign/Foreign.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/HostDialect.h"
#include "te/Support/TensorType.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test::foreign;

#include "Foreign/ForeignDialect.cpp.inc"
#define GET_OP_CLASSES
#include "Foreign/ForeignOps.cpp.inc"

void ForeignDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Foreign/ForeignOps.cpp.inc"
      >();
  addInterfaces<LoweredByHostInterface>();
}

using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;
using Numbers = SmallVector<unsigned>;

Value mlir::te::test::foreign::computeElements(
    OpBuilder &builder, Location loc, Type type, ValueRange inputs,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  auto tensor = cast<RankedTensorType>(type);
  Value init = tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                       tensor.getElementType());
  AffineMap map = builder.getMultiDimIdentityMap(tensor.getRank());
  SmallVector<AffineMap> maps(inputs.size() + 1, map);
  SmallVector<utils::IteratorType> loops(tensor.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, tensor, inputs, init, maps, loops,
             [&](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
               ImplicitLocOpBuilder b(nestedLoc, nested);
               Type f32 = b.getF32Type();
               SmallVector<Value> wide;
               for (Value element : elements.drop_back())
                 wide.push_back(element.getType() == f32
                                    ? element
                                    : arith::ExtFOp::create(b, f32, element));
               Value result = body(b, wide);
               if (tensor.getElementType() != f32)
                 result = arith::TruncFOp::create(b, tensor.getElementType(),
                                                  result);
               linalg::YieldOp::create(b, result);
             })
      ->getResult(0);
}

static Value constant(ImplicitLocOpBuilder &b, float value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}

static Value createScale(OpBuilder &builder, Location loc, Value x,
                         FloatAttr factor) {
  return ScaleOp::create(builder, loc, x.getType(), x, factor);
}

namespace {

//===----------------------------------------------------------------------===//
// linear
//===----------------------------------------------------------------------===//

/// The gradients are products of the compiler's own, of the scaled cotangent.
struct LinearVjp
    : DifferentiableOpInterface::ExternalModel<LinearVjp, LinearOp> {
  LogicalResult buildVjp(Operation *operation, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto op = cast<LinearOp>(operation);
    Location loc = op.getLoc();
    Value dy = createScale(builder, loc, cotangents[0], op.getGainAttr());
    auto product = [&](RankedTensorType like, Type element, Value a, Value b,
                       MatmulRole role) -> Value {
      auto matmul = MatmulOp::create(
          builder, loc, like.clone(element), a, b, /*bias=*/Value(),
          /*addend=*/Value(), role == MatmulRole::Wgrad, /*transpose_b=*/false,
          role);
      matmul.setLayerAttr(cast<Fp8OpInterface>(operation).getLayerAttr());
      return matmul;
    };
    if (needed[0])
      operands[0] = product(tensorType(op.getX()), getElementTypeOrSelf(dy), dy,
                            op.getW(), MatmulRole::Dgrad);
    if (needed[1])
      operands[1] = product(tensorType(op.getW()), builder.getF32Type(), dy,
                            op.getX(), MatmulRole::Wgrad);
    return success();
  }
};

struct LinearPrecision
    : MixedPrecisionOpInterface::ExternalModel<LinearPrecision, LinearOp> {
  Numbers getComputeResults(Operation *) const { return {0}; }
  Numbers getComputeOperands(Operation *) const { return {0, 1}; }
};

struct LinearFp8 : Fp8OpInterface::ExternalModel<LinearFp8, LinearOp> {
  SmallVector<Fp8Operand> getFp8Operands(Operation *) const {
    return {{0, TensorRole::Input, /*columnwise=*/false},
            {1, TensorRole::Weight, /*columnwise=*/false}};
  }

  std::optional<Fp8Refusal> getFp8Refusal(Operation *op) const {
    for (Value value : op->getOperands())
      for (int64_t size : tensorType(value).getShape())
        if (size % kFp8Alignment)
          return Fp8Refusal{"the foreign linear layer is not padded",
                            "choose sizes that are multiples of 16"};
    return std::nullopt;
  }

  Value buildFp8Form(Operation *operation, OpBuilder &builder,
                     ArrayRef<QuantizedValue> operands) const {
    auto op = cast<LinearOp>(operation);
    Value product = ScaledMatmulOp::create(
        builder, op.getLoc(), op.getY().getType(), operands[0].data,
        operands[1].data, operands[0].scaleInv, operands[1].scaleInv,
        /*bias=*/Value(), /*addend=*/Value(), MatmulRole::Fprop,
        Accumulate::Fast, cast<Fp8OpInterface>(operation).getLayerAttr());
    return createScale(builder, op.getLoc(), product, op.getGainAttr());
  }

  int64_t getFlops(Operation *operation) const {
    auto op = cast<LinearOp>(operation);
    return 2 * tensorType(op.getY()).getNumElements() *
           tensorType(op.getX()).getDimSize(1);
  }
};

/// Joined with others of its gain along their weights' rows.
struct LinearForm : LinearOpInterface::ExternalModel<LinearForm, LinearOp> {
  unsigned getFeatureDim(Operation *) const { return 0; }
};

struct LinearCost : CostOpInterface::ExternalModel<LinearCost, LinearOp> {
  Work getWork(Operation *operation) const {
    auto op = cast<LinearOp>(operation);
    RankedTensorType x = tensorType(op.getX()), w = tensorType(op.getW());
    MatrixProduct product{
        x.getDimSize(0),    w.getDimSize(0),
        x.getDimSize(1),    x.getElementType(),
        w.getElementType(), tensorType(op.getY()).getElementType()};
    product.transposeB = true;
    return Work::ofProduct("matmul", product);
  }
};

struct LinearRuntime
    : RuntimeOpInterface::ExternalModel<LinearRuntime, LinearOp> {
  LogicalResult lowerToRuntime(Operation *operation,
                               RewriterBase &rewriter) const {
    auto op = cast<LinearOp>(operation);
    RankedTensorType type = tensorType(op.getY());
    Value d = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                      type.getElementType());
    Value product = tert::MatmulOp::create(
                        rewriter, op.getLoc(), type, op.getX(), op.getW(),
                        /*bias=*/Value(), d, /*transpose_a=*/false,
                        /*transpose_b=*/true, /*add_to_d=*/false)
                        ->getResult(0);
    float gain = op.getGain().convertToFloat();
    rewriter.replaceOp(
        op, computeElements(rewriter, op.getLoc(), type, product,
                            [&](ImplicitLocOpBuilder &b, ValueRange x) {
                              return arith::MulFOp::create(b, x[0],
                                                           constant(b, gain));
                            }));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pointwise
//===----------------------------------------------------------------------===//

/// What they compute, they compute in float32 from whatever comes.
template <typename Op>
struct PointwisePrecision
    : MixedPrecisionOpInterface::ExternalModel<PointwisePrecision<Op>, Op> {
  Numbers getComputeResults(Operation *op) const {
    return llvm::any_of(
               op->getOperandTypes(),
               [](Type type) { return getElementTypeOrSelf(type).isBF16(); })
               ? Numbers{0}
               : Numbers{};
  }
  Numbers getConvertibleResults(Operation *) const { return {0}; }
};

struct ScaleVjp : DifferentiableOpInterface::ExternalModel<ScaleVjp, ScaleOp> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    operands[0] = createScale(builder, op->getLoc(), cotangents[0],
                              cast<ScaleOp>(op).getFactorAttr());
    return success();
  }
};

struct ScaleRuntime : RuntimeOpInterface::ExternalModel<ScaleRuntime, ScaleOp> {
  LogicalResult lowerToRuntime(Operation *operation,
                               RewriterBase &rewriter) const {
    auto op = cast<ScaleOp>(operation);
    float factor = op.getFactor().convertToFloat();
    rewriter.replaceOp(
        op, computeElements(rewriter, op.getLoc(), op.getType(), op.getX(),
                            [&](ImplicitLocOpBuilder &b, ValueRange x) {
                              return arith::MulFOp::create(b, x[0],
                                                           constant(b, factor));
                            }));
    return success();
  }
};

struct SoftsignVjp
    : DifferentiableOpInterface::ExternalModel<SoftsignVjp, SoftsignOp> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    Value x = cast<SoftsignOp>(op).getX();
    operands[0] = SoftsignGradOp::create(builder, op->getLoc(), x.getType(),
                                         cotangents[0], x);
    return success();
  }
};

} // namespace

void mlir::te::test::registerForeignDialect(DialectRegistry &registry) {
  registry.insert<ForeignDialect>();
  registry.addExtension(+[](MLIRContext *context, ForeignDialect *) {
    LinearOp::attachInterface<LinearVjp, LinearPrecision, LinearFp8, LinearForm,
                              LinearCost, LinearRuntime>(*context);
    ScaleOp::attachInterface<ScaleVjp, PointwisePrecision<ScaleOp>,
                             ScaleRuntime>(*context);
    SoftsignOp::attachInterface<SoftsignVjp, PointwisePrecision<SoftsignOp>>(
        *context);
    SoftsignGradOp::attachInterface<PointwisePrecision<SoftsignGradOp>>(
        *context);
  });
}
