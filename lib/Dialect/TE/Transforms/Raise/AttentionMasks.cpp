// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/AttentionMasks.h"
#include "Raise/Matchers.h"

#include "te/Analysis/BandMask.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace mlir::te;

bool AttentionMasks::read(ArrayRef<ScoreMask> masks) {
  auto readAll = [&] {
    return llvm::all_of(masks,
                        [&](const ScoreMask &mask) { return readMask(mask); });
  };
  if (!readAll())
    return false;
  // Keys masked by a finite number are visible to queries that see nothing
  // else, unless they stay hidden next to all other masks.
  if (addends.empty() || staysHidden())
    return true;
  readsBands = causal = false;
  window = 0;
  addends.clear();
  return readAll();
}

// A smaller penalty only makes keys less likely.
static constexpr double kHidden = -1e4;

/// Constants as small as the slopes of ALiBi do not close the gap between
/// hidden and visible keys of the band, and each query has a visible one.
bool AttentionMasks::staysHidden() const {
  if (std::isinf(weakestBand))
    return true;
  double most = 0;
  for (const ScoreMask &mask : addends) {
    DenseElementsAttr data;
    if (!mask.isAddend || !matchPattern(mask.value, m_Constant(&data)) ||
        !data.getElementType().isF32())
      return false;
    double largest = 0;
    for (float value : data.getValues<float>()) {
      if (!std::isfinite(value))
        return false;
      largest = std::max(largest, std::abs(double(value)));
    }
    most += largest * std::abs(mask.factor);
  }
  return weakestBand - 2 * most >= -kHidden;
}

/// Takes in an addend or a mask of the scores.
bool AttentionMasks::readMask(ScoreMask mask) {
  LabelledValue source{mask.value, mask.labels};
  while (source.goBeforeView(/*throughCasts=*/true) ||
         source.goBeforeBroadcast())
    ;
  mask.value = source.value;
  mask.labels = source.labels;
  auto readBoth = [&](Value a, Value b) {
    ScoreMask other = mask;
    mask.value = a;
    other.value = b;
    return readMask(mask) && readMask(other);
  };
  if (mask.isAddend)
    if (auto sum = getSum(mask.value))
      return readBoth(sum->first, sum->second);
  if (!mask.isAddend && !mask.hides)
    if (auto both = mask.value.getDefiningOp<arith::AndIOp>())
      return readBoth(both.getLhs(), both.getRhs());
  if (!mask.isAddend && !(mask.factor <= kHidden))
    return fail("some of its scores are replaced by something else than "
                "-infinity");
  DenseElementsAttr data;
  if (readsBands && matchPattern(mask.value, m_Constant(&data)) &&
      readBand(mask, data))
    return true;
  // A query whose keys are all hidden has equal scores, which have no gradient.
  // With the same number as an addend they would have one.
  if (!mask.isAddend && !std::isinf(mask.factor))
    return fail("scores are replaced by a finite number, perhaps all that a "
                "query has");
  Type element = tensorType(mask.value).getElementType();
  if (mask.isAddend ? !element.isF32() && !element.isBF16()
                    : !element.isInteger(1))
    return fail("what is added to its scores is not of float32 or bfloat16");
  // One number for all keys of a query has no effect; a model that adds it
  // means something else.
  if (heads.keys.empty() || normalize(heads.keys) != [&] {
        Digits keys;
        for (const Digit &digit : normalize(flatten(mask.labels)))
          if (digit.loop == heads.keys.front().loop)
            keys.push_back(digit);
        return keys;
      }())
    return fail("what is added to its scores does not walk all keys");
  addends.push_back(mask);
  return true;
}

