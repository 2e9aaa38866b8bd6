// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te.scan and its gradient.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Builder, verifiers
//===----------------------------------------------------------------------===//

/// Tokens between the states that are kept. The gradient of a chunk has its
/// keys and queries in a GPU's shared memory: fewer where states are large.
static int64_t chooseChunk(int64_t stateSize) {
  return stateSize <= 64 ? 64 : 32;
}

void ScanOp::build(OpBuilder &builder, OperationState &state, Value decay,
                   Value x, Value rates, Value keys, Value queries,
                   Value initial, int64_t stateSize) {
  RankedTensorType type = tensorType(x);
  int64_t batch = type.getDimSize(0), channels = type.getDimSize(2),
          chunk = chooseChunk(stateSize);
  Type f32 = builder.getF32Type();
  auto states = RankedTensorType::get(
      {batch, int64_t(llvm::divideCeil(type.getDimSize(1), chunk)), channels,
       stateSize},
      f32);
  build(builder, state, type, states,
        RankedTensorType::get({batch, channels, stateSize}, f32), decay, x,
        rates, keys, queries, initial, builder.getI64IntegerAttr(chunk));
}

/// What te.scan and its gradient require of their common operands.
template <typename Op> static LogicalResult verifyScan(Op op) {
  ArrayRef<int64_t> shape = op.getX().getType().getShape();
  int64_t batch = shape[0], tokens = shape[1], channels = shape[2];
  auto chunk = static_cast<int64_t>(op.getChunk());
  if (chunk < 1)
    return op.emitOpError() << "expects a chunk of at least one token, but it "
                            << "is " << chunk;
  if (!op.getKeys() != !op.getQueries())
    return op.emitOpError() << "expects keys and queries together, or neither";
  if (op.getRates() && !op.getKeys())
    return op.emitOpError() << "has rates, which need keys and queries";
  int64_t size =
      op.getKeys() ? op.getStates().getType().getDimSize(3) : int64_t(1);
  if (failed(verifyShapes(
          op,
          {{"decay", op.getDecay(), shape},
           {"states",
            op.getStates(),
            {batch, int64_t(llvm::divideCeil(tokens, chunk)), channels, size}},
           {"rates", op.getRates(), {channels, size}}})))
    return failure();
  if (!op.getKeys())
    return success();
  int64_t columns = op.getKeys().getType().getDimSize(2);
  int64_t groups = size > 0 ? columns / size : 0;
  if (groups < 1 || columns % size != 0 || channels % groups != 0)
    return op.emitOpError()
           << "expects keys of the " << size
           << " numbers of a state for each of several groups that divide the "
           << channels << " channels, but they have " << columns << " columns";
  return verifyShapes(op,
                      {{"keys", op.getKeys(), {batch, tokens, columns}},
                       {"queries", op.getQueries(), {batch, tokens, columns}}});
}

static SmallVector<int64_t> getFinalShape(RankedTensorType states) {
  return {states.getDimSize(0), states.getDimSize(2), states.getDimSize(3)};
}

LogicalResult ScanOp::verify() {
  if (failed(verifyScan(*this)))
    return failure();
  SmallVector<int64_t> final = getFinalShape(getStates().getType());
  return verifyShapes(*this, {{"y", getY(), getX().getType().getShape()},
                              {"initial", getInitial(), final},
                              {"final", getFinal(), final}});
}

LogicalResult ScanGradOp::verify() {
  if (failed(verifyScan(*this)))
    return failure();
  for (auto [name, of, gradient] :
       {std::tuple<StringRef, Value, Value>("rates", getRates(), getDrates()),
        std::tuple<StringRef, Value, Value>("keys", getKeys(), getDkeys()),
        std::tuple<StringRef, Value, Value>("queries", getQueries(),
                                            getDqueries())})
    if (gradient && !of)
      return emitOpError() << "has a gradient of '" << name
                           << "', which it does not have";
  auto shapeOf = [](Value value) {
    return value ? tensorType(value).getShape() : ArrayRef<int64_t>();
  };
  ArrayRef<int64_t> shape = getX().getType().getShape();
  SmallVector<int64_t> final = getFinalShape(getStates().getType());
  return verifyShapes(*this, {{"dy", getDy(), shape},
                              {"ddecay", getDdecay(), shape},
                              {"dx", getDx(), shape},
                              {"drates", getDrates(), shapeOf(getRates())},
                              {"dkeys", getDkeys(), shapeOf(getKeys())},
                              {"dqueries", getDqueries(), shapeOf(getKeys())},
                              {"dfinal", getDfinal(), final},
                              {"dinitial", getDinitial(), final}});
}

