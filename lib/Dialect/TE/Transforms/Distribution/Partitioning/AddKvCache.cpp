// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-add-kv-cache: generation of text, token by token. A token is to a sequence
// what a rank's shard is to it with as many ranks as tokens, so the plan is
// that of context parallelism.

#include "Distribution/Partitioning/Reshard.h"
#include "Distribution/Propagation/SequencePlan.h"
#include "Training/EntryEditor.h"
#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/LayerName.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"
#include "te/Support/DeadOps.h"
#include "te/Support/Signature.h"
#include "te/Support/TensorType.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

namespace mlir::te {
#define GEN_PASS_DEF_TEADDKVCACHE
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

static constexpr StringLiteral kPositionsName = "positions";

namespace {

/// Rewrites one entry: `decode` computes one token of each sequence from the
/// caches, `prefill` whole sequences into the caches, and then outputs at one
/// token.
class CacheBuilder {
public:
  CacheBuilder(EntryEditor &entry, bool isPrefill)
      : entry(entry), function(entry.getFunction()), isPrefill(isPrefill),
        builder(function.getContext()) {}

  LogicalResult run();
  int64_t getNumCaches() const { return caches.size(); }

private:
  /// The keys or values of all tokens, as the op reads them.
  struct Cache {
    std::string name;
    Value before, after;
    Location loc;
  };

  /// Whether a value that is read by position has rows for each sequence.
  enum class Batches { Each, Repeated, Unknown };

  LogicalResult findSequences();
  LogicalResult checkAttention(AttentionOp op);
  LogicalResult checkOthers();
  void findWholes();
  FailureOr<Value> getPart(OpOperand &use, const DimSplit &cut);
  Batches findBatches(OpOperand &use, const DimSplit &cut, int64_t outer);
  FailureOr<Value> lookUp(OpOperand &use, const DimSplit &cut);
  FailureOr<SmallVector<Value>> buildPart(Operation *op,
                                          const OpSharding &sharding);
  FailureOr<SmallVector<Value>> buildAttention(AttentionOp op,
                                               const OpSharding &sharding);
  Value addCache(Location loc, StringRef what, Value whole);
  Value addRows(Location loc, Value cache, Value part, unsigned dim,
                AttentionLayout layout);
  Value hideOutsideWindow(AttentionOp op);
  LogicalResult cacheWholes();
  LogicalResult buildOutputs();
  InFlightDiagnostic refuse(Operation *op) {
    return op->emitError() << "cannot be computed one token at a time, with a "
                              "cache of keys and values: ";
  }
  /// One element for each sequence, made of its position, of type i64.
  Value ofPositions(Location loc, function_ref<Value(Scalars &, Value)> body) {
    return Formula(builder, loc)
        .map("b", builder.getI64Type(), {{positions, "b"}},
             [&](Scalars &s, ValueRange x) { return body(s, x[0]); });
  }

