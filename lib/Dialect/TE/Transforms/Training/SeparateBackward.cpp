// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-separate-backward: splits an entry with cotangents into its forward pass,
// which returns what the backward pass reads, and its backward pass.

#include "Raise/Matchers.h"
#include "Training/EntryEditor.h"
#include "te/Dialect/TE/IR/RecomputedOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/Captures.h"
#include "te/Support/Signature.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::te {
#define GEN_PASS_DEF_TESEPARATEBACKWARD
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// Whether an op without a cotangent is repeated in the backward pass: it takes
/// no time, or its result is the same in every call.
static bool isRepeated(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::EmptyOp, tensor::ExtractSliceOp, tensor::CollapseShapeOp,
          tensor::ExpandShapeOp>(op))
    return true;
  auto fill = dyn_cast<linalg::FillOp>(op);
  return fill && matchPattern(fill.value(), m_Constant());
}

namespace {

/// One entry that is split.
class Separation {
public:
  Separation(EntryEditor &entry, bool donatesSaved)
      : entry(entry), donatesSaved(donatesSaved) {}

  LogicalResult run();
  int64_t getNumSaved() const { return saved.size(); }

private:
  void findBackward();
  void findOwnScales();
  void require(Value value, Operation *user);
  void findOutputs();
  LogicalResult makeBackward();
  LogicalResult reduceForward();

  bool isState(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument &&
           getFunction().getArgAttr(argument.getArgNumber(), kStateAttr);
  }
  /// Whether a result is of the backward pass: a gradient or a new state.
  bool isOfBackward(unsigned result) const {
    func::FuncOp function = getFunction();
    return function.getResultAttr(result, kGradientAttr) ||
           function.getResultAttr(result, kStateAttr);
  }
  func::FuncOp getFunction() const { return entry.getFunction(); }
  std::string getSavedName(size_t index) const {
    return "saved." + std::to_string(index);
  }

  EntryEditor &entry;
  const bool donatesSaved;
  llvm::DenseSet<Value> cotangents;
  /// Ops of the backward pass, and those that it repeats.
  llvm::DenseSet<Operation *> backward, repeated;
  /// Those of them that read states as they are when the backward pass runs:
  /// those that return new states, and reads of scales of its own.
  llvm::DenseSet<Operation *> current;
  /// What the forward pass hands on.
  SetVector<Value> saved;
  /// What it returns in any case, by the tensor before the last reshapes, and
  /// those of them that the backward pass reads.
  llvm::DenseMap<Value, EntryValue> outputs;
  SetVector<Value> readOutputs;
  /// Arguments that the backward pass has as well.
  llvm::DenseSet<Value> arguments;
};

} // namespace

/// What depends on a cotangent, what is computed again for that, and what
/// updates states: they change once for both passes, in the second.
void Separation::findBackward() {
  func::FuncOp function = getFunction();
  SmallVector<EntryValue> outputs = entry.getValues(BoundaryRole::Output);
  llvm::StringSet<> names;
  for (const EntryValue &output : outputs)
    names.insert(("cotangent." + output.name()).str());
  for (const EntryValue &input : entry.getValues(BoundaryRole::Input))
    if (names.contains(input.name()))
      cotangents.insert(input.value);
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (function.getResultAttr(i, kStateAttr))
      if (Operation *update = entry.getResult(i).getDefiningOp()) {
        current.insert(update);
        backward.insert(update);
      }
  for (Operation &op : entry.getBody().without_terminator())
    if (op.hasAttr(kRecomputedAttr) ||
        llvm::any_of(getReadValues(&op), [&](Value value) {
          return cotangents.contains(value) ||
                 backward.contains(value.getDefiningOp());
        }))
      backward.insert(&op);
}

/// Scales of tensors that the backward pass quantizes: at places of a state of
/// which the forward pass reads nothing.
void Separation::findOwnScales() {
  llvm::DenseSet<int64_t> ofForward;
  SmallVector<std::pair<tensor::ExtractSliceOp, int64_t>> slices;
  for (auto slice : entry.getBody().getOps<tensor::ExtractSliceOp>()) {
    if (!isState(slice.getSource()) || slice.getStaticOffsets().size() != 1)
      continue;
    int64_t place = slice.getStaticOffsets().front();
    slices.push_back({slice, place});
    if (llvm::any_of(slice->getUsers(),
                     [&](Operation *user) { return !backward.contains(user); }))
      ofForward.insert(place);
  }
  for (auto [slice, place] : slices)
    if (!ofForward.contains(place))
      current.insert(slice);
}

void Separation::findOutputs() {
  for (const EntryValue &output : entry.getValues(BoundaryRole::Output))
    if (!isOfBackward(*output.boundary.result))
      outputs.try_emplace(skipReshapes(output.value), output);
}

/// Provides the backward pass with `value`, which `user` reads there.
void Separation::require(Value value, Operation *user) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    // The scales may have changed in between, for another call; those of this
    // call are the ones that its copies were made with.
    if (isState(value) && !current.contains(user))
      saved.insert(value);
    else
      arguments.insert(value);
    return;
  }
  if (backward.contains(op) || op->getBlock() != &entry.getBody())
    return;
  if (!isRepeated(op)) {
    (outputs.contains(value) ? readOutputs : saved).insert(value);
    return;
  }
  if (repeated.insert(op).second)
    for (Value read : getReadValues(op))
      require(read, op);
}

