// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul and scaled_matmul.

#include "OpMethods.h"

#include "te/Support/TensorType.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Builders, verifiers
//===----------------------------------------------------------------------===//

void MatmulOp::build(OpBuilder &builder, OperationState &state, Type d, Value a,
                     Value b, Value bias, Value addend, bool transposeA,
                     bool transposeB, MatmulRole role, bool inputFirst) {
  build(builder, state, d, a, b, bias, addend, transposeA, transposeB, role,
        inputFirst, /*layer=*/StringAttr());
}

void ScaledMatmulOp::build(OpBuilder &builder, OperationState &state, Type d,
                           Value a, Value b, Value aScaleInv, Value bScaleInv,
                           Value bias, MatmulRole role, Accumulate accumulate) {
  build(builder, state, d, a, b, aScaleInv, bScaleInv, bias,
        /*addend=*/Value(), role, accumulate, /*layer=*/StringAttr());
}

static LogicalResult verifyAddend(Operation *product, Value addend) {
  Type type = product->getResult(0).getType();
  if (!addend || addend.getType() == type)
    return success();
  return product->emitOpError() << "expects an addend of the result's type, "
                                << type << ", but it is " << addend.getType();
}

LogicalResult MatmulOp::verify() {
  auto a = tensorType(getA()), b = tensorType(getB());
  int64_t m = a.getDimSize(getTransposeA() ? 1 : 0);
  int64_t k = a.getDimSize(getTransposeA() ? 0 : 1);
  int64_t kb = b.getDimSize(getTransposeB() ? 1 : 0);
  int64_t n = b.getDimSize(getTransposeB() ? 0 : 1);
  if (k != kb)
    return emitOpError() << "contracts " << k << " elements of the left operand"
                         << " with " << kb << " of the right one (" << a
                         << (getTransposeA() ? " transposed" : "") << ", " << b
                         << (getTransposeB() ? " transposed" : "")
                         << "); is transpose_a or transpose_b missing?";
  if (failed(verifyShapes(*this, {{"the result", getD(), {m, n}},
                                  {"the bias", getBias(), {n}}})) ||
      failed(verifyAddend(*this, getAddend())))
    return failure();
  if (getInputFirst() && getRole() != MatmulRole::Wgrad)
    return emitOpError() << "has input_first, which only wgrad takes";
  return success();
}

LogicalResult ScaledMatmulOp::verify() {
  if (getRole() == MatmulRole::Other)
    return emitOpError() << "expects the role of a linear layer's product";
  auto a = tensorType(getA()), b = tensorType(getB());
  if (isa<Float8E5M2Type>(a.getElementType()) &&
      isa<Float8E5M2Type>(b.getElementType()))
    return emitOpError()
           << "has two f8E5M2 operands; FP8 GEMMs take at most one";
  if (a.getDimSize(1) != b.getDimSize(1))
    return emitOpError() << "contracts the last dimensions of both operands, "
                         << "which differ: " << a << " and " << b;
  int64_t m = a.getDimSize(0), n = b.getDimSize(0);
  if (failed(verifyScale(*this, "a_scale_inv", getAScaleInv(), a.getShape())) ||
      failed(verifyScale(*this, "b_scale_inv", getBScaleInv(), b.getShape())) ||
      failed(verifyShapes(*this, {{"the result", getD(), {m, n}},
                                  {"the bias", getBias(), {n}}})))
    return failure();
  return verifyAddend(*this, getAddend());
}

//===----------------------------------------------------------------------===//
// Parameters and gradient
//===----------------------------------------------------------------------===//

std::optional<ParameterRole> MatmulOp::getParameterRole(unsigned operand) {
  if (getBias() && operand == getBiasMutable().begin()->getOperandNumber())
    return ParameterRole::Bias;
  if (operand < 2)
    return ParameterRole::Weight;
  return std::nullopt;
}

/// op(x) · op(y), as the product of this role of `forward`'s layer.
static Value createProduct(OpBuilder &builder, MatmulOp forward,
                           RankedTensorType type, Value x, bool transposeX,
                           Value y, bool transposeY, MatmulRole role,
                           bool inputFirst = false) {
  return MatmulOp::create(
      builder, forward.getLoc(), type, x, y, /*bias=*/Value(),
      /*addend=*/Value(), unitAttr(builder, transposeX),
      unitAttr(builder, transposeY),
      MatmulRoleAttr::get(builder.getContext(), role),
      unitAttr(builder, inputFirst), forward.getLayerAttr());
}

