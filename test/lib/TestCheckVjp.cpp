// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares every gradient that @vjp returns with central differences of
// @forward, both evaluated in float64 on counter-based random values.

#include "FiniteDifferences.h"
#include "TestPasses.h"
#include "te/Analysis/EntryInterface.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Pass/Pass.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

namespace {
struct CheckVjp : PassWrapper<CheckVjp, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckVjp)
  CheckVjp() = default;
  CheckVjp(const CheckVjp &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "test-te-check-vjp"; }
  StringRef getDescription() const override {
    return "Compare @vjp with central differences of @forward";
  }

  Option<int> ids{*this, "ids", llvm::cl::init(8),
                  llvm::cl::desc("Integers are in [0, ids)")};
  Option<double> tolerance{*this, "tolerance", llvm::cl::init(1e-6),
                           llvm::cl::desc("Largest relative error")};

  void runOnOperation() override {
    if (failed(check()))
      signalPassFailure();
  }

  LogicalResult check() {
    auto forward = getOperation().lookupSymbol<func::FuncOp>("forward");
    auto vjp = getOperation().lookupSymbol<func::FuncOp>("vjp");
    if (!forward || !vjp)
      return emitError(getOperation().getLoc())
             << "has no @forward and @vjp; run te-differentiate first";
    FailureOr<EntryInterface> forwardInterface = EntryInterface::get(forward);
    FailureOr<EntryInterface> vjpInterface = EntryInterface::get(vjp);
    if (failed(forwardInterface) || failed(vjpInterface))
      return failure();

    // Random values for all arguments of @vjp; @forward's are among them.
    SmallVector<HostTensor> arguments;
    for (auto [stream, value] :
         llvm::enumerate(ArrayRef(vjpInterface->values)
                             .take_front(vjp.getNumArguments()))) {
      HostTensor &tensor = arguments.emplace_back(value.type.getShape());
      bool integer = value.type.getElementType().isInteger();
      for (auto [i, element] : llvm::enumerate(tensor.data)) {
        element = counterUniform(stream, i);
        if (integer)
          element = std::floor((element + 1) / 2 * ids);
      }
    }
    FailureOr<SmallVector<HostTensor>> results = evaluate(vjp, arguments);
    if (failed(results))
      return failure();

    SmallVector<unsigned> origin; // argument of @vjp for each of @forward
    for (BlockArgument argument : forward.getArguments()) {
      const BoundaryValue &value =
          forwardInterface->getArgument(argument.getArgNumber());
      origin.push_back(*vjpInterface->find(value.role, value.name)->argument);
    }
    auto runForward = [&] {
      return evaluate(forward, llvm::map_to_vector(origin, [&](unsigned i) {
                        return arguments[i];
                      }));
    };
    // Σ over outputs of <cotangent, output>.
    auto loss = [&]() -> std::optional<double> {
      FailureOr<SmallVector<HostTensor>> outputs = runForward();
      if (failed(outputs))
        return std::nullopt;
      double sum = 0;
      for (const BoundaryValue &output : forwardInterface->values) {
        if (output.role != BoundaryRole::Output)
          continue;
        const BoundaryValue *cotangent =
            vjpInterface->find(BoundaryRole::Input, "cotangent." + output.name);
        if (!cotangent)
          continue;
        const HostTensor &dy = arguments[*cotangent->argument],
                         &y = (*outputs)[*output.result];
        for (int64_t i = 0, e = y.size(); i < e; ++i)
          sum += dy[i] * y[i];
      }
      return sum;
    };

    // @vjp computes the outputs as @forward does.
    FailureOr<SmallVector<HostTensor>> outputs = runForward();
    if (failed(outputs))
      return failure();
    for (const BoundaryValue &output : forwardInterface->values)
      if (output.role == BoundaryRole::Output &&
          (*outputs)[*output.result].data !=
              (*results)[*vjpInterface->find(BoundaryRole::Output, output.name)
                              ->result]
                  .data)
        return emitError(vjp.getLoc())
               << "returns another '" << output.name << "' than @forward";

    unsigned checked = 0;
    for (const BoundaryValue &value : vjpInterface->values) {
      StringRef name = value.name;
      if (value.role != BoundaryRole::Output || !name.consume_front("grad."))
        continue;
      const BoundaryValue *of = vjpInterface->find(BoundaryRole::Param, name);
      if (!of)
        of = vjpInterface->find(BoundaryRole::Input, name);
      std::optional<double> error = compareWithDifferences(
          arguments[*of->argument], (*results)[*value.result], loss,
          /*samples=*/64, /*stream=*/1000 + *value.result);
      if (!error)
        return failure();
      if (!(*error <= tolerance))
        return emitError(vjp.getLoc())
               << "returns a '" << value.name
               << "' that differs from central differences by "
               << std::to_string(*error) << " of its largest element";
      llvm::outs() << value.name << ": max relative error "
                   << llvm::format("%.1e", *error) << "\n";
      ++checked;
    }
    llvm::outs() << checked << " gradients agree\n";
    return success();
  }
};
} // namespace

void mlir::te::test::registerCheckVjpPass() { PassRegistration<CheckVjp>(); }
