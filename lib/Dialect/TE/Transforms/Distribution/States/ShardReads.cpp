// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Partitioning/Reshard.h"
#include "Distribution/States/EntrySharder.h"
#include "Distribution/States/ParameterReads.h"
#include "Distribution/States/PersistentTables.h"
#include "Distribution/States/ShardCopies.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Support/MatrixView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::te;

/// Whether an op reads a shard as it reads the full parameter.
static bool readsShard(Operation *op) {
  auto quantize = dyn_cast<QuantizeOp>(op);
  return isa<AmaxOp>(op) || (quantize && !quantize.getDbias());
}

/// Reads that need no full copy: results computed from shards are gathered or
/// reduced.
bool EntrySharder::shardSpecialRead(OpOperand &use, Value part,
                                    const FlatShards &parts) {
  Operation *user = use.getOwner();
  if (user->getNumResults() == 1 &&
      getTensorOfMatrix(user->getResult(0)) == use.get() &&
      llvm::all_of(user->getUsers(), readsShard)) {
    for (OpOperand &next : llvm::make_early_inc_range(user->getUses()))
      shardSpecialRead(next, part, parts);
    return true;
  }
  if (auto op = dyn_cast<QuantizeOp>(user); op && !op.getDbias()) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    quantizePart(op, part, &parts, /*weight=*/nullptr);
    return true;
  }
  if (auto op = dyn_cast<EmbeddingOp>(user);
      op && &op.getTableMutable() == &use && isFewRows(op, parts)) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    auto shared = SharedEmbeddingOp::create(
        rewriter, op.getLoc(), op.getY().getType(), op.getIds(), part,
        parts.getWhole().front(), axis.grid, ArrayRef(axis.axis));
    op.getY().replaceAllUsesWith(shared.getY());
    lookups.push_back(shared);
    return true;
  }
  auto op = dyn_cast<AmaxOp>(user);
  if (!op)
    return false;
  use.set(part);
  if (isa<BlockArgument>(part))
    early.push_back(op);
  else
    replaceAmax(op.getAmax(), op.getAmax());
  return true;
}

/// Rewrites a read of a new parameter.
void EntrySharder::shardRead(OpOperand &use, Value part,
                             const FlatShards &parts) {
  if (shardSpecialRead(use, part, parts))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(body.findAncestorOpInBlock(*use.getOwner()));
  Type type = getReadType(use);
  Location loc = part.getLoc();
  Value all = parts.gather(rewriter, loc,
                           convertElementType(rewriter, loc, part, type));
  readInstead(rewriter, use, reshapeTo(rewriter, loc, all, parts.getTensor()));
}

void EntrySharder::findReads(BlockArgument argument, const FlatShards &parts) {
  llvm::MapVector<Type, Read> own;
  for (auto [use, type] : findParameterReads(argument)) {
    if (returnsShard(*use) || joined.contains(use->getOwner()) ||
        llvm::any_of(updates, [use = use](const Update &update) {
          return update.update.op == use->getOwner();
        }))
      continue;
    if (use->get() == argument && shardSpecialRead(*use, argument, parts))
      continue;
    auto [read, isNew] = own.try_emplace(
        type,
        Read{argument, &parts, type, /*isTransposed=*/false, {}, nullptr});
    read->second.uses.push_back(use);
  }
  for (auto &[type, read] : own)
    reads.push_back(std::move(read));
}

/// Weights made of several parameters are quantized where the weight two before
/// them is: the gather of their copies overlaps what comes between.
void EntrySharder::shardJoinedWeights() {
  SmallVector<Operation *> places;
  for (auto concat : llvm::to_vector(body.getOps<tensor::ConcatOp>())) {
    std::optional<JoinedWeight> weight = findJoinedWeight(concat, plan);
    if (!weight)
      continue;
    joined.insert(concat);
    for (Operation *user : llvm::to_vector(concat->getUsers())) {
      if (auto amax = dyn_cast<AmaxOp>(user)) {
        rewriter.setInsertionPoint(amax);
        Value part = joinShards(rewriter, *weight);
        joined.insert(part.getDefiningOp());
        amax.getXMutable().assign(part);
        early.push_back(amax);
        continue;
      }
      auto quantize = cast<QuantizeOp>(user);
      Operation *place = places.size() < 2 ? user : places[places.size() - 2];
      places.push_back(user);
      if (!makeAvailable(quantize.getScale(), place))
        place = user;
      rewriter.setInsertionPoint(place);
      Value part = joinShards(rewriter, *weight);
      joined.insert(part.getDefiningOp());
      quantizePart(quantize, part, /*parts=*/nullptr, &*weight);
    }
  }
}

