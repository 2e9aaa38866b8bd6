// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-outline-kernels: turns the remaining linalg ops into kernels and
// launches.

#include "JoinDimensions.h"
#include "te/Analysis/GeneratedKernel.h"
#include "te/Dialect/TERT/IR/ViewOps.h"
#include "te/Dialect/TERT/Transforms/Passes.h"
#include "te/Support/Captures.h"
#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/DebugLog.h"

#include <numeric>

namespace mlir::te {
#define GEN_PASS_DEF_TERTOUTLINEKERNELS
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-outline-kernels"

using namespace mlir;
using namespace mlir::te;

/// The widest memory access of a kernel, in bytes. Buffers are aligned to it.
static constexpr int64_t kAccessBytes = 16;

/// The memref type without its offset, which is in the address passed to the
/// kernel.
static MemRefType getKernelType(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)tert::getStridesAndOffset(type, strides, offset);
  if (memref::isStaticShapeAndContiguousRowMajor(type))
    return MemRefType::get(type.getShape(), type.getElementType());
  return MemRefType::get(type.getShape(), type.getElementType(),
                         StridedLayoutAttr::get(type.getContext(), 0, strides));
}

/// Alignment of the memref's first element, in bytes, if its buffer is aligned
/// to kAccessBytes.
static int64_t getAlignment(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)tert::getStridesAndOffset(type, strides, offset);
  return std::gcd(offset * type.getElementTypeBitWidth() / 8, kAccessBytes);
}

/// Whether different operands may name the same memory: they are views of one
/// buffer, and one of them is written.
static bool mayOverlap(ValueRange inputs, ValueRange outputs) {
  auto getBuffer = [](Value value) {
    while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
      value = view.getViewSource();
    return value;
  };
  llvm::SmallDenseSet<Value> written, read;
  for (Value output : outputs)
    if (!written.insert(getBuffer(output)).second)
      return true;
  return llvm::any_of(
      inputs, [&](Value input) { return written.contains(getBuffer(input)); });
}

/// Copies the constants that the body captures into it.
static void sinkConstants(linalg::GenericOp op) {
  OpBuilder builder = OpBuilder::atBlockBegin(op.getBody());
  for (Value value : getCapturedValues(op)) {
    Operation *copy = builder.clone(*value.getDefiningOp());
    replaceAllUsesInRegionWith(value, copy->getResult(0), op.getRegion());
  }
}

/// "exp_mul_tanh": the body's operations, for profiles.
static std::string describeBody(linalg::GenericOp op) {
  llvm::SmallSetVector<StringRef, 4> names;
  for (Operation &inner : op.getBody()->without_terminator()) {
    StringRef name = inner.getName().stripDialect();
    // Skips type conversions.
    if (isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp>(inner))
      continue;
    if (isa<FloatType>(getElementTypeOrSelf(inner.getResult(0))))
      name.consume_back("f");
    if (names.size() < 4)
      names.insert(name);
  }
  return names.empty() ? "copy" : llvm::join(names, "_");
}

namespace {
/// Creates the kernels of one module; equal ones only once.
class Outliner {
public:
  explicit Outliner(ModuleOp module) : module(module) {}

  void outline(linalg::GenericOp op);

private:
  ModuleOp getKernels();

  ModuleOp module;
  ModuleOp kernels;
  /// By their text.
  llvm::StringMap<func::FuncOp> known;
};
} // namespace

ModuleOp Outliner::getKernels() {
  if (!kernels) {
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    kernels = ModuleOp::create(builder, module.getLoc(), kKernelsModule);
  }
  return kernels;
}

