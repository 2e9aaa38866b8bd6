// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/ShardEntry.h"

#include "Distribution/PartCopies.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/Transforms/Differentiation/ReverseMode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::te;

/// FP8 copies are gathered, so many bytes at a time, as soon as the updates
/// that make them are done: large enough for the links, small enough for the
/// first to be on its way early.
static constexpr int64_t kBucketBytes = 16 << 20;

/// Copies of parameters are gathered as soon as those of so many bytes, or so
/// many, about a layer's, are read that come before.
static constexpr size_t kBucketReads = 4;
/// Of reads with no more than this number of others between them, a copy that
/// is not to live long lives through both.
static constexpr size_t kNearReads = 4;

namespace {

/// Copies of a new parameter that are to be gathered.
struct PendingCopies {
  const FlatParts *parts;
  Location loc;
  Value rowwise;
  /// What is to be replaced; null where there is none.
  Quantization whole;
};

/// Reads of a parameter that are given one gathered copy.
struct Read {
  Value part;
  const FlatParts *parts;
  /// The element type of the copy.
  Type type;
  bool isTransposed;
  /// In the order of the ops.
  SmallVector<OpOperand *> uses;
  Operation *first;

  int64_t getBytes() const {
    return ShapedType::getNumElements(parts->getWhole()) *
           type.getIntOrFloatBitWidth() / 8;
  }
};

class EntrySharder {
public:
  EntrySharder(func::FuncOp function, const ShardPlan &plan,
               const PartAxis &axis, bool keepsCopies)
      : function(function), plan(plan), axis(axis), keepsCopies(keepsCopies),
        body(function.getBody().front()), rewriter(function.getContext()) {}

  void run();

private:
  struct Update {
    ShardedUpdate update;
    const FlatParts *parts;
    Quantization quantization;

    int64_t getCopyBytes() const {
      return quantization.scale ? ShapedType::getNumElements(parts->getWhole())
                                : 0;
    }
  };

  /// Whether it is the new value of a state of which ranks have parts.
  bool returnsPart(OpOperand &use) {
    if (use.getOwner() != body.getTerminator())
      return false;
    auto shard = function.getResultAttrOfType<ShardAttr>(use.getOperandNumber(),
                                                         kShardAttr);
    return shard && (shard.getFlatAxes() >> axis.axis & 1);
  }
  void findUpdates();
  void changeBoundary();
  Value getGradientPart(Value gradient, const FlatParts &parts);
  Operation *buildUpdate(const Update &update);
  void shardUpdates();
  void gatherPending();
  bool shardSpecialRead(OpOperand &use, Value part, const FlatParts &parts);
  void shardRead(OpOperand &use, Value part, const FlatParts &parts);
  void findReads(BlockArgument argument, const FlatParts &parts);
  void findTransposedReads();
  void splitReads();
  void gatherReads();
  void shardSums();
  void quantizePart(QuantizeOp op, Value part, const FlatParts &parts);
  void reduceAmaxes();
  void replaceAmax(Value whole, Value part) {
    if (whole && !whole.use_empty())
      amaxes.push_back({whole, part});
  }

  func::FuncOp function;
  const ShardPlan &plan;
  const PartAxis &axis;
  /// Whether a gathered copy lives from its first read to the last.
  const bool keepsCopies;
  Block &body;
  IRRewriter rewriter;

  SmallVector<Update> updates;
  SmallVector<PendingCopies> pending;
  /// Transposes that are only returned, and what they are of.
  SmallVector<std::pair<Value, Value>> returned;
  /// Amaxes of what is whole, and the rank's own.
  SmallVector<std::pair<Value, Value>> amaxes;
  /// Of te.amax on parameters, in front of everything.
  SmallVector<AmaxOp> early;
  /// Sums over the ranks of which a part is made.
  llvm::DenseMap<Operation *, Value> parts;
  /// Of arguments, in no order before splitReads.
  SmallVector<Read> reads;
  /// Arguments that are of no use any more.
  llvm::BitVector erasedArguments;
};

} // namespace