/// True if the rows of a constant mask hide keys as `causal` and `window` do.
bool AttentionMasks::readBand(const ScoreMask &mask, DenseElementsAttr data) {
  bool isAddend = mask.isAddend, hides = mask.hides;
  double factor = mask.factor;
  if (isAddend ? !data.getElementType().isF32()
               : !data.getElementType().isInteger(1))
    return false;
  SmallVector<float> floats;
  SmallVector<bool> bools;
  if (isAddend)
    floats.assign(data.value_begin<float>(), data.value_end<float>());
  else
    bools.assign(data.value_begin<bool>(), data.value_end<bool>());
  bool onlyHides = true;
  double weakest = isAddend ? weakestBand : std::min(weakestBand, -factor);
  auto allows = [&](int64_t at) {
    if (!isAddend)
      return bools[at] != hides;
    double value = floats[at] * factor;
    onlyHides &= value == 0 || value <= kHidden;
    if (value != 0)
      weakest = std::min(weakest, -value);
    return value == 0;
  };
  // Rows of the mask: all digits but the keys'.
  int64_t queries = countOf(heads.queries), keys = countOf(heads.keys);
  Digits digits = normalize(flatten(mask.labels));
  SmallVector<int64_t> strides(digits.size());
  int64_t step = 1, keyStep = 0;
  for (size_t i = digits.size(); i-- > 0; step *= digits[i].size) {
    strides[i] = step;
    if (heads.keys.empty() || digits[i].loop != heads.keys.front().loop)
      continue;
    if (digits[i].size != keys)
      return false;
    keyStep = step;
  }
  int64_t query = heads.queries.empty() ? -1 : heads.queries.front().loop;
  bool hasQueries = false;
  BandMask band(queries, keys);
  int64_t rows = keyStep ? data.getNumElements() / keys : data.getNumElements();
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row, base = 0, i = 0;
    for (size_t d = digits.size(); d-- > 0;) {
      if (keyStep && strides[d] == keyStep && digits[d].size == keys &&
          digits[d].loop == heads.keys.front().loop)
        continue;
      int64_t digit = rest % digits[d].size;
      rest /= digits[d].size;
      base += digit * strides[d];
      if (int64_t(digits[d].loop) == query) {
        i += digit * digits[d].stride;
        hasQueries = true;
      }
    }
    auto sees = [&](int64_t key) { return allows(base + key * keyStep); };
    if (hasQueries || queries == 1) {
      band.addRow(i, sees);
      continue;
    }
    // One row for all queries.
    for (int64_t each = 0; each < queries; ++each)
      band.addRow(each, sees);
  }
  if (!onlyHides || !band.isBand())
    return false;
  weakestBand = weakest;
  causal |= band.isCausal();
  if (int64_t size = band.getWindow())
    window = window ? std::min(window, size) : size;
  return true;
}

/// True if numbers that depend on the model's inputs may be -infinity.
/// Selections among finite constants are not, whatever multiplies them.
static bool mayBeInfinite(Value value, unsigned depth = 8) {
  DenseElementsAttr data;
  if (matchPattern(value, m_Constant(&data))) {
    auto isInfinite = [](const APFloat &number) { return number.isInfinity(); };
    if (!isa<FloatType>(data.getElementType()))
      return false;
    return data.isSplat() ? isInfinite(data.getSplatValue<APFloat>())
                          : llvm::any_of(data.getValues<APFloat>(), isInfinite);
  }
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return true;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return false;
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return mayBeInfinite(choice.getTrueValue(), depth - 1) ||
           mayBeInfinite(choice.getFalseValue(), depth - 1);
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op))
    return mayBeInfinite(broadcast.getInput(), depth - 1);
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return mayBeInfinite(transpose.getInput(), depth - 1);
  if (!isa_and_present<arith::ArithDialect, tensor::TensorDialect>(
          op->getDialect()) ||
      isa<arith::DivFOp>(op))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return mayBeInfinite(operand, depth - 1);
  });
}

