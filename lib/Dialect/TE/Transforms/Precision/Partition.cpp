// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-partition: decides which ops run in FP8, as regions, with the reasons as
// remarks.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "Precision/LayerTimes.h"
#include "Precision/Layers.h"
#include "Precision/OperandRanges.h"
#include "Precision/QualityChoice.h"
#include "Training/EntryEditor.h"
#include "te/Analysis/Contraction.h"
#include "te/Analysis/Policy.h"
#include "te/Support/ListNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEPARTITION
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

static constexpr llvm::StringLiteral kPartitionRemarks = "te-partition";

/// Ops that have no precision of their own and join the run they stand in.
static bool isNeutral(Operation *op) {
  return isa<DataMovementOpInterface, CastOpInterface, tensor::EmptyOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
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
/// The decision for a product: a remark's name and, if it stays in high
/// precision, the remark's reason.
struct Decision {
  Precision precision;
  StringRef name;
  Fp8Refusal refusal;
  /// A rule about this product alone made it: the layer's others do not follow.
  bool isForProductAlone = false;
  /// Of the layer, if they are known. On its forward product.
  CostComparison times = {};
  /// What FP8 saves of a step, bytes at their price included.
  std::optional<double> gain = {};

  static Decision fp8() { return {Precision::Fp8, "FP8", {}}; }
  static Decision high(StringRef name, Fp8Refusal refusal) {
    return {Precision::High, name, std::move(refusal)};
  }
};

struct PartitionPass : public te::impl::TEPartitionBase<PartitionPass> {
  using Base::Base;
  /// The recipe's dialect may have to be loaded, which passes cannot do while
  /// they run.
  LogicalResult initialize(MLIRContext *context) override {
    if (!(memoryPrice >= 0))
      return emitError(UnknownLoc::get(context))
             << "te-partition: memory-price must be 0 or more seconds for a "
                "byte, got "
             << memoryPrice;
    recipeAttribute = parseRecipe(recipe, UnknownLoc::get(context));
    return success(bool(recipeAttribute));
  }
  void runOnOperation() override;

private:
  LogicalResult prepare();
  LogicalResult
  chooseByQuality(llvm::MapVector<Operation *, Decision> &decided);
  bool isEvaluation(func::FuncOp func);
  void learnFunction(func::FuncOp func, const Routers &scores);
  Decision decide(Fp8OpInterface op);
  std::optional<Fp8Refusal> checkPlace(Fp8OpInterface op);
  LogicalResult decideAll();
  LogicalResult compareTimes(llvm::MapVector<Operation *, Decision> &decided);
  void report(Fp8OpInterface op, const Decision &decision);
  void reportContraction(linalg::LinalgOp op);
  void partition(Block &block);
  void wrap(ArrayRef<Operation *> run, Precision precision);
  LogicalResult checkRules();

  Policy rules;
  llvm::DenseSet<const Policy::Rule *> usedRules;
  /// The values computed from parameters, by function.
  llvm::DenseMap<Operation *, ParameterValues> parameters;
  std::optional<Callers> callers;
  /// Whether an entry returns new parameters.
  bool hasUpdates = false;
  const RangeAnalysis *ranges = nullptr;
  /// The names of layers that are LM heads.
  llvm::StringSet<> heads;
  /// Those that are routers.
  llvm::StringSet<> routers;
  /// With a calibration.
  std::optional<QualityChoice> choice;
  /// Decisions for forward products, by function and layer, and for gradients
  /// in other functions by layer alone (under null).
  llvm::DenseMap<std::pair<Operation *, StringAttr>, Decision> forwards;
  llvm::MapVector<Operation *, Precision> decisions;
  RecipeAttrInterface recipeAttribute;
};
} // namespace

/// The reason that no op in a region of another op is FP8.
static Fp8Refusal explainRegion(Operation *parent) {
  std::string name = ("'" + parent->getName().getStringRef() + "'").str();
  auto branch = dyn_cast<RegionBranchOpInterface>(parent);
  if (branch && !branch.hasLoop() &&
      !parent->getParentOfType<LoopLikeOpInterface>())
    return {"it stands in a branch of " + name +
                ", which some steps do not take, and scales enter and amaxes "
                "leave through the arguments and results of entries",
            "compute both branches and choose with arith.select"};
  return {"it stands in a region of " + name +
              ", which may run it any number of times while a scale is updated "
              "once",
          "move it out of the region, or unroll the loop (te-import-linalg "
          "unrolls those with known bounds)"};
}