/// The first op of `block` that reads `value`.
static Operation *findFirstReader(Block &block, Value value) {
  Operation *first = block.getTerminator();
  for (Operation *user : value.getUsers())
    if (Operation *op = block.findAncestorOpInBlock(*user);
        op->isBeforeInBlock(first))
      first = op;
  return first;
}

void EntrySharder::findUpdates() {
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
    auto name = function.getResultAttrOfType<StringAttr>(i, kParamAttr);
    auto found = name ? plan.parameters.find(name) : plan.parameters.end();
    if (found == plan.parameters.end())
      continue;
    std::string reason;
    std::optional<ShardedUpdate> update =
        findUpdate(function, name, axis, reason);
    Quantization quantization = {};
    if (auto op = dyn_cast<QuantizingOpInterface>(update->op))
      quantization = op.getQuantization();
    updates.push_back({*update, &found->second.parts, quantization});
  }
}

/// Arguments are parts, and say so, as do results.
void EntrySharder::changeBoundary() {
  MLIRContext *context = function.getContext();
  llvm::StringMap<ShardAttr> shards;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  for (BlockArgument argument : body.getArguments()) {
    unsigned index = argument.getArgNumber();
    NamedAttrList attrs(function.getArgAttrDict(index));
    if (const FlatParts *parts = plan.find(function, index)) {
      ShardAttr shard = parts->getShard(
          context, function.getArgAttrOfType<ShardAttr>(index, kShardAttr));
      argument.setType(
          parts->getPartType(getElementTypeOrSelf(argument.getType())));
      attrs.set(kShardAttr, shard);
      for (StringRef role : {kParamAttr, kStateAttr})
        if (auto name = dyn_cast_or_null<StringAttr>(attrs.get(role)))
          shards[name] = shard;
    }
    argumentAttrs.push_back(attrs.getDictionary(context));
  }
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
    NamedAttrList attrs(function.getResultAttrDict(i));
    for (StringRef role : {kParamAttr, kStateAttr})
      if (auto name = dyn_cast_or_null<StringAttr>(attrs.get(role)))
        if (ShardAttr shard = shards.lookup(name))
          attrs.set(kShardAttr, shard);
    resultAttrs.push_back(attrs.getDictionary(context));
  }
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);
}

/// The rank's part of a gradient that is a sum over the ranks, or zero.
Value EntrySharder::getGradientPart(Value gradient, const FlatParts &of) {
  shard::AllReduceOp sum = findSum(gradient, axis);
  OpBuilder::InsertionGuard guard(rewriter);
  if (!sum)
    return createZeros(
        rewriter, gradient.getLoc(),
        of.getPartType(getElementTypeOrSelf(gradient.getType())));
  Value &part = parts[sum];
  if (!part) {
    rewriter.setInsertionPoint(sum);
    part = of.scatterSum(rewriter, sum.getLoc(), sum.getInput());
    auto others =
        llvm::filter_to_vector(sum.getGridAxes(), [&](shard::GridAxis other) {
          return other != axis.axis;
        });
    if (!others.empty())
      part = shard::AllReduceOp::create(rewriter, sum.getLoc(), part, axis.grid,
                                        others, shard::ReductionKind::Sum);
  }
  return part;
}

/// Sums of gradients over microbatches are sums of the ranks' parts.
void EntrySharder::shardSums() {
  for (BlockArgument argument : body.getArguments()) {
    unsigned index = argument.getArgNumber();
    const FlatParts *of = plan.find(function, index);
    auto kind = function.getArgAttrOfType<StringAttr>(index, kKindAttr);
    if (!of || !kind || kind.getValue() != "gradient")
      continue;
    auto name = function.getArgAttrOfType<StringAttr>(index, kStateAttr);
    auto add = cast<AddOp>(*argument.user_begin());
    Value gradient = add.getA() == argument ? add.getB() : add.getA();
    rewriter.setInsertionPoint(add);
    Value part = of->scatterSum(rewriter, add.getLoc(), gradient);
    Value sum = AddOp::create(rewriter, add.getLoc(), argument.getType(),
                              argument, part);
    OpOperand &use = *add.getY().use_begin();
    if (auto exchange = dyn_cast<shard::AllReduceOp>(use.getOwner())) {
      parts[exchange] = sum;
      for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
        if (function.getResultAttr(i, kStateAttr) == name)
          body.getTerminator()->setOperand(
              i, createZeros(rewriter, add.getLoc(),
                             cast<RankedTensorType>(argument.getType())));
    } else {
      use.set(sum);
    }
  }
}

