// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-add-gradients: makes entries return the gradients of their loss, or of
// their outputs for given cotangents.

#include "Precision/Layers.h"
#include "Training/EntryEditor.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/Transforms/Differentiation/ReverseMode.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/Glob.h"
#include "te/Support/ListNames.h"
#include "te/Support/Signature.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEADDGRADIENTS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {

class TEAddGradients
    : public mlir::te::impl::TEAddGradientsBase<TEAddGradients> {
public:
  using TEAddGradientsBase::TEAddGradientsBase;

  void runOnOperation() override {
    FailureOr<SmallVector<func::FuncOp>> ofLoss =
        findEntries(getOperation(), entries, [](const EntryKind &kind) {
          return kind.hasGradients && kind.hasLoss;
        });
    FailureOr<SmallVector<func::FuncOp>> ofOutputs =
        findEntries(getOperation(), cotangents, [](const EntryKind &kind) {
          return kind.hasGradients && !kind.hasLoss;
        });
    if (failed(ofLoss) || failed(ofOutputs))
      return signalPassFailure();
    // The gradients of a product belong to its layer.
    if (failed(nameLayers(getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if ((llvm::is_contained(*ofLoss, function) &&
           failed(differentiateLoss(function))) ||
          (llvm::is_contained(*ofOutputs, function) &&
           failed(differentiateOutputs(function))))
        return signalPassFailure();
  }

private:
  LogicalResult differentiateLoss(func::FuncOp function);
  LogicalResult differentiateOutputs(func::FuncOp function);
  LogicalResult addGradients(EntryEditor &entry, ArrayRef<CotangentSeed> seeds,
                             ArrayRef<EntryValue> parameters,
                             ArrayRef<EntryValue> inputs, StringRef of);
};

} // namespace

static SmallVector<EntryValue> getFloats(EntryEditor &entry,
                                         BoundaryRole role) {
  return llvm::filter_to_vector(
      entry.getValues(role),
      [](const EntryValue &value) { return value.isFloat(); });
}

/// The parameters that get gradients.
static SmallVector<EntryValue> getTrained(EntryEditor &entry) {
  SmallVector<EntryValue> params = getFloats(entry, BoundaryRole::Param);
  llvm::erase_if(params,
                 [](const EntryValue &param) { return isFrozen(param.value); });
  return params;
}

LogicalResult TEAddGradients::differentiateLoss(func::FuncOp function) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  SmallVector<EntryValue> trained = getTrained(*entry);
  if (size_t all = entry->getValues(BoundaryRole::Param).size();
      trained.empty() && all)
    return entry->error() << "has nothing to train: all of its " << all
                          << " parameters are frozen (te.frozen); let some of "
                             "them train (--train-only of te-compile)";
  auto scalar = RankedTensorType::get({}, entry->getBuilder().getF32Type());
  for (const EntryValue &output : entry->getValues(BoundaryRole::Output)) {
    if (output.name() != loss)
      continue;
    if (output.type() != scalar)
      return entry->error()
             << "has gradients of a scalar only, but its output '"
             << output.name() << "' is " << output.boundary.type;
    // The gradients are those of the loss times the number of its terms.
    std::optional<unsigned> divisor = entry->findResult(kLossDivisorAttr);
    Value seed = divisor ? entry->getResult(*divisor)
                         : arith::ConstantOp::create(
                               entry->getBuilder(), output.value.getLoc(),
                               DenseElementsAttr::get(scalar, 1.0f))
                               .getResult();
    return addGradients(*entry, {{output.value, seed}}, trained, {},
                        "the loss");
  }
  return entry->error() << "has no output '" << loss
                        << "' to differentiate; te-add-loss adds one";
}

/// The floats among the inputs or outputs, without the constants that the
/// patterns name. `what` they are, for errors.
static FailureOr<SmallVector<EntryValue>>
getVariables(EntryEditor &entry, BoundaryRole role,
             ArrayRef<std::string> constants, StringRef what) {
  SmallVector<EntryValue> all = entry.getValues(role);
  SmallVector<EntryValue> variables = getFloats(entry, role);
  for (StringRef pattern : constants) {
    auto glob = createGlob(pattern);
    if (!glob)
      return entry.error() << "has no " << what << "s like '" << pattern
                           << "': " << llvm::toString(glob.takeError());
    auto matches = [&](const EntryValue &value) {
      return glob->match(value.name());
    };
    if (llvm::none_of(all, matches)) {
      auto names = llvm::map_to_vector(
          all, [](const EntryValue &value) { return value.name(); });
      return entry.error() << "has no " << what << " '" << pattern
                           << "' to be constant; it has "
                           << (all.empty() ? ("no " + what + "s").str()
                                           : listNames(names));
    }
    llvm::erase_if(variables, matches);
  }
  return variables;
}

LogicalResult TEAddGradients::differentiateOutputs(func::FuncOp function) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  FailureOr<SmallVector<EntryValue>> inputs =
      getVariables(*entry, BoundaryRole::Input, constantInputs, "input");
  if (failed(inputs))
    return failure();
  FailureOr<SmallVector<EntryValue>> outputs =
      getVariables(*entry, BoundaryRole::Output, constantOutputs, "output");
  if (failed(outputs))
    return failure();
  if (outputs->empty() && !constantOutputs.empty())
    return entry->error() << "has constant outputs alone, and so no gradients; "
                             "leave one out of --constant-output";
  SmallVector<CotangentSeed> seeds;
  for (const EntryValue &output : *outputs) {
    Value cotangent = entry->addArgument(
        entry->getLoc(), output.type(),
        {entry->attr(kInputAttr, ("cotangent." + output.name()).str())},
        /*behind=*/{kInputAttr});
    seeds.push_back({output.value, cotangent});
  }
  return addGradients(*entry, seeds, getTrained(*entry), *inputs,
                      "the model's result");
}

