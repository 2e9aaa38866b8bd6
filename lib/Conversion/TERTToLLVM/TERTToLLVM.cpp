// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-to-llvm: functions of runtime calls become entry points.

#include "ProgramConstants.h"
#include "te/Analysis/GeneratedKernel.h"
#include "te/Conversion/Passes.h"

#include "te/Support/UnsupportedList.h"
#include "tert/artifact.h"

#include "tert/types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTTOLLVM
#include "te/Conversion/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;
using mlir::te::tert::RuntimeCallOpInterface;
using mlir::te::tert::TensorParameter;

namespace {

/// Writes one entry point: the calls of one function, in its order.
class EntryLowering {
public:
  EntryLowering(func::FuncOp source, ProgramConstants &constants)
      : source(source), constants(constants), builder(source.getContext()),
        pointerType(LLVM::LLVMPointerType::get(source.getContext())) {}

  LogicalResult run();

private:
  LogicalResult announceArena();
  /// A call of a C function; the entry returns its status unless it is OK.
  void callRuntime(StringRef symbol, ArrayRef<Value> arguments);
  LogicalResult lowerCall(RuntimeCallOpInterface call);
  FailureOr<Value> getParameter(Operation *call,
                                const tert::TensorParameter &parameter);
  FailureOr<Value> storeTensor(Operation *call, Value memref);
  // These fill the structure at `byte` of a piece of memory.
  LogicalResult storePointer(Operation *call, Value memref, Value memory,
                             unsigned byte);
  LogicalResult storeScaled(Operation *call, Value data, Value scaleInv,
                            Value memory, unsigned byte);
  LogicalResult storeQuantized(Operation *call,
                               const tert::QuantizedOperands &operands,
                               Value memory, unsigned byte);
  FailureOr<Value> getBase(Value base);
  /// The address of the next `bytes` bytes for structures of the current call.
  Value takeMemory(unsigned bytes);
  void store(Value value, Value structure, unsigned byte) {
    LLVM::StoreOp::create(builder, loc, value, offsetBy(structure, byte));
  }
  Value offsetBy(Value pointer, int64_t bytes);
  void returnUnlessOk(Value status);

  // Constants are made once, in the entry block, where they cost nothing.
  Value getConstant(Attribute value, Type type);
  Value getInt32(int32_t value) {
    return getConstant(builder.getI32IntegerAttr(value), builder.getI32Type());
  }
  Value getNull() { return getConstant(builder.getUnitAttr(), pointerType); }
  Value getAddress(LLVM::GlobalOp global);

  func::FuncOp source;
  ProgramConstants &constants;
  OpBuilder builder;
  Type pointerType;
  Location loc = source.getLoc();

  LLVM::LLVMFuncOp entry;
  Block *head = nullptr;
  Block *exit = nullptr;
  Value context, buffers;
  /// Structures that the current call points to, from the beginning; as much as
  /// the largest call needs.
  LLVM::AllocaOp structures;
  unsigned usedBytes = 0, mostBytes = 0;
  DenseMap<Attribute, Value> constantValues;
  DenseMap<Operation *, Value> addresses;
  /// Addresses of the arguments that the current call uses. They are loaded
  /// again for every call: hundreds of values live across the whole function
  /// would be worse.
  DenseMap<Value, Value> bases;
  /// Where the device has the constants that were read so far.
  DenseMap<Attribute, Value> constantAddresses;
};

} // namespace

Value EntryLowering::getConstant(Attribute value, Type type) {
  Value &constant = constantValues[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(head);
    constant = isa<UnitAttr>(value)
                   ? LLVM::ZeroOp::create(builder, loc, type).getResult()
                   : LLVM::ConstantOp::create(builder, loc, type, value);
  }
  return constant;
}

Value EntryLowering::getAddress(LLVM::GlobalOp global) {
  Value &address = addresses[global];
  if (!address) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(head);
    address = LLVM::AddressOfOp::create(builder, loc, global);
  }
  return address;
}

