// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-kernels-to-llvm: lowers generated kernels to LLVM dialect functions.

#include "ElementaryFunctions.h"
#include "KernelBody.h"
#include "te/Conversion/Passes.h"
#include "te/Target/TargetInfo.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEKERNELSTOLLVM
#include "te/Conversion/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// Elements, summands included, per task on a CPU.
static constexpr int64_t kTaskElements = 1 << 14;
static constexpr int64_t kBlockThreads = 256;

namespace {

/// Writes one kernel as a function for a target.
class KernelLowering {
public:
  KernelLowering(func::FuncOp kernel, linalg::GenericOp op)
      : kernel(kernel), body(kernel, op), builder(kernel.getContext()),
        loc(kernel.getLoc()) {
    ArrayRef<int64_t> sizes = body.getSpace().parallelSizes;
    columns = sizes.back();
    for (int64_t size : sizes.drop_back())
      rows *= size;
  }

  void lower(KernelForm form);

private:
  void lowerToTasks();
  void lowerToBlocks();
  LLVM::LLVMFuncOp createFunction(ArrayRef<Type> parameters);
  void setLaunch(LLVM::LLVMFuncOp function, StringRef name, int64_t value) {
    function->setAttr(name, builder.getI64IntegerAttr(value));
  }
  void setAlignments(LLVM::LLVMFuncOp function, int64_t group) {
    function->setAttr(kKernelAlignmentsAttr,
                      builder.getDenseI32ArrayAttr(body.getAlignments(group)));
  }
  Value number(int64_t value, Type type) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  /// The counters of a row: those of all loops but the innermost one, as i64.
  SmallVector<Value> splitRow(Value row);

  func::FuncOp kernel;
  KernelBody body;
  OpBuilder builder;
  Location loc;
  /// Number of iterations of the outer loops together, and of the innermost
  /// one.
  int64_t rows = 1, columns;
};

} // namespace

LLVM::LLVMFuncOp KernelLowering::createFunction(ArrayRef<Type> parameters) {
  builder.setInsertionPoint(kernel);
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, kernel.getName(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(kernel.getContext()),
                                  parameters));
  builder.setInsertionPointToEnd(function.addEntryBlock(builder));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToStart(&function.getBody().front());
  return function;
}

SmallVector<Value> KernelLowering::splitRow(Value row) {
  ArrayRef<int64_t> sizes = ArrayRef(body.getSpace().parallelSizes).drop_back();
  Type type = row.getType(), i64 = builder.getI64Type();
  SmallVector<Value> counters(sizes.size());
  for (unsigned i = sizes.size(); i-- > 0;) {
    Value counter = row;
    if (i > 0) {
      Value size = number(sizes[i], type);
      counter = arith::RemUIOp::create(builder, loc, row, size);
      row = arith::DivUIOp::create(builder, loc, row, size);
    }
    counters[i] = type == i64
                      ? counter
                      : arith::ExtUIOp::create(builder, loc, i64, counter);
  }
  return counters;
}

void KernelLowering::lower(KernelForm form) {
  switch (form) {
  case KernelForm::Tasks:
    return lowerToTasks();
  case KernelForm::Blocks:
    return lowerToBlocks();
  }
  llvm_unreachable("a form of kernels without a lowering");
}