/// The reason, if any, that an op cannot be FP8 at its position: scales enter
/// and amaxes leave through the arguments and results of an entry.
std::optional<Fp8Refusal> PartitionPass::checkPlace(Fp8OpInterface op) {
  auto func = op->getParentOfType<func::FuncOp>();
  if (!func || func->getParentOp() != getOperation())
    return Fp8Refusal{"it does not stand in a function of this module", ""};
  if (op->getParentOp() != func)
    return explainRegion(op->getParentOp());
  if (!func.getBody().hasOneBlock())
    return Fp8Refusal{"its function has several blocks",
                      "write the branches as selects, or the function without "
                      "control flow"};
  if (Operation *caller = callers->find(func))
    return Fp8Refusal{("its function @" + func.getName() + " is called by " +
                       describeFunctionOf(caller) +
                       ", and scaling state enters through entries")
                          .str(),
                      "run the pass 'inline' first"};
  return std::nullopt;
}

/// Decides for an op; forward products come first.
Decision PartitionPass::decide(Fp8OpInterface op) {
  StringAttr layer = op.getLayerAttr();
  MatmulRole product = getProduct(op);
  const Policy::Rule *rule =
      rules.lookup(layer, product,
                   [&](const Policy::Rule &used) { usedRules.insert(&used); });
  if (rule && rule->precision == Precision::High) {
    Policy::Rule opposite = {layer.str(), rule->product, Precision::Fp8, 0, 0};
    Decision decision = Decision::high(
        "Policy", {"the policy's rule '" + rule->getSubject() +
                       "=high' keeps it in high precision",
                   "add '" + opposite.getSubject() + "=fp8' behind that rule"});
    decision.isForProductAlone = rule->product.has_value();
    return decision;
  }
  const bool isMeasured = choice && choice->getCalibration().find(layer);
  if (!rule && !isMeasured && heads.contains(layer.getValue()))
    return Decision::high(
        "LMHead", {"its result goes to the loss or to an output (LM head), "
                   "where FP8 costs accuracy",
                   ("add '" + layer.getValue() + "=fp8' to the policy").str()});
  if (!rule && routers.contains(layer.getValue()))
    return Decision::high(
        "Router", {"its results are compared with each other, and the largest "
                   "choose (router of experts); errors of FP8 would choose "
                   "others",
                   ("add '" + layer.getValue() + "=fp8' to the policy").str()});
  if (std::optional<Fp8Refusal> refusal = checkPlace(op))
    return Decision::high("Place", std::move(*refusal));
  Operation *func = op->getParentOfType<func::FuncOp>();
  if (product != MatmulRole::Fprop) {
    auto it = forwards.find({func, layer});
    if (it == forwards.end())
      it = forwards.find({nullptr, layer});
    if (it == forwards.end())
      return Decision::high(
          "NoForward",
          {("the module has no forward product of its layer '" +
            layer.getValue() + "'")
               .str(),
           "give the products of a layer the same 'layer' attribute"});
    const Decision &forward = it->second;
    if (forward.precision == Precision::High && !forward.isForProductAlone)
      return Decision::high(
          forward.name,
          {"the forward product of its layer stays in high precision: " +
               forward.refusal.reason,
           forward.refusal.suggestion});
  }
  if (auto refusal = parameters.find(func)->second.checkRoles(op))
    return Decision::high("NoWeight", std::move(*refusal));
  if (std::optional<Fp8Refusal> refusal = op.getFp8Refusal())
    return Decision::high("Unsupported", std::move(*refusal));
  if (auto refusal = checkScales(op, recipeAttribute))
    return Decision::high("Unsupported", std::move(*refusal));
  if (std::optional<Fp8Refusal> refusal = checkRanges(op, *ranges))
    return Decision::high("Range", std::move(*refusal));
  return Decision::fp8();
}

void PartitionPass::report(Fp8OpInterface op, const Decision &decision) {
  auto func = op->getParentOfType<func::FuncOp>();
  auto options = remark::RemarkOpts::name(decision.name)
                     .category(kPartitionRemarks)
                     .function(func ? func.getName() : StringRef());
  bool isFp8 = decision.precision == Precision::Fp8;
  ++(isFp8 ? numFp8 : numHigh);
  remark::detail::InFlightRemark remark =
      isFp8 ? remark::passed(op->getLoc(), options)
            : remark::missed(op->getLoc(), options);
  if (!isFp8) {
    remark << remark::reason("{0}", decision.refusal.reason);
    if (!decision.refusal.suggestion.empty())
      remark << remark::suggest("{0}", decision.refusal.suggestion);
  }
  remark << remark::metric("layer", op.getLayerAttr().str())
         << remark::metric("product", stringifyMatmulRole(getProduct(op)).str())
         << remark::metric("shape", describeShapes(op))
         << remark::metric("flops", op.getFlops());
  decision.times.addTo(remark);
  if (std::string known = describeRanges(op, *ranges); !known.empty())
    remark << remark::metric("range", known);
  if (choice)
    if (std::string known = choice->describe(op.getLayerAttr(), getProduct(op));
        !known.empty())
      remark << remark::metric("calibration", known);
  if (choice && getProduct(op) == MatmulRole::Fprop)
    if (auto quality = choice->findQuality(op.getLayerAttr()))
      remark << remark::metric("fp8Quality", formatQuality(*quality));
}

