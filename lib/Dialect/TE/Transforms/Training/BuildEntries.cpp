// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-build-entries: copies the model for every entry point.

#include "Precision/Layers.h"
#include "Training/DropoutSeed.h"
#include "Training/EntryEditor.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEBUILDENTRIES
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

static constexpr StringLiteral kModelName = "forward";
static constexpr StringLiteral kBackwardName = "backward";

namespace {

class TEBuildEntries
    : public mlir::te::impl::TEBuildEntriesBase<TEBuildEntries> {
public:
  using TEBuildEntriesBase::TEBuildEntriesBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult checkEntries();
  LogicalResult readModel();
  LogicalResult copyModel(StringRef entry);

  InFlightDiagnostic modelError() {
    return emitError(model.getLoc()) << "the model ";
  }

  SmallVector<std::string> requested;
  func::FuncOp model;
  EntryInterface interface;
};

} // namespace

/// Dropout is active if there are gradients, and removed elsewhere.
static LogicalResult finishEntry(func::FuncOp function) {
  if (!getEntryKind(function)->hasGradients) {
    removeDropout(function);
    return success();
  }
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  return success(succeeded(entry) && succeeded(addDropoutSeed(*entry)));
}

LogicalResult TEBuildEntries::run() {
  requested.assign(entries.begin(), entries.end());
  if (requested.empty())
    requested.push_back("train");
  if (failed(checkEntries()) || failed(readModel()))
    return failure();
  for (StringRef entry : requested) {
    // te-separate-backward makes it.
    if (entry == kBackwardName)
      continue;
    if (entry != kModelName && failed(copyModel(entry)))
      return failure();
    ++numEntries;
  }
  if (!llvm::is_contained(requested, kModelName)) {
    model.erase();
    return success();
  }
  model->setAttr(kEntryAttr, StringAttr::get(&getContext(), kModelName));
  return finishEntry(model);
}

LogicalResult TEBuildEntries::checkEntries() {
  for (auto [i, entry] : llvm::enumerate(requested)) {
    if (!findEntryKind(entry))
      return emitError(getOperation().getLoc())
             << "there is no entry '" << entry << "'; choose among "
             << listEntryKinds();
    if (llvm::is_contained(ArrayRef(requested).take_front(i), entry))
      return emitError(getOperation().getLoc())
             << "entry '" << entry << "' is asked for twice";
  }
  if (llvm::is_contained(requested, kBackwardName) &&
      !hasEntry(requested, &EntryKind::separates))
    return emitError(getOperation().getLoc())
           << "the entry '" << kBackwardName
           << "' reads what forward_saving saves; ask for that entry, which "
              "brings both";
  return success();
}

LogicalResult TEBuildEntries::readModel() {
  model = getOperation().lookupSymbol<func::FuncOp>(kModelName);
  if (!model || model.isExternal())
    return emitError(getOperation().getLoc())
           << "the module has no function @" << kModelName
           << " to differentiate";
  if (hasEntry(requested, &EntryKind::separates) &&
      !llvm::is_contained(requested, kBackwardName))
    requested.push_back(kBackwardName.str());
  // Neither is of use without the other.
  if (hasEntry(requested, &EntryKind::caches))
    for (const EntryKind &kind : getEntryKinds())
      if (kind.caches && !llvm::is_contained(requested, kind.name))
        requested.push_back(kind.name.str());
  for (StringRef entry : requested)
    if (Operation *other = getOperation().lookupSymbol(entry);
        other && entry != kModelName)
      return emitError(other->getLoc())
             << "@" << entry << " is the name of an entry that "
             << "te-build-entries makes; rename this";
  // Checks the model like the entries, since its copies will be.
  if (failed(EntryEditor::get(model)))
    return failure();
  interface = *EntryInterface::get(model);
  for (const BoundaryValue &value : interface.values) {
    if (value.role == BoundaryRole::State)
      return modelError()
             << "has state '" << value.name
             << "'; only models without state of their own are differentiated";
    if (value.role == BoundaryRole::Param && value.result)
      return modelError() << "returns a new value of parameter '" << value.name
                          << "'; parameters are updated by the optimizer";
  }
  // The layers of all entries: all copies of a layer of the model have one
  // name.
  return success(succeeded(nameLayers(getOperation())));
}

/// Inputs come first, then scalars, then parameters.
LogicalResult TEBuildEntries::copyModel(StringRef entry) {
  // Entries follow the model in the requested order.
  OpBuilder builder(&getContext());
  builder.setInsertionPointToEnd(getOperation().getBody());
  auto function = func::FuncOp::create(builder, model.getLoc(), entry,
                                       builder.getFunctionType({}, {}));
  function->setAttr(kEntryAttr, builder.getStringAttr(entry));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);

  IRMapping mapping;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  for (BoundaryRole role :
       {BoundaryRole::Input, BoundaryRole::Scalar, BoundaryRole::Param})
    for (const BoundaryValue &value : interface.values) {
      if (value.role != role)
        continue;
      BlockArgument argument = model.getArgument(*value.argument);
      argumentAttrs.push_back(model.getArgAttrDict(*value.argument));
      mapping.map(argument,
                  body->addArgument(argument.getType(), argument.getLoc()));
    }
  for (Operation &op : model.getBody().front())
    builder.clone(op, mapping);
  for (unsigned i = 0, e = model.getNumResults(); i < e; ++i)
    resultAttrs.push_back(model.getResultAttrDict(i));
  function.setType(builder.getFunctionType(body->getArgumentTypes(),
                                           model.getResultTypes()));
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);
  return finishEntry(function);
}