  EntryEditor &entry;
  func::FuncOp function;
  const bool isPrefill;
  OpBuilder builder;
  std::optional<SequencePlan> plan;
  /// Sequences, and tokens of each.
  int64_t rows = 0, tokens = 0;
  BlockArgument ids;
  /// i64 [rows]: the token of each sequence that is computed.
  Value positions;
  /// The values of that token.
  llvm::DenseMap<Value, Value> parts;
  /// Ops that `prefill` computes for all tokens.
  llvm::DenseSet<Operation *> wholes;
  SmallVector<Cache> caches;
  SmallVector<Operation *> replaced;
};

} // namespace

/// The ids are the only input, [rows, tokens].
LogicalResult CacheBuilder::findSequences() {
  SmallVector<EntryValue> inputs = entry.getValues(BoundaryRole::Input);
  for (const EntryValue &input : inputs)
    if (input.name() == kPositionsName)
      return entry.error() << "has an input 'positions', the name of the one "
                              "that te-add-kv-cache adds; rename it";
  if (inputs.size() != 1 || inputs.front().type().getRank() != 2 ||
      !inputs.front().type().getElementType().isInteger())
    return entry.error()
           << "takes other inputs than token ids [rows, tokens]; only models "
              "of ids alone are decoded token by token";
  ids = cast<BlockArgument>(inputs.front().value);
  rows = inputs.front().type().getDimSize(0);
  tokens = inputs.front().type().getDimSize(1);
  return success();
}

/// Nothing that a token reads comes later.
LogicalResult CacheBuilder::checkAttention(AttentionOp op) {
  const bool hasKeys = plan->getShardings().isMadeInShards(op.getK());
  if (hasKeys != plan->getShardings().isMadeInShards(op.getV()))
    return refuse(op)
           << "its keys are those of the tokens, its values are not, "
              "or the other way round";
  if (hasKeys && !op.getCausal())
    return refuse(op) << "it is not causal, so tokens look at later ones";
  if (op.getLengths())
    return refuse(op) << "it has lengths of its own";
  if (op.getBias() && op.getWindow() > 0 && int64_t(op.getWindow()) < tokens)
    return refuse(op) << "it has both a bias and a window";
  return success();
}

/// What the plan does not follow must be the same for all tokens.
LogicalResult CacheBuilder::checkOthers() {
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (plan->getShardings().lookup(&op))
      continue;
    for (Value result : op.getResults())
      if (plan->getSources(result).inputs)
        return refuse(&op) << "it is computed of the ids of several tokens";
    if (llvm::is_contained(op.getOperands(), ids))
      return refuse(&op) << "it is computed of the ids of several tokens";
  }
  for (OpOperand &output :
       function.getBody().front().getTerminator()->getOpOperands())
    if (!plan->getShardings().isMadeInShards(output.get()))
      return entry.error() << "returns '"
                           << cast<StringAttr>(
                                  function.getResultAttr(
                                      output.getOperandNumber(), kOutputAttr))
                                  .getValue()
                           << "', which is not computed token by token; take "
                              "it out of the model's outputs";
  return success();
}

/// Prefill needs the keys and values of all tokens, and what they are made of.
void CacheBuilder::findWholes() {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  for (auto op : function.getBody().front().getOps<AttentionOp>())
    (void)getBackwardSlice(op.getOperation(), &slice, options);
  wholes.insert_range(slice);
}

/// How a value that is read by position has the sequences of a batch.
CacheBuilder::Batches
CacheBuilder::findBatches(OpOperand &use, const DimSplit &cut, int64_t outer) {
  if (rows == 1)
    return Batches::Each;
  Operation *reader = use.getOwner();
  // What is repeated for all sequences becomes different for each.
  auto rope = dyn_cast<RopeOp>(reader);
  if (rope && &use != &rope.getXMutable() && outer == 1)
    return Batches::Repeated;
  auto add = dyn_cast<AddOp>(reader);
  if (add && &use == &add.getBMutable() && outer == 1 &&
      tensorDim(add.getA(), 0) == rows * tokens)
    return Batches::Repeated;
  auto attention = dyn_cast<AttentionOp>(reader);
  if (attention && use.get() == attention.getBias())
    return tensorDim(use.get(), 0) == 1      ? Batches::Repeated
           : tensorDim(use.get(), 0) == rows ? Batches::Each
                                             : Batches::Unknown;
  if (outer % rows != 0)
    return Batches::Unknown;
  if (plan->getSources(use.get()).inputs)
    return Batches::Each;
  // It is combined with a value of the sequences along the same dimensions.
  const OpSharding &sharding = *plan->getShardings().lookup(reader);
  for (auto [result, own] :
       llvm::zip_equal(reader->getResults(), sharding.results))
    if (own == cut && tensorType(result).getShape().take_front(cut.dim) ==
                          tensorType(use.get()).getShape().take_front(cut.dim))
      return Batches::Each;
  return Batches::Unknown;
}

