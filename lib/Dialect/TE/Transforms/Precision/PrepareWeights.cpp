// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-prepare-weights: computes what entries make of unchanged parameters alone
// in an entry of its own.

#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/Captures.h"
#include "te/Support/DeadOps.h"
#include "te/Support/Signature.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <unordered_map>

namespace mlir::te {
#define GEN_PASS_DEF_TEPREPAREWEIGHTS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {

/// What an entry's value needs of its arguments.
struct Source {
  bool isUnchanged = false;
  /// The first parameter that it is made of; empty: none.
  StringRef parameter;
  /// Bits of an element of the widest one.
  unsigned width = 0;
};

class PrepareWeights : public te::impl::TEPrepareWeightsBase<PrepareWeights> {
public:
  using TEPrepareWeightsBase::TEPrepareWeightsBase;
  void runOnOperation() override;

private:
  using Sources = llvm::DenseMap<Value, Source>;

  void findChanged(func::FuncOp entry);
  Sources findSources(func::FuncOp entry);
  Source sourceOf(func::FuncOp entry, BlockArgument argument);
  void visit(func::FuncOp entry);
  Value addToPrepared(func::FuncOp entry, Value value);
  Value findArgument(func::FuncOp entry, BlockArgument argument);
  Operation *findSame(Operation *clone);
  DictionaryAttr stateOf(Value prepared, StringRef parameter);
  void finish();

  /// Names of parameters and states that entries return.
  llvm::StringSet<> changed;
  func::FuncOp function;
  /// Of `function`: its arguments by their names, and its ops by their hashes.
  llvm::StringMap<Value> arguments;
  std::unordered_map<size_t, SmallVector<Operation *>> ops;
  /// The prepared values, and the states that hold them.
  llvm::MapVector<Value, DictionaryAttr> states;
  llvm::StringMap<unsigned> counts;
};

} // namespace

/// The name of a parameter or state.
static StringRef nameOf(func::FuncOp entry, unsigned argument) {
  for (StringRef role : {kParamAttr, kStateAttr})
    if (auto name = entry.getArgAttrOfType<StringAttr>(argument, role))
      return name;
  return {};
}

/// Entries that run once for loaded parameters.
static bool isOfLoading(func::FuncOp entry) {
  return entry->getAttrOfType<StringAttr>(kEntryAttr).getValue() == "init";
}

static bool isEntry(func::FuncOp function) {
  return function->hasAttr(kEntryAttr) && !function.isExternal() &&
         function.getBody().hasOneBlock();
}

void PrepareWeights::findChanged(func::FuncOp entry) {
  if (isOfLoading(entry))
    return;
  for (unsigned i = 0, e = entry.getNumResults(); i < e; ++i)
    for (StringRef role : {kParamAttr, kStateAttr})
      if (auto name = entry.getResultAttrOfType<StringAttr>(i, role))
        changed.insert(name);
}

Source PrepareWeights::sourceOf(func::FuncOp entry, BlockArgument argument) {
  const unsigned index = argument.getArgNumber();
  StringRef name = nameOf(entry, index);
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (name.empty() || changed.contains(name) || !type)
    return {};
  if (!entry.getArgAttr(index, kParamAttr))
    return {/*isUnchanged=*/true, {}, 0};
  if (parameters != PreparedWeights::All && !isFrozen(entry, index))
    return {};
  return {/*isUnchanged=*/true, name, type.getElementTypeBitWidth()};
}

PrepareWeights::Sources PrepareWeights::findSources(func::FuncOp entry) {
  Sources sources;
  Block &body = entry.getBody().front();
  for (BlockArgument argument : body.getArguments())
    sources[argument] = sourceOf(entry, argument);
  for (Operation &op : body.without_terminator()) {
    // Ops on ranks are called by all of them at one time.
    if (!isMemoryEffectFree(&op) || refersToMesh(&op))
      continue;
    Source source{/*isUnchanged=*/true, {}, 0};
    for (Value value : getReadValues(&op)) {
      const Source of = sources.lookup(value);
      source.isUnchanged &= of.isUnchanged;
      source.width = std::max(source.width, of.width);
      if (source.parameter.empty())
        source.parameter = of.parameter;
    }
    if (source.isUnchanged)
      for (Value result : op.getResults())
        sources[result] = source;
  }
  return sources;
}

Value PrepareWeights::findArgument(func::FuncOp entry, BlockArgument argument) {
  const unsigned index = argument.getArgNumber();
  Value &known = arguments[nameOf(entry, index)];
  if (!known) {
    SignatureExtension extension(function);
    known = extension.addArgument(argument.getLoc(), argument.getType(),
                                  entry.getArgAttrDict(index));
  }
  return known;
}