LogicalResult MatmulOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                 const Needed &needed, Cotangents operands) {
  Value dy = cotangents[0], a = getA(), b = getB();
  bool ta = getTransposeA(), tb = getTransposeB();
  if (needed[0]) {
    // A left operand stored [K,M] gets its gradient in that form: op(b) · dyᵀ,
    // which for FP8 is a product of an input and a gradient, like wgrad.
    operands[0] =
        ta ? createProduct(builder, *this, f32Like(a), b, tb, dy, true,
                           MatmulRole::Wgrad, /*inputFirst=*/true)
           : createProduct(builder, *this,
                           tensorType(a).clone(getElementTypeOrSelf(dy)), dy,
                           false, b, !tb, MatmulRole::Dgrad);
  }
  if (needed[1]) {
    operands[1] =
        tb ? createProduct(builder, *this, f32Like(b), dy, true, a, ta,
                           MatmulRole::Wgrad)
           : createProduct(builder, *this, f32Like(b), a, !ta, dy, false,
                           MatmulRole::Wgrad, /*inputFirst=*/true);
  }
  if (getBias() && needed[2])
    operands[2] =
        ColumnSumOp::create(builder, getLoc(), f32Like(getBias()), dy);
  if (getAddend() && needed.back())
    operands.back() = dy;
  return success();
}

LogicalResult ScaledMatmulOp::addToResult(unsigned, Value addend) {
  if (getAddend() || addend.getType() != getD().getType())
    return failure();
  getAddendMutable().assign(addend);
  return success();
}

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

// The gradient of a parameter stays in float32, as the parameter does.
// An addend has the result's type. A gradient of a weight stays in float32,
// unless it is added to something that is held in the compute type by now.
Numbers MatmulOp::getComputeResults() {
  bool isWgrad = getRole() == MatmulRole::Wgrad;
  bool addsToWide =
      !getAddend() || getAddend().getType().getElementType().isF32();
  return isWgrad && addsToWide ? Numbers{} : Numbers{0};
}
Numbers MatmulOp::getComputeOperands() {
  if (!getAddend() || getRole() == MatmulRole::Wgrad)
    return {0, 1};
  return {0, 1, getODSOperandIndexAndLength(3).first};
}
Numbers MatmulOp::getConvertibleResults() {
  // An addend gives its buffer to the result.
  return getAddend() ? Numbers{} : Numbers{0};
}

SmallVector<Fp8Operand> MatmulOp::getFp8Operands() {
  std::pair<TensorRole, TensorRole> roles;
  switch (getRole()) {
  case MatmulRole::Fprop:
    roles = {TensorRole::Input, TensorRole::Weight};
    break;
  case MatmulRole::Dgrad:
    roles = {TensorRole::GradOutput, TensorRole::Weight};
    break;
  case MatmulRole::Wgrad:
    roles = {TensorRole::GradOutput, TensorRole::Input};
    if (getInputFirst())
      std::swap(roles.first, roles.second);
    break;
  case MatmulRole::Other:
    return {};
  }
  // scaled_matmul reads [M,K] and [N,K]; what is stored the other way round is
  // read from its columnwise copy.
  return {{0, roles.first, /*columnwise=*/getTransposeA()},
          {1, roles.second, /*columnwise=*/!getTransposeB()}};
}