//===----------------------------------------------------------------------===//
// Gradient and precision
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                               const Needed &needed, Cotangents operands) {
  if (cotangents[1])
    return emitOpError()
           << "has no gradient for its result #1, the states that "
              "are saved for the backward pass only";
  Location loc = getLoc();
  Value dy = cotangents[0] ? cotangents[0]
                           : createZeros(builder, loc, getY().getType());
  Value dfinal = cotangents[2] ? convertElementType(builder, loc, cotangents[2],
                                                    builder.getF32Type())
                               : Value();
  auto numberOf = [](MutableOperandRange operand) -> std::optional<unsigned> {
    if (operand.empty())
      return std::nullopt;
    return operand[0].getOperandNumber();
  };
  std::optional<unsigned> rates = numberOf(getRatesMutable()),
                          keys = numberOf(getKeysMutable()),
                          queries = numberOf(getQueriesMutable()),
                          initial = numberOf(getInitialMutable());
  auto typeOf = [&](std::optional<unsigned> number) {
    return number && needed[*number] ? getOperand(*number).getType() : Type();
  };
  auto grad = ScanGradOp::create(
      builder, loc, getDecay().getType(), getX().getType(), typeOf(rates),
      typeOf(keys), typeOf(queries), getFinal().getType(), dy, getDecay(),
      getX(), getStates(), getRates(), getKeys(), getQueries(), dfinal,
      getChunkAttr());
  auto set = [&](std::optional<unsigned> number, Value gradient) {
    if (number && needed[*number])
      operands[*number] = gradient;
  };
  set(0, grad.getDdecay());
  set(1, grad.getDx());
  set(rates, grad.getDrates());
  set(keys, grad.getDkeys());
  set(queries, grad.getDqueries());
  set(initial, grad.getDinitial());
  return success();
}

static void addNumbers(Numbers &numbers, MutableOperandRange operands) {
  for (OpOperand &operand : operands)
    numbers.push_back(operand.getOperandNumber());
}

/// A step may be rounded like other activations. A decay near 1 that acts once
/// for each token may not: bf16 has nothing between 0.996 and 1.
template <typename Op> static Numbers getComputeNumbers(Op op) {
  Numbers numbers{op.getXMutable().getOperandNumber()};
  if (op.getRates())
    numbers.push_back(op.getDecayMutable().getOperandNumber());
  addNumbers(numbers, op.getKeysMutable());
  addNumbers(numbers, op.getQueriesMutable());
  return numbers;
}

template <typename Op> static Numbers getWideNumbers(Op op) {
  Numbers numbers;
  if (!op.getRates())
    numbers.push_back(op.getDecayMutable().getOperandNumber());
  addNumbers(numbers, op.getRatesMutable());
  return numbers;
}

Numbers ScanOp::getComputeResults() { return {0}; }
Numbers ScanOp::getComputeOperands() { return getComputeNumbers(*this); }
Numbers ScanOp::getFloat32Operands() {
  Numbers numbers = getWideNumbers(*this);
  addNumbers(numbers, getInitialMutable());
  return numbers;
}

Numbers ScanGradOp::getComputeResults() {
  Numbers numbers{1};
  if (getRates())
    numbers.push_back(0);
  for (Value result : {getDkeys(), getDqueries()})
    if (result)
      numbers.push_back(cast<OpResult>(result).getResultNumber());
  return numbers;
}
Numbers ScanGradOp::getComputeOperands() {
  Numbers numbers = getComputeNumbers(*this);
  numbers.push_back(getDyMutable().getOperandNumber());
  return numbers;
}
Numbers ScanGradOp::getFloat32Operands() {
  Numbers numbers = getWideNumbers(*this);
  numbers.push_back(getStatesMutable().getOperandNumber());
  addNumbers(numbers, getDfinalMutable());
  return numbers;
}

/// Exponentials take longer than what moves.
template <typename Op> static Work getScanWork(Op op) {
  Work work = getMovingWork(op);
  if (op.getRates())
    work.addExtra("rates");
  return work;
}
Work ScanOp::getWork() { return getScanWork(*this); }
Work ScanGradOp::getWork() { return getScanWork(*this); }

//===----------------------------------------------------------------------===//
// Forms in linalg: all states are stored
//===----------------------------------------------------------------------===//

static Value multiply(Scalars &s, ValueRange x) {
  Value product = x[0];
  for (Value factor : x.drop_front())
    product = s.mul(product, factor);
  return product;
}