/// void kernel(void *const *operands, int64_t task)
void KernelLowering::lowerToTasks() {
  Type i64 = builder.getI64Type();
  auto pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  LLVM::LLVMFuncOp function = createFunction({pointer, i64});
  Value task = function.getArgument(1);
  SmallVector<Value> pointers;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    Value address = LLVM::GEPOp::create(builder, loc, pointer, pointer,
                                        function.getArgument(0),
                                        ArrayRef<LLVM::GEPArg>{int32_t(i)});
    pointers.push_back(LLVM::LoadOp::create(builder, loc, pointer, address));
  }
  body.setPointers(pointers);

  int64_t summands = 1;
  for (int64_t size : body.getSpace().reductionSizes)
    summands *= size;
  int64_t elements =
      std::max<int64_t>(1, kTaskElements / std::max<int64_t>(1, summands));
  Value one = number(1, i64);
  auto atMost = [&](Value value, int64_t limit) -> Value {
    return arith::MinSIOp::create(builder, loc, value, number(limit, i64));
  };
  // A task is a piece of a long row or a band of short rows.
  int64_t tasks;
  Value firstRow, lastRow, firstColumn, lastColumn;
  if (columns > elements) {
    int64_t pieces = llvm::divideCeil(columns, elements);
    tasks = rows * pieces;
    firstRow = arith::DivUIOp::create(builder, loc, task, number(pieces, i64));
    lastRow = arith::AddIOp::create(builder, loc, firstRow, one);
    Value piece =
        arith::RemUIOp::create(builder, loc, task, number(pieces, i64));
    firstColumn =
        arith::MulIOp::create(builder, loc, piece, number(elements, i64));
    lastColumn = atMost(
        arith::AddIOp::create(builder, loc, firstColumn, number(elements, i64)),
        columns);
  } else {
    int64_t band =
        std::max<int64_t>(1, elements / std::max<int64_t>(1, columns));
    tasks = llvm::divideCeil(rows, band);
    firstRow = arith::MulIOp::create(builder, loc, task, number(band, i64));
    lastRow = atMost(
        arith::AddIOp::create(builder, loc, firstRow, number(band, i64)), rows);
    firstColumn = number(0, i64);
    lastColumn = number(columns, i64);
  }
  auto rowLoop = scf::ForOp::create(builder, loc, firstRow, lastRow, one);
  builder.setInsertionPointToStart(rowLoop.getBody());
  SmallVector<Value> counters = splitRow(rowLoop.getInductionVar());
  auto columnLoop =
      scf::ForOp::create(builder, loc, firstColumn, lastColumn, one);
  builder.setInsertionPointToStart(columnLoop.getBody());
  counters.push_back(columnLoop.getInductionVar());
  body.emit(builder, counters, 1);

  setLaunch(function, kKernelTasksAttr, columns == 0 ? 0 : tasks);
  setAlignments(function, /*group=*/1);
  kernel.erase();
}

/// __global__ void kernel(void *first, ...)
void KernelLowering::lowerToBlocks() {
  MLIRContext *context = kernel.getContext();
  Type i32 = builder.getI32Type();
  auto pointer = LLVM::LLVMPointerType::get(context);
  LLVM::LLVMFuncOp function =
      createFunction(SmallVector<Type>(kernel.getNumArguments(), pointer));
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                    builder.getDenseI32ArrayAttr({kBlockThreads, 1, 1}));
  body.setPointers(SmallVector<Value>(function.getArguments()));

  bool byWarp = body.wantsWarps();
  int64_t group = body.getGroupSize();
  int64_t groups = columns / group;
  int64_t items = rows * groups * (byWarp ? KernelBody::kWarpThreads : 1);
  int64_t blocks = llvm::divideCeil(items, kBlockThreads);
  // 32 bits suffice for nearly all and divide much faster.
  Type type = blocks * kBlockThreads <= INT32_MAX ? i32 : builder.getI64Type();
  auto widen = [&](Value value) -> Value {
    if (type == i32)
      return value;
    return arith::ExtUIOp::create(builder, loc, type, value);
  };
  Value block = widen(NVVM::BlockIdXOp::create(builder, loc, i32));
  Value thread = widen(NVVM::ThreadIdXOp::create(builder, loc, i32));
  Value item = arith::AddIOp::create(
      builder, loc,
      arith::MulIOp::create(builder, loc, block, number(kBlockThreads, type)),
      thread);
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       item, number(items, type));
  auto guard = scf::IfOp::create(builder, loc, inside, /*withElse=*/false);
  builder.setInsertionPointToStart(guard.thenBlock());
  Value lane;
  if (byWarp) {
    Value threads = number(KernelBody::kWarpThreads, type);
    lane = arith::RemUIOp::create(builder, loc, item, threads);
    item = arith::DivUIOp::create(builder, loc, item, threads);
  }
  auto toI64 = [&](Value value) -> Value {
    if (type != i32)
      return value;
    return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), value);
  };
  Value row = item, column = item;
  if (rows > 1) {
    Value size = number(groups, type);
    row = arith::DivUIOp::create(builder, loc, item, size);
    column = arith::RemUIOp::create(builder, loc, item, size);
  } else {
    row = number(0, type);
  }
  SmallVector<Value> counters = splitRow(row);
  counters.push_back(arith::MulIOp::create(
      builder, loc, toI64(column), number(group, builder.getI64Type())));
  if (byWarp)
    body.emitByWarp(builder, counters, toI64(lane));
  else
    body.emit(builder, counters, group);

  setLaunch(function, kKernelBlocksAttr, blocks);
  setLaunch(function, kKernelThreadsAttr, kBlockThreads);
  setAlignments(function, group);
  kernel.erase();
}