/// The update of a part, which quantizes nothing.
Operation *EntrySharder::buildUpdate(const Update &of) {
  const ShardedUpdate &update = of.update;
  Operation *op = update.op;
  Value gradient = getGradientPart(op->getOperand(update.gradient), *of.parts);
  // Parameter and states have their types already.
  Type part = op->getOperand(update.param).getType();
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, Operation *>(op)
      .Case([&](AdamWOp op) {
        return AdamWOp::create(
            rewriter, loc, part, part, part, Type(), Type(), Type(), gradient,
            op.getCoefficient(), op.getLr(), op.getBeta1(), op.getBeta2(),
            op.getEps(), op.getWeightDecay(), op.getStep(), Value(),
            op.getParam(), op.getExpAvg(), op.getExpAvgSq(), op.getDecayAttr());
      })
      .Case([&](SgdOp op) {
        return SgdOp::create(
            rewriter, loc, part, op.getMomentumBuffer() ? part : Type(), Type(),
            Type(), Type(), gradient, op.getCoefficient(), op.getLr(),
            op.getMomentum(), op.getDampening(), op.getWeightDecay(),
            op.getStep(), Value(), op.getParam(), op.getMomentumBuffer(),
            op.getNesterovAttr(), op.getDecayAttr());
      })
      .Default([&](Operation *) {
        Operation *clone = rewriter.clone(*op);
        clone->setOperand(update.gradient, gradient);
        for (OpResult result : clone->getResults())
          result.setType(part);
        return clone;
      });
}

void EntrySharder::shardUpdates() {
  // Those with copies first: these are gathered while others are made.
  auto ordered = llvm::filter_to_vector(
      updates, [](const Update &of) { return of.getCopyBytes() != 0; });
  llvm::append_range(ordered,
                     llvm::make_filter_range(updates, [](const Update &of) {
                       return of.getCopyBytes() == 0;
                     }));
  rewriter.setInsertionPoint(body.getTerminator());
  int64_t bytes = 0;
  for (const Update &update : ordered) {
    if (bytes >= kBucketBytes || update.getCopyBytes() == 0) {
      gatherPending();
      bytes = 0;
    }
    bytes += update.getCopyBytes();
    // At the end, unless something reads the new values.
    bool isLast = llvm::all_of(update.update.results, [&](unsigned result) {
      return findFirstReader(body, update.update.op->getResult(result)) ==
             body.getTerminator();
    });
    rewriter.setInsertionPoint(isLast ? body.getTerminator()
                                      : update.update.op);
    Operation *op = buildUpdate(update);
    rewriter.setInsertionPoint(body.getTerminator());
    const Quantization &quantization = update.quantization;
    unsigned param = update.update.results.front();
    Value newParam = op->getResult(param);
    if (quantization.scale) {
      Value copy =
          quantization.rowwise ? quantization.rowwise : quantization.columnwise;
      auto producer = cast<QuantizingProducerOpInterface>(op);
      rewriter.setInsertionPoint(op);
      QuantizedResults made = producer.quantizeResult(
          rewriter, param, quantization.scale,
          copy ? getPartCopyType(*update.parts,
                                 cast<RankedTensorType>(copy.getType()),
                                 copy == quantization.columnwise)
               : RankedTensorType(),
          /*columnwise=*/Type(), /*keepResult=*/true);
      rewriter.setInsertionPoint(body.getTerminator());
      replaceAmax(quantization.amax, made.amax);
      pending.push_back(
          {update.parts, op->getLoc(), made.rowwise, quantization});
      rewriter.eraseOp(op);
      newParam = made.highPrecision;
      op = newParam.getDefiningOp();
    }
    for (unsigned result : update.update.results) {
      Value whole = update.update.op->getResult(result);
      Value part = op->getResult(result);
      for (OpOperand &use : llvm::make_early_inc_range(whole.getUses())) {
        if (returnsPart(use))
          use.set(part);
        else
          shardRead(use, part, *update.parts);
      }
    }
  }
  gatherPending();
}

