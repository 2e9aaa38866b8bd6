// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises recurrences that are written out step by step to te.scan, with the
// sums that read their states.

#include "Raise/Matchers.h"
#include "Raise/Raise.h"
#include "Raise/ScanForm.h"
#include "Raise/ScanReadouts.h"
#include "Raise/ScanTree.h"

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::te;

/// Shorter recurrences stay as they are.
static constexpr size_t kLeastSteps = 4;

namespace {
/// Writes one chain as te.scan.
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
  /// What reads the state behind a step in the next one.
  Operation *nextOf(size_t step) const {
    return step + 1 < chain.steps.size() ? chain.readers[step + 1] : nullptr;
  }
  bool matchReadouts();
  /// The state before the first step, as te.scan takes it; none if it is zero.
  /// False if it cannot be built.
  bool buildInitial(Value &initial);
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

  ScanForm form;
  SmallVector<ScanReadout, 0> readouts;
  int64_t queryStride = 0;
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

/// The query of one readout, of all pieces of what it reads.
static StridedView getQuery(const ScanReadout &readout) {
  Strides loops;
  for (const ScanReadout::Piece &piece : readout.pieces)
    loops.push_back({piece.size, piece.queryStride});
  return StridedView(readout.query, readout.queryOffset, {canonicalize(loops)});
}

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
  form.setPieces(all, static_cast<int64_t>(count));
  std::optional<Expression> input = form.forTokens(chain.input);
  if (!chain.decay)
    return input && form.matchInputs(*input);
  std::optional<Expression> decay = form.forTokens(*chain.decay);
  return decay && input && form.match(*decay, *input);
}

bool ScanRaiser::buildInitial(Value &initial) {
  if (isZero(chain.initial))
    return true;
  if (auto view = form.byRole(StridedView(chain.initial)))
    initial = view->build(
        rewriter, loc, {Batch, Channels, Numbers},
        {form.getSize(Batch), form.getSize(Channels), form.getSize(Numbers)});
  return initial != nullptr;
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
  std::optional<StridedView> queries =
      form.byRole(getQuery(readouts.front()), queryStride);
  Value initial;
  if (!queries || !buildInitial(initial))
    return false;
  ScanOp scan = form.build(rewriter, loc, *queries, initial);
  if (!scan)
    return false;
  SmallVector<Value> outputs;
  for (const ScanReadout &readout : readouts)
    outputs.push_back(readout.result);
  replaceReaders(outputs, /*areStates=*/false,
                 form.viewOf(scan.getY(), readouts.front().kept,
                             {Batch, Tokens, Channels}),
                 form.getSize(Channels));
  // Other readers of the last state. What is left of its readout reads it, too.
  StridedView final =
      form.viewOf(scan.getFinal(), form.getAll(), {Batch, Channels, Numbers});
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
  // A sum whose terms are written out; only its last value may be read.
  if (!chain.decay)
    return false;
  // Loops outside that of the tokens are a batch.
  const StepValue *moving = findMoving(chain.input);
  if (!moving)
    return false;
  // A polynomial by Horner's rule: every step adds one number to all elements.
  if (!findMoving(*chain.decay) && !moves(moving->first.groups.front()))
    return false;
  SmallVector<StatePiece> all;
  for (Stride loop : moving->first.groups.front())
    all.push_back({loop.size, all.empty() && loop.stride > moving->stride
                                  ? Batch
                                  : Channels});
  form.setPieces(all, static_cast<int64_t>(chain.steps.size()));
  std::optional<Expression> decay = form.forTokens(*chain.decay),
                            input = form.forTokens(chain.input);
  if (!decay || !input)
    return false;
  rewriter.setInsertionPoint(chain.steps.front());
  const SmallVector<unsigned> order{Batch, Tokens, Channels};
  const SmallVector<int64_t> shape{form.getSize(Batch), form.getSize(Tokens),
                                   form.getSize(Channels)};
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
  replaceReaders(
      values, /*areStates=*/true,
      form.viewOf(scan.getY(), form.getAll(), {Batch, Tokens, Channels}),
      form.getSize(Channels));
  return true;
}

/// Replaces the states of all tokens with the one sum that reads them.
static bool raiseTreeWithReadout(const ScanTree &tree, IRRewriter &rewriter) {
  SmallVector<OpOperand *> readers = getReaders(tree.result, nullptr);
  auto readout =
      readers.size() == 1 ? ScanReadout::get(*readers.front()) : std::nullopt;
  if (!readout)
    return false;
  // Of [outer, tokens, inner], the piece that is the tokens.
  readout->splitAt(tree.inner);
  readout->splitAt(tree.tokens * tree.inner);
  SmallVector<StatePiece> all;
  int64_t stride = tree.outer * tree.tokens * tree.inner;
  for (const ScanReadout::Piece &piece : readout->pieces) {
    stride /= piece.size;
    bool isTokens = stride == tree.inner && piece.size == tree.tokens;
    if (isTokens && piece.isSummed)
      return false;
    all.push_back({piece.size, isTokens                 ? Tokens
                               : piece.isSummed         ? Numbers
                               : piece.queryStride != 0 ? Batch
                                                        : Channels});
  }
  if (llvm::none_of(
          all, [](const StatePiece &piece) { return piece.role == Tokens; }))
    return false;
  ScanForm form;
  form.setPieces(all, tree.tokens);
  auto get = [&](Value value) -> std::optional<Expression> {
    StridedView view(value);
    view.goToStart();
    std::optional<StridedView> byRole = form.byRole(view);
    return byRole ? std::optional(Expression{std::move(byRole), nullptr, {}})
                  : std::nullopt;
  };
  std::optional<Expression> decay = get(tree.decay), input = get(tree.input);
  std::optional<StridedView> queries = form.byRole(getQuery(*readout));
  if (!decay || !input || !queries || !form.match(*decay, *input))
    return false;
  Location loc = tree.result.getLoc();
  rewriter.setInsertionPoint(readout->result.getDefiningOp());
  ScanOp scan = form.build(rewriter, loc, *queries, /*initial=*/Value());
  Value y =
      scan
          ? form.viewOf(scan.getY(), readout->kept, {Batch, Tokens, Channels})
                .build(rewriter, loc, 0, tensorType(readout->result).getShape())
          : Value();
  if (y)
    rewriter.replaceAllUsesWith(readout->result, y);
  return y != nullptr;
}

/// Replaces the states of all tokens.
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
        if (!raiseTreeWithReadout(tree, rewriter))
          raiseTree(tree, rewriter);
        remarkOn(tree.result.getLoc(), function, tree.tokens);
      }
    }
  });
}