/// Returns gradients of the parameters, float32, then of `inputs`, in their own
/// types; zero with a warning if none arrives.
LogicalResult TEAddGradients::addGradients(EntryEditor &entry,
                                           ArrayRef<CotangentSeed> seeds,
                                           ArrayRef<EntryValue> parameters,
                                           ArrayRef<EntryValue> inputs,
                                           StringRef of) {
  if (!entry.getGradients().empty())
    return entry.error() << "has gradients already";
  SmallVector<EntryValue> wanted(parameters);
  llvm::append_range(wanted, inputs);
  SmallVector<Value> values = llvm::map_to_vector(
      wanted, [](const EntryValue &value) { return value.value; });
  size_t opsBefore = entry.getBody().getOperations().size();
  FailureOr<VjpResult> vjp = buildVjp(entry.getBody(), seeds, values);
  numGradientOps += entry.getBody().getOperations().size() - opsBefore;
  if (failed(vjp))
    return failure();
  OpBuilder &builder = entry.getBuilder();
  SmallVector<std::string> unused;
  SignatureExtension extension(entry.getFunction());
  for (auto [i, gradient] : llvm::enumerate(vjp->cotangents)) {
    RankedTensorType type = wanted[i].type();
    if (i < parameters.size())
      type = type.clone(builder.getF32Type());
    Location loc = values[i].getLoc();
    if (!gradient) {
      gradient = createZeros(builder, loc, type);
      if (Operation *stop = vjp->stops[i])
        emitWarning(entry.getLoc())
                .append("the gradient of '", wanted[i].name(),
                        "' is zero: ", of,
                        " depends on it only through operations without a "
                        "gradient")
                .attachNote(stop->getLoc())
            << "the first of them is '" << stop->getName() << "'";
      else
        unused.push_back(("'" + wanted[i].name() + "'").str());
    }
    gradient =
        convertElementType(builder, loc, gradient, type.getElementType());
    extension.addResult(
        gradient,
        builder.getDictionaryAttr(
            {entry.attr(kOutputAttr, getGradientName(wanted[i].name())),
             entry.attr(kGradientAttr, wanted[i].name())}));
  }
  extension.commit();
  if (!unused.empty())
    emitWarning(entry.getLoc())
        << (unused.size() == 1 ? "the gradient of " : "the gradients of ")
        << llvm::join(unused, ", ") << (unused.size() == 1 ? " is" : " are")
        << " zero: " << of << " does not depend on "
        << (unused.size() == 1 ? "it" : "them");
  return entry.finish();
}