Value EntryLowering::offsetBy(Value pointer, int64_t bytes) {
  if (!bytes)
    return pointer;
  // Constant indices of a GEP have 29 bits; an arena can be larger.
  LLVM::GEPArg offset =
      llvm::isInt<LLVM::kGEPConstantBitWidth>(bytes)
          ? LLVM::GEPArg(static_cast<int32_t>(bytes))
          : LLVM::GEPArg(getConstant(builder.getI64IntegerAttr(bytes),
                                     builder.getI64Type()));
  return LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(),
                             pointer, offset);
}

Value EntryLowering::takeMemory(unsigned bytes) {
  Value memory = offsetBy(structures, usedBytes);
  usedBytes += bytes;
  mostBytes = std::max(mostBytes, usedBytes);
  return memory;
}

FailureOr<Value> EntryLowering::getBase(Value base) {
  Value &pointer = bases[base];
  if (pointer)
    return pointer;
  if (auto argument = dyn_cast<BlockArgument>(base)) {
    pointer = LLVM::LoadOp::create(
        builder, loc, pointerType,
        offsetBy(buffers, argument.getArgNumber() * sizeof(void *)));
    return pointer;
  }
  auto get = base.getDefiningOp<memref::GetGlobalOp>();
  Value &located = constantAddresses[get.getNameAttr()];
  if (!located) {
    FailureOr<LLVM::GlobalOp> data = constants.getData(get);
    if (failed(data))
      return failure();
    Value address;
    {
      OpBuilder::InsertionGuard guard(builder);
      Value one = getInt32(1);
      builder.setInsertionPointAfterValue(one);
      address = LLVM::AllocaOp::create(builder, loc, pointerType, pointerType,
                                       one, alignof(void *));
    }
    callRuntime("tert_locate_constant", {context, getAddress(*data), address});
    located = LLVM::LoadOp::create(builder, loc, pointerType, address);
  }
  pointer = located;
  return pointer;
}

/// Fills a tert_tensor and returns its address.
FailureOr<Value> EntryLowering::storeTensor(Operation *call, Value memref) {
  FailureOr<BufferAddress> address = getBufferAddress(memref);
  FailureOr<BufferLayout> layout = getBufferLayout(call, memref);
  if (failed(address) || failed(layout))
    return failure();
  FailureOr<Value> base = getBase(address->base);
  FailureOr<LLVM::GlobalOp> layoutGlobal = constants.getLayout(call, *layout);
  if (failed(base) || failed(layoutGlobal))
    return failure();
  Value tensor = takeMemory(sizeof(tert_tensor));
  store(offsetBy(*base, address->bytes), tensor, offsetof(tert_tensor, data));
  store(getAddress(*layoutGlobal), tensor, offsetof(tert_tensor, layout));
  return tensor;
}

/// The address of a tensor, or null where there is none.
LogicalResult EntryLowering::storePointer(Operation *call, Value memref,
                                          Value memory, unsigned byte) {
  FailureOr<Value> tensor = getNull();
  if (memref)
    tensor = storeTensor(call, memref);
  if (failed(tensor))
    return failure();
  store(*tensor, memory, byte);
  return success();
}

LogicalResult EntryLowering::storeScaled(Operation *call, Value data,
                                         Value scaleInv, Value memory,
                                         unsigned byte) {
  store(getInt32(TERT_PER_TENSOR), memory,
        byte + offsetof(tert_scaled, granularity));
  return failure(failed(storePointer(call, data, memory,
                                     byte + offsetof(tert_scaled, data))) ||
                 failed(storePointer(call, scaleInv, memory,
                                     byte + offsetof(tert_scaled, scale_inv))));
}

LogicalResult
EntryLowering::storeQuantized(Operation *call,
                              const tert::QuantizedOperands &operands,
                              Value memory, unsigned byte) {
  return failure(
      failed(storePointer(call, operands.scale, memory,
                          byte + offsetof(tert_quantized, scale))) ||
      failed(storeScaled(call, operands.rowwise, /*scaleInv=*/Value(), memory,
                         byte + offsetof(tert_quantized, rowwise))) ||
      failed(storeScaled(call, operands.columnwise, /*scaleInv=*/Value(),
                         memory,
                         byte + offsetof(tert_quantized, columnwise))) ||
      failed(storePointer(call, operands.amax, memory,
                          byte + offsetof(tert_quantized, amax))));
}

