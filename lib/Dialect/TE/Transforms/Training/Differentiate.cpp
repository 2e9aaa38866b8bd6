// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-differentiate: the entry points of a model.

#include "Precision/Layers.h"
#include "Training/EntryBuilder.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/Transforms/Differentiation/ReverseMode.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEDIFFERENTIATE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

static constexpr StringLiteral kModelName = "forward";

static bool isFloat(const BoundaryValue &value) {
  return isa<FloatType>(value.type.getElementType());
}

/// An error about the model as a whole, which is not printed with it.
static InFlightDiagnostic modelError(func::FuncOp function) {
  return emitError(function.getLoc()) << "the model ";
}

namespace {

class TEDifferentiate
    : public mlir::te::impl::TEDifferentiateBase<TEDifferentiate> {
public:
  using TEDifferentiateBase::TEDifferentiateBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult checkOptions();
  LogicalResult readModel();
  LogicalResult buildEntry(StringRef entry);
  LogicalResult buildTrain();
  LogicalResult buildGrad();
  LogicalResult buildEval();
  LogicalResult buildVjpEntry();

  FailureOr<const BoundaryValue *> findLogits();
  FailureOr<const BoundaryValue *> findIds();
  LogicalResult addLabels(EntryBuilder &entry);
  FailureOr<Value> buildLoss(EntryBuilder &entry);
  FailureOr<SmallVector<Value>>
  buildParameterGradients(EntryBuilder &entry, ArrayRef<CotangentSeed> seeds,
                          ArrayRef<const BoundaryValue *> others, StringRef of);
  NoDecayPolicy getNoDecayPolicy();

  LossOptions getLossOptions() { return {loss, reduction, ignoreIndex}; }

  SmallVector<std::string> requested;
  Model model;
  /// The trained parameters: those of floating point.
  SmallVector<const BoundaryValue *> parameters;
  Value labels;
};

} // namespace

LogicalResult TEDifferentiate::run() {
  if (failed(checkOptions()) || failed(readModel()))
    return failure();
  for (StringRef entry : requested) {
    if (failed(buildEntry(entry)))
      return failure();
    ++numEntries;
  }
  if (llvm::is_contained(requested, kModelName))
    model.function->setAttr(kEntryAttr,
                            StringAttr::get(&getContext(), kModelName));
  else
    model.function.erase();
  return success();
}

LogicalResult TEDifferentiate::checkOptions() {
  requested.assign(entries.begin(), entries.end());
  if (requested.empty())
    requested.push_back("train");
  for (auto [i, entry] : llvm::enumerate(requested)) {
    const EntryKind *kind = findEntryKind(entry);
    if (!kind)
      return emitError(getOperation().getLoc())
             << "there is no entry '" << entry << "'; choose among "
             << listEntryKinds();
    if (llvm::is_contained(ArrayRef(requested).take_front(i), entry))
      return emitError(getOperation().getLoc())
             << "entry '" << entry << "' is asked for twice";
    if (loss == LossKind::None && kind->hasLoss)
      return emitError(getOperation().getLoc())
             << "entry '" << entry
             << "' needs a loss: choose causal-lm or cross-entropy, or build "
                "the entry vjp";
  }
  for (const std::string &kind : noDecay)
    if (!llvm::is_contained({"norms", "biases", "embeddings", "none"}, kind))
      return emitError(getOperation().getLoc())
             << "there is no kind of parameter '" << kind
             << "' that weight decay can leave alone; choose among norms, "
                "biases and embeddings, or none";
  return success();
}