std::optional<Fp8Refusal> MatmulOp::getFp8Refusal() {
  if (getAddend())
    return Fp8Refusal{"it adds to a matrix, which FP8 products cannot",
                      "add the matrix to its result with te.add"};
  // Activations and their gradients hold one token per row, so that wgrad sums
  // over the rows of both and the others over columns.
  bool isWgrad = getRole() == MatmulRole::Wgrad;
  if (getTransposeA() != isWgrad || (isWgrad && getTransposeB()))
    return Fp8Refusal{
        "its activations are not stored one token per row",
        isWgrad ? "store the gradient and the input as [tokens, features], "
                  "without transpose_b"
                : "store the left operand as [tokens, features], without "
                  "transpose_a"};
  std::tuple<const char *, int64_t, bool> sizes[] = {
      {"M", getM(), !isWgrad}, {"N", getN(), false}, {"K", getK(), isWgrad}};
  // Padding at most doubles the work; the product of the three sizes is the
  // same for fprop, dgrad and wgrad, so the three decide alike. Few tokens take
  // no less time than 16: each of the three reads or writes the whole weight.
  double padding = 1.0;
  double worst = 0.0;
  bool worstIsTokens = false;
  for (auto [name, size, isTokens] : sizes) {
    if (size == 0)
      return Fp8Refusal{(Twine(name) + " is 0").str(), ""};
    if (isTokens && size < kFp8Alignment)
      continue;
    double factor = double(llvm::alignTo(size, kFp8Alignment)) / double(size);
    padding *= factor;
    if (factor > worst) {
      worst = factor;
      worstIsTokens = isTokens;
    }
  }
  if (padding <= 2.0)
    return std::nullopt;
  Fp8Refusal refusal;
  llvm::raw_string_ostream(refusal.reason)
      << "padding M=" << getM() << " N=" << getN() << " K=" << getK()
      << " to multiples of " << kFp8Alignment
      << " would more than double the work";
  llvm::raw_string_ostream(refusal.suggestion)
      << (worstIsTokens ? "give the step more tokens, a multiple of "
                        : "choose features that are multiples of ")
      << kFp8Alignment;
  return refusal;
}

/// The bias with zeros behind it, as long as the padded result's rows.
static Value padBias(OpBuilder &builder, Location loc, Value bias,
                     int64_t size) {
  auto type = cast<RankedTensorType>(bias.getType());
  if (type.getDimSize(0) == size)
    return bias;
  auto padded = RankedTensorType::get({size}, type.getElementType());
  Value zeros = arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(padded,
                             builder.getZeroAttr(type.getElementType())));
  OpFoldResult length = builder.getIndexAttr(type.getDimSize(0));
  return tensor::InsertSliceOp::create(
      builder, loc, bias, zeros,
      ArrayRef<OpFoldResult>{builder.getIndexAttr(0)},
      ArrayRef<OpFoldResult>{length},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

Value MatmulOp::buildFp8Form(OpBuilder &builder,
                             ArrayRef<QuantizedValue> operands) {
  RankedTensorType type = getD().getType();
  auto a = cast<RankedTensorType>(operands[0].data.getType());
  auto b = cast<RankedTensorType>(operands[1].data.getType());
  RankedTensorType padded = type.clone({a.getDimSize(0), b.getDimSize(0)});
  Value bias = getBias();
  if (bias)
    bias = padBias(builder, getLoc(), bias, padded.getDimSize(1));
  Value result = ScaledMatmulOp::create(
      builder, getLoc(), padded, operands[0].data, operands[1].data,
      operands[0].scaleInv, operands[1].scaleInv, bias, getRole(),
      getRole() == MatmulRole::Fprop ? Accumulate::Fast : Accumulate::Split);
  if (padded == type)
    return result;
  SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(getM()),
                                     builder.getIndexAttr(getN())};
  return tensor::ExtractSliceOp::create(builder, getLoc(), type, result,
                                        offsets, sizes, strides);
}

//===----------------------------------------------------------------------===//
// Linear layers
//===----------------------------------------------------------------------===//

bool MatmulOp::isLinear() {
  return getRole() == MatmulRole::Fprop && !getTransposeA() && !getAddend();
}

std::optional<unsigned> MatmulOp::getBiasOperand() {
  if (!getBias())
    return std::nullopt;
  return getBiasMutable().begin()->getOperandNumber();
}

unsigned MatmulOp::getFeatureDim() { return getTransposeB() ? 0 : 1; }

// Of its attributes the others say which layer and which product it is.
Attribute MatmulOp::getLinearForm() { return getTransposeBAttr(); }

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

int64_t MatmulOp::getFlops() { return 2 * getM() * getN() * getK(); }