/// The only op of a kernel; fails with an error if there are others.
static FailureOr<linalg::GenericOp> getOnlyOp(func::FuncOp kernel) {
  linalg::GenericOp only;
  bool isKernel =
      kernel.getBody().hasOneBlock() &&
      llvm::hasNItems(kernel.front().begin(), kernel.front().end(), 2);
  if (isKernel)
    only = dyn_cast<linalg::GenericOp>(kernel.front().front());
  if (!only ||
      !llvm::all_of(only->getOperands(), llvm::IsaPred<BlockArgument>) ||
      !only.hasPureBufferSemantics())
    return kernel.emitOpError()
           << "is not a kernel; tert-outline-kernels makes functions of one "
              "linalg.generic on their arguments";
  if (auto reason = getKernelProblem(only))
    return only.emitOpError() << "cannot become a kernel: " << *reason;
  return only;
}

/// Loads and stores bf16 as the integers that arithmetic on it was expanded to.
/// Otherwise LLVM recognizes a changed sign bit as the negation of a bf16
/// number, for which it calls an unavailable function (__truncsfbf2).
static void moveBFloat16AsIntegers(ModuleOp kernels) {
  Type integer = IntegerType::get(kernels.getContext(), 16);
  auto isBits = [&](Operation *op) {
    return isa<LLVM::BitcastOp>(op) && op->getResult(0).getType() == integer;
  };
  SmallVector<LLVM::LoadOp> loads;
  kernels.walk([&](LLVM::LoadOp load) { loads.push_back(load); });
  for (LLVM::LoadOp load : loads) {
    Value value = load.getResult();
    if (!value.getType().isBF16() ||
        !llvm::all_of(value.getUsers(), [&](Operation *user) {
          return isBits(user) || isa<LLVM::StoreOp>(user);
        }))
      continue;
    value.setType(integer);
    for (Operation *user : llvm::make_early_inc_range(value.getUsers()))
      if (isBits(user)) {
        user->getResult(0).replaceAllUsesWith(value);
        user->erase();
      }
  }
  kernels.walk([&](LLVM::StoreOp store) {
    if (auto cast = store.getValue().getDefiningOp<LLVM::BitcastOp>();
        cast && cast.getType().isBF16() && cast.getArg().getType() == integer)
      store.getValueMutable().assign(cast.getArg());
  });
}

namespace {
struct TEKernelsToLLVM : te::impl::TEKernelsToLLVMBase<TEKernelsToLLVM> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet patterns(context);
    populateElementaryFunctionPatterns(patterns);
    expansions = std::move(patterns);
    RewritePatternSet divisionPatterns(context);
    arith::populateCeilFloorDivExpandOpsPatterns(divisionPatterns);
    divisions = std::move(divisionPatterns);

    lowering.addPass(createCanonicalizerPass());
    lowering.addPass(createCSEPass());
    lowering.addPass(createSCFToControlFlowPass());
    lowering.addPass(createArithToLLVMConversionPass());
    lowering.addPass(createConvertMathToLLVMPass());
    lowering.addPass(createConvertControlFlowToLLVMPass());
    lowering.addPass(createReconcileUnrealizedCastsPass());
    return success();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    OpPassManager passes("builtin.module");
    passes.addPass(createSCFToControlFlowPass());
    passes.addPass(createConvertControlFlowToLLVMPass());
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    const TargetInfo *info =
        requireTarget(getOperation(), target, getArgument());
    if (!info)
      return signalPassFailure();
    auto kernels = getOperation().lookupSymbol<ModuleOp>(kKernelsModule);
    if (!kernels)
      return;
    bool failedAny = false;
    for (auto kernel :
         llvm::make_early_inc_range(kernels.getOps<func::FuncOp>())) {
      FailureOr<linalg::GenericOp> op = getOnlyOp(kernel);
      failedAny |= failed(op);
      if (failed(op))
        continue;
      KernelLowering(kernel, *op).lower(info->getKernelForm());
    }
    if (failedAny || failed(expand(kernels, *info)) ||
        failed(runPipeline(lowering, kernels)))
      return signalPassFailure();
    if (!info->convertsBF16())
      moveBFloat16AsIntegers(kernels);
  }

private:
  LogicalResult expand(ModuleOp kernels, const TargetInfo &info) {
    walkAndApplyPatterns(kernels, divisions);
    defineArithmetic(kernels);
    if (failed(applyPatternsGreedily(kernels, expansions)))
      return failure();
    if (info.convertsBF16())
      return success();
    RewritePatternSet patterns(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    return applyPatternsGreedily(kernels, std::move(patterns));
  }

  FrozenRewritePatternSet expansions, divisions;
  OpPassManager lowering{"builtin.module"};
};
} // namespace