LogicalResult TEDifferentiate::readModel() {
  parameters.clear();
  model.function = getOperation().lookupSymbol<func::FuncOp>(kModelName);
  if (!model.function || model.function.isExternal())
    return emitError(getOperation().getLoc())
           << "the module has no function @" << kModelName
           << " to differentiate";
  if (!model.function.getBody().hasOneBlock())
    return modelError(model.function)
           << "has control flow; only straight-line models are differentiated";
  WalkResult regions = model.function.walk([](RegionOp region) {
    region.emitOpError() << "is what te-partition makes; run te-differentiate "
                         << "before it";
    return WalkResult::interrupt();
  });
  if (regions.wasInterrupted())
    return failure();
  for (StringRef entry : requested)
    if (Operation *other = getOperation().lookupSymbol(entry);
        other && entry != kModelName)
      return emitError(other->getLoc())
             << "@" << entry
             << " is the name of an entry that te-differentiate "
             << "builds; rename this";
  FailureOr<EntryInterface> interface = EntryInterface::get(model.function);
  if (failed(interface))
    return failure();
  model.interface = std::move(*interface);
  // The layers of all entries: what stands in one place of the model is one
  // layer, however many entries are made of it.
  nameLayers(getOperation());
  for (const BoundaryValue &value : model.interface.values) {
    if (value.role == BoundaryRole::State)
      return modelError(model.function)
             << "has state '" << value.name
             << "'; only models without state of their own are differentiated";
    if (value.role != BoundaryRole::Param)
      continue;
    if (value.result)
      return modelError(model.function)
             << "returns a new value of parameter '" << value.name
             << "'; parameters are updated by the optimizer";
    if (isFloat(value))
      parameters.push_back(&value);
  }
  return success();
}

LogicalResult TEDifferentiate::buildEntry(StringRef entry) {
  labels = {};
  if (entry == "train")
    return buildTrain();
  if (entry == "grad")
    return buildGrad();
  if (entry == "eval")
    return buildEval();
  if (entry == "vjp")
    return buildVjpEntry();
  return success();
}

//===----------------------------------------------------------------------===//
// The loss
//===----------------------------------------------------------------------===//

/// Emits "<what>; choose with the option <option>" listing the candidates.
static LogicalResult ambiguous(func::FuncOp function, const Twine &what,
                               ArrayRef<const BoundaryValue *> candidates,
                               StringRef list) {
  InFlightDiagnostic diag = modelError(function) << what << "; " << list;
  if (candidates.empty())
    return diag << " nothing";
  llvm::interleaveComma(
      candidates, diag << " ", [&](const BoundaryValue *value) {
        diag << "'" << value->name << "' (" << value->type << ")";
      });
  return diag;
}

FailureOr<const BoundaryValue *> TEDifferentiate::findLogits() {
  SmallVector<const BoundaryValue *> candidates;
  for (const BoundaryValue &value : model.interface.values)
    if (value.role == BoundaryRole::Output && isFloat(value)) {
      if (value.name == logits)
        return &value;
      candidates.push_back(&value);
    }
  if (!logits.empty())
    return ambiguous(model.function,
                     "has no floating-point output '" + logits + "'",
                     candidates, "there is");
  if (candidates.size() == 1)
    return candidates.front();
  return ambiguous(
      model.function,
      "needs one output as logits for the loss; name it with the option logits",
      candidates, "there is");
}

FailureOr<const BoundaryValue *> TEDifferentiate::findIds() {
  SmallVector<const BoundaryValue *> candidates, all;
  for (const BoundaryValue &value : model.interface.values)
    if (value.role == BoundaryRole::Input) {
      all.push_back(&value);
      if (value.type.getElementType().isInteger() && value.type.getRank() == 2)
        candidates.push_back(&value);
    }
  if (candidates.size() == 1)
    return candidates.front();
  return ambiguous(model.function,
                   "needs one integer input [batch, sequence] to take the "
                   "causal loss's labels from (use the loss cross-entropy to "
                   "give labels)",
                   all, "its inputs are");
}