Work MatmulOp::getWork() {
  MatrixProduct product{getM(),
                        getN(),
                        getK(),
                        getElementTypeOrSelf(getA()),
                        getElementTypeOrSelf(getB()),
                        getElementTypeOrSelf(getD())};
  product.transposeA = getTransposeA();
  product.transposeB = getTransposeB();
  product.hasBias = bool(getBias());
  product.addToD = bool(getAddend());
  return Work::ofProduct("matmul", product);
}

Work ScaledMatmulOp::getWork() {
  MatrixProduct product{
      getD().getType().getDimSize(0), getD().getType().getDimSize(1),
      getA().getType().getDimSize(1), getElementTypeOrSelf(getA()),
      getElementTypeOrSelf(getB()),   getElementTypeOrSelf(getD())};
  product.transposeB = true;
  product.hasBias = bool(getBias());
  product.addToD = bool(getAddend());
  product.fastAccumulate = getAccumulate() == Accumulate::Fast;
  Work work = Work::ofProduct("scaled_matmul", product);
  if (StringRef scales =
          getScaledProduct(tensorShape(getA()), tensorShape(getAScaleInv()),
                           tensorShape(getB()), tensorShape(getBScaleInv()));
      !scales.empty())
    work.addExtra(scales);
  return work;
}

//===----------------------------------------------------------------------===//
// Form in linalg
//===----------------------------------------------------------------------===//

/// sum + bias + addend, rounded once.
static Value finishProduct(Formula &f, Value sum, Value bias, Value addend,
                           Type element) {
  SmallVector<Term, 3> terms{{sum, "mn"}};
  if (bias)
    terms.push_back({bias, "n"});
  if (addend)
    terms.push_back({addend, "mn"});
  return f.map("mn", element, terms, [](Scalars &s, ValueRange x) {
    Value y = x[0];
    for (Value other : x.drop_front())
      y = s.add(y, other);
    return y;
  });
}

void MatmulOp::buildLinalgForm(LinalgForm &f) {
  Value sum = f.sum("mn",
                    {{getA(), getTransposeA() ? "km" : "mk"},
                     {getB(), getTransposeB() ? "nk" : "kn"}},
                    product);
  f.set(getD(), finishProduct(f, sum, getBias(), getAddend(),
                              getElementTypeOrSelf(getD())));
}

void ScaledMatmulOp::buildLinalgForm(LinalgForm &f) {
  BlockScale aScale(getAScaleInv(), getA()), bScale(getBScaleInv(), getB());
  SmallVector<Term> terms;
  Value scaled;
  if (aScale.variesInRows() || bScale.variesInRows()) {
    terms = {{getA(), "mk"}, {getB(), "nk"}};
    aScale.addTo(terms);
    bScale.addTo(terms);
    scaled = f.sum("mn", terms, [&](Scalars &s, ValueRange x) {
      return s.mul(s.mul(x[0], aScale.get(s, x, 'm', 'k')),
                   s.mul(x[1], bScale.get(s, x, 'n', 'k')));
    });
  } else {
    Value sum = f.sum("mn", {{getA(), "mk"}, {getB(), "nk"}}, product);
    terms = {{sum, "mn"}};
    aScale.addTo(terms);
    bScale.addTo(terms);
    // A row has one scale, whatever the column.
    scaled = f.map("mn", f.builder.getF32Type(), terms,
                   [&](Scalars &s, ValueRange x) {
                     return s.mul(x[0], s.mul(aScale.get(s, x, 'm', 'm'),
                                              bScale.get(s, x, 'n', 'n')));
                   });
  }
  f.set(getD(), finishProduct(f, scaled, getBias(), getAddend(),
                              getElementTypeOrSelf(getD())));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void MatmulOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange terms = ranges.of(getA()) * ranges.of(getB());
  ranges.set(getD(), terms.sumOf(getK()) + ranges.of(getBias()) +
                         ranges.of(getAddend()));
}

void ScaledMatmulOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange terms = ranges.of(getA()) * ranges.of(getB()) *
                         ranges.of(getAScaleInv()) * ranges.of(getBScaleInv());
  double error = getAccumulate() == Accumulate::Fast ? MagnitudeRange::kFastSum
                                                     : MagnitudeRange::kFloat32;
  MagnitudeRange sum =
      terms.sumOf(getA().getType().getDimSize(1), error).inexact();
  ranges.set(getD(), sum + ranges.of(getBias()) + ranges.of(getAddend()));
}
