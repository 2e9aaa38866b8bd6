// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs @train of a causal language model for a few steps in float64 and checks
// what it returns against formulas written here: the loss from @forward's
// logits, the gradients (which the optimizer's first moment reveals) against
// central differences of that loss, and clipping and AdamW from the gradients.

#include "FiniteDifferences.h"
#include "TestPasses.h"
#include "te/Analysis/EntryInterface.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Pass/Pass.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

/// Mean over all positions but each sequence's last of the cross-entropy of the
/// next id, smoothed as torch does, and of `zLoss` times the square of lse.
static double causalLoss(const HostTensor &logits, const HostTensor &ids,
                         double smoothing, double zLoss) {
  int64_t classes = logits.shape.back(), sequence = ids.shape[1];
  double sum = 0;
  int64_t count = 0;
  for (int64_t row = 0, e = ids.size(); row < e; ++row) {
    if (row % sequence == sequence - 1)
      continue;
    double total = 0, ofAll = 0;
    for (int64_t c = 0; c < classes; ++c)
      total += std::exp(logits[row * classes + c]);
    double lse = std::log(total);
    for (int64_t c = 0; c < classes; ++c)
      ofAll += lse - logits[row * classes + c];
    sum +=
        (1 - smoothing) *
            (lse - logits[row * classes + static_cast<int64_t>(ids[row + 1])]) +
        smoothing / static_cast<double>(classes) * ofAll + zLoss * lse * lse;
    ++count;
  }
  return sum / static_cast<double>(count);
}