/// first + step * i for element i of each run of `tokens` elements of a
/// constant.
static std::optional<std::pair<int64_t, int64_t>> findSteps(Value value,
                                                            int64_t tokens) {
  DenseIntElementsAttr constant;
  if (tokens < 2 || !matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  auto elements = llvm::map_to_vector(
      constant.getValues<APInt>(),
      [](const APInt &element) { return element.getSExtValue(); });
  const int64_t first = elements[0], step = elements[1] - first;
  for (auto [i, element] : llvm::enumerate(elements))
    if (element != first + step * (int64_t(i) % tokens))
      return std::nullopt;
  return std::pair(first, step);
}

/// The rows of a table of positions, or, in prefill, of a value of all tokens.
FailureOr<Value> CacheBuilder::lookUp(OpOperand &use, const DimSplit &cut) {
  Value of = use.get();
  Location loc = of.getLoc();
  RankedTensorType type = tensorType(of);
  const int64_t outer =
      cut.cut.outer * llvm::product_of(type.getShape().take_front(cut.dim));
  // A token may have several rows, such as one for each head.
  const int64_t inner =
      cut.cut.blocks.front() / tokens *
      llvm::product_of(type.getShape().drop_front(cut.dim + 1));
  const Batches batches = findBatches(use, cut, outer);
  if (batches == Batches::Unknown)
    return refuse(use.getOwner())
           << "it reads " << type
           << " by position, which is not that of one sequence alone; export "
              "the model for batches of one";
  RankedTensorType partType = getPartType(type, cut, tokens);
  if (batches == Batches::Repeated)
    partType = withSize(partType, 0, rows * partType.getDimSize(0));
  // The part has `each` rows of each sequence.
  const int64_t count = batches == Batches::Repeated ? rows * outer : outer;
  const int64_t each = count / rows;
  Formula formula(builder, loc);
  formula.setSize('b', rows);
  formula.setSize('r', each);
  const bool isTable = isa<FloatType>(type.getElementType());
  std::optional<std::pair<int64_t, int64_t>> steps;
  if (!isTable) {
    steps = inner == 1 ? findSteps(of, tokens) : std::nullopt;
    if (!steps)
      return refuse(use.getOwner())
             << "it reads integers " << type << " by position";
  }
  // Row p of one table is that of position p.
  const bool isPlain = isTable && each == 1 && outer == 1;
  Value index =
      isPlain
          ? positions
          : formula.map(
                "br", isTable ? builder.getI64Type() : type.getElementType(),
                {{positions, "b"}}, [&](Scalars &s, ValueRange x) -> Value {
                  auto add = [&](Value a, Value b) -> Value {
                    return arith::AddIOp::create(s.builder, s.loc, a, b);
                  };
                  auto multiply = [&](Value a, int64_t b) -> Value {
                    return arith::MulIOp::create(s.builder, s.loc, a,
                                                 s.integer(a, b));
                  };
                  if (steps) {
                    Value at = add(multiply(x[0], steps->second),
                                   s.integer(x[0], steps->first));
                    Type element = type.getElementType();
                    return element == at.getType()
                               ? at
                               : arith::TruncIOp::create(s.builder, s.loc,
                                                         element, at)
                                     .getResult();
                  }
                  auto toInteger = [&](Value index) -> Value {
                    return arith::IndexCastOp::create(
                        s.builder, s.loc, s.builder.getI64Type(), index);
                  };
                  Value start = multiply(toInteger(s.at('r')), tokens);
                  if (batches == Batches::Each)
                    start = add(start,
                                multiply(toInteger(s.at('b')), each * tokens));
                  return add(start, x[0]);
                });
  if (!isTable)
    return reshapeTo(builder, loc, index, partType.getShape());
  Value table = reshapeTo(builder, loc, of, {outer * tokens, inner});
  Value found =
      EmbeddingOp::create(builder, loc, type.clone({count, inner}),
                          reshapeTo(builder, loc, index, {count}), table);
  return reshapeTo(builder, loc, found, partType.getShape());
}

FailureOr<Value> CacheBuilder::getPart(OpOperand &use, const DimSplit &cut) {
  Value of = use.get();
  if (Value part = parts.lookup(of))
    return part;
  // Readers of a table may be given it in different forms.
  return lookUp(use, cut);
}

FailureOr<SmallVector<Value>>
CacheBuilder::buildPart(Operation *op, const OpSharding &sharding) {
  SmallVector<Value> operands;
  for (auto [use, cut] :
       llvm::zip_equal(op->getOpOperands(), sharding.operands)) {
    FailureOr<Value> form = use.get();
    if (cut)
      form = getPart(use, *cut);
    if (failed(form))
      return failure();
    operands.push_back(*form);
  }
  SmallVector<Type> types;
  for (auto [result, cut] : llvm::zip_equal(op->getResults(), sharding.results))
    types.push_back(cut ? getPartType(tensorType(result), *cut, tokens)
                        : result.getType());
  return cast<ShardableOpInterface>(op).buildPart(
      builder, operands, types, sharding, AxisRanks{"", 0, tokens});
}

/// A state like `whole`, zeros at first.
Value CacheBuilder::addCache(Location loc, StringRef what, Value whole) {
  std::string name = ("cache." + Twine(caches.size() / 2) + "." + what).str();
  Value before = entry.addArgument(
      loc, whole.getType(),
      {entry.attr(kStateAttr, name), entry.attr(kKindAttr, kCacheKind),
       entry.attr(kInitAttr, builder.getF32FloatAttr(0.0f))},
      {kInputAttr, kScalarAttr, kParamAttr, kStateAttr});
  caches.push_back({name, before, Value(), loc});
  return before;
}

/// `cache` with `part`, of one token of each sequence, at its position. Written
/// in place: the old elements are those of the result's own buffer.
Value CacheBuilder::addRows(Location loc, Value cache, Value part, unsigned dim,
                            AttentionLayout layout) {
  RankedTensorType type = tensorType(cache);
  MLIRContext *context = builder.getContext();
  const unsigned batch = layout == AttentionLayout::SBHD ? 1 : 0;
  AffineMap all = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineExpr> ofPart(all.getResults());
  ofPart[dim] = builder.getAffineConstantExpr(0);
  SmallVector<AffineMap> maps = {
      AffineMap::get(type.getRank(), 0, ofPart, context),
      AffineMap::get(type.getRank(), 0, builder.getAffineDimExpr(batch)), all};
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{part, positions}, cache, maps,
             loops,
             [&](OpBuilder &inside, Location at, ValueRange x) {
               Value token = arith::IndexCastOp::create(
                   inside, at, inside.getI64Type(),
                   linalg::IndexOp::create(inside, at, dim));
               Value isNew = arith::CmpIOp::create(
                   inside, at, arith::CmpIPredicate::eq, token, x[1]);
               linalg::YieldOp::create(
                   inside, at,
                   arith::SelectOp::create(inside, at, isNew, x[0], x[2])
                       .getResult());
             })
      .getResult(0);
}