/// The address of a parameter's structures; consecutive ones are an array.
FailureOr<Value> EntryLowering::getParameter(Operation *call,
                                             const TensorParameter &parameter) {
  Value first;
  switch (parameter.kind) {
  case TensorParameter::Tensor:
  case TensorParameter::TensorList:
    for (Value operand : parameter.tensors) {
      if (!operand)
        continue;
      FailureOr<Value> tensor = storeTensor(call, operand);
      if (failed(tensor))
        return failure();
      if (!first)
        first = *tensor;
    }
    break;
  case TensorParameter::Scaled:
    first = takeMemory(sizeof(tert_scaled));
    if (failed(storeScaled(call, parameter.tensors[0], parameter.tensors[1],
                           first, 0)))
      return failure();
    break;
  case TensorParameter::Quantized:
  case TensorParameter::QuantizedList:
    if (parameter.quantized.empty())
      break;
    first = takeMemory(parameter.quantized.size() * sizeof(tert_quantized));
    for (auto [index, operands] : llvm::enumerate(parameter.quantized))
      if (failed(storeQuantized(call, operands, first,
                                index * sizeof(tert_quantized))))
        return failure();
    break;
  }
  return first ? first : getNull();
}

void EntryLowering::returnUnlessOk(Value status) {
  Block *next = builder.createBlock(exit);
  builder.setInsertionPointToEnd(status.getParentBlock());
  Value ok = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status,
                                  getInt32(TERT_OK));
  LLVM::CondBrOp::create(builder, loc, ok, next, ValueRange(), exit,
                         ValueRange(status));
  builder.setInsertionPointToStart(next);
}

void EntryLowering::callRuntime(StringRef symbol, ArrayRef<Value> arguments) {
  auto type = LLVM::LLVMFunctionType::get(
      builder.getI32Type(),
      llvm::map_to_vector(arguments, [](Value v) { return v.getType(); }));
  auto result = LLVM::CallOp::create(
      builder, loc, constants.getFunction(symbol, type), arguments);
  returnUnlessOk(result.getResult());
}

/// Temporary memory of calls lies in the arena (te.spare), so the runtime has
/// to know where that is.
LogicalResult EntryLowering::announceArena() {
  auto isArena = [&](BlockArgument argument) {
    return source.getArgAttr(argument.getArgNumber(), kArenaAttr) &&
           cast<MemRefType>(argument.getType()).getNumElements() != 0;
  };
  auto arena = llvm::find_if(source.getArguments(), isArena);
  if (arena == source.getArguments().end())
    return success();
  FailureOr<Value> pointer = getBase(*arena);
  if (failed(pointer))
    return failure();
  callRuntime("tert_set_arena", {context, *pointer});
  return success();
}

LogicalResult EntryLowering::lowerCall(RuntimeCallOpInterface call) {
  loc = call.getLoc();
  bases.clear();
  SmallVector<Value> arguments = {context,
                                  getAddress(constants.createSite(call))};
  if (!llvm::all_of(call->getOperandTypes(), llvm::IsaPred<MemRefType>))
    return call->emitOpError()
           << "is on tensors; tert-bufferize comes before this pass";
  usedBytes = 0;
  for (const TensorParameter &parameter : call.getTensorParameters()) {
    if (parameter.kind == TensorParameter::TensorList)
      arguments.push_back(getInt32(parameter.tensors.size()));
    if (parameter.kind == TensorParameter::QuantizedList)
      arguments.push_back(getInt32(parameter.quantized.size()));
    FailureOr<Value> structure = getParameter(call, parameter);
    if (failed(structure))
      return failure();
    arguments.push_back(*structure);
  }
  for (Attribute value : call.getConstantParameters()) {
    if (auto array = dyn_cast<DenseI32ArrayAttr>(value)) {
      arguments.push_back(getAddress(constants.getInt32Array(array)));
    } else if (auto symbol = dyn_cast<SymbolRefAttr>(value)) {
      FailureOr<LLVM::GlobalOp> kernel = constants.getKernel(call, symbol);
      if (failed(kernel))
        return failure();
      arguments.push_back(getAddress(*kernel));
    } else {
      arguments.push_back(getConstant(value, cast<TypedAttr>(value).getType()));
    }
  }
  callRuntime(call.getRuntimeSymbol(), arguments);
  return success();
}

