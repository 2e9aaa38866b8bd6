// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/ScanForm.h"

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value Expression::build(OpBuilder &builder, Location loc,
                        ArrayRef<unsigned> order,
                        ArrayRef<int64_t> shape) const {
  if (view)
    return view->build(builder, loc, order, shape);
  SmallVector<Value> inputs;
  for (const Expression &operand : operands) {
    inputs.push_back(operand.build(builder, loc, order, shape));
    if (!inputs.back())
      return {};
  }
  Operation *copy = op->cloneWithoutRegions();
  copy->setOperands(inputs);
  Value result = copy->getResult(0);
  result.setType(tensorType(result).clone(shape));
  copy->setLoc(loc);
  builder.insert(copy);
  return result;
}

/// Adds what `value` is a product of to `factors`. Factors that vary along one
/// kind of loops alone are not taken apart.
static void collect(const Expression &value,
                    function_ref<bool(const Expression &)> isMixed,
                    Factors &factors) {
  if (!isMixed(value)) {
    factors.all.push_back(value);
  } else if (auto operands = value.getOperands<arith::MulFOp>()) {
    for (const Expression &operand : *operands)
      collect(operand, isMixed, factors);
  } else if (auto operands = value.getOperands<arith::NegFOp>()) {
    factors.isNegated = !factors.isNegated;
    collect(operands->front(), isMixed, factors);
  } else {
    factors.all.push_back(value);
  }
}

/// Takes `factor` out of a product, wherever in it it is.
static bool takeOut(const Expression &factor,
                    std::vector<Expression> &product) {
  auto same = llvm::find(product, factor);
  if (same != product.end()) {
    product.erase(same);
    return true;
  }
  for (size_t i = 0; i < product.size(); ++i)
    if (auto inner = product[i].getOperands<arith::MulFOp>())
      if (takeOut(factor, *inner)) {
        product.erase(product.begin() + i);
        llvm::append_range(product, *inner);
        return true;
      }
  return false;
}

void ScanForm::setPieces(ArrayRef<StatePiece> all, int64_t tokens) {
  pieces.assign(all.begin(), all.end());
  hasTokens = llvm::any_of(
      all, [](const StatePiece &piece) { return piece.role == Tokens; });
  llvm::fill(sizes, 1);
  for (const StatePiece &piece : pieces)
    sizes[piece.role] *= piece.size;
  sizes[Tokens] = tokens;
}

SmallVector<unsigned> ScanForm::getAll() const {
  return llvm::to_vector(llvm::seq<unsigned>(0, pieces.size()));
}

std::optional<StridedView> ScanForm::byRole(const StridedView &first,
                                            int64_t stride) const {
  SmallVector<int64_t> shape;
  for (const StatePiece &piece : pieces)
    shape.push_back(piece.size);
  auto split = splitLoops(first.groups.front(), shape);
  if (!split)
    return std::nullopt;
  SmallVector<Strides> groups(NumRoles);
  if (!hasTokens)
    groups[Tokens].push_back({sizes[Tokens], stride});
  for (auto [piece, loops] : llvm::zip_equal(pieces, *split))
    llvm::append_range(groups[piece.role], loops);
  for (Strides &group : groups)
    group = canonicalize(group);
  return StridedView(first.source, first.offset, std::move(groups));
}

std::optional<Expression> ScanForm::forTokens(const StepValue &value) const {
  Expression result;
  if (value.operands.empty()) {
    result.view = byRole(value.first, value.stride);
    return result.view ? std::optional(result) : std::nullopt;
  }
  result.op = value.first.source.getDefiningOp();
  for (const StepValue &operand : value.operands) {
    std::optional<Expression> inner = forTokens(operand);
    if (!inner)
      return std::nullopt;
    result.operands.push_back(std::move(*inner));
  }
  return result;
}

