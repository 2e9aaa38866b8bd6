// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dropout.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/LayerOps.h"

#include <array>

using namespace mlir;
using namespace mlir::te;

LogicalResult DropoutOp::verify() {
  if (failed(verifyShape(*this, "y", getY(), getX().getType().getShape())))
    return failure();
  float ratio = getRatio().convertToFloat();
  if (!(ratio >= 0 && ratio < 1))
    return emitOpError() << "expects its ratio to be in [0, 1), but it is "
                         << getRatioAttr();
  if (int64_t stream = int64_t(getStream()); stream < 0)
    return emitOpError() << "expects its stream not to be negative, but it is "
                         << stream;
  return success();
}

OpFoldResult DropoutOp::fold(FoldAdaptor) {
  return getRatio().isZero() && getX().getType() == getType() ? getX()
                                                              : OpFoldResult();
}

uint32_t DropoutOp::getThreshold() {
  return uint32_t(double(getRatio().convertToFloat()) * 0x1p32);
}

float DropoutOp::getFactor() {
  return 1.0f / (1.0f - getRatio().convertToFloat());
}

LogicalResult DropoutOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                  const Needed &needed, Cotangents operands) {
  if (needed[0])
    operands[0] =
        DropoutOp::create(builder, getLoc(), cotangents[0].getType(),
                          cotangents[0], getSeed(), getRatio(), getStream());
  return success();
}

Numbers DropoutOp::getComputeResults() { return {0}; }
Numbers DropoutOp::getComputeOperands() { return {0}; }
Numbers DropoutOp::getConvertibleResults() { return {0}; }

//===----------------------------------------------------------------------===//
// Form in linalg: the random words of the runtime, bit for bit
//===----------------------------------------------------------------------===//

namespace {
/// Integers of 32 and 64 bits inside a formula.
class Words {
public:
  using Block = std::array<Value, 4>;

  explicit Words(Scalars &scalars)
      : builder(scalars.builder), loc(scalars.loc) {}

  Value word(uint32_t number) {
    return arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(int32_t(number)));
  }
  Value wide(int64_t number) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(number));
  }
  Value low(Value value) {
    return arith::TruncIOp::create(builder, loc, builder.getI32Type(), value);
  }
  Value high(Value value) {
    return low(arith::ShRUIOp::create(builder, loc, value, wide(32)));
  }
  Value isAtLeast(Value word, uint32_t bound) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, word,
                                 this->word(bound));
  }

  /// Philox-4x32-10 of a counter and a key of 64 bits (runtime/support/Philox.h
  /// has the same in C++).
  Block philox(Value key, Value counter, int64_t stream) {
    Block state = {low(counter), high(counter), word(uint32_t(stream)),
                   word(uint32_t(uint64_t(stream) >> 32))};
    Value keys[] = {low(key), high(key)};
    for (int round = 0; round < 10; ++round) {
      auto first = multiply(state[0], 0xD2511F53);
      auto second = multiply(state[2], 0xCD9E8D57);
      state = {mix(second.getHigh(), state[1], keys[0]), second.getLow(),
               mix(first.getHigh(), state[3], keys[1]), first.getLow()};
      keys[0] = add(keys[0], 0x9E3779B9);
      keys[1] = add(keys[1], 0xBB67AE85);
    }
    return state;
  }

private:
  arith::MulUIExtendedOp multiply(Value a, uint32_t number) {
    return arith::MulUIExtendedOp::create(builder, loc, a, word(number));
  }
  Value mix(Value a, Value b, Value c) {
    Value both = arith::XOrIOp::create(builder, loc, a, b);
    return arith::XOrIOp::create(builder, loc, both, c);
  }
  Value add(Value a, uint32_t number) {
    return arith::AddIOp::create(builder, loc, a, word(number));
  }

  OpBuilder &builder;
  Location loc;
};
} // namespace

/// The row-major number of the current element, an i64.
static Value getElementNumber(Scalars &s, Words &words, StringRef indices,
                              ArrayRef<int64_t> shape) {
  Value number = words.wide(0);
  for (auto [index, size] : llvm::zip_equal(indices, shape)) {
    Value at = arith::IndexCastOp::create(s.builder, s.loc,
                                          s.builder.getI64Type(), s.at(index));
    number = arith::MulIOp::create(s.builder, s.loc, number, words.wide(size));
    number = arith::AddIOp::create(s.builder, s.loc, number, at);
  }
  return number;
}

void DropoutOp::buildLinalgForm(LinalgForm &f) {
  StringRef all = getAllIndices(getX());
  if (!getSeed()) {
    emitOpError() << "has no seed; te-build-entries gives the entries of a "
                     "model one";
    return;
  }
  Value y = f.map(
      all, getElementTypeOrSelf(getY()), {{getX(), all}, {getSeed(), ""}},
      [&](Scalars &s, ValueRange x) -> Value {
        Words words(s);
        Value element =
            getElementNumber(s, words, all, getX().getType().getShape());
        Value counter =
            arith::ShRUIOp::create(s.builder, s.loc, element, words.wide(2));
        Words::Block block = words.philox(x[1], counter, int64_t(getStream()));
        Value which =
            arith::AndIOp::create(s.builder, s.loc, element, words.wide(3));
        Value chosen = block[3];
        for (int64_t i : {2, 1, 0})
          chosen = s.select(
              s.compareInts(arith::CmpIPredicate::eq, which, words.wide(i)),
              block[i], chosen);
        return s.select(words.isAtLeast(chosen, getThreshold()),
                        s.mul(x[0], s.number(double(getFactor()))),
                        s.number(0));
      });
  f.set(getY(), y);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void DropoutOp::inferRanges(RangeInference &ranges) {
  ranges.set(getY(), ranges.of(getX()) * double(getFactor()));
}