LogicalResult EntryLowering::run() {
  if (!source.getBody().hasOneBlock() || source.getNumResults())
    return source.emitOpError() << "is not an entry point: it must be "
                                   "straight-line code that returns "
                                   "nothing, as tert-bufferize leaves it";
  auto entryName = source->getAttrOfType<StringAttr>(kEntryAttr);
  builder.setInsertionPoint(source);
  std::string symbol =
      ("tert_entry_" + (entryName ? entryName.getValue() : source.getName()))
          .str();
  if (source->getParentOfType<ModuleOp>().lookupSymbol(symbol))
    return source.emitOpError()
           << "would become '" << symbol
           << "', which the module has already; give each entry a name of its "
              "own (te.entry)";
  entry = LLVM::LLVMFuncOp::create(
      builder, loc, symbol,
      LLVM::LLVMFunctionType::get(builder.getI32Type(),
                                  {pointerType, pointerType}));
  head = entry.addEntryBlock(builder);
  context = head->getArgument(0);
  buffers = head->getArgument(1);
  exit = builder.createBlock(&entry.getBody(), entry.getBody().end(),
                             builder.getI32Type(), loc);
  LLVM::ReturnOp::create(builder, loc, exit->getArgument(0));

  builder.setInsertionPointToStart(head);
  // How much is needed is known when all calls are written.
  structures =
      LLVM::AllocaOp::create(builder, loc, pointerType, builder.getI8Type(),
                             getInt32(1), alignof(tert_quantized));

  bool failedAny = failed(announceArena());
  UnsupportedList leftOver;
  for (Operation &op : source.front().without_terminator()) {
    if (auto call = dyn_cast<RuntimeCallOpInterface>(op))
      failedAny |= failed(lowerCall(call));
    else if (!isStaticView(&op) &&
             !isa<memref::GetGlobalOp, arith::ConstantOp>(op))
      leftOver.add(op.getName().getStringRef(), "", getModulePath(&op),
                   op.getLoc());
  }
  if (!leftOver.empty())
    return leftOver.emit(source.getLoc(), "no lowering into an entry point for "
                                          "some operations");
  loc = source.getLoc();
  structures.getArraySizeMutable().assign(getInt32(std::max(mostBytes, 1u)));
  LLVM::BrOp::create(builder, loc, getInt32(TERT_OK), exit);
  return failure(failedAny);
}

namespace {
struct TERTToLLVM : te::impl::TERTToLLVMBase<TERTToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (Operation *done =
            module.lookupSymbol(TERT_ARTIFACT_ABI_VERSION_SYMBOL)) {
      emitError(done->getLoc())
          << "the module has '" << TERT_ARTIFACT_ABI_VERSION_SYMBOL
          << "' already; tert-to-llvm makes it and runs once";
      return signalPassFailure();
    }
    ProgramConstants constants(module);
    constants.createArtifactInfo(
        module->getAttrOfType<StringAttr>(kDescriptionAttr));
    bool failedAny = false;
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      failedAny |= failed(EntryLowering(function, constants).run());
      if (!failedAny)
        function.erase();
    }
    if (failedAny)
      return signalPassFailure();
    for (auto global :
         llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
      global.erase();
    // What is launched has been taken over.
    if (auto kernels = module.lookupSymbol<ModuleOp>(kKernelsModule))
      kernels.erase();
    module->removeAttr(kDescriptionAttr);
  }
};
} // namespace