/// Gathers the copies that have been made. What is transposed waits until it is
/// read: the gather can go on until then.
void EntrySharder::gatherPending() {
  for (PendingCopies &copies : pending) {
    Value rowwise = copies.whole.rowwise, columnwise = copies.whole.columnwise;
    if (!rowwise && !columnwise)
      continue;
    auto type =
        cast<RankedTensorType>((rowwise ? rowwise : columnwise).getType());
    if (!rowwise)
      type = RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)},
                                   type.getElementType());
    for (OpOperand &use : llvm::make_early_inc_range(
             rowwise ? rowwise.getUses() : columnwise.getUses()))
      if (rowwise && returnsPart(use))
        use.set(copies.rowwise);
    if ((!rowwise || rowwise.use_empty()) &&
        (!columnwise || columnwise.use_empty()))
      continue;
    Value all =
        gatherCopy(rewriter, copies.loc, *copies.parts, copies.rowwise, type);
    if (rowwise)
      rowwise.replaceAllUsesWith(all);
    if (!columnwise || columnwise.use_empty())
      continue;
    Operation *reader = findFirstReader(body, columnwise);
    if (reader == body.getTerminator()) {
      returned.push_back({columnwise, all});
      continue;
    }
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(reader);
    columnwise.replaceAllUsesWith(transposeMatrix(rewriter, copies.loc, all));
  }
  pending.clear();
}

/// An op that quantizes a parameter quantizes the rank's part.
void EntrySharder::quantizePart(QuantizeOp op, Value part,
                                const FlatParts &parts) {
  Quantization whole = op.getQuantization();
  Value copy = whole.rowwise ? whole.rowwise : whole.columnwise;
  Location loc = op.getLoc();
  auto made = QuantizeOp::create(
      rewriter, loc,
      copy ? getPartCopyType(parts, cast<RankedTensorType>(copy.getType()),
                             copy == whole.columnwise)
           : RankedTensorType(),
      /*columnwise=*/Type(), whole.amax ? whole.amax.getType() : Type(),
      /*dbias=*/Type(), part, whole.scale);
  replaceAmax(whole.amax, made.getAmax());
  pending.push_back({&parts, loc, made.getRowwise(), whole});
  gatherPending();
}

/// The element type that is enough for a read of a parameter.
static Type getReadType(OpOperand &use) {
  Operation *user = use.getOwner();
  Type own = getElementTypeOrSelf(use.get().getType());
  if (isa<arith::TruncFOp>(user))
    return getElementTypeOrSelf(user->getResult(0).getType());
  if (auto lookup = dyn_cast<EmbeddingOp>(user);
      lookup && &lookup.getTableMutable() == &use) {
    Type result = getElementTypeOrSelf(lookup.getY().getType());
    return result.getIntOrFloatBitWidth() < own.getIntOrFloatBitWidth() ? result
                                                                        : own;
  }
  if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
    return own;
  Type common;
  for (OpOperand &next : user->getResult(0).getUses()) {
    Type type = getReadType(next);
    if (common && type != common)
      return own;
    common = type;
  }
  return common ? common : own;
}

