// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises recurrences that are written out step by step to te.scan, with the
// sums that read their states.

#include "Raise/Matchers.h"
#include "Raise/Raise.h"
#include "Raise/ScanChain.h"
#include "Raise/ScanReadouts.h"
#include "Raise/ScanTree.h"

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

#include <vector>

using namespace mlir;
using namespace mlir::te;

/// Shorter recurrences stay as they are.
static constexpr size_t kLeastSteps = 4;

namespace {
/// Groups of a view's loops.
enum Role : unsigned { Tokens, Batch, Channels, Numbers, NumRoles };

/// A piece of a state's dimension.
struct StatePiece {
  int64_t size;
  Role role;
};

/// What a recurrence has for all its tokens: elements of one tensor, grouped by
/// role, or an elementwise op of such operands.
struct Expression {
  std::optional<StridedView> view;
  Operation *op = nullptr;
  std::vector<Expression> operands;

  bool operator==(const Expression &other) const {
    return view == other.view && op == other.op && operands == other.operands;
  }
  bool movesIn(Role role) const {
    return view ? view->movesIn(role)
                : llvm::any_of(operands, [&](const Expression &operand) {
                    return operand.movesIn(role);
                  });
  }
  /// Whether the op that computes it is an `Op`; its operands then.
  template <typename Op>
  std::optional<std::vector<Expression>> getOperands() const {
    if (!view)
      return isa<Op>(op) ? std::optional(operands) : std::nullopt;
    auto computed = view->source.getDefiningOp<Op>();
    if (!computed)
      return std::nullopt;
    std::vector<Expression> inner;
    for (Value operand : computed->getOperands()) {
      StridedView before = *view;
      before.source = operand;
      before.goToStart();
      inner.push_back({std::move(before), nullptr, {}});
    }
    return inner;
  }
  /// As a tensor of `shape`, in the order of roles; null if that is impossible.
  Value build(OpBuilder &builder, Location loc, ArrayRef<unsigned> order,
              ArrayRef<int64_t> shape) const;
};

/// A product of expressions, perhaps negated.
struct Factors {
  std::vector<Expression> all;
  bool isNegated = false;
};

/// Writes one recurrence as te.scan.
class ScanRaiser {
public:
  ScanRaiser(const ScanChain &chain, IRRewriter &rewriter)
      : chain(chain), rewriter(rewriter), loc(chain.steps.front()->getLoc()) {}

  /// Replaces the recurrence and its readouts, if every state is read by one
  /// sum over its numbers and decays and inputs are products that te.scan has a
  /// form for. False if nothing changed.
  bool raiseWithReadouts();
  /// Replaces the recurrence alone.
  bool raiseStates();

private:
  Value state(size_t step) const { return chain.steps[step]->getResult(0); }
  /// What multiplies the state behind a step in the next one.
  Operation *nextOf(size_t step) const {
    return step + 1 < chain.steps.size() ? chain.products[step + 1] : nullptr;
  }
  bool matchReadouts();
  void setPieces(ArrayRef<StatePiece> all);
  /// A step's value for all tokens.
  std::optional<Expression> forTokens(const StepValue &value) const;
  std::optional<StridedView> byRole(const StridedView &first,
                                    int64_t stride) const;
  bool matchInputs();
  bool matchSelective();
  bool matchDirect();

  Value build(const Factors &factors, ArrayRef<unsigned> order,
              ArrayRef<int64_t> shape);
  /// The state before the first step, as te.scan takes it; none if it is zero.
  /// False if it cannot be built.
  bool buildInitial(Value &initial);
  /// The pieces of a state in the order of `wanted`, as a view of a tensor in
  /// which they have their place by role, those of tokens included.
  StridedView viewOf(Value tensor, ArrayRef<unsigned> wanted,
                     ArrayRef<Role> roles) const;
  /// Replaces what reads the values of the steps, but the next steps
  /// themselves. Their row-major order is `first` for the first one, and
  /// `stride` elements behind for each other.
  void replaceReaders(ArrayRef<Value> values, bool areStates,
                      const StridedView &first, int64_t stride);
  /// Replaces a concatenation of all of them, if it is one.
  void replaceStack(ArrayRef<Value> values, tensor::ConcatOp concat,
                    const StridedView &first, int64_t stride);

  const ScanChain &chain;
  IRRewriter &rewriter;
  Location loc;

  SmallVector<StatePiece> pieces; ///< in the state's row-major order
  int64_t sizes[NumRoles] = {};
  SmallVector<ScanReadout, 0> readouts;
  int64_t queryStride = 0;
  Factors rates, decays, channelInputs, keys;
};
} // namespace