namespace {
/// The recurrence of one scan. Indices: b batches; t tokens; g groups; e
/// channels of a group; n numbers of a state.
template <typename Op> class Recurrence {
public:
  Recurrence(Op op, Formula &formula) : op(op), f(formula) {
    size = op.getStates().getType().getDimSize(3);
    groups = op.getKeys() ? op.getKeys().getType().getDimSize(2) / size : 1;
    tokens = op.getX().getType().getDimSize(1);
    decay = ofChannels(op.getDecay(), 2, "btge");
    x = ofChannels(op.getX(), 2, "btge");
    if (op.getRates())
      rates = ofChannels(op.getRates(), 0, "gen");
    if (op.getKeys()) {
      keys = {f.splitDim(op.getKeys(), 2, size), "btgn"};
      queries = {f.splitDim(op.getQueries(), 2, size), "btgn"};
    }
    f.setSize('n', size);
    Type f32 = f.builder.getF32Type();
    a = rates.tensor ? f.map("btgen", f32, {decay, rates},
                             [](Scalars &s, ValueRange v) {
                               return s.call<math::ExpOp>(s.mul(v[0], v[1]));
                             })
                     : f.map("btgen", f32, {decay}, multiply);
    SmallVector<Term> factors{x};
    if (keys.tensor)
      factors.push_back(keys);
    if (rates.tensor)
      factors.push_back(decay);
    u = f.map("btgen", f32, factors, multiply);
  }

  /// A tensor whose dimension `dim` is the channels.
  Term ofChannels(Value value, int64_t dim, StringRef indices) {
    return {f.splitDim(value, dim, tensorType(value).getDimSize(dim) / groups),
            indices};
  }

  /// The c before each token, with c = `first`, then a[t] * c + `added`[t],
  /// from the first token to the last or back; and the last c.
  std::pair<Value, Value> run(Value added, Value first, bool isBackward) {
    OpBuilder &b = f.builder;
    Location loc = f.loc;
    SmallVector<int64_t> shape(tensorType(a).getShape());
    SmallVector<OpFoldResult> strides(5, b.getIndexAttr(1)), sizes;
    for (int64_t dim : shape)
      sizes.push_back(b.getIndexAttr(dim));
    sizes[1] = b.getIndexAttr(1);
    auto offsetsOf = [&](OpFoldResult token) {
      SmallVector<OpFoldResult> offsets(5, b.getIndexAttr(0));
      offsets[1] = token;
      return offsets;
    };
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    shape[1] = tokens + 1;
    Value all = tensor::EmptyOp::create(b, loc, shape, b.getF32Type());
    all = tensor::InsertSliceOp::create(
        b, loc, first, all, offsetsOf(b.getIndexAttr(isBackward ? tokens : 0)),
        sizes, strides);
    Value begin = index(0), end = index(tokens), one = index(1),
          lastToken = index(tokens - 1);
    auto loop = scf::ForOp::create(b, loc, begin, end, one, ValueRange{all});
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value token = loop.getInductionVar(), states = loop.getRegionIterArg(0);
      if (isBackward)
        token = arith::SubIOp::create(b, loc, lastToken, token);
      Value behind = arith::AddIOp::create(b, loc, token, one);
      auto at = [&](Value tensor, Value place) -> Term {
        return {tensor::ExtractSliceOp::create(b, loc, tensorType(first),
                                               tensor, offsetsOf(place), sizes,
                                               strides),
                "bgen"};
      };
      Value next = f.map("bgen", b.getF32Type(),
                         {at(a, token), at(states, isBackward ? behind : token),
                          at(added, token)},
                         [](Scalars &s, ValueRange v) {
                           return s.add(s.mul(v[0], v[1]), v[2]);
                         });
      Value stored = tensor::InsertSliceOp::create(
          b, loc, next, states, offsetsOf(isBackward ? token : behind), sizes,
          strides);
      scf::YieldOp::create(b, loc, stored);
    }
    all = loop.getResult(0);
    return {f.slice(all, 1, isBackward ? 1 : 0, tokens),
            f.slice(all, 1, isBackward ? 0 : tokens, 1)};
  }

  /// [B,D,N] as a state of this form.
  Value asState(Value value) {
    RankedTensorType type = tensorType(a);
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + 1);
    return value ? f.reshape(value, shape)
                 : createZeros(f.builder, f.loc, type.clone(shape));
  }

  /// The states behind all tokens, from those before them.
  Value getBehind(Value before) {
    return f.map("btgen", f.builder.getF32Type(),
                 {{a, "btgen"}, {before, "btgen"}, {u, "btgen"}},
                 [](Scalars &s, ValueRange v) {
                   return s.add(s.mul(v[0], v[1]), v[2]);
                 });
  }

  Op op;
  Formula &f;
  int64_t size, groups, tokens;
  Term decay, x, rates{}, keys{}, queries{};
  Value a, u;
};
} // namespace