StridedView ScanForm::viewOf(Value tensor, ArrayRef<unsigned> wanted,
                             ArrayRef<Role> roles) const {
  SmallVector<int64_t> strides(pieces.size());
  int64_t next = 1;
  for (Role role : llvm::reverse(roles)) {
    if (role == Tokens && !hasTokens)
      next *= sizes[Tokens];
    for (size_t i = pieces.size(); i-- > 0;)
      if (pieces[i].role == role) {
        strides[i] = next;
        next *= pieces[i].size;
      }
  }
  Strides loops;
  for (unsigned piece : wanted)
    loops.push_back({pieces[piece].size, strides[piece]});
  return StridedView(tensor, 0, {canonicalize(loops)});
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

bool ScanForm::match(const Expression &decay, const Expression &input) {
  if (!matchInputs(input))
    return false;
  if (matchSelective(decay))
    return true;
  if (decay.movesIn(Numbers))
    return false;
  decays.all.push_back(decay);
  return true;
}

bool ScanForm::matchInputs(const Expression &input) {
  Factors factors;
  collect(
      input,
      [](const Expression &value) {
        return value.movesIn(Channels) && value.movesIn(Numbers);
      },
      factors);
  channelInputs.isNegated = factors.isNegated;
  for (Expression &factor : factors.all) {
    if (!factor.movesIn(Numbers))
      channelInputs.all.push_back(std::move(factor));
    else if (!factor.movesIn(Channels))
      keys.all.push_back(std::move(factor));
    else
      return false;
  }
  return true;
}

bool ScanForm::matchSelective(const Expression &decay) {
  auto exponent = decay.getOperands<math::ExpOp>();
  if (!exponent)
    return false;
  Factors factors, ofRates, ofSteps;
  collect(
      exponent->front(),
      [](const Expression &value) {
        return value.movesIn(Numbers) &&
               (value.movesIn(Tokens) || value.movesIn(Batch));
      },
      factors);
  ofRates.isNegated = factors.isNegated;
  for (Expression &factor : factors.all) {
    if (!factor.movesIn(Tokens) && !factor.movesIn(Batch))
      ofRates.all.push_back(std::move(factor));
    else if (!factor.movesIn(Numbers))
      ofSteps.all.push_back(std::move(factor));
    else
      return false;
  }
  if (ofRates.all.empty() || ofSteps.all.empty())
    return false;
  // The input has the same steps.
  std::vector<Expression> others(channelInputs.all);
  for (const Expression &step : ofSteps.all)
    if (!takeOut(step, others))
      return false;
  channelInputs.all = std::move(others);
  rates = std::move(ofRates);
  decays = std::move(ofSteps);
  return true;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static Value buildProduct(OpBuilder &builder, Location loc,
                          const Factors &factors, ArrayRef<unsigned> order,
                          ArrayRef<int64_t> shape) {
  Value product;
  for (const Expression &expression : factors.all) {
    Value factor = expression.build(builder, loc, order, shape);
    if (!factor)
      return {};
    product =
        product ? arith::MulFOp::create(builder, loc, product, factor) : factor;
  }
  if (!product)
    product = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            RankedTensorType::get(shape, builder.getF32Type()), 1.0f));
  return factors.isNegated ? Value(arith::NegFOp::create(builder, loc, product))
                           : product;
}

ScanOp ScanForm::build(OpBuilder &builder, Location loc,
                       const StridedView &queries, Value initial) const {
  int64_t tokens = sizes[Tokens], batch = sizes[Batch],
          channels = sizes[Channels], size = sizes[Numbers];
  const SmallVector<unsigned> ofChannels{Batch, Tokens, Channels},
      ofNumbers{Batch, Tokens, Numbers};
  const SmallVector<int64_t> activations{batch, tokens, channels},
      numbers{batch, tokens, size};
  Value decay = buildProduct(builder, loc, decays, ofChannels, activations);
  Value x = buildProduct(builder, loc, channelInputs, ofChannels, activations);
  Value rate;
  if (!rates.all.empty())
    rate = buildProduct(builder, loc, rates, {Channels, Numbers},
                        {channels, size});
  Value key = buildProduct(builder, loc, keys, ofNumbers, numbers);
  Value query = queries.build(builder, loc, ofNumbers, numbers);
  if (!decay || !x || !key || !query || (!rates.all.empty() && !rate))
    return {};
  return ScanOp::create(builder, loc, decay, x, rate, key, query, initial,
                        size);
}
