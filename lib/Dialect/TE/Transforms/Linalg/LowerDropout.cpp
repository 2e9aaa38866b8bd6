// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout in linalg and arith: the runtime's random words, bit for bit.

#include "Linalg/Lowering.h"

#include "te/Dialect/TE/IR/DropoutOps.h"

#include "mlir/IR/TypeUtilities.h"

#include <array>

using namespace mlir;
using namespace mlir::te;

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

static void lower(DropoutOp op, Formula &f, Lowered &lowered) {
  StringRef all = getAllIndices(op.getX());
  if (!op.getSeed()) {
    op.emitOpError() << "has no seed; te-build-entries gives the entries of a "
                        "model one";
    return;
  }
  Value y = f.map(
      all, getElementTypeOrSelf(op.getY()),
      {{op.getX(), all}, {op.getSeed(), ""}},
      [&](Scalars &s, ValueRange x) -> Value {
        Words words(s);
        Value element =
            getElementNumber(s, words, all, op.getX().getType().getShape());
        Value counter =
            arith::ShRUIOp::create(s.builder, s.loc, element, words.wide(2));
        Words::Block block =
            words.philox(x[1], counter, int64_t(op.getStream()));
        Value which =
            arith::AndIOp::create(s.builder, s.loc, element, words.wide(3));
        Value chosen = block[3];
        for (int64_t i : {2, 1, 0})
          chosen = s.select(
              s.compareInts(arith::CmpIPredicate::eq, which, words.wide(i)),
              block[i], chosen);
        return s.select(words.isAtLeast(chosen, op.getThreshold()),
                        s.mul(x[0], s.number(double(op.getFactor()))),
                        s.number(0));
      });
  lowered.set(f, op.getY(), y);
}

void mlir::te::attachDropoutLowerings(MLIRContext *context) {
  attachLowering<DropoutOp, lower>(context);
}