/// Sets a result from a value of the same elements.
static void setReshaped(LinalgForm &f, Value result,
                        function_ref<Value()> build) {
  if (f.needs(result))
    f.set(result, f.reshape(build(), tensorType(result).getShape()));
}

void ScanOp::buildLinalgForm(LinalgForm &f) {
  Recurrence<ScanOp> scan(*this, f);
  auto [before, last] =
      scan.run(scan.u, scan.asState(getInitial()), /*isBackward=*/false);
  setReshaped(f, getY(), [&, before = before] {
    SmallVector<Term> factors{{scan.getBehind(before), "btgen"}};
    if (getKeys())
      factors.push_back(scan.queries);
    return f.sum("btge", factors, multiply);
  });
  setReshaped(f, getStates(), [&, before = before]() -> Value {
    SmallVector<int64_t> sizes(tensorType(before).getShape()), offsets(5, 0),
        strides(5, 1);
    sizes[1] = getStates().getType().getDimSize(1);
    strides[1] = static_cast<int64_t>(getChunk());
    auto attributes = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(f.builder.getContext(), numbers);
    };
    return tensor::ExtractSliceOp::create(
        f.builder, f.loc, before, attributes(offsets), attributes(sizes),
        attributes(strides));
  });
  setReshaped(f, getFinal(), [last = last] { return last; });
}

void ScanGradOp::buildLinalgForm(LinalgForm &f) {
  Recurrence<ScanGradOp> scan(*this, f);
  Value first = f.slice(getStates(), 1, 0, 1);
  Value before =
      scan.run(scan.u, scan.asState(first), /*isBackward=*/false).first;
  Type f32 = f.builder.getF32Type();
  // Of the states, by way of y and of the next token.
  Term dy = scan.ofChannels(getDy(), 2, "btge");
  SmallVector<Term> read{dy};
  if (getKeys())
    read.push_back(scan.queries);
  Value dh = f.map("btgen", f32, read, multiply);
  Value decayed =
      f.map("btgen", f32, {{dh, "btgen"}, {scan.a, "btgen"}}, multiply);
  auto [later, dinitial] =
      scan.run(decayed, scan.asState(getDfinal()), /*isBackward=*/true);
  Value du = f.map("btgen", f32, {{dh, "btgen"}, {later, "btgen"}},
                   [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
  Value da = f.map("btgen", f32, {{du, "btgen"}, {before, "btgen"}}, multiply);
  // Of the exponents.
  Value dlog = getRates() ? f.map("btgen", f32,
                                  {{da, "btgen"}, {scan.a, "btgen"}}, multiply)
                          : Value();
  auto input = [&](SmallVector<Term> others) {
    SmallVector<Term> factors{{du, "btgen"}};
    for (const Term &other : others)
      if (other.tensor)
        factors.push_back(other);
    return factors;
  };
  Term step = getRates() ? scan.decay : Term{};
  setReshaped(f, getDdecay(), [&]() -> Value {
    if (!getRates())
      return f.sum("btge", {{da, "btgen"}}, multiply);
    Value first = f.sum("btge", {{dlog, "btgen"}, scan.rates}, multiply);
    Value second = f.sum("btge", input({scan.x, scan.keys}), multiply);
    return f.map("btge", f32, {{first, "btge"}, {second, "btge"}},
                 [](Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
  });
  setReshaped(f, getDx(), [&] {
    return f.sum("btge", input({scan.keys, step}), multiply);
  });
  setReshaped(f, getDkeys(),
              [&] { return f.sum("btgn", input({scan.x, step}), multiply); });
  setReshaped(f, getDqueries(), [&] {
    return f.sum("btgn", {dy, {scan.getBehind(before), "btgen"}}, multiply);
  });
  setReshaped(f, getDrates(), [&] {
    return f.sum("gen", {{dlog, "btgen"}, scan.decay}, multiply);
  });
  setReshaped(f, getDinitial(), [dinitial = dinitial] { return dinitial; });
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void ScanOp::inferRanges(RangeInference &ranges) {
  // Nothing is known of a decay that is an exponential, and one above 1 grows
  // with every token.
  MagnitudeRange decay = ranges.of(getDecay());
  if (getRates() || decay.upper > 0)
    return;
  MagnitudeRange input = ranges.of(getX());
  if (getKeys())
    input = (input * ranges.of(getKeys())).inexact();
  int64_t tokens = getX().getType().getDimSize(1);
  MagnitudeRange state =
      (ranges.of(getInitial()) + input.sumOf(tokens)).withoutLower().inexact();
  ranges.set(getStates(), state);
  ranges.set(getFinal(), state);
  int64_t size = getStates().getType().getDimSize(3);
  ranges.set(getY(),
             getKeys() ? (state * ranges.of(getQueries())).sumOf(size).inexact()
                       : state);
}