namespace {
struct CheckTrain : PassWrapper<CheckTrain, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckTrain)
  CheckTrain() = default;
  CheckTrain(const CheckTrain &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "test-te-check-train"; }
  StringRef getDescription() const override {
    return "Check @train of a causal language model against formulas";
  }

  Option<int> ids{*this, "ids", llvm::cl::init(8),
                  llvm::cl::desc("Ids are in [0, ids)")};
  Option<double> labelSmoothing{
      *this, "label-smoothing", llvm::cl::init(0),
      llvm::cl::desc("Share of a label's probability that all classes get")};
  Option<double> zLoss{*this, "z-loss", llvm::cl::init(0),
                       llvm::cl::desc("Factor of the squared log of the sum")};
  Option<int> steps{*this, "steps", llvm::cl::init(3),
                    llvm::cl::desc("Steps to run")};
  ListOption<std::string> decayed{
      *this, "decayed",
      llvm::cl::desc("Parameters that weight decay applies to")};
  Option<double> tolerance{*this, "tolerance", llvm::cl::init(1e-6),
                           llvm::cl::desc("Largest relative error")};

  func::FuncOp forward, train;
  EntryInterface forwardInterface, trainInterface;
  SmallVector<HostTensor> arguments; // of @train

  void runOnOperation() override {
    if (failed(check()))
      signalPassFailure();
  }

  double scalar(StringRef name) {
    return arguments[*trainInterface.find(BoundaryRole::Scalar, name)->argument]
                    [0];
  }

  std::optional<double> loss() {
    SmallVector<HostTensor> inputs;
    const HostTensor *idsValue = nullptr;
    for (unsigned i = 0, e = forward.getNumArguments(); i < e; ++i) {
      const BoundaryValue &value = forwardInterface.getArgument(i);
      inputs.push_back(
          arguments[*trainInterface.find(value.role, value.name)->argument]);
    }
    for (const BoundaryValue &value : trainInterface.values)
      if (value.role == BoundaryRole::Input)
        idsValue = &arguments[*value.argument];
    FailureOr<SmallVector<HostTensor>> outputs = evaluate(forward, inputs);
    if (failed(outputs))
      return std::nullopt;
    return causalLoss(outputs->front(), *idsValue, labelSmoothing, zLoss);
  }

  /// Fails when `got` and `expected` differ by more than the tolerance,
  /// relative to `expected` or, below it, to `least`.
  LogicalResult compare(const llvm::Twine &what, double got, double expected,
                        double least = 1e-3) {
    double scale = std::max(std::abs(expected), least);
    if (std::abs(got - expected) <= tolerance * scale)
      return success();
    return emitError(train.getLoc())
           << "returns " << what.str() << " = " << std::to_string(got)
           << ", but the formula gives " << std::to_string(expected);
  }

  void makeArguments() {
    for (auto [stream, value] :
         llvm::enumerate(ArrayRef(trainInterface.values)
                             .take_front(train.getNumArguments()))) {
      HostTensor &tensor = arguments.emplace_back(value.type.getShape());
      for (auto [i, element] : llvm::enumerate(tensor.data)) {
        double random = counterUniform(stream, i);
        if (value.role == BoundaryRole::Input)
          element = std::floor((random + 1) / 2 * ids);
        else if (value.role == BoundaryRole::Scalar)
          element = cast<FloatAttr>(value.defaultValue).getValueAsDouble();
        else if (value.role == BoundaryRole::Param)
          element = random;
        else if (auto number = dyn_cast<FloatAttr>(value.init))
          element = number.getValueAsDouble();
        else
          element = static_cast<double>(cast<IntegerAttr>(value.init).getInt());
      }
    }
  }

  LogicalResult check() {
    forward = getOperation().lookupSymbol<func::FuncOp>("forward");
    train = getOperation().lookupSymbol<func::FuncOp>("train");
    if (!forward || !train)
      return emitError(getOperation().getLoc())
             << "has no @forward and @train; run te-differentiate first";
    FailureOr<EntryInterface> first = EntryInterface::get(forward);
    FailureOr<EntryInterface> second = EntryInterface::get(train);
    if (failed(first) || failed(second))
      return failure();
    forwardInterface = *first, trainInterface = *second;
    arguments.clear();
    makeArguments();
    for (int step = 1; step <= steps; ++step)
      if (failed(checkStep(step)))
        return failure();
    return success();
  }

  LogicalResult checkStep(int step) {
    FailureOr<SmallVector<HostTensor>> results = evaluate(train, arguments);
    std::optional<double> expectedLoss = loss();
    if (failed(results) || !expectedLoss)
      return failure();
    auto output = [&](StringRef name) {
      return (
          *results)[*trainInterface.find(BoundaryRole::Output, name)->result]
                   [0];
    };
    if (failed(compare("loss", output("loss"), *expectedLoss)))
      return failure();

    double lr = scalar("learning_rate"), eps = scalar("eps");
    double beta1 = scalar("beta1"), beta2 = scalar("beta2");
    double maxNorm = scalar("max_grad_norm"), norm = output("grad_norm");
    double coefficient =
        maxNorm > 0 ? std::min(1.0, maxNorm / (norm + 1e-6)) : 1.0;
    double squares = 0, worst = 0;
    for (const BoundaryValue &value : trainInterface.values) {
      if (value.role != BoundaryRole::Param)
        continue;
      const BoundaryValue *avg = trainInterface.find(
          BoundaryRole::State, "adamw.exp_avg." + value.name);
      const BoundaryValue *avgSq = trainInterface.find(
          BoundaryRole::State, "adamw.exp_avg_sq." + value.name);
      HostTensor &param = arguments[*value.argument];
      // The gradient from m' = beta1 m + (1 - beta1) coefficient g.
      HostTensor gradient(param.shape);
      for (int64_t i = 0, e = param.size(); i < e; ++i) {
        gradient[i] = ((*results)[*avg->result][i] -
                       beta1 * arguments[*avg->argument][i]) /
                      ((1 - beta1) * coefficient);
        squares += gradient[i] * gradient[i];
      }
      std::optional<double> error = compareWithDifferences(
          param, gradient, [&] { return loss(); }, /*samples=*/8,
          /*stream=*/1000 * step + *value.argument);
      if (!error)
        return failure();
      if (!(*error <= tolerance))
        return emitError(train.getLoc())
               << "uses a gradient of '" << value.name
               << "' that differs from central differences by "
               << std::to_string(*error) << " of its largest element";
      worst = std::max(worst, *error);

      bool decays = llvm::is_contained(decayed, value.name);
      for (int64_t i = 0, e = param.size(); i < e; ++i) {
        double g = gradient[i] * coefficient;
        double m = beta1 * arguments[*avg->argument][i] + (1 - beta1) * g;
        double v = beta2 * arguments[*avgSq->argument][i] + (1 - beta2) * g * g;
        double updated = param[i];
        if (decays)
          updated -= lr * scalar("weight_decay") * param[i];
        updated -= lr / (1 - std::pow(beta1, step)) * m /
                   (std::sqrt(v) / std::sqrt(1 - std::pow(beta2, step)) + eps);
        if (failed(compare("a new '" + value.name + "'",
                           (*results)[*value.result][i], updated)) ||
            failed(compare("a new '" + avgSq->name + "'",
                           (*results)[*avgSq->result][i], v, /*least=*/1e-9)))
          return failure();
      }
    }
    const BoundaryValue *counter =
        trainInterface.find(BoundaryRole::State, "step");
    if (failed(compare("grad_norm", norm, std::sqrt(squares))) ||
        failed(compare("step", (*results)[*counter->result][0], step)))
      return failure();
    llvm::outs() << "step " << step << ": loss "
                 << llvm::format("%.6f", output("loss")) << ", clipped by "
                 << llvm::format("%.6f", coefficient) << ", gradients agree to "
                 << llvm::format("%.1e", worst) << "\n";

    for (const BoundaryValue &value : trainInterface.values)
      if (value.argument && value.result)
        arguments[*value.argument] = (*results)[*value.result];
    return success();
  }
};
} // namespace

void mlir::te::test::registerCheckTrainPass() {
  PassRegistration<CheckTrain>();
}