LogicalResult TEDifferentiate::addLabels(EntryBuilder &entry) {
  if (loss != LossKind::CrossEntropy)
    return success();
  FailureOr<const BoundaryValue *> output = findLogits();
  if (failed(output))
    return failure();
  // One label per row of logits, in the shape of the ids where it fits.
  ArrayRef<int64_t> shape = (*output)->type.getShape();
  if (shape.empty())
    return modelError(model.function)
           << "has scalar logits '" << (*output)->name << "'";
  auto type =
      RankedTensorType::get(shape.drop_back(), entry.getBuilder().getI64Type());
  for (const BoundaryValue &value : model.interface.values)
    if (value.role == BoundaryRole::Input && type.getRank() == 1 &&
        value.type.getElementType().isInteger() && value.type.getRank() == 2 &&
        value.type.getNumElements() == type.getNumElements())
      type = type.clone(value.type.getShape());
  labels = entry.addArgument(entry.getLoc(), type,
                             {entry.attr(kInputAttr, "labels")});
  return success();
}

FailureOr<Value> TEDifferentiate::buildLoss(EntryBuilder &entry) {
  FailureOr<const BoundaryValue *> output = findLogits();
  if (failed(output))
    return failure();
  OpBuilder &builder = entry.getBuilder();
  Value value = entry.lookup(**output);
  Location loc =
      NameLoc::get(builder.getStringAttr("loss"), model.function.getLoc());
  Value target = labels;
  if (loss == LossKind::CausalLM) {
    FailureOr<const BoundaryValue *> ids = findIds();
    if (failed(ids))
      return failure();
    target =
        buildCausalLabels(builder, loc, entry.lookup(**ids), getLossOptions());
  }
  return buildCrossEntropy(builder, loc, value, target, getLossOptions());
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Gradients of the parameters, float32, then of `others`, in their own types;
/// zero with a warning where none arrives.
FailureOr<SmallVector<Value>> TEDifferentiate::buildParameterGradients(
    EntryBuilder &entry, ArrayRef<CotangentSeed> seeds,
    ArrayRef<const BoundaryValue *> others, StringRef of) {
  SmallVector<const BoundaryValue *> wanted(parameters);
  llvm::append_range(wanted, others);
  SmallVector<Value> values = llvm::map_to_vector(
      wanted, [&](const BoundaryValue *value) { return entry.lookup(*value); });
  size_t opsBefore = entry.getBody().getOperations().size();
  FailureOr<VjpResult> vjp = buildVjp(entry.getBody(), seeds, values);
  numGradientOps += entry.getBody().getOperations().size() - opsBefore;
  if (failed(vjp))
    return failure();
  OpBuilder &builder = entry.getBuilder();
  SmallVector<std::string> unused;
  for (auto [i, gradient] : llvm::enumerate(vjp->cotangents)) {
    auto type = cast<RankedTensorType>(values[i].getType());
    if (i < parameters.size())
      type = type.clone(builder.getF32Type());
    if (gradient) {
      gradient = convertElementType(builder, values[i].getLoc(), gradient,
                                    type.getElementType());
      continue;
    }
    gradient = createZeros(builder, values[i].getLoc(), type);
    if (Operation *stop = vjp->stops[i])
      emitWarning(model.function.getLoc())
              .append("the gradient of '", wanted[i]->name, "' is zero: ", of,
                      " depends on it only through operations without a "
                      "gradient")
              .attachNote(stop->getLoc())
          << "the first of them is '" << stop->getName() << "'";
    else
      unused.push_back("'" + wanted[i]->name + "'");
  }
  if (!unused.empty())
    emitWarning(model.function.getLoc())
        << (unused.size() == 1 ? "the gradient of " : "the gradients of ")
        << llvm::join(unused, ", ") << (unused.size() == 1 ? " is" : " are")
        << " zero: " << of << " does not depend on "
        << (unused.size() == 1 ? "it" : "them");
  return std::move(vjp->cotangents);
}

LogicalResult TEDifferentiate::buildGrad() {
  EntryBuilder entry(model, "grad");
  entry.copyArguments(BoundaryRole::Input);
  if (failed(addLabels(entry)))
    return failure();
  entry.copyArguments(BoundaryRole::Scalar);
  entry.copyArguments(BoundaryRole::Param);
  entry.copyBody();
  FailureOr<Value> lossValue = buildLoss(entry);
  if (failed(lossValue))
    return failure();
  Value one = arith::ConstantOp::create(
      entry.getBuilder(), lossValue->getLoc(),
      DenseElementsAttr::get(cast<ShapedType>(lossValue->getType()), 1.0f));
  FailureOr<SmallVector<Value>> gradients =
      buildParameterGradients(entry, {{*lossValue, one}}, {}, "the loss");
  if (failed(gradients))
    return failure();
  entry.addModelOutputs();
  entry.addResult(*lossValue, {entry.attr(kOutputAttr, "loss")});
  for (auto [parameter, gradient] : llvm::zip_equal(parameters, *gradients))
    entry.addResult(
        gradient, {entry.attr(kOutputAttr, getGradientName(parameter->name))});
  return entry.finish();
}

LogicalResult TEDifferentiate::buildEval() {
  EntryBuilder entry(model, "eval");
  entry.copyArguments(BoundaryRole::Input);
  if (failed(addLabels(entry)))
    return failure();
  entry.copyArguments(BoundaryRole::Scalar);
  entry.copyArguments(BoundaryRole::Param);
  entry.copyBody();
  FailureOr<Value> lossValue = buildLoss(entry);
  if (failed(lossValue))
    return failure();
  entry.addResult(*lossValue, {entry.attr(kOutputAttr, "loss")});
  entry.addResult(lossValue->getDefiningOp<CrossEntropyOp>().getCount(),
                  {entry.attr(kOutputAttr, "count")});
  return entry.finish();
}

LogicalResult TEDifferentiate::buildVjpEntry() {
  EntryBuilder entry(model, "vjp");
  entry.copyArguments(BoundaryRole::Input);
  SmallVector<const BoundaryValue *> outputs, inputs;
  for (const BoundaryValue &value : model.interface.values) {
    if (value.role == BoundaryRole::Output && isFloat(value))
      outputs.push_back(&value);
    if (value.role == BoundaryRole::Input && isFloat(value))
      inputs.push_back(&value);
  }
  SmallVector<Value> cotangents =
      llvm::map_to_vector(outputs, [&](const BoundaryValue *output) {
        return entry.addArgument(
            entry.getLoc(), output->type,
            {entry.attr(kInputAttr, "cotangent." + output->name)});
      });
  entry.copyArguments(BoundaryRole::Scalar);
  entry.copyArguments(BoundaryRole::Param);
  entry.copyBody();
  SmallVector<CotangentSeed> seeds;
  for (auto [output, cotangent] : llvm::zip_equal(outputs, cotangents))
    seeds.push_back({entry.lookup(*output), cotangent});
  FailureOr<SmallVector<Value>> gradients =
      buildParameterGradients(entry, seeds, inputs, "the model's result");
  if (failed(gradients))
    return failure();
  entry.addModelOutputs();
  SmallVector<const BoundaryValue *> wanted(parameters);
  llvm::append_range(wanted, inputs);
  for (auto [value, gradient] : llvm::zip_equal(wanted, *gradients))
    entry.addResult(gradient,
                    {entry.attr(kOutputAttr, getGradientName(value->name))});
  return entry.finish();
}

//===----------------------------------------------------------------------===//
// The training step
//===----------------------------------------------------------------------===//

NoDecayPolicy TEDifferentiate::getNoDecayPolicy() {
  if (noDecay.empty())
    return {};
  NoDecayPolicy policy{false, false, false};
  for (const std::string &kind : noDecay) {
    policy.norms |= kind == "norms";
    policy.biases |= kind == "biases";
    policy.embeddings |= kind == "embeddings";
  }
  return policy;
}

LogicalResult TEDifferentiate::buildTrain() {
  for (const BoundaryValue *parameter : parameters)
    if (!parameter->type.getElementType().isF32())
      return modelError(model.function)
             << "has parameter '" << parameter->name << "' of type "
             << parameter->type
             << "; the optimizer updates float32 parameters (compute in a "
                "narrower type with te-set-compute-type)";
  std::unique_ptr<Optimizer> rule = createOptimizer(
      optimizer, {learningRate, beta1, beta2, eps, weightDecay});

  EntryBuilder entry(model, "train");
  OpBuilder &builder = entry.getBuilder();
  entry.copyArguments(BoundaryRole::Input);
  if (failed(addLabels(entry)))
    return failure();

  entry.copyArguments(BoundaryRole::Scalar);
  auto f32 = RankedTensorType::get({}, builder.getF32Type());
  auto addScalar = [&](const TrainingScalar &scalar) {
    return entry.addArgument(
        entry.getLoc(), f32,
        {entry.attr(kScalarAttr, scalar.name),
         entry.attr(kDefaultAttr,
                    builder.getF64FloatAttr(scalar.defaultValue))});
  };
  SmallVector<Value> scalars =
      llvm::map_to_vector(rule->getScalars(), addScalar);
  Value maxNorm = addScalar({"max_grad_norm", maxGradNorm});

  entry.copyArguments(BoundaryRole::Param);
  struct State {
    std::string name;
    Value value;
  };
  SmallVector<SmallVector<State>> states;
  for (const BoundaryValue *parameter : parameters) {
    SmallVector<State> &own = states.emplace_back();
    Location loc = entry.lookup(*parameter).getLoc();
    for (const OptimizerState &state : rule->getStates()) {
      std::string name = state.name + "." + parameter->name;
      Value argument = entry.addArgument(
          loc, parameter->type,
          {entry.attr(kStateAttr, name), entry.attr(kKindAttr, "optimizer"),
           entry.attr(kInitAttr, builder.getF32FloatAttr(0.0f))});
      own.push_back({name, argument});
    }
  }
  Value step = entry.addArgument(
      entry.getLoc(), RankedTensorType::get({}, builder.getI64Type()),
      {entry.attr(kStateAttr, "step"), entry.attr(kKindAttr, "counter"),
       entry.attr(kInitAttr, builder.getI64IntegerAttr(0))});

  entry.copyBody();
  // What reads a parameter is asked before the backward pass reads it too.
  NoDecayPolicy policy = getNoDecayPolicy();
  SmallVector<bool> decays =
      llvm::map_to_vector(parameters, [&](const BoundaryValue *parameter) {
        return isDecayed(entry.lookup(*parameter), policy);
      });
  FailureOr<Value> lossValue = buildLoss(entry);
  if (failed(lossValue))
    return failure();
  Value one = arith::ConstantOp::create(builder, lossValue->getLoc(),
                                        DenseElementsAttr::get(f32, 1.0f));
  FailureOr<SmallVector<Value>> gradients =
      buildParameterGradients(entry, {{*lossValue, one}}, {}, "the loss");
  if (failed(gradients))
    return failure();

  Location loc =
      NameLoc::get(builder.getStringAttr("optimizer"), entry.getLoc());
  Value norm = GlobalNormOp::create(builder, loc, f32, *gradients);
  Value coefficient =
      ClipCoefficientOp::create(builder, loc, f32, norm, maxNorm);
  Value newStep =
      AdvanceStepOp::create(builder, loc, step.getType(), coefficient, step);
  entry.addResult(*lossValue, {entry.attr(kOutputAttr, "loss")});
  entry.addResult(norm, {entry.attr(kOutputAttr, "grad_norm")});
  SmallVector<SmallVector<Value>> updated;
  for (auto [i, parameter] : llvm::enumerate(parameters)) {
    Value value = entry.lookup(*parameter);
    SmallVector<Value> own = llvm::map_to_vector(
        states[i], [](const State &state) { return state.value; });
    updated.push_back(rule->update(builder,
                                   {value.getLoc(), value, (*gradients)[i], own,
                                    decays[i], coefficient, newStep},
                                   scalars));
    entry.addResult(updated.back().front(),
                    {entry.attr(kParamAttr, parameter->name)});
  }
  for (auto [own, values] : llvm::zip_equal(states, updated))
    for (auto [state, value] :
         llvm::zip_equal(own, ArrayRef(values).drop_front()))
      entry.addResult(value, {entry.attr(kStateAttr, state.name)});
  entry.addResult(newStep, {entry.attr(kStateAttr, "step")});
  return entry.finish();
}