/// Makes a read take `value`, of the element type getReadType. Ops that are of
/// no use then stay.
static void readInstead(RewriterBase &rewriter, OpOperand &use, Value value) {
  Operation *user = use.getOwner();
  Type type = getElementTypeOrSelf(value.getType());
  if (type == getElementTypeOrSelf(use.get().getType()) ||
      isa<EmbeddingOp>(user)) {
    use.set(value);
    return;
  }
  if (isa<arith::TruncFOp>(user)) {
    user->getResult(0).replaceAllUsesWith(value);
    return;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(user);
  Operation *reshape = rewriter.clone(*user);
  reshape->setOperand(0, value);
  Value result = reshape->getResult(0);
  result.setType(cast<RankedTensorType>(result.getType()).clone(type));
  for (OpOperand &next :
       llvm::make_early_inc_range(user->getResult(0).getUses()))
    readInstead(rewriter, next, result);
}

/// Reads that need no copy of all: what is made of parts is gathered, or
/// exchanged.
bool EntrySharder::shardSpecialRead(OpOperand &use, Value part,
                                    const FlatParts &parts) {
  Operation *user = use.getOwner();
  if (auto op = dyn_cast<QuantizeOp>(user); op && !op.getDbias()) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    quantizePart(op, part, parts);
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

/// A read of a new parameter.
void EntrySharder::shardRead(OpOperand &use, Value part,
                             const FlatParts &parts) {
  if (shardSpecialRead(use, part, parts))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(body.findAncestorOpInBlock(*use.getOwner()));
  Type type = getReadType(use);
  Location loc = part.getLoc();
  readInstead(rewriter, use,
              parts.gather(rewriter, loc,
                           convertElementType(rewriter, loc, part, type)));
}

void EntrySharder::findReads(BlockArgument argument, const FlatParts &parts) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : argument.getUses()) {
    if (returnsPart(use) || llvm::any_of(updates, [&](const Update &update) {
          return update.update.op == use.getOwner();
        }))
      continue;
    // Who reads what is truncated can have a copy that is.
    if (isa<arith::TruncFOp>(use.getOwner()))
      for (OpOperand &next : use.getOwner()->getResult(0).getUses())
        uses.push_back(&next);
    else
      uses.push_back(&use);
  }
  llvm::MapVector<Type, Read> own;
  for (OpOperand *use : uses) {
    if (use->get() == argument && shardSpecialRead(*use, argument, parts))
      continue;
    Type type = use->get() == argument ? getReadType(*use)
                                       : getElementTypeOrSelf(use->get());
    auto [read, isNew] = own.try_emplace(
        type,
        Read{argument, &parts, type, /*isTransposed=*/false, {}, nullptr});
    read->second.uses.push_back(use);
  }
  for (auto &[type, read] : own)
    reads.push_back(std::move(read));
}

/// Transposes of copies that nobody keeps are made of gathered rows.
void EntrySharder::findTransposedReads() {
  llvm::BitVector arguments(function.getNumArguments());
  llvm::BitVector results(function.getNumResults());
  llvm::StringMap<BlockArgument> states;
  for (BlockArgument argument : body.getArguments())
    if (auto name = function.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), kStateAttr))
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

/// Copies that do not live long: of reads that are far apart, those behind the
/// gap are given a copy of their own.
void EntrySharder::splitReads() {
  auto placeOf = [&](OpOperand *use) {
    return body.findAncestorOpInBlock(*use->getOwner());
  };
  // All uses in their order, and whose they are.
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
  // The read that a use of each of the old ones belongs to, and where its last
  // use is.
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

/// Copies are gathered some at a time, and when the ones before are read for
/// the first time: beside what computes with these.
void EntrySharder::gatherReads() {
  SmallVector<ArrayRef<Read>> buckets;
  // They are in the order of their first uses.
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
    rewriter.setInsertionPoint(buckets[i == 0 ? 0 : i - 1].front().first);
    SmallVector<Value> copies;
    for (const Read &read : bucket)
      copies.push_back(convertElementType(rewriter, read.part.getLoc(),
                                          read.part, read.type));
    for (auto [read, copy] : llvm::zip_equal(bucket, copies))
      copy = read.parts->gather(rewriter, read.part.getLoc(), copy);
    for (auto [read, copy] : llvm::zip_equal(bucket, copies)) {
      if (read.isTransposed) {
        rewriter.setInsertionPoint(read.first);
        copy = transposeMatrix(rewriter, read.part.getLoc(), copy);
      }
      for (OpOperand *use : read.uses)
        readInstead(rewriter, *use, copy);
    }
  }
}