/// The uses of a value, through reshapes, by ops that are not `next`.
static SmallVector<OpOperand *> getReaders(Value value, Operation *next) {
  SmallVector<OpOperand *> readers;
  SmallVector<Value> values{value};
  while (!values.empty())
    for (OpOperand &use : values.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
        values.push_back(user->getResult(0));
      else if (user != next)
        readers.push_back(&use);
    }
  return readers;
}

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

void ScanRaiser::setPieces(ArrayRef<StatePiece> all) {
  pieces.assign(all.begin(), all.end());
  llvm::fill(sizes, 1);
  sizes[Tokens] = static_cast<int64_t>(chain.steps.size());
  for (const StatePiece &piece : pieces)
    sizes[piece.role] *= piece.size;
}

std::optional<StridedView> ScanRaiser::byRole(const StridedView &first,
                                              int64_t stride) const {
  SmallVector<int64_t> shape;
  for (const StatePiece &piece : pieces)
    shape.push_back(piece.size);
  auto split = splitLoops(first.groups.front(), shape);
  if (!split)
    return std::nullopt;
  SmallVector<Strides> groups(NumRoles);
  groups[Tokens].push_back({sizes[Tokens], stride});
  for (auto [piece, loops] : llvm::zip_equal(pieces, *split))
    llvm::append_range(groups[piece.role], loops);
  for (Strides &group : groups)
    group = canonicalize(group);
  return StridedView(first.source, first.offset, std::move(groups));
}

