// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/States/PersistentTables.h"

#include "Distribution/States/ParameterReads.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "te-shard-states"

using namespace mlir;
using namespace mlir::te;

/// True if a read leads to a lookup that needs all rows.
static bool isLookupRead(OpOperand &read, const FlatShards &parts) {
  Operation *user = read.getOwner();
  if (auto lookup = dyn_cast<EmbeddingOp>(user))
    return &lookup.getTableMutable() == &read && !isFewRows(lookup, parts);
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user) &&
         llvm::any_of(user->getResult(0).getUses(),
                      [&](OpOperand &use) { return isLookupRead(use, parts); });
}

/// The concatenation that appends rows of zeros to the operand; null for other
/// readers.
static tensor::ConcatOp getPadding(OpOperand &read) {
  auto concat = dyn_cast<tensor::ConcatOp>(read.getOwner());
  return concat && concat.getDim() == 0 && read.getOperandNumber() == 0 &&
                 llvm::all_of(concat.getInputs().drop_front(),
                              [](Value rows) {
                                return matchPattern(rows, m_AnyZeroFloat());
                              })
             ? concat
             : tensor::ConcatOp();
}

namespace {
/// The kept copy of one table.
class PersistentTable {
public:
  PersistentTable(StringAttr parameter, const FlatShards &parts)
      : parameter(parameter), parts(parts) {}

  /// Collects an entry's reads of the table.
  void visit(func::FuncOp entry);
  bool isWanted() const { return hasLookup && isWhole; }

  /// Gives the copy a name that is unique in the module.
  void name(ModuleOp module);
  /// Adds the copy to an entry that reads or updates the table.
  void addTo(func::FuncOp entry);
  /// Adds the table and its copy to `init`.
  void addToInit(func::FuncOp init);

private:
  BlockArgument addArgument(func::FuncOp entry);
  void addResult(func::FuncOp entry, BlockArgument copy, Value next);
  Value insertRows(OpBuilder &builder, Value values, Value copy, int64_t first);
  Value takeRows(OpBuilder &builder, Value copy, int64_t count);

  StringAttr parameter;
  /// The name of the copy.
  std::string stateName;
  const FlatShards &parts;
  /// Element type of the lookups; null before the first.
  Type element;
  /// The parameter's type in the last entry that has it.
  Type tableType;
  DictionaryAttr tableAttrs;
  int64_t rows = 0;
  bool hasLookup = false;
  /// True if the table is replicated before it is sharded along the axis.
  bool isWhole = true;
};
} // namespace

void PersistentTable::visit(func::FuncOp entry) {
  BlockArgument table = findArgument(entry, kParamAttr, parameter);
  if (!table)
    return;
  tableType = table.getType();
  tableAttrs = entry.getArgAttrDict(table.getArgNumber());
  isWhole &= !tableAttrs.contains(kShardAttr);
  rows = std::max(rows, parts.getWhole().front());
  // A step begins with these lookups, and nothing overlaps their gather.
  const bool isUpdated = bool(findReturned(entry, kParamAttr, parameter));
  for (auto [read, type] : findParameterReads(table)) {
    if (type.getIntOrFloatBitWidth() >=
        getElementTypeOrSelf(tableType).getIntOrFloatBitWidth())
      continue;
    if (isUpdated && isLookupRead(*read, parts) &&
        (!element || element == type)) {
      element = type;
      hasLookup = true;
    }
    if (tensor::ConcatOp padding = getPadding(*read))
      rows = std::max(rows, padding.getResultType().getDimSize(0));
  }
}

/// True if a function of the module has a parameter or state of this name.
static bool isTaken(ModuleOp module, StringRef name) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [&](auto function) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      for (StringRef role : {kParamAttr, kStateAttr})
        if (auto taken =
                function.template getArgAttrOfType<StringAttr>(i, role);
            taken && taken.getValue() == name)
          return true;
    return false;
  });
}

void PersistentTable::name(ModuleOp module) {
  stateName = ("copy." + parameter.getValue()).str();
  for (unsigned i = 2; isTaken(module, stateName); ++i)
    stateName = ("copy." + Twine(i) + "." + parameter.getValue()).str();
}

BlockArgument PersistentTable::addArgument(func::FuncOp entry) {
  Builder builder(entry.getContext());
  SmallVector<int64_t> shape(parts.getWhole());
  shape.front() = rows;
  NamedAttrList attrs;
  attrs.set(kStateAttr, builder.getStringAttr(stateName));
  // Recorded if the name itself does not give it.
  if (stateName != ("copy." + parameter.getValue()).str())
    attrs.set(kCopyOfAttr, parameter);
  attrs.set(kKindAttr, builder.getStringAttr(kWeightCopyKind));
  attrs.set(kInitAttr, builder.getStringAttr("derived"));
  const unsigned index = entry.getNumArguments();
  (void)entry.insertArgument(index, RankedTensorType::get(shape, element),
                             attrs.getDictionary(entry.getContext()),
                             entry.getLoc());
  return entry.getArgument(index);
}