LogicalResult Separation::makeBackward() {
  func::FuncOp function = getFunction();
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(function);
  auto made = func::FuncOp::create(builder, function.getLoc(), "backward",
                                   builder.getFunctionType({}, {}));
  made->setAttr(kEntryAttr, builder.getStringAttr("backward"));
  Block *body = made.addEntryBlock();
  builder.setInsertionPointToEnd(body);

  IRMapping mapping, ofStates;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  auto addArgument = [&](Value value, DictionaryAttr attrs) {
    argumentAttrs.push_back(attrs);
    return body->addArgument(value.getType(), value.getLoc());
  };
  auto addArguments = [&](function_ref<bool(BlockArgument)> isNext) {
    for (BlockArgument argument : function.getArguments())
      if (arguments.contains(argument) && isNext(argument)) {
        Value copy = addArgument(
            argument, function.getArgAttrDict(argument.getArgNumber()));
        (isState(argument) ? ofStates : mapping).map(argument, copy);
      }
  };
  auto isInput = [&](BlockArgument argument) {
    return bool(function.getArgAttr(argument.getArgNumber(), kInputAttr));
  };
  addArguments(isInput);
  for (Value value : readOutputs) {
    const EntryValue &output = outputs.find(value)->second;
    Value argument = addArgument(
        output.value, builder.getDictionaryAttr({entry.attr(
                          kInputAttr, ("output." + output.name()).str())}));
    mapping.map(value, reshapeTo(builder, value.getLoc(), argument,
                                 tensorType(value).getShape()));
  }
  for (auto [i, value] : llvm::enumerate(saved)) {
    SmallVector<NamedAttribute> attrs = {
        entry.attr(kInputAttr, getSavedName(i))};
    if (donatesSaved)
      attrs.push_back(
          builder.getNamedAttr(kDonatedAttr, builder.getUnitAttr()));
    mapping.map(value, addArgument(value, builder.getDictionaryAttr(attrs)));
  }
  addArguments([&](BlockArgument argument) { return !isInput(argument); });

  for (Operation &op : entry.getBody().without_terminator())
    if (backward.contains(&op) || repeated.contains(&op)) {
      if (!current.contains(&op)) {
        builder.clone(op, mapping);
        continue;
      }
      IRMapping ofOp = mapping;
      for (auto [from, to] : ofStates.getValueMap())
        ofOp.map(from, to);
      Operation *copy = builder.clone(op, ofOp);
      mapping.map(op.getResults(), copy->getResults());
    }
  SmallVector<Value> results;
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (isOfBackward(i)) {
      Value result = entry.getResult(i);
      Value current = ofStates.lookupOrNull(result);
      results.push_back(current ? current : mapping.lookup(result));
      resultAttrs.push_back(function.getResultAttrDict(i));
    }
  func::ReturnOp::create(builder, function.getLoc(), results);
  made.setType(builder.getFunctionType(body->getArgumentTypes(),
                                       ValueRange(results).getTypes()));
  made.setAllArgAttrs(argumentAttrs);
  made.setAllResultAttrs(resultAttrs);
  return EntryInterface::get(made);
}

/// Removes the backward pass from the function.
LogicalResult Separation::reduceForward() {
  func::FuncOp function = getFunction();
  entry.eraseResults([&](unsigned result) { return isOfBackward(result); });
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(entry.getBody())))
    if (backward.contains(&op))
      op.erase();
  SignatureExtension extension(function);
  for (auto [i, value] : llvm::enumerate(saved))
    extension.addResult(value, entry.getBuilder().getDictionaryAttr(
                                   {entry.attr(kOutputAttr, getSavedName(i))}));
  extension.commit();
  if (failed(entry.finish()))
    return failure();
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (cotangents.contains(argument) ||
        (isState(argument) && argument.use_empty()))
      unused.set(argument.getArgNumber());
  return function.eraseArguments(unused);
}

LogicalResult Separation::run() {
  if (Operation *other =
          SymbolTable::lookupSymbolIn(getFunction()->getParentOp(), "backward"))
    return emitError(other->getLoc())
           << "@backward is the name of the entry that te-separate-backward "
              "makes; rename this";
  findBackward();
  if (cotangents.empty())
    return entry.error() << "has no cotangents, and so no backward pass to "
                            "separate; te-add-gradients adds it";
  findOwnScales();
  findOutputs();
  for (Operation &op : entry.getBody().without_terminator())
    if (backward.contains(&op))
      for (Value read : getReadValues(&op))
        require(read, &op);
  Operation *terminator = entry.getBody().getTerminator();
  for (unsigned i = 0, e = getFunction().getNumResults(); i < e; ++i)
    if (isOfBackward(i)) {
      // A state that is returned as it was is that of the backward pass.
      Value result = entry.getResult(i);
      if (isState(result))
        arguments.insert(result);
      else
        require(result, terminator);
    }
  for (const EntryValue &output : entry.getValues(BoundaryRole::Output))
    if (backward.contains(output.value.getDefiningOp()) &&
        !getFunction().getResultAttr(*output.boundary.result, kGradientAttr))
      return entry.error() << "returns '" << output.name()
                           << "', which depends on a cotangent: it is of no "
                              "use to a forward pass";
  return success(succeeded(makeBackward()) && succeeded(reduceForward()));
}

namespace {
class TESeparateBackward
    : public mlir::te::impl::TESeparateBackwardBase<TESeparateBackward> {
public:
  using TESeparateBackwardBase::TESeparateBackwardBase;

  void runOnOperation() override {
    FailureOr<SmallVector<func::FuncOp>> chosen =
        findEntries(getOperation(), entries,
                    [](const EntryKind &kind) { return kind.separates; });
    if (failed(chosen))
      return signalPassFailure();
    for (func::FuncOp function : *chosen) {
      FailureOr<EntryEditor> entry = EntryEditor::get(function);
      if (failed(entry))
        return signalPassFailure();
      Separation separation(*entry, donatesSaved);
      if (failed(separation.run()))
        return signalPassFailure();
      numSaved += separation.getNumSaved();
    }
  }
};
} // namespace