/// The reason that a contraction which no pass raised to te.matmul has no FP8
/// form, and a remedy.
static Fp8Refusal explainContraction(linalg::LinalgOp op) {
  std::string name = ("'" + op->getName().getStringRef() + "' ").str();
  std::string problem;
  FailureOr<Contraction> contraction = Contraction::get(op, &problem);
  if (succeeded(contraction) && !contraction->batch.empty()) {
    int64_t count = 1;
    for (unsigned loop : contraction->batch)
      count *= contraction->loopSizes[loop];
    return {name + "is a batch of " + std::to_string(count) +
                " products, each of two matrices of its own; the FP8 form is "
                "one product of two matrices with one scale each",
            "if all of them read one weight, fold the batch into the rows of "
            "one product"};
  }
  return {name + "is a contraction that has no FP8 form" +
              (problem.empty() ? "" : ": " + problem),
          "write it as te.matmul, run te-raise on it, or attach "
          "Fp8OpInterface to the operation"};
}

/// Reports a product that no pass can make FP8.
void PartitionPass::reportContraction(linalg::LinalgOp op) {
  auto func = op->getParentOfType<func::FuncOp>();
  auto options = remark::RemarkOpts::name("NoFp8Form")
                     .category(kPartitionRemarks)
                     .function(func ? func.getName() : StringRef());
  Fp8Refusal refusal = explainContraction(op);
  remark::missed(op->getLoc(), options)
      << remark::reason("{0}", refusal.reason)
      << remark::suggest("{0}", refusal.suggestion);
}

/// Whether a function evaluates what another entry trains. What is evaluated
/// then are the parameters, not their FP8 copies.
bool PartitionPass::isEvaluation(func::FuncOp func) {
  const EntryKind *kind = getEntryKind(func);
  return !fp8Eval && hasUpdates && kind && kind->hasLoss && !kind->hasGradients;
}

/// True of entries that are part of a training step, or could be.
static bool hasGradients(func::FuncOp func) {
  const EntryKind *kind = getEntryKind(func);
  return kind && kind->hasGradients;
}

/// Keeps layers in high precision that would take longer in FP8, on a target
/// with a cost model.
LogicalResult
PartitionPass::compareTimes(llvm::MapVector<Operation *, Decision> &decided) {
  ModuleOp module = getOperation();
  if (!CostModel(module))
    return success();
  SmallVector<std::pair<func::FuncOp, SmallVector<Fp8OpInterface>>> chosen;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.getBody().hasOneBlock() && !isMeasurement(func))
      chosen.push_back({func, {}});
  llvm::DenseSet<StringAttr> wanted;
  for (auto &[op, decision] : decided) {
    auto fp8Op = cast<Fp8OpInterface>(op);
    if (decision.precision != Precision::Fp8)
      continue;
    auto func = op->getParentOfType<func::FuncOp>();
    llvm::find_if(chosen, [&](auto &each) {
      return each.first == func;
    })->second.push_back(fp8Op);
    const Policy::Rule *rule =
        rules.lookup(fp8Op.getLayerAttr(), getProduct(fp8Op));
    if (all || (rule && rule->precision == Precision::Fp8))
      wanted.insert(fp8Op.getLayerAttr());
  }
  FailureOr<QuantizePlan> plan = makeQuantizePlan(chosen, recipeAttribute);
  if (failed(plan))
    return failure();
  const bool isTraining = llvm::any_of(
      chosen, [](const auto &each) { return hasGradients(each.first); });
  LayerTimes times(
      module, std::move(*plan), recipeAttribute, memoryPrice,
      [&](func::FuncOp func) { return !isTraining || hasGradients(func); });
  times.choose([&](StringAttr layer) { return wanted.contains(layer); },
               /*updatesScales=*/isTraining);
  for (auto &[op, decision] : decided) {
    if (decision.precision != Precision::Fp8)
      continue;
    auto fp8Op = cast<Fp8OpInterface>(op);
    StringAttr layer = fp8Op.getLayerAttr();
    if (!times.isFp8(layer))
      decision = Decision::high(
          "Slower",
          {"its layer would take longer in FP8",
           ("add '" + layer.getValue() + "=fp8' to the policy").str()});
    if (getProduct(fp8Op) == MatmulRole::Fprop) {
      decision.times =
          times.compare(op->getParentOfType<func::FuncOp>(), layer);
      decision.gain = times.getGain(layer);
    }
  }
  return success();
}

