// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way through a function: values, blocks, regions and calls.

#include "Evaluator/Evaluator.h"
#include "ScalarEvaluator.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

HostTensor::HostTensor(ArrayRef<int64_t> shape, double value)
    : shape(shape.begin(), shape.end()) {
  int64_t size = 1;
  for (int64_t dim : shape)
    size *= dim;
  data.assign(size, value);
}

double mlir::te::test::counterUniform(uint64_t stream, uint64_t index) {
  // Steele, Lea and Flood's SplitMix64, keyed by both numbers.
  uint64_t z = stream * 0xd1342543de82ef95ull + index * 0x9e3779b97f4a7c15ull +
               0x9e3779b97f4a7c15ull;
  for (int round = 0; round < 2; ++round) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
  }
  return static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
}

double Sum::get() const {
  if (!inFloat)
    return total;
  constexpr double largest = std::numeric_limits<float>::max();
  // A prefix of some order is the sum of all positive terms, or of all negative
  // ones.
  bool leavesAbove = positive > largest;
  bool leavesBelow = total - positive < -largest;
  bool endsOutside = std::abs(total) > largest;
  if (!leavesAbove && !leavesBelow)
    return total;
  if (endsOutside && leavesAbove != leavesBelow)
    return std::copysign(std::numeric_limits<double>::infinity(), total);
  return std::numeric_limits<double>::quiet_NaN();
}

HostTensor &Evaluator::make(Value value, double fill) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  std::unique_ptr<HostTensor> &tensor = values[value];
  tensor = std::make_unique<HostTensor>(
      type ? type.getShape() : ArrayRef<int64_t>(), fill);
  return *tensor;
}

bool Evaluator::isFinite() const {
  return llvm::all_of(values, [](const auto &entry) {
    return llvm::all_of(entry.second->data,
                        [](double value) { return std::isfinite(value); });
  });
}

/// To nearest, ties to even.
static double roundToBF16(double value) {
  APFloat number(value);
  bool loses;
  number.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &loses);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

void Evaluator::roundValue(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  if (round.changesNothing())
    return;
  // FP8 is exact here, and so is what integers hold.
  if (!isa<FloatType>(type) || type.getIntOrFloatBitWidth() == 8)
    return;
  if (type.isBF16() && round.roundsToBF16()) {
    for (double &element : values[value]->data)
      element = roundToBF16(element);
    return;
  }
  double coarseness = type.isBF16() ? Rounding::kBF16 : 1;
  for (double &element : values[value]->data)
    element = round(element, coarseness);
}

void Evaluator::assign(ValueRange results, ValueRange from) {
  // Read before any is written: a loop's values may change places.
  SmallVector<HostTensor> read =
      llvm::map_to_vector(from, [&](Value value) { return get(value); });
  for (auto [result, tensor] : llvm::zip_equal(results, read))
    make(result) = std::move(tensor);
  show(results);
}

void Evaluator::show(ValueRange computed) {
  for (Value value : computed)
    if (auto tensor = values.find(value); observe && tensor != values.end())
      observe(value, *tensor->second);
}

FailureOr<SmallVector<HostTensor>>
Evaluator::run(ArrayRef<HostTensor> arguments) {
  for (auto [argument, value] :
       llvm::zip_equal(function.getArguments(), arguments)) {
    values[argument] = std::make_unique<HostTensor>(value);
    roundValue(argument);
  }
  show(function.getArguments());
  Block &body = function.getBody().front();
  if (failed(visit(body)))
    return failure();
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return get(value); });
}

LogicalResult Evaluator::visit(Block &block) {
  // Ops have no effects but their results: what nobody reads is left out.
  llvm::SmallPtrSet<Operation *, 32> needed;
  auto isNeeded = [&](Operation *user) {
    user = block.findAncestorOpInBlock(*user);
    return user && (user == block.getTerminator() || needed.contains(user));
  };
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (llvm::any_of(op.getUsers(), isNeeded))
      needed.insert(&op);
  for (Operation &op : block.without_terminator()) {
    if (!needed.contains(&op))
      continue;
    if (failed(visit(&op)))
      return failure();
    show(op.getResults());
  }
  return success();
}