/// A bias of -infinity for keys that are too far away; null if there are none.
Value CacheBuilder::hideOutsideWindow(AttentionOp op) {
  const int64_t window = op.getWindow();
  if (window <= 0 || window >= tokens)
    return op.getBias();
  Formula formula(builder, op.getLoc());
  formula.setSize('k', tokens);
  formula.setSize('h', 1);
  formula.setSize('q', 1);
  return formula.map(
      "bhqk", builder.getF32Type(), {{positions, "b"}},
      [&](Scalars &s, ValueRange x) {
        Value key = arith::IndexCastOp::create(
            s.builder, s.loc, s.builder.getI64Type(), s.at('k'));
        Value first = arith::SubIOp::create(s.builder, s.loc, x[0],
                                            s.integer(x[0], window - 1));
        return s.select(s.compareInts(arith::CmpIPredicate::slt, key, first),
                        s.number(-std::numeric_limits<double>::infinity()),
                        s.number(0));
      });
}

FailureOr<SmallVector<Value>>
CacheBuilder::buildAttention(AttentionOp op, const OpSharding &sharding) {
  const unsigned dim = getSequenceDim(op.getLayout());
  auto getOwn = [&](OpOperand &use) -> FailureOr<Value> {
    const std::optional<DimSplit> &cut =
        sharding.operands[use.getOperandNumber()];
    return cut ? getPart(use, *cut) : FailureOr<Value>(use.get());
  };
  FailureOr<Value> query = getOwn(op.getQMutable());
  if (failed(query))
    return failure();
  Value keys = op.getK(), values = op.getV(), lengths;
  if (plan->getShardings().isMadeInShards(keys)) {
    for (auto [whole, what] :
         {std::pair(&keys, "keys"), std::pair(&values, "values")}) {
      Value before = addCache(op.getLoc(), what, *whole);
      *whole = caches.back().after = addRows(
          op.getLoc(), before, parts.lookup(*whole), dim, op.getLayout());
    }
    // Position p sees keys 0 to p.
    lengths = ofPositions(op.getLoc(), [](Scalars &s, Value position) {
      return arith::AddIOp::create(s.builder, s.loc, position,
                                   s.integer(position, 1));
    });
  }
  FailureOr<Value> bias = hideOutsideWindow(op);
  if (*bias && op.getBias())
    bias = getOwn(*op.getBiasMutable().begin());
  if (failed(bias))
    return failure();
  auto own = AttentionOp::create(
      builder, op.getLoc(), *query, keys, values,
      op.getScale().convertToFloat(), /*causal=*/false, op.getLayout(), *bias,
      /*window=*/0, op.getSoftcap().convertToFloat(), lengths, op.getSinks());
  return SmallVector<Value>{own.getO(), own.getLse()};
}