/// Keeps products in high precision by what a calibration says of their layers.
LogicalResult PartitionPass::chooseByQuality(
    llvm::MapVector<Operation *, Decision> &decided) {
  if (!choice)
    return success();
  llvm::MapVector<StringAttr, QualityCandidate> candidates;
  for (auto &[op, decision] : decided) {
    auto fp8Op = cast<Fp8OpInterface>(op);
    QualityCandidate &candidate = candidates[fp8Op.getLayerAttr()];
    candidate.layer = fp8Op.getLayerAttr();
    if (getProduct(fp8Op) != MatmulRole::Fprop) {
      candidate.hasGradients = true;
    } else if (decision.precision == Precision::Fp8) {
      candidate.canBeFp8 = true;
      candidate.isRequired =
          rules.lookup(candidate.layer, MatmulRole::Fprop) != nullptr;
      candidate.flops = double(fp8Op.getFlops());
      candidate.seconds = decision.gain;
    }
  }
  if (failed(choice->choose(
          llvm::map_to_vector(candidates,
                              [](const auto &entry) { return entry.second; }),
          getOperation().getLoc())))
    return failure();
  for (auto &[op, decision] : decided) {
    auto fp8Op = cast<Fp8OpInterface>(op);
    StringAttr layer = fp8Op.getLayerAttr();
    MatmulRole product = getProduct(fp8Op);
    if (decision.precision == Precision::High ||
        (rules.lookup(layer, product) && !choice->refusesLayer(layer)))
      continue;
    if (auto refusal = choice->refuse(layer, product))
      decision = Decision::high("Calibration", std::move(*refusal));
  }
  return success();
}

/// Decides for and reports every contraction of the module, in program order.
LogicalResult PartitionPass::decideAll() {
  ModuleOp module = getOperation();
  SmallVector<Operation *> contractions;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto func = dyn_cast<func::FuncOp>(op); func && isMeasurement(func))
      return WalkResult::skip();
    if (auto func = dyn_cast<func::FuncOp>(op); func && isEvaluation(func)) {
      remark::missed(func.getLoc(), remark::RemarkOpts::name("Evaluation")
                                        .category(kPartitionRemarks)
                                        .function(func.getName()))
          << remark::reason(
                 "it evaluates the parameters that another entry trains, and "
                 "FP8 would add its own rounding to their loss")
          << remark::suggest("choose FP8 with '--fp8-eval'");
      return WalkResult::skip();
    }
    if (auto fp8Op = dyn_cast<Fp8OpInterface>(op)) {
      if (getProduct(fp8Op) != MatmulRole::Other)
        contractions.push_back(op);
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (linalg::isaContractionOpInterface(linalgOp))
        contractions.push_back(op);
    }
    return WalkResult::advance();
  });
  for (Operation *op : contractions) {
    auto fp8Op = dyn_cast<Fp8OpInterface>(op);
    if (!fp8Op || getProduct(fp8Op) != MatmulRole::Fprop)
      continue;
    Decision decision = decide(fp8Op);
    Operation *func = op->getParentOfType<func::FuncOp>();
    forwards.try_emplace({nullptr, fp8Op.getLayerAttr()}, decision);
    forwards.try_emplace({func, fp8Op.getLayerAttr()}, decision);
  }
  llvm::MapVector<Operation *, Decision> decided;
  for (Operation *op : contractions)
    if (auto fp8Op = dyn_cast<Fp8OpInterface>(op))
      decided.insert({op, decide(fp8Op)});
  if (failed(compareTimes(decided)) || failed(chooseByQuality(decided)))
    return failure();
  for (Operation *op : contractions) {
    auto decision = decided.find(op);
    if (decision == decided.end()) {
      reportContraction(cast<linalg::LinalgOp>(op));
      continue;
    }
    report(cast<Fp8OpInterface>(op), decision->second);
    decisions[op] = decision->second.precision;
  }
  if (contractions.empty())
    remark::missed(
        module.getLoc(),
        remark::RemarkOpts::name("Nothing").category(kPartitionRemarks))
        << remark::reason(
               "the module has no matrix product, so nothing of it can run in "
               "FP8");
  return success();
}