LogicalResult Evaluator::visit(Operation *op) {
  round.nextOp();
  if (failed(checkLookups(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<MatmulOp, LayerNormOp, LayerNormGradOp, ActivationOp,
            ActivationGradOp, AttentionOp, AttentionGradOp, EmbeddingOp,
            EmbeddingGradOp, ShiftLabelsOp, CountLabelsOp, CrossEntropyOp,
            CrossEntropyGradOp, CrossEntropyWithGradOp, AddOp, ColumnSumOp,
            GlobalNormOp, ClipCoefficientOp, AdvanceStepOp, UpdateOp,
            ScaledMatmulOp, DequantizeOp, AmaxOp, RMSNormOp, RMSNormGradOp,
            GatedActivationOp, GatedActivationGradOp, RopeOp, DropoutOp,
            SquaredErrorOp, SquaredErrorGradOp, GroupRowsOp, PermuteOp,
            TakeRowsOp, UnpermuteOp, PermuteWeightsGradOp, ExpertMatmulOp,
            ScaledExpertMatmulOp, ScanOp, ScanGradOp, CausalConvOp,
            CausalConvGradOp>([&](auto typed) {
        execute(typed);
        for (Value result : op->getResults())
          roundValue(result);
        return success();
      })
      .Case<QuantizeOp, ComputeScaleOp, RecordAmaxesOp, UpdateScalesOp, SplitOp,
            tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
            tensor::ExtractOp, linalg::TransposeOp, arith::ConstantOp>(
          [&](auto typed) {
            execute(typed);
            return success();
          })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp, arith::ExtFOp,
            arith::TruncFOp, tensor::CastOp>([&](Operation *copy) {
        make(copy->getResult(0)).data = get(copy->getOperand(0)).data;
        if (isa<arith::TruncFOp>(copy))
          roundValue(copy->getResult(0));
        return success();
      })
      .Case<shard::AllGatherOp, shard::AllSliceOp, shard::AllReduceOp,
            shard::ReduceScatterOp>([&](Operation *exchange) -> LogicalResult {
        if (exchange->getOperand(0).getType() !=
            exchange->getResult(0).getType())
          return exchange->emitOpError()
                 << "is a collective on several ranks, the reference evaluator "
                    "is one";
        make(exchange->getResult(0)).data = get(exchange->getOperand(0)).data;
        return success();
      })
      .Case<tensor::EmptyOp>([&](tensor::EmptyOp empty) {
        make(empty, std::numeric_limits<double>::quiet_NaN());
        return success();
      })
      .Case<linalg::LinalgOp>([&](linalg::LinalgOp linalgOp) {
        return executeStructured(linalgOp);
      })
      .Case<func::CallOp, RegionOp, scf::IfOp, scf::ForOp, scf::WhileOp>(
          [&](auto typed) { return execute(typed); })
      .Default([&](Operation *other) { return executeElementwise(other); });
}

LogicalResult Evaluator::executeElementwise(Operation *op) {
  ScalarFunction compute = op->getNumResults() == 1 && op->getNumOperands() <= 3
                               ? getScalarFunction(op)
                               : nullptr;
  if (!compute)
    return op->emitOpError() << "is unknown to the reference evaluator";
  HostTensor &y = make(op->getResult(0));
  SmallVector<const HostTensor *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&get(operand));
  double in[3] = {};
  for (int64_t i = 0, e = y.size(); i < e; ++i) {
    for (auto [n, operand] : llvm::enumerate(operands))
      in[n] = (*operand)[operand->size() == 1 ? 0 : i];
    y[i] = compute(in);
  }
  roundValue(op->getResult(0));
  return success();
}

LogicalResult Evaluator::execute(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return call.emitOpError() << "calls a function that has no body";
  SmallVector<HostTensor> arguments = llvm::map_to_vector(
      call.getOperands(), [&](Value value) { return get(value); });
  FailureOr<SmallVector<HostTensor>> results =
      Evaluator(callee, round, observe).run(arguments);
  if (failed(results))
    return failure();
  for (auto [result, value] : llvm::zip(call.getResults(), *results))
    make(result) = value;
  return success();
}

LogicalResult Evaluator::execute(RegionOp region) {
  Block &body = region.getBody().front();
  if (failed(visit(body)))
    return failure();
  assign(region.getResults(), body.getTerminator()->getOperands());
  return success();
}

LogicalResult Evaluator::execute(scf::IfOp op) {
  bool isThen = scalar(op.getCondition()) != 0;
  if (!isThen && op.getElseRegion().empty())
    return success();
  Block *taken = isThen ? op.thenBlock() : op.elseBlock();
  if (failed(visit(*taken)))
    return failure();
  assign(op.getResults(), taken->getTerminator()->getOperands());
  return success();
}

LogicalResult Evaluator::execute(scf::ForOp op) {
  assign(op.getRegionIterArgs(), op.getInitArgs());
  // Integers are signed here; unsigned ones have another order.
  Type type = op.getInductionVar().getType();
  double range =
      std::ldexp(1.0, type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
  auto bound = [&](Value value) {
    double number = scalar(value);
    return op.getUnsignedCmp() && number < 0 ? number + range : number;
  };
  for (double i = bound(op.getLowerBound()), end = bound(op.getUpperBound()),
              step = bound(op.getStep());
       i < end; i += step) {
    make(op.getInductionVar())[0] = i < range / 2 ? i : i - range;
    if (failed(visit(*op.getBody())))
      return failure();
    assign(op.getRegionIterArgs(),
           op.getBody()->getTerminator()->getOperands());
  }
  assign(op.getResults(), op.getRegionIterArgs());
  return success();
}

LogicalResult Evaluator::execute(scf::WhileOp op) {
  assign(op.getBeforeArguments(), op.getInits());
  while (true) {
    if (failed(visit(*op.getBeforeBody())))
      return failure();
    scf::ConditionOp condition = op.getConditionOp();
    if (scalar(condition.getCondition()) == 0)
      break;
    assign(op.getAfterArguments(), condition.getArgs());
    if (failed(visit(*op.getAfterBody())))
      return failure();
    assign(op.getBeforeArguments(), op.getYieldOp().getResults());
  }
  assign(op.getResults(), op.getConditionOp().getArgs());
  return success();
}

FailureOr<SmallVector<HostTensor>>
mlir::te::test::evaluate(func::FuncOp function, ArrayRef<HostTensor> arguments,
                         Rounding rounding, bool *staysFinite) {
  Evaluator evaluator(function, rounding);
  FailureOr<SmallVector<HostTensor>> results = evaluator.run(arguments);
  if (staysFinite)
    *staysFinite = succeeded(results) && evaluator.isFinite();
  return results;
}

FailureOr<SmallVector<HostTensor>>
mlir::te::test::evaluateAndObserve(func::FuncOp function,
                                   ArrayRef<HostTensor> arguments,
                                   Rounding rounding, Observer observe) {
  return Evaluator(function, rounding, observe).run(arguments);
}
