// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions as IREE writes them. Its dialects are not linked, so their ops come
// in the generic form, told apart by name.

#include "Linalg/Linalg.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::te;

/// Arguments and results that are buffer views become the tensors that they are
/// imported to and exported from; fences go.
static void dropBufferViews(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (isForeign(&op, "hal.tensor.barrier")) {
      // Tensors first, then the fence; a result for each tensor.
      op.replaceAllUsesWith(op.getOperands().take_front(op.getNumResults()));
      op.erase();
    }
  }
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (!isForeign(&op, "hal.tensor.import") || op.getNumResults() != 1)
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
        source && isForeign(source, "hal.tensor.export")) {
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

/// Whether the function does nothing but call another and wait for it.
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
        !isForeign(&op->getRegion(0).front().back(), "util.return"))
      return op->emitError("is not a function of one block that ends with "
                           "util.return");
    OpBuilder builder(op);
    // The entry that waits for the asynchronous function has nothing of the
    // model.
    if (isStub(op)) {
      op->erase();
      continue;
    }
    auto function =
        func::FuncOp::create(builder, op->getLoc(), name.getValue(), type);
    function.getBody().takeBody(op->getRegion(0));
    if (auto attrs = getForeignAttr<ArrayAttr>(op, "arg_attrs"))
      function.setArgAttrsAttr(attrs);
    if (auto attrs = getForeignAttr<ArrayAttr>(op, "res_attrs"))
      function.setResAttrsAttr(attrs);
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
  return success();
}