/// Transposes of copies that are not kept are made from gathered rows.
void EntrySharder::findTransposedReads() {
  llvm::BitVector arguments(function.getNumArguments());
  llvm::BitVector results(function.getNumResults());
  llvm::StringMap<BlockArgument> states;
  for (BlockArgument argument : body.getArguments())
    if (auto name = getArgumentAttr<StringAttr>(argument, kStateAttr))
      states[name] = argument;
  auto isTransposed = [&](Attribute name) {
    return name && plan.transposed.contains(cast<StringAttr>(name));
  };
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (isTransposed(function.getResultAttr(i, kStateAttr)))
      results.set(i);
  for (auto &of : states) {
    BlockArgument argument = of.second;
    auto name = StringAttr::get(function.getContext(), of.first());
    if (!isTransposed(name))
      continue;
    arguments.set(argument.getArgNumber());
    const ShardedParameter &parameter =
        plan.parameters.find(plan.transposed.lookup(name))->second;
    Read read = {states.lookup(parameter.copy),
                 &parameter.parts,
                 getElementTypeOrSelf(argument.getType()),
                 /*isTransposed=*/true,
                 {},
                 nullptr};
    for (OpOperand &use : argument.getUses())
      if (use.getOwner() != body.getTerminator())
        read.uses.push_back(&use);
    if (!read.uses.empty())
      reads.push_back(std::move(read));
  }
  erasedArguments = arguments;
  body.getTerminator()->eraseOperands(results);
  (void)function.eraseResults(results);
}

/// For short-lived copies: splits reads that are far apart, so that those after
/// the gap get a copy of their own.
void EntrySharder::splitReads() {
  auto placeOf = [&](OpOperand *use) {
    return body.findAncestorOpInBlock(*use->getOwner());
  };
  // All uses in program order, with their reads.
  SmallVector<std::pair<OpOperand *, unsigned>> order;
  for (auto [i, read] : llvm::enumerate(reads))
    for (OpOperand *use : read.uses)
      order.push_back({use, i});
  llvm::sort(order, [&](const auto &a, const auto &b) {
    Operation *first = placeOf(a.first), *second = placeOf(b.first);
    return first != second
               ? first->isBeforeInBlock(second)
               : a.first->getOperandNumber() < b.first->getOperandNumber();
  });
  SmallVector<Read> split;
  // The new read for uses of each old one, and the position of its last use.
  SmallVector<std::pair<unsigned, size_t>> last(reads.size(), {0, 0});
  SmallVector<bool> isOpen(reads.size(), false);
  for (auto [position, of] : llvm::enumerate(order)) {
    auto [use, index] = of;
    bool isNear = keepsCopies || position - last[index].second <= kNearReads;
    if (!isOpen[index] || !isNear) {
      Read read = reads[index];
      read.uses.clear();
      read.first = placeOf(use);
      last[index].first = split.size();
      isOpen[index] = true;
      split.push_back(std::move(read));
    }
    split[last[index].first].uses.push_back(use);
    last[index].second = position;
  }
  reads = std::move(split);
}

/// True if a table stays gathered from step to step.
static bool isKept(Value table) {
  if (auto slice = table.getDefiningOp<tensor::ExtractSliceOp>())
    table = slice.getSource();
  return getArgumentText(table, kKindAttr) == kWeightCopyKind;
}

/// Where the first gathers start: at the reader or, before it, at lookups of a
/// table that is available; if rows of lookups are
/// gathered instead, halfway from there.
Operation *EntrySharder::findFirstGather(Operation *reader) {
  Operation *from = nullptr;
  for (Operation *lookup : lookups)
    if (lookup->isBeforeInBlock(reader) &&
        (!from || from->isBeforeInBlock(lookup)))
      from = lookup;
  if (!from) {
    for (auto lookup : body.getOps<EmbeddingOp>())
      if (lookup->isBeforeInBlock(reader) && isKept(lookup.getTable()))
        return lookup;
    return reader;
  }
  auto count = std::distance(from->getIterator(), reader->getIterator());
  return &*std::next(from->getIterator(), (count + 1) / 2);
}

/// Copies are gathered in buckets, each when the one before is first read: the
/// gather overlaps the computation with those copies.
void EntrySharder::gatherReads() {
  SmallVector<ArrayRef<Read>> buckets;
  // In the order of first uses.
  for (ArrayRef<Read> rest = reads; !rest.empty();) {
    size_t count = 0;
    for (int64_t bytes = 0;
         count < rest.size() && count < kBucketReads && bytes < kBucketBytes;
         ++count)
      bytes += rest[count].getBytes();
    buckets.push_back(rest.take_front(count));
    rest = rest.drop_front(count);
  }
  for (auto [i, bucket] : llvm::enumerate(buckets)) {
    rewriter.setInsertionPoint(i == 0 ? findFirstGather(bucket.front().first)
                                      : buckets[i - 1].front().first);
    SmallVector<Value> copies;
    for (const Read &read : bucket)
      copies.push_back(convertElementType(rewriter, read.part.getLoc(),
                                          read.part, read.type));
    for (auto [read, copy] : llvm::zip_equal(bucket, copies)) {
      copy = read.parts->gather(rewriter, read.part.getLoc(), copy);
      // Copies for products are matrices.
      if (getArgumentAttr<StringAttr>(read.part, kParamAttr))
        copy = reshapeTo(rewriter, read.part.getLoc(), copy,
                         read.parts->getTensor());
    }
    for (auto [read, copy] : llvm::zip_equal(bucket, copies)) {
      if (read.isTransposed) {
        rewriter.setInsertionPoint(read.first);
        copy = transposeTo(rewriter, read.part.getLoc(), copy, {1, 0});
      }
      for (OpOperand *use : read.uses)
        readInstead(rewriter, *use, copy);
    }
  }
}