/// An op of `function` that does the same, which stands before `clone`.
Operation *PrepareWeights::findSame(Operation *clone) {
  const size_t hash = OperationEquivalence::computeHash(
      clone, OperationEquivalence::directHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
  for (Operation *op : ops[hash])
    if (OperationEquivalence::isEquivalentTo(
            op, clone, OperationEquivalence::IgnoreLocations))
      return op;
  ops[hash].push_back(clone);
  return nullptr;
}

/// Computes `value`, of `entry`, in `function`.
Value PrepareWeights::addToPrepared(func::FuncOp entry, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return findArgument(entry, argument);
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  for (Value operand : getReadValues(op))
    mapping.map(operand, addToPrepared(entry, operand));
  OpBuilder builder(function.getBody().front().getTerminator());
  Operation *clone = builder.clone(*op, mapping);
  if (Operation *same = findSame(clone)) {
    clone->erase();
    clone = same;
  }
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

DictionaryAttr PrepareWeights::stateOf(Value prepared, StringRef parameter) {
  DictionaryAttr &attrs = states[prepared];
  if (attrs)
    return attrs;
  auto type = cast<RankedTensorType>(prepared.getType());
  Builder builder(&getContext());
  std::string name = ("prepared." + parameter).str();
  if (unsigned count = counts[parameter]++)
    name += "." + std::to_string(count);
  NamedAttrList list;
  list.set(kStateAttr, builder.getStringAttr(name));
  list.set(kKindAttr, builder.getStringAttr(kPreparedKind));
  list.set(kInitAttr, builder.getZeroAttr(type.getElementType()));
  attrs = list.getDictionary(&getContext());
  return attrs;
}

/// Gives `entry` what is prepared as arguments.
void PrepareWeights::visit(func::FuncOp entry) {
  Block &body = entry.getBody().front();
  OpBuilder builder(&getContext());
  // A lookup reads rows in the type of its result.
  for (auto lookup : llvm::to_vector(body.getOps<EmbeddingOp>())) {
    auto table = dyn_cast<BlockArgument>(lookup.getTable());
    Type element = getElementTypeOrSelf(lookup.getY());
    if (!table || sourceOf(entry, table).parameter.empty() ||
        getElementTypeOrSelf(table).getIntOrFloatBitWidth() <=
            element.getIntOrFloatBitWidth())
      continue;
    builder.setInsertionPoint(lookup);
    lookup.getTableMutable().assign(arith::TruncFOp::create(
        builder, lookup.getLoc(),
        cast<RankedTensorType>(table.getType()).clone(element), table));
  }
  Sources sources = findSources(entry);
  // Narrower than what it is made of, and read by what is not prepared.
  auto isWanted = [&](OpResult result) {
    const Source source = sources.lookup(result);
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (source.parameter.empty() || !type ||
        !isa<FloatType>(type.getElementType()))
      return false;
    if (type.getRank() > 0 && type.getElementTypeBitWidth() >= source.width)
      return false;
    return llvm::any_of(result.getUses(), [&](OpOperand &use) {
      Operation *reader = body.findAncestorOpInBlock(*use.getOwner());
      return reader->getNumResults() == 0 ||
             !sources.lookup(reader->getResult(0)).isUnchanged;
    });
  };
  SmallVector<OpResult> wanted;
  for (Operation &op : body)
    llvm::copy_if(op.getResults(), std::back_inserter(wanted), isWanted);
  // Before any result is replaced, of which others may be made.
  llvm::MapVector<DictionaryAttr, SmallVector<OpResult>> byState;
  for (OpResult result : wanted)
    byState[stateOf(addToPrepared(entry, result),
                    sources.lookup(result).parameter)]
        .push_back(result);
  SignatureExtension extension(entry);
  for (auto &[attrs, results] : byState) {
    Value argument = extension.addArgument(results.front().getLoc(),
                                           results.front().getType(), attrs);
    for (OpResult result : results)
      result.replaceAllUsesWith(argument);
    ++numPrepared;
  }
  extension.commit();
  eraseDeadOps(body);
  llvm::BitVector unread(entry.getNumArguments());
  for (BlockArgument argument : body.getArguments())
    if (argument.use_empty() && !sourceOf(entry, argument).parameter.empty())
      unread.set(argument.getArgNumber());
  (void)entry.eraseArguments(unread);
}

/// Returns what is prepared as states of `function`.
void PrepareWeights::finish() {
  SignatureExtension extension(function);
  for (auto &[value, attrs] : states) {
    extension.addArgument(value.getLoc(), value.getType(), attrs);
    extension.addResult(value, attrs);
  }
}

void PrepareWeights::runOnOperation() {
  if (parameters == PreparedWeights::None)
    return;
  ModuleOp module = getOperation();
  SmallVector<func::FuncOp> entries;
  for (auto entry : module.getOps<func::FuncOp>())
    if (isEntry(entry)) {
      findChanged(entry);
      if (!isOfLoading(entry))
        entries.push_back(entry);
    }
  if (Operation *existing = module.lookupSymbol(kPrepareEntry)) {
    existing->emitError() << "is named 'prepare', a name that "
                             "te-prepare-weights needs; rename it";
    return signalPassFailure();
  }
  OpBuilder builder(module.getBodyRegion());
  builder.setInsertionPointToEnd(module.getBody());
  function = func::FuncOp::create(builder, module.getLoc(), kPrepareEntry,
                                  builder.getFunctionType({}, {}));
  function->setAttr(kEntryAttr, builder.getStringAttr(kPrepareEntry));
  builder.setInsertionPointToStart(function.addEntryBlock());
  func::ReturnOp::create(builder, module.getLoc());
  for (func::FuncOp entry : entries)
    visit(entry);
  if (states.empty())
    return function.erase();
  finish();
}