void Outliner::outline(linalg::GenericOp op) {
  sinkConstants(op);
  // An operand that occurs twice is one argument, so that different arguments
  // do not alias.
  llvm::SmallSetVector<Value, 8> outputs(op.getDpsInits().begin(),
                                         op.getDpsInits().end());
  llvm::SmallSetVector<Value, 8> operands;
  for (Value input : op.getDpsInputs())
    if (!outputs.contains(input))
      operands.insert(input);
  unsigned numInputs = operands.size();
  operands.insert(outputs.begin(), outputs.end());

  OpBuilder builder(op.getContext());
  Location loc = op.getLoc();
  SmallVector<Type> types;
  for (Value operand : operands)
    types.push_back(getKernelType(cast<MemRefType>(operand.getType())));
  auto kernel =
      func::FuncOp::create(loc, "kernel", builder.getFunctionType(types, {}));
  Block *body = kernel.addEntryBlock();
  IRMapping mapping;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    mapping.map(operand, body->getArgument(i));
    kernel.setArgAttr(i, kKernelAlignmentAttr,
                      builder.getI64IntegerAttr(
                          getAlignment(cast<MemRefType>(operand.getType()))));
  }
  auto inputs = operands.getArrayRef().take_front(numInputs);
  auto written = operands.getArrayRef().drop_front(numInputs);
  if (mayOverlap(inputs, written)) {
    LDBG() << "operands may overlap, so its loops are not vectorized freely: "
           << loc;
    kernel->setAttr(kKernelOverlapAttr, builder.getUnitAttr());
  }
  builder.setInsertionPointToEnd(body);
  builder.clone(*op, mapping);
  func::ReturnOp::create(builder, loc);

  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope());
  func::FuncOp &made = known[text];
  if (made) {
    LDBG() << "same kernel as before, " << made.getName() << ", at " << loc;
    kernel->erase();
  } else {
    made = kernel;
    kernel.setName((describeBody(op) + "_" + Twine(known.size() - 1)).str());
    getKernels().push_back(kernel);
  }

  OpBuilder here(op);
  // The kernel knows the layout of its operands; the launch passes only their
  // addresses.
  SmallVector<Value> launched;
  for (Value operand : operands)
    launched.push_back(hasManyDimensions(operand)
                           ? joinDimensions(here, loc, operand).front()
                           : operand);
  auto symbol = SymbolRefAttr::get(getKernels().getSymNameAttr(),
                                   FlatSymbolRefAttr::get(made));
  ValueRange arguments(launched);
  tert::LaunchOp::create(here, loc, TypeRange(),
                         arguments.take_front(numInputs),
                         arguments.drop_front(numInputs), symbol);
  op.erase();
}

namespace {
struct TERTOutlineKernels
    : te::impl::TERTOutlineKernelsBase<TERTOutlineKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    UnsupportedList unsupported;
    SmallVector<linalg::GenericOp> ops;
    IRRewriter rewriter(&getContext());
    for (auto function : module.getOps<func::FuncOp>())
      for (auto op :
           llvm::make_early_inc_range(function.getOps<linalg::LinalgOp>())) {
        auto fail = [&](const Twine &reason) {
          unsupported.add(op->getName().getStringRef(), reason.str(),
                          getModulePath(op), op.getLoc());
        };
        if (!op.hasPureBufferSemantics() ||
            !llvm::all_of(op->getOperands(), hasStaticLayout)) {
          fail("it has operands that are not memrefs of static layout; "
               "tert-bufferize comes before this pass");
          continue;
        }
        auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
        if (!generic) {
          rewriter.setInsertionPoint(op);
          auto generalized = linalg::generalizeNamedOp(rewriter, op);
          if (failed(generalized)) {
            fail("it has no general form");
            continue;
          }
          generic = *generalized;
        }
        if (auto reason = getKernelProblem(generic))
          fail(*reason);
        else
          ops.push_back(generic);
      }
    if (!unsupported.empty()) {
      (void)unsupported.emit(module.getLoc(),
                             "no kernel can be generated for some operations");
      return signalPassFailure();
    }
    Outliner outliner(module);
    for (linalg::GenericOp op : ops)
      outliner.outline(op);
    numLaunches += ops.size();
  }
};
} // namespace