std::optional<Expression> ScanRaiser::forTokens(const StepValue &value) const {
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

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

bool ScanRaiser::matchReadouts() {
  size_t count = chain.steps.size();
  for (size_t step = 0; step < count; ++step) {
    for (OpOperand *reader : getReaders(state(step), nextOf(step))) {
      if (reader->getOwner()->getBlock() != chain.steps.front()->getBlock())
        return false;
      if (readouts.size() == step)
        if (auto readout = ScanReadout::get(*reader)) {
          readouts.push_back(std::move(*readout));
          continue;
        }
      // The last state may be read besides.
      if (step + 1 != count)
        return false;
    }
    if (readouts.size() == step)
      return false;
    const ScanReadout &first = readouts.front(), &own = readouts.back();
    int64_t distance = own.queryOffset - first.queryOffset;
    if (step == 1)
      queryStride = distance;
    if (!own.isLike(first) || distance < 0 ||
        distance != queryStride * int64_t(step))
      return false;
  }
  SmallVector<StatePiece> all;
  for (const ScanReadout::Piece &piece : readouts.front().pieces)
    all.push_back({piece.size, piece.isSummed           ? Numbers
                               : piece.queryStride != 0 ? Batch
                                                        : Channels});
  setPieces(all);
  return matchInputs() && (matchSelective() || matchDirect());
}

bool ScanRaiser::matchInputs() {
  std::optional<Expression> input = forTokens(chain.input);
  if (!input)
    return false;
  Factors factors;
  collect(
      *input,
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

bool ScanRaiser::matchSelective() {
  std::optional<Expression> decay = forTokens(chain.decay);
  auto exponent = decay ? decay->getOperands<math::ExpOp>() : std::nullopt;
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

bool ScanRaiser::matchDirect() {
  std::optional<Expression> decay = forTokens(chain.decay);
  if (!decay || decay->movesIn(Numbers))
    return false;
  decays.all.push_back(std::move(*decay));
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value ScanRaiser::build(const Factors &factors, ArrayRef<unsigned> order,
                        ArrayRef<int64_t> shape) {
  Value product;
  for (const Expression &expression : factors.all) {
    Value factor = expression.build(rewriter, loc, order, shape);
    if (!factor)
      return {};
    product = product ? arith::MulFOp::create(rewriter, loc, product, factor)
                      : factor;
  }
  if (!product)
    product = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(
            RankedTensorType::get(shape, rewriter.getF32Type()), 1.0f));
  return factors.isNegated
             ? Value(arith::NegFOp::create(rewriter, loc, product))
             : product;
}

bool ScanRaiser::buildInitial(Value &initial) {
  if (isZero(chain.initial))
    return true;
  std::optional<StridedView> view =
      byRole(StridedView(chain.initial), /*stride=*/0);
  if (view)
    initial = view->build(rewriter, loc, {Batch, Channels, Numbers},
                          {sizes[Batch], sizes[Channels], sizes[Numbers]});
  return initial != nullptr;
}

StridedView ScanRaiser::viewOf(Value tensor, ArrayRef<unsigned> wanted,
                               ArrayRef<Role> roles) const {
  SmallVector<int64_t> strides(pieces.size());
  int64_t next = 1;
  for (Role role : llvm::reverse(roles)) {
    if (role == Tokens)
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

void ScanRaiser::replaceStack(ArrayRef<Value> values, tensor::ConcatOp concat,
                              const StridedView &first, int64_t stride) {
  if (concat.getInputs().size() != values.size())
    return;
  std::optional<StridedView> whole;
  for (auto [value, input] : llvm::zip_equal(values, concat.getInputs())) {
    StridedView view(input);
    while (view.source != value)
      if (!view.goBefore())
        return;
    if (!whole)
      whole = view;
    else if (view.offset != whole->offset || view.groups != whole->groups)
      return;
  }
  std::optional<StridedView> view = whole->over(first);
  auto split = view ? splitLoops(view->groups.front(),
                                 tensorType(concat.getInputs()[0]).getShape())
                    : std::nullopt;
  if (!split)
    return;
  Strides order;
  for (auto [dim, own] : llvm::enumerate(*split)) {
    if (dim == concat.getDim())
      order.push_back({int64_t(values.size()), stride});
    llvm::append_range(order, own);
  }
  view->groups = {canonicalize(order)};
  Value stack = view->build(rewriter, loc, 0, concat.getType().getShape());
  if (stack)
    rewriter.replaceOp(concat, stack);
}

void ScanRaiser::replaceReaders(ArrayRef<Value> values, bool areStates,
                                const StridedView &first, int64_t stride) {
  auto readersOf = [&](size_t step) {
    return getReaders(values[step], areStates ? nextOf(step) : nullptr);
  };
  llvm::SmallSetVector<tensor::ConcatOp, 2> stacks;
  for (OpOperand *reader : readersOf(0))
    if (auto concat = dyn_cast<tensor::ConcatOp>(reader->getOwner()))
      stacks.insert(concat);
  for (tensor::ConcatOp stack : stacks)
    replaceStack(values, stack, first, stride);
  for (size_t step = 0; step < values.size(); ++step) {
    StridedView view = first;
    view.offset += stride * static_cast<int64_t>(step);
    for (OpOperand *reader : readersOf(step))
      rewriter.modifyOpInPlace(reader->getOwner(), [&] {
        reader->set(
            view.build(rewriter, loc, 0, tensorType(reader->get()).getShape()));
      });
  }
}

bool ScanRaiser::raiseWithReadouts() {
  if (!matchReadouts())
    return false;
  // Behind all that it reads, before all that reads it.
  Operation *place = readouts.front().result.getDefiningOp();
  for (const ScanReadout &readout : readouts)
    if (readout.result.getDefiningOp()->isBeforeInBlock(place))
      place = readout.result.getDefiningOp();
  Value last = state(chain.steps.size() - 1);
  for (OpOperand *reader : getReaders(last, nullptr))
    if (reader->getOwner()->isBeforeInBlock(place) &&
        !isa<arith::MulFOp>(reader->getOwner()))
      return false;
  rewriter.setInsertionPoint(place);
  int64_t tokens = sizes[Tokens], batch = sizes[Batch],
          channels = sizes[Channels], size = sizes[Numbers];
  const ScanReadout &first = readouts.front();
  Strides ofQuery;
  for (const ScanReadout::Piece &piece : first.pieces)
    ofQuery.push_back({piece.size, piece.queryStride});
  std::optional<StridedView> query = byRole(
      StridedView(first.query, first.queryOffset, {canonicalize(ofQuery)}),
      queryStride);
  const SmallVector<unsigned> ofChannels{Batch, Tokens, Channels},
      ofNumbers{Batch, Tokens, Numbers};
  Value decay = build(decays, ofChannels, {batch, tokens, channels});
  Value x = build(channelInputs, ofChannels, {batch, tokens, channels});
  Value rate;
  if (!rates.all.empty())
    rate = build(rates, {Channels, Numbers}, {channels, size});
  Value key = build(keys, ofNumbers, {batch, tokens, size});
  Value queries =
      query ? query->build(rewriter, loc, ofNumbers, {batch, tokens, size})
            : Value();
  Value initial;
  if (!decay || !x || !key || !queries || (!rates.all.empty() && !rate) ||
      !buildInitial(initial))
    return false;
  auto scan = ScanOp::create(rewriter, loc, decay, x, rate, key, queries,
                             initial, size);
  SmallVector<Value> outputs;
  for (const ScanReadout &readout : readouts)
    outputs.push_back(readout.result);
  replaceReaders(outputs, /*areStates=*/false,
                 viewOf(scan.getY(), first.kept, {Batch, Tokens, Channels}),
                 channels);
  // Other readers of the last state. What is left of its readout reads it, too.
  SmallVector<unsigned> all =
      llvm::to_vector(llvm::seq<unsigned>(0, pieces.size()));
  StridedView final = viewOf(scan.getFinal(), all, {Batch, Channels, Numbers});
  for (OpOperand *reader : getReaders(last, nullptr))
    if (!reader->getOwner()->isBeforeInBlock(scan))
      rewriter.modifyOpInPlace(reader->getOwner(), [&] {
        reader->set(final.build(rewriter, loc, 0,
                                tensorType(reader->get()).getShape()));
      });
  return true;
}

/// How far apart the steps of a value are, where they are, and the loops of it.
static const StepValue *findMoving(const StepValue &value) {
  if (value.operands.empty())
    return value.stride > 0 ? &value : nullptr;
  for (const StepValue &operand : value.operands)
    if (const StepValue *moving = findMoving(operand))
      return moving;
  return nullptr;
}

bool ScanRaiser::raiseStates() {
  // Loops outside that of the tokens are a batch.
  const StepValue *moving = findMoving(chain.input);
  if (!moving)
    return false;
  SmallVector<StatePiece> all;
  for (Stride loop : moving->first.groups.front())
    all.push_back({loop.size, all.empty() && loop.stride > moving->stride
                                  ? Batch
                                  : Channels});
  setPieces(all);
  std::optional<Expression> decay = forTokens(chain.decay),
                            input = forTokens(chain.input);
  if (!decay || !input)
    return false;
  rewriter.setInsertionPoint(chain.steps.front());
  const SmallVector<unsigned> order{Batch, Tokens, Channels};
  const SmallVector<int64_t> shape{sizes[Batch], sizes[Tokens],
                                   sizes[Channels]};
  Value decays = decay->build(rewriter, loc, order, shape);
  Value inputs = input->build(rewriter, loc, order, shape);
  Value initial;
  if (!decays || !inputs || !buildInitial(initial))
    return false;
  auto scan = ScanOp::create(rewriter, loc, decays, inputs, Value(), Value(),
                             Value(), initial, /*stateSize=*/1);
  SmallVector<Value> values;
  for (Operation *step : chain.steps)
    values.push_back(step->getResult(0));
  replaceReaders(values, /*areStates=*/true,
                 viewOf(scan.getY(),
                        llvm::to_vector(llvm::seq<unsigned>(0, pieces.size())),
                        {Batch, Tokens, Channels}),
                 sizes[Channels]);
  return true;
}

/// Replaces the result of a tree.
static void raiseTree(const ScanTree &tree, IRRewriter &rewriter) {
  Location loc = tree.result.getLoc();
  rewriter.setInsertionPointAfterValue(tree.result);
  SmallVector<int64_t> shape{tree.outer, tree.tokens, tree.inner};
  auto scan = ScanOp::create(
      rewriter, loc, reshapeTo(rewriter, loc, tree.decay, shape),
      reshapeTo(rewriter, loc, tree.input, shape), Value(), Value(), Value(),
      /*initial=*/Value(), /*stateSize=*/1);
  rewriter.replaceAllUsesWith(tree.result,
                              reshapeTo(rewriter, loc, scan.getY(),
                                        tensorType(tree.result).getShape()));
}

static void remarkOn(Location loc, func::FuncOp function, int64_t steps) {
  remark::passed(loc, remark::RemarkOpts::name("Scan")
                          .category("te-raise")
                          .function(function.getName()))
      << remark::add("{0} steps are one recurrence along a sequence", steps);
}

void mlir::te::raiseScans(Operation *root) {
  IRRewriter rewriter(root->getContext());
  root->walk([&](func::FuncOp function) {
    if (function.isExternal())
      return;
    for (Block &block : function.getBody()) {
      SmallVector<ScanChain, 0> chains = findScanChains(block, kLeastSteps);
      // The last first: what others read is there until they are raised.
      for (const ScanChain &chain : llvm::reverse(chains)) {
        Location loc = chain.steps.front()->getLoc();
        if (ScanRaiser(chain, rewriter).raiseWithReadouts() ||
            ScanRaiser(chain, rewriter).raiseStates())
          remarkOn(loc, function, chain.steps.size());
      }
      SmallVector<ScanTree> trees = findScanTrees(block, kLeastSteps);
      for (const ScanTree &tree : llvm::reverse(trees)) {
        raiseTree(tree, rewriter);
        remarkOn(tree.result.getLoc(), function, tree.tokens);
      }
    }
  });
}
