// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-establish-layouts: copies operands of runtime calls to supported
// layouts.

#include "Footprint.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTESTABLISHLAYOUTS
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-establish-layouts"

using namespace mlir;
using namespace mlir::te;
using mlir::te::tert::LayoutRequirement;
using mlir::te::tert::RuntimeCallOpInterface;

namespace {

/// A copy of a value, valid until the value is written.
struct LayoutCopy {
  Value original, copy;
  Footprint reads; ///< the original
};

struct TERTEstablishLayouts
    : te::impl::TERTEstablishLayoutsBase<TERTEstablishLayouts> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      establishIn(block);
  }

private:
  void establishIn(Block &block);
  Value copyBefore(OpOperand &operand, const LayoutRequirement &layout);
  void redirect(OpOperand &init, const LayoutRequirement &layout);
  void report(OpOperand &operand, const LayoutRequirement &layout);

  SmallVector<LayoutCopy> copies;
};

} // namespace

/// A buffer for values of `type` whose rows start at multiples of `alignment`
/// bytes.
static Value createBuffer(OpBuilder &builder, Location loc, MemRefType type,
                          int64_t alignment) {
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty())
    return memref::AllocOp::create(
        builder, loc, MemRefType::get(shape, type.getElementType()));
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  shape.back() =
      llvm::alignTo(shape.back(), std::max<int64_t>(alignment / bytes, 1));
  Value buffer = memref::AllocOp::create(
      builder, loc, MemRefType::get(shape, type.getElementType()));
  if (type.getShape() == ArrayRef(shape))
    return buffer;
  SmallVector<OpFoldResult> zeros(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(shape.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(
      builder, loc, buffer, zeros,
      getAsIndexOpFoldResult(builder.getContext(), type.getShape()), ones);
}

/// The operand's value in a buffer that meets the requirement, copied there
/// before the call.
Value TERTEstablishLayouts::copyBefore(OpOperand &operand,
                                       const LayoutRequirement &layout) {
  Value original = operand.get();
  for (const LayoutCopy &known : copies)
    if (known.original == original &&
        layout.isMetBy(cast<MemRefType>(known.copy.getType()))) {
      LDBG() << "reads the copy that an earlier call made: "
             << *operand.getOwner();
      return known.copy;
    }
  report(operand, layout);
  Operation *call = operand.getOwner();
  OpBuilder builder(call);
  Value copy =
      createBuffer(builder, call->getLoc(),
                   cast<MemRefType>(original.getType()), layout.rowAlignment);
  tert::CopyOp::create(builder, call->getLoc(), TypeRange(), original, copy);
  ++numCopies;
  LayoutCopy &entry = copies.emplace_back(LayoutCopy{original, copy, {}});
  entry.reads.addRead(original);
  return copy;
}

/// Lets the call write a new buffer, which is copied to the destination after
/// it.
void TERTEstablishLayouts::redirect(OpOperand &init,
                                    const LayoutRequirement &layout) {
  report(init, layout);
  Operation *call = init.getOwner();
  Value destination = init.get();
  OpBuilder builder(call);
  Value buffer = createBuffer(builder, call->getLoc(),
                              cast<MemRefType>(destination.getType()),
                              layout.rowAlignment);
  if (cast<RuntimeCallOpInterface>(call).readsInit(init)) {
    tert::CopyOp::create(builder, call->getLoc(), TypeRange(), destination,
                         buffer);
    ++numCopies;
  }
  init.set(buffer);
  builder.setInsertionPointAfter(call);
  tert::CopyOp::create(builder, call->getLoc(), TypeRange(), buffer,
                       destination);
  ++numCopies;
}

void TERTEstablishLayouts::report(OpOperand &operand,
                                  const LayoutRequirement &layout) {
  auto call = cast<RuntimeCallOpInterface>(operand.getOwner());
  auto type = cast<MemRefType>(operand.get().getType());
  std::string text;
  llvm::raw_string_ostream(text) << type;
  auto function = call->getParentOfType<func::FuncOp>();
  remark::missed(call.getLoc(),
                 remark::RemarkOpts::name("Layout").category("memory").function(
                     function.getName()))
      << remark::reason("{0} takes '{1}' with {2}; {3} is copied",
                        call->getName().getStringRef(),
                        call.getOperandName(operand), layout.describe(), text)
      << remark::metric("Elements", type.getNumElements());
}

void TERTEstablishLayouts::establishIn(Block &block) {
  copies.clear();
  // Copies after a call are visited after it: they write.
  for (Operation *op = &block.front(); op; op = op->getNextNode()) {
    if (auto call = dyn_cast<RuntimeCallOpInterface>(op))
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<MemRefType>(operand.get().getType());
        if (!type || !type.hasStaticShape())
          continue;
        LayoutRequirement layout = call.getLayoutRequirement(operand);
        if (layout.isMetBy(type))
          continue;
        if (cast<DestinationStyleOpInterface>(op).isDpsInit(&operand))
          redirect(operand, layout);
        else
          operand.set(copyBefore(operand, layout));
      }
    Footprint footprint;
    if (!footprint.add(op)) {
      copies.clear();
      continue;
    }
    llvm::erase_if(copies, [&](const LayoutCopy &entry) {
      return entry.reads.conflictsWith(footprint);
    });
  }
}