AttentionMasks::HiddenQueries AttentionMasks::hidesQueries() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  HiddenQueries hides = HiddenQueries::None;
  SmallVector<const ScoreMask *> partly;
  for (const ScoreMask &mask : addends) {
    DenseElementsAttr data;
    if (!matchPattern(mask.value, m_Constant(&data))) {
      if (!mask.isAddend || mayBeInfinite(mask.value))
        hides = HiddenQueries::Perhaps;
      continue;
    }
    auto isHidden = [&](int64_t at) {
      if (!mask.isAddend)
        return data.getValues<bool>()[at] == mask.hides;
      return data.getValues<APFloat>()[at].convertToDouble() * mask.factor ==
             -kInfinity;
    };
    // Rows run along the keys, which may be anywhere in the mask's order.
    Digits digits = normalize(flatten(mask.labels));
    int64_t keys = countOf(heads.keys), stride = 1, total = 1;
    for (const Digit &digit : llvm::reverse(digits)) {
      if (digit.loop == heads.keys.front().loop)
        stride = total;
      total *= digit.size;
    }
    bool hidesAny = false;
    for (int64_t row = 0; row < total / keys; ++row) {
      int64_t first = row / stride * stride * keys + row % stride;
      bool hidesAll = true;
      for (int64_t key = 0; key < keys; ++key) {
        bool hidden = isHidden(first + key * stride);
        hidesAny |= hidden;
        hidesAll &= hidden;
      }
      if (hidesAll)
        return HiddenQueries::Some;
    }
    if (hidesAny)
      partly.push_back(&mask);
  }
  // Another mask may hide the keys that one of them leaves visible.
  if (!partly.empty() && (partly.size() > 1 || causal || window))
    hides = HiddenQueries::Perhaps;
  return hides;
}

/// The sum of all other masks, [B|1, H|1, Sq|1, Sk].
Value AttentionMasks::buildBias(OpBuilder &builder, Location loc) const {
  Type f32 = builder.getF32Type();
  struct Part {
    Value value;
    std::array<bool, 4> has;
  };
  SmallVector<Part> parts;
  std::array<bool, 4> all{};
  const Digits dims[] = {heads.batch(), heads.heads(/*ofKeys=*/false),
                         heads.queries, heads.keys};
  for (const ScoreMask &mask : addends) {
    Value value = mask.value;
    RankedTensorType type = tensorType(value);
    auto number = [&](double number) -> Value {
      return arith::ConstantOp::create(
          builder, loc,
          SplatElementsAttr::get(type.clone(f32),
                                 builder.getF32FloatAttr(float(number))));
    };
    if (!mask.isAddend)
      value = arith::SelectOp::create(builder, loc, value,
                                      number(mask.hides ? mask.factor : 0.0),
                                      number(mask.hides ? 0.0 : mask.factor));
    else if (mask.factor != 1)
      value = arith::MulFOp::create(
          builder, loc, convertElementType(builder, loc, value, f32),
          number(mask.factor));
    // A dimension that is only partly walked is broadcast to the full one.
    Digits walked = flatten(mask.labels), order;
    SmallVector<int64_t> shape;
    Part part{{}, {}};
    for (auto [dim, digits] : llvm::enumerate(dims)) {
      part.has[dim] = llvm::any_of(digits, [&](const Digit &digit) {
        return llvm::any_of(walked, [&](const Digit &other) {
          return other.loop == digit.loop &&
                 other.stride < digit.stride * digit.size &&
                 digit.stride < other.stride * other.size;
        });
      });
      all[dim] |= part.has[dim];
      shape.push_back(part.has[dim] ? countOf(digits) : 1);
      if (part.has[dim])
        order.append(digits);
    }
    if (countOf(order) != countOf(walked))
      return {};
    part.value = reorder(builder, loc, value, walked, order, shape);
    parts.push_back(part);
  }
  SmallVector<int64_t> shape;
  for (auto [dim, digits] : llvm::enumerate(dims))
    shape.push_back(all[dim] ? countOf(digits) : 1);
  Value sum;
  for (Part &part : parts) {
    Value value = part.value;
    if (tensorType(value).getShape() != ArrayRef(shape)) {
      SmallVector<int64_t> kept, repeated;
      for (int64_t dim = 0; dim < 4; ++dim)
        if (all[dim] && !part.has[dim])
          repeated.push_back(dim);
        else
          kept.push_back(shape[dim]);
      value = reshapeTo(builder, loc, value, kept);
      Value init = tensor::EmptyOp::create(builder, loc, shape,
                                           tensorType(value).getElementType());
      value = linalg::BroadcastOp::create(builder, loc, value, init, repeated)
                  ->getResult(0);
    }
    if (sum)
      value = addTensors(builder, loc, sum, value);
    sum = value;
  }
  return sum;
}
