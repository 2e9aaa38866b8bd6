// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-partition: which ops run in FP8, as regions, and why, as remarks.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "te/Analysis/Policy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEPARTITION
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

static constexpr llvm::StringLiteral kCategory = "te-partition";

/// Whether an op only moves, cuts, joins or casts its operands.
static bool movesData(Operation *op) {
  return isa<DataMovementOpInterface, CastOpInterface>(op);
}

/// Ops that have no precision of their own and join the run they stand in.
static bool isNeutral(Operation *op) {
  return movesData(op) || isa<tensor::EmptyOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

/// Whether the op belongs to the forward pass: it reads no gradient.
static bool isForward(Fp8OpInterface op) {
  return llvm::none_of(op.getFp8Operands(), [](const Fp8Operand &operand) {
    return operand.role == TensorRole::GradOutput;
  });
}

/// Whether a value reaches the loss or an output through nothing but data
/// movement.
static bool reachesOutput(Value value, func::FuncOp func) {
  SmallVector<Value> worklist = {value};
  llvm::SmallDenseSet<Value> seen = {value};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<CrossEntropyOp>(user))
        return true;
      if (isa<func::ReturnOp>(user) &&
          func.getResultAttr(use.getOperandNumber(), kOutputAttr))
        return true;
      if (movesData(user))
        for (Value result : user->getResults())
          if (seen.insert(result).second)
            worklist.push_back(result);
    }
  }
  return false;
}

/// The sizes that a remark shows: "64x128, 256x128 -> 64x256".
static std::string describeShapes(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](Value value) {
    llvm::interleave(cast<RankedTensorType>(value.getType()).getShape(), os,
                     "x");
  };
  auto fp8Op = cast<Fp8OpInterface>(op);
  llvm::interleaveComma(fp8Op.getFp8Operands(), os,
                        [&](const Fp8Operand &operand) {
                          print(op->getOperand(operand.operandNumber));
                        });
  os << " -> ";
  print(op->getResult(0));
  return text;
}

namespace {
struct PartitionPass : public te::impl::TEPartitionBase<PartitionPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  void findHeads(func::FuncOp func);
  const Policy::Rule *findRule(Operation *op);
  Precision decide(Fp8OpInterface op, func::FuncOp func);
  void partition(Block &block, func::FuncOp func);
  void wrap(ArrayRef<Operation *> run, Precision precision);

  Policy rules;
  llvm::DenseSet<const Policy::Rule *> usedRules;
  /// LM heads, by module path, and those that have none.
  llvm::StringSet<> headPaths;
  llvm::SmallPtrSet<Operation *, 4> headOps;
};
} // namespace

void PartitionPass::findHeads(func::FuncOp func) {
  func.walk([&](Fp8OpInterface op) {
    if (!isForward(op) || !reachesOutput(op->getResult(0), func))
      return;
    StringRef path = getModulePath(op);
    if (path.empty())
      headOps.insert(op);
    else
      headPaths.insert(path);
  });
}

/// The policy's rule about an op, if it has one. Of an op that stands for
/// several modules, one that has to stay in high precision decides for all.
const Policy::Rule *PartitionPass::findRule(Operation *op) {
  const Policy::Rule *decisive = nullptr;
  for (StringRef path : getModulePaths(op)) {
    const Policy::Rule *rule = rules.lookup(path);
    if (!rule)
      continue;
    usedRules.insert(rule);
    if (!decisive || rule->precision == Precision::High)
      decisive = rule;
  }
  return decisive;
}