/// Moves a run of ops into a region that yields the values used outside.
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

void PartitionPass::partition(Block &block) {
  SmallVector<Operation *> run;
  std::optional<Precision> precision;
  auto finish = [&] {
    if (precision)
      wrap(run, *precision);
    run.clear();
    precision.reset();
  };
  // Blocks of a function end in terminators, whether or not their ops are
  // registered.
  auto body = llvm::make_range(block.begin(), std::prev(block.end()));
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (!isNeutral(&op)) {
      auto decision = decisions.find(&op);
      Precision next =
          decision == decisions.end() ? Precision::High : decision->second;
      if (precision && *precision != next)
        finish();
      precision = next;
    }
    run.push_back(&op);
  }
  finish();
}

/// Finds the weights of a function and the layers that are heads or routers.
void PartitionPass::learnFunction(func::FuncOp func, const Routers &scores) {
  parameters.try_emplace(func, func);
  func.walk([&](Fp8OpInterface op) {
    if (getProduct(op) != MatmulRole::Fprop)
      return;
    Value result = op->getResult(0);
    if (isModelResult(result, func))
      heads.insert(op.getLayerAttr().getValue());
    for (const Fp8Operand &operand : op.getFp8Operands())
      if (operand.role == TensorRole::Weight &&
          scores.contains(result, op->getOperand(operand.operandNumber)))
        routers.insert(op.getLayerAttr().getValue());
  });
}

LogicalResult PartitionPass::prepare() {
  ModuleOp module = getOperation();
  llvm::Expected<Policy> parsed = Policy::parse(policy);
  if (!parsed)
    return emitError(module.getLoc()) << llvm::toString(parsed.takeError());
  rules = std::move(*parsed);
  usedRules.clear();
  parameters.clear();
  callers.emplace(module);
  hasUpdates = llvm::any_of(module.getOps<func::FuncOp>(), [](auto func) {
    const EntryKind *kind = getEntryKind(func);
    return kind && kind->hasUpdates;
  });
  heads.clear();
  routers.clear();
  forwards.clear();
  decisions.clear();
  FailureOr<std::optional<QualityChoice>> read =
      QualityChoice::read(calibration, quality, module.getLoc());
  if (failed(read))
    return failure();
  choice = std::move(*read);
  WalkResult result = module.walk([](RegionOp region) {
    region.emitOpError() << "is there before te-partition, which makes the "
                         << "regions; run it once";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Of models with linear layers: a rule that matches none of them is
/// misspelled, or of another model.
LogicalResult PartitionPass::checkRules() {
  ModuleOp module = getOperation();
  llvm::SetVector<StringRef> layers;
  for (const auto &[op, precision] : decisions)
    layers.insert(cast<Fp8OpInterface>(op).getLayerAttr());
  if (layers.empty())
    return success();
  bool isValid = true;
  for (const Policy::Rule &rule : rules.getRules()) {
    if (usedRules.contains(&rule))
      continue;
    std::string text = "the policy's rule '" + rule.getSubject() + "=" +
                       stringifyPrecision(rule.precision).str() + "' ";
    const bool isOverruled = llvm::any_of(decisions, [&](const auto &decision) {
      auto op = cast<Fp8OpInterface>(decision.first);
      return rule.covers(getProduct(op)) && rule.matches(op.getLayerAttr());
    });
    if (isOverruled) {
      emitWarning(module.getLoc())
          << text << "decides nothing: rules behind it decide about all "
          << "layers that it matches";
      continue;
    }
    // One about gradients is of no use without them, and not wrong.
    if (llvm::any_of(layers,
                     [&](StringRef layer) { return rule.matches(layer); }))
      continue;
    isValid = false;
    emitError(module.getLoc()) << text << "matches no linear layer; there are "
                               << listNames(layers.getArrayRef());
  }
  return success(isValid);
}

void PartitionPass::runOnOperation() {
  if (failed(prepare()))
    return signalPassFailure();
  ModuleOp module = getOperation();
  if (failed(nameLayers(module)))
    return signalPassFailure();
  const Routers scores(module);
  for (auto func : module.getOps<func::FuncOp>())
    learnFunction(func, scores);
  ranges = &getAnalysis<RangeAnalysis>();
  if (failed(decideAll()))
    return signalPassFailure();
  for (auto func : module.getOps<func::FuncOp>())
    for (Block &block : func.getBody())
      partition(block);
  if (failed(checkRules()))
    signalPassFailure();
}