/// One exchange of the amaxes that ranks have of parts.
static ReduceScalarsOp exchangeAmaxes(OpBuilder &builder, Location loc,
                                      ValueRange amaxes, const PartAxis &axis) {
  return ReduceScalarsOp::create(
      builder, loc,
      RankedTensorType::get({int64_t(amaxes.size())}, builder.getF32Type()),
      /*sum=*/Type(), amaxes, /*sums=*/ValueRange(), axis.grid,
      ArrayRef(axis.axis));
}

void EntrySharder::reduceAmaxes() {
  Location loc =
      NameLoc::get(rewriter.getStringAttr("scales"), function.getLoc());
  auto replace = [&](ArrayRef<std::pair<Value, Value>> pairs) {
    if (pairs.empty())
      return;
    ReduceScalarsOp exchange = exchangeAmaxes(
        rewriter, loc,
        llvm::map_to_vector(pairs, [](const auto &of) { return of.second; }),
        axis);
    for (auto [i, of] : llvm::enumerate(pairs))
      Value(of.first).replaceAllUsesExcept(
          extractElement(rewriter, loc, exchange.getMax(), i), exchange);
  };
  // What arguments have is known at the beginning.
  SmallVector<std::pair<Value, Value>> first, last;
  for (AmaxOp op : llvm::reverse(early))
    if (op != &body.front())
      rewriter.moveOpBefore(op, &body.front());
  for (AmaxOp op : early)
    first.push_back({op.getAmax(), op.getAmax()});
  if (!early.empty())
    rewriter.setInsertionPointAfter(early.back());
  replace(first);
  for (const auto &of : amaxes) {
    if (findFirstReader(body, of.first) == body.getTerminator()) {
      last.push_back(of);
      continue;
    }
    rewriter.setInsertionPointAfterValue(of.second);
    replace(of);
  }
  rewriter.setInsertionPoint(body.getTerminator());
  replace(last);
}

void EntrySharder::run() {
  findUpdates();
  changeBoundary();
  for (BlockArgument argument : body.getArguments())
    if (const FlatParts *of = plan.find(function, argument.getArgNumber());
        of && findAddition(function,
                           function.getArgAttrOfType<StringAttr>(
                               argument.getArgNumber(), kStateAttr)) == AddOp())
      findReads(argument, *of);
  findTransposedReads();
  splitReads();
  gatherReads();
  shardSums();
  shardUpdates();
  // Behind all gathers, each of which can go on until then.
  rewriter.setInsertionPoint(body.getTerminator());
  for (auto [columnwise, all] : returned)
    columnwise.replaceAllUsesWith(
        transposeMatrix(rewriter, columnwise.getLoc(), all));
  reduceAmaxes();
  shareNorms(function, axis, parts);
  // What has been rewritten is dead, and was there to be asked until here.
  eraseDeadOps(body);
  (void)function.eraseArguments(erasedArguments);
  function.setFunctionType(
      FunctionType::get(function.getContext(), body.getArgumentTypes(),
                        body.getTerminator()->getOperandTypes()));
}

void mlir::te::shardEntry(func::FuncOp entry, const ShardPlan &plan,
                          const PartAxis &axis, bool keepsCopies) {
  EntrySharder(entry, plan, axis, keepsCopies).run();
}

void mlir::te::shareNorms(func::FuncOp entry, const PartAxis &axis,
                          const llvm::DenseMap<Operation *, Value> &parts) {
  for (auto norm : llvm::make_early_inc_range(
           entry.getBody().front().getOps<GlobalNormOp>())) {
    SmallVector<Value> gradients;
    SmallVector<int32_t> isPart;
    bool hasSum = false;
    for (Value gradient : norm.getGradients()) {
      shard::AllReduceOp sum = findSum(gradient, axis);
      Value part = sum ? parts.lookup(sum) : Value();
      hasSum |= bool(sum);
      gradients.push_back(part ? part : gradient);
      isPart.push_back(bool(part));
    }
    // What ranks do not exchange is their own business.
    if (!hasSum)
      continue;
    OpBuilder builder(norm);
    Value shared =
        ReduceNormOp::create(builder, norm.getLoc(), norm.getType(), gradients,
                             isPart, axis.grid, ArrayRef(axis.axis));
    norm.replaceAllUsesWith(shared);
    norm.erase();
  }
}