/// Decides about one op and says so.
Precision PartitionPass::decide(Fp8OpInterface op, func::FuncOp func) {
  StringRef path = getModulePath(op);
  std::string shapes = describeShapes(op);
  auto opts = [&](StringRef name) {
    return remark::RemarkOpts::name(name).category(kCategory).function(
        func.getName());
  };
  auto missed = [&](StringRef name) {
    ++numHigh;
    return remark::missed(op->getLoc(), opts(name));
  };
  auto metrics = [&](auto &&remark) {
    remark << remark::metric("module", path.str())
           << remark::metric("shape", shapes)
           << remark::metric("flops", op.getFlops());
  };

  const Policy::Rule *rule = findRule(op);
  if (rule && rule->precision == Precision::High) {
    metrics(missed("Policy")
            << remark::reason("the policy's rule '{0}=high' keeps it in high "
                              "precision",
                              rule->glob)
            << remark::suggest("add '{0}=fp8' behind that rule", path));
    return Precision::High;
  }
  bool isHead = path.empty() ? headOps.contains(op) : headPaths.contains(path);
  if (!rule && isHead) {
    metrics(missed("LMHead")
            << remark::reason("its result goes to the loss or to an output "
                              "(LM head), where FP8 costs accuracy")
            << remark::suggest("add '{0}=fp8' to the policy", path));
    return Precision::High;
  }
  std::string reason;
  if (failed(op.checkFp8(reason))) {
    metrics(missed("Unsupported")
            << remark::reason("{0}", reason)
            << remark::suggest("choose sizes that are multiples of {0}",
                               kFp8Alignment));
    return Precision::High;
  }
  ++numFp8;
  metrics(remark::passed(op->getLoc(), opts("FP8")));
  return Precision::Fp8;
}

/// Moves a run of ops into a region that yields what is used outside.
void PartitionPass::wrap(ArrayRef<Operation *> run, Precision precision) {
  llvm::SmallPtrSet<Operation *, 16> inside(run.begin(), run.end());
  Block *block = run.front()->getBlock();
  SmallVector<Value> yielded;
  for (Operation *op : run)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !inside.contains(block->findAncestorOpInBlock(*user));
          }))
        yielded.push_back(result);

  OpBuilder builder(run.front());
  Location loc = run.front()->getLoc();
  auto region =
      RegionOp::create(builder, loc, TypeRange(ValueRange(yielded)), precision);
  Block &body = region.getBody().emplaceBlock();
  for (auto [value, result] : llvm::zip_equal(yielded, region.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !inside.contains(block->findAncestorOpInBlock(*use.getOwner()));
    });
  for (Operation *op : run)
    op->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  YieldOp::create(builder, loc, yielded);
  ++numRegions;
}

void PartitionPass::partition(Block &block, func::FuncOp func) {
  SmallVector<Operation *> run;
  std::optional<Precision> precision;
  auto finish = [&] {
    if (precision)
      wrap(run, *precision);
    run.clear();
    precision.reset();
  };
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (!isNeutral(&op)) {
      auto fp8Op = dyn_cast<Fp8OpInterface>(op);
      Precision next = fp8Op ? decide(fp8Op, func) : Precision::High;
      if (precision && *precision != next)
        finish();
      precision = next;
    }
    run.push_back(&op);
  }
  finish();
}

void PartitionPass::runOnOperation() {
  ModuleOp module = getOperation();
  llvm::Expected<Policy> parsed = Policy::parse(policy);
  if (!parsed) {
    emitError(module.getLoc()) << llvm::toString(parsed.takeError());
    return signalPassFailure();
  }
  rules = std::move(*parsed);
  usedRules.clear();
  headPaths.clear();
  headOps.clear();

  for (auto func : module.getOps<func::FuncOp>()) {
    WalkResult result = func.walk([](RegionOp region) {
      region.emitOpError() << "is there before te-partition, which makes the "
                           << "regions; run it once";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    findHeads(func);
  }
  for (auto func : module.getOps<func::FuncOp>())
    for (Block &block : func.getBody())
      partition(block, func);
  for (const Policy::Rule &rule : rules.getRules())
    if (!usedRules.contains(&rule))
      emitWarning(module.getLoc())
          << "the policy's rule '" << rule.glob << "="
          << stringifyPrecision(rule.precision)
          << "' decides about no linear layer of this model";
}
