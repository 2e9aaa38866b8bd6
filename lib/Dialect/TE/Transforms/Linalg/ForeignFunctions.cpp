// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of IREE. Its dialects are not linked, so their ops are in the
// generic form, identified by name.

#include "Linalg/Linalg.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::te;

/// Replaces buffer views among arguments and results by the tensors that they
/// are imported to and exported from; removes fences.
static void dropBufferViews(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(body)) {
    // The tensors precede the fence; one result for each tensor.
    if (isForeign(&op, "hal.tensor.barrier") &&
        op.getNumOperands() >= op.getNumResults() &&
        TypeRange(op.getOperandTypes()).take_front(op.getNumResults()) ==
            op.getResultTypes()) {
      op.replaceAllUsesWith(op.getOperands().take_front(op.getNumResults()));
      op.erase();
    }
  }
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (!isForeign(&op, "hal.tensor.import") || op.getNumResults() != 1 ||
        op.getNumOperands() == 0)
      continue;
    auto view = dyn_cast<BlockArgument>(op.getOperand(0));
    if (!view || view.getOwner() != &body || !view.hasOneUse())
      continue;
    Type type = op.getResult(0).getType();
    if (!isa<RankedTensorType>(type))
      continue;
    op.dropAllReferences();
    view.setType(type);
    op.getResult(0).replaceAllUsesWith(view);
    op.erase();
  }
  Operation *end = body.getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    if (Operation *source = operand.get().getDefiningOp();
        source && isForeign(source, "hal.tensor.export") &&
        source->getNumOperands() > 0) {
      operand.set(source->getOperand(0));
      if (source->use_empty())
        source->erase();
    }
  llvm::BitVector unused(body.getNumArguments());
  for (BlockArgument argument : body.getArguments())
    if (auto type = dyn_cast<OpaqueType>(argument.getType());
        type && type.getDialectNamespace() == "hal" && argument.use_empty())
      unused.set(argument.getArgNumber());
  function.setType(FunctionType::get(
      function.getContext(), body.getArgumentTypes(), end->getOperandTypes()));
  (void)function.eraseArguments(unused);
}

/// Attributes of arguments or results, a dictionary for each; null if there are
/// none. They are not verified yet.
static FailureOr<ArrayAttr> getAttrs(Operation *function, StringRef name,
                                     size_t count) {
  Attribute attribute = getForeignAttr<Attribute>(function, name);
  if (!attribute)
    return ArrayAttr();
  auto attrs = dyn_cast<ArrayAttr>(attribute);
  if (!attrs || attrs.size() != count ||
      !llvm::all_of(attrs, llvm::IsaPred<DictionaryAttr>))
    return function->emitError("has '")
           << name << "' that are not a dictionary for each of " << count;
  return attrs;
}

/// True if the function only calls another and waits for it.
static bool isStub(Operation *function) {
  bool calls = false;
  function->walk([&](Operation *op) { calls |= isForeign(op, "util.call"); });
  return calls;
}

LogicalResult mlir::te::adoptForeignFunctions(ModuleOp module) {
  SmallVector<Operation *> functions;
  for (Operation &op : *module.getBody())
    if (isForeign(&op, "util.func"))
      functions.push_back(&op);
  for (Operation *op : functions) {
    auto name = getForeignAttr<StringAttr>(op, "sym_name");
    auto typeAttr = getForeignAttr<TypeAttr>(op, "function_type");
    auto type =
        typeAttr ? dyn_cast<FunctionType>(typeAttr.getValue()) : FunctionType();
    if (!name || !type || op->getNumRegions() != 1 ||
        !op->getRegion(0).hasOneBlock() || op->getRegion(0).front().empty() ||
        op->getRegion(0).getArgumentTypes() != type.getInputs() ||
        !isForeign(&op->getRegion(0).front().back(), "util.return") ||
        op->getRegion(0).front().back().getNumResults() > 0 ||
        op->getNumResults() > 0)
      return op->emitError("is not a function of one block that ends with "
                           "util.return");
    FailureOr<ArrayAttr> argAttrs =
        getAttrs(op, "arg_attrs", type.getNumInputs());
    FailureOr<ArrayAttr> resAttrs =
        getAttrs(op, "res_attrs", type.getNumResults());
    if (failed(argAttrs) || failed(resAttrs))
      return failure();
    if (op->getRegion(0).front().back().getNumOperands() !=
        type.getNumResults())
      return op->emitError("does not return what its type says, ") << type;
    OpBuilder builder(op);
    // The entry that waits for the asynchronous function is not part of the
    // model.
    if (isStub(op)) {
      op->erase();
      continue;
    }
    auto function =
        func::FuncOp::create(builder, op->getLoc(), name.getValue(), type);
    function.getBody().takeBody(op->getRegion(0));
    if (*argAttrs)
      function.setArgAttrsAttr(*argAttrs);
    if (*resAttrs)
      function.setResAttrsAttr(*resAttrs);
    if (auto visibility = getForeignAttr<StringAttr>(op, "sym_visibility"))
      function.setSymVisibilityAttr(visibility);
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (attribute.getName().getValue().starts_with("te."))
        function->setAttr(attribute.getName(), attribute.getValue());
    Operation *end = &function.getBody().front().back();
    builder.setInsertionPoint(end);
    func::ReturnOp::create(builder, end->getLoc(), end->getOperands());
    end->erase();
    op->erase();
    dropBufferViews(function);
  }
  // Ops that were not functions were not checked for dominance and isolation.
  return functions.empty() ? success() : verify(module);
}