/// Returns `next` as the new value of the state `copy`.
void PersistentTable::addResult(func::FuncOp entry, BlockArgument copy,
                                Value next) {
  Operation *terminator = entry.getBody().front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), next);
  (void)entry.insertResult(entry.getNumResults(), next.getType(),
                           entry.getArgAttrDict(copy.getArgNumber()));
}

/// Writes `values` to the rows of `copy` from `first` on.
Value PersistentTable::insertRows(OpBuilder &builder, Value values, Value copy,
                                  int64_t first) {
  SmallVector<int64_t> offsets(parts.getWhole().size(), 0);
  offsets.front() = first;
  return values.getType() == copy.getType()
             ? values
             : insertAt(builder, values.getLoc(), values, copy, offsets);
}

/// The first `count` rows of the copy.
Value PersistentTable::takeRows(OpBuilder &builder, Value copy, int64_t count) {
  return count == rows ? copy
                       : sliceDim(builder, copy.getLoc(), copy, /*dim=*/0,
                                  /*first=*/0, count);
}

void PersistentTable::addTo(func::FuncOp entry) {
  BlockArgument table = findArgument(entry, kParamAttr, parameter);
  if (!table)
    return;
  SmallVector<OpOperand *> reads;
  for (auto [read, type] : findParameterReads(table))
    if (type == element)
      reads.push_back(read);
  Value updated = findReturned(entry, kParamAttr, parameter);
  if (reads.empty() && !updated)
    return;
  const BlockArgument copy = addArgument(entry);
  IRRewriter rewriter(entry.getContext());
  for (OpOperand *read : reads) {
    rewriter.setInsertionPoint(
        entry.getBody().front().findAncestorOpInBlock(*read->getOwner()));
    if (tensor::ConcatOp padding = getPadding(*read))
      rewriter.replaceAllUsesWith(
          padding.getResult(),
          takeRows(rewriter, copy, padding.getResultType().getDimSize(0)));
    else
      readInstead(rewriter, *read,
                  takeRows(rewriter, copy, parts.getWhole().front()));
  }
  if (!updated)
    return;
  // Overwrites the previous copy, whose rows of zeros stay.
  rewriter.setInsertionPointAfterValue(updated);
  Value next = convertElementType(rewriter, updated.getLoc(), updated, element);
  addResult(entry, copy, insertRows(rewriter, next, copy, /*first=*/0));
}

void PersistentTable::addToInit(func::FuncOp init) {
  Value table = findArgument(init, kParamAttr, parameter);
  if (!table) {
    const unsigned index = init.getNumArguments();
    (void)init.insertArgument(index, tableType, tableAttrs, init.getLoc());
    table = init.getArgument(index);
  }
  const BlockArgument copy = addArgument(init);
  OpBuilder builder(init.getBody().front().getTerminator());
  Value first = convertElementType(builder, init.getLoc(), table, element);
  first = insertRows(builder, first, copy, /*first=*/0);
  SmallVector<int64_t> shape(parts.getWhole());
  const int64_t end = shape.front();
  shape.front() = rows - end;
  if (rows != end)
    first = insertRows(builder,
                       createZeros(builder, init.getLoc(),
                                   RankedTensorType::get(shape, element)),
                       first, end);
  addResult(init, copy, first);
}

/// The entry that makes derived states; creates an empty one if missing.
static FailureOr<func::FuncOp> getInit(ModuleOp module) {
  if (Operation *existing = module.lookupSymbol("init")) {
    auto function = dyn_cast<func::FuncOp>(existing);
    auto entry = existing->getAttrOfType<StringAttr>(kEntryAttr);
    if (function && entry && entry.getValue() == "init" &&
        !function.isExternal() && function.getBody().hasOneBlock())
      return function;
    return existing->emitError()
           << "is named 'init', a name that te-shard-states needs for the "
              "entry that makes the first copies of tables; rename it";
  }
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto init = func::FuncOp::create(builder, module.getLoc(), "init",
                                   builder.getFunctionType({}, {}));
  init->setAttr(kEntryAttr, builder.getStringAttr("init"));
  builder.setInsertionPointToStart(init.addEntryBlock());
  func::ReturnOp::create(builder, module.getLoc());
  return init;
}

LogicalResult mlir::te::persistTables(ModuleOp module, const ShardPlan &plan) {
  auto entries =
      llvm::filter_to_vector(module.getOps<func::FuncOp>(), [](auto function) {
        auto entry = function->template getAttrOfType<StringAttr>(kEntryAttr);
        return entry && entry.getValue() != "init" && !function.isExternal() &&
               function.getBody().hasOneBlock();
      });
  for (const auto &[name, parameter] : plan.parameters) {
    PersistentTable table(name, parameter.parts);
    for (func::FuncOp entry : entries)
      table.visit(entry);
    if (!table.isWanted()) {
      LDBG() << "no copy is kept between steps: " << name;
      continue;
    }
    FailureOr<func::FuncOp> init = getInit(module);
    if (failed(init))
      return failure();
    table.name(module);
    for (func::FuncOp entry : entries)
      table.addTo(entry);
    table.addToInit(*init);
  }
  return success();
}