/// Prefill returns the keys and values that it has anyway.
LogicalResult CacheBuilder::cacheWholes() {
  for (auto op : function.getBody().front().getOps<AttentionOp>()) {
    if (!plan->getShardings().isMadeInShards(op.getK()))
      continue;
    for (auto [whole, what] :
         {std::pair(op.getK(), "keys"), std::pair(op.getV(), "values")}) {
      (void)addCache(op.getLoc(), what, whole);
      caches.back().after = whole;
    }
  }
  return success();
}

/// Outputs become those of one token.
LogicalResult CacheBuilder::buildOutputs() {
  Operation *terminator = function.getBody().front().getTerminator();
  builder.setInsertionPoint(terminator);
  for (OpOperand &output : terminator->getOpOperands()) {
    FailureOr<Value> part =
        getPart(output, *plan->getShardings().lookup(output.get()));
    if (failed(part))
      return failure();
    output.set(*part);
  }
  return success();
}

LogicalResult CacheBuilder::run() {
  if (failed(findSequences()))
    return failure();
  Block &body = function.getBody().front();
  separateUses(body);
  plan.emplace(SequencePlan::forTokens(function, tokens));
  if (failed(plan->build()))
    return failure();
  for (auto op : body.getOps<AttentionOp>())
    if (failed(checkAttention(op)))
      return failure();
  if (failed(checkOthers()))
    return failure();
  positions = entry.addArgument(
      ids.getLoc(), RankedTensorType::get({rows}, builder.getI64Type()),
      {entry.attr(kInputAttr, kPositionsName),
       entry.attr(kRangeAttr,
                  DenseI64ArrayAttr::get(builder.getContext(), {0, tokens}))},
      {kInputAttr});
  if (isPrefill) {
    findWholes();
  } else {
    ids.setType(withSize(cast<RankedTensorType>(ids.getType()), 1, 1));
    parts[ids] = ids;
  }
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    const OpSharding *sharding = plan->getShardings().lookup(&op);
    if (!sharding || wholes.contains(&op))
      continue;
    builder.setInsertionPoint(&op);
    auto attention = dyn_cast<AttentionOp>(op);
    FailureOr<SmallVector<Value>> built =
        attention ? buildAttention(attention, *sharding)
                  : buildPart(&op, *sharding);
    if (failed(built))
      return failure();
    for (auto [result, part] : llvm::zip_equal(op.getResults(), *built))
      parts[result] = part;
    replaced.push_back(&op);
  }
  if ((isPrefill && failed(cacheWholes())) || failed(buildOutputs()))
    return failure();
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  for (const Cache &cache : caches)
    entry.addResult(cache.after, {entry.attr(kStateAttr, cache.name),
                                  entry.attr(kKindAttr, kCacheKind)});
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
  return entry.finish();
}

namespace {
class TEAddKvCache : public te::impl::TEAddKvCacheBase<TEAddKvCache> {
public:
  using TEAddKvCacheBase::TEAddKvCacheBase;

  void runOnOperation() override {
    FailureOr<SmallVector<func::FuncOp>> chosen = findEntries(
        getOperation(), {}, [](const EntryKind &kind) { return kind.caches; });
    if (failed(chosen))
      return signalPassFailure();
    for (func::FuncOp function : *chosen) {
      FailureOr<EntryEditor> entry = EntryEditor::get(function);
      if (failed(entry))
        return signalPassFailure();
      CacheBuilder cache(*entry, getEntryName(function) == "prefill");
      if (failed(cache.run()))
        return signalPassFailure();
      numCaches += cache.getNumCaches();
    }
  }
};
} // namespace
