// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-to-llvm: lowers functions of runtime calls to entry points.

#include "CallFrames.h"
#include "ProgramConstants.h"
#include "te/Analysis/GeneratedKernel.h"
#include "te/Conversion/Passes.h"
#include "te/Dialect/TERT/IR/ViewOps.h"

#include "te/Support/UnsupportedList.h"
#include "tert/artifact.h"

#include "tert/types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTTOLLVM
#include "te/Conversion/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;
using mlir::te::tert::RuntimeCallOpInterface;
using mlir::te::tert::TensorParameter;

/// Most calls in one function. An entry's calls are split over several
/// functions, since LLVM takes more than linear time per function.
static constexpr unsigned kCallsPerPart = 128;

namespace {

/// Writes one entry point: the calls of one function, in order.
class EntryLowering {
public:
  EntryLowering(func::FuncOp source, ProgramConstants &constants)
      : source(source), constants(constants), builder(source.getContext()),
        pointerType(LLVM::LLVMPointerType::get(source.getContext())) {}

  LogicalResult run();

private:
  /// A function of calls: status (ptr context, ptr buffers, own pointers if it
  /// is one of several). It stops at the first call that fails and returns its
  /// status.
  struct Calls {
    LLVM::LLVMFuncOp function;
    Block *head, *exit;
    // Constants are created once, in the first block, where they cost nothing.
    DenseMap<Attribute, Value> constantValues;
    DenseMap<Operation *, Value> addresses;
    unsigned count = 0;
  };

  Calls beginCalls(StringRef name, LLVM::Linkage linkage, bool isPart);
  void endCalls();
  /// Starts a new function if the current one has enough calls.
  void ensurePart();
  LogicalResult lowerCalls();
  void writeEntry(StringRef symbol);

  LogicalResult announceArena();
  /// A call of a C function; the caller returns its status unless it is OK.
  void callRuntime(LLVM::LLVMFuncOp callee, ArrayRef<Value> arguments);
  void callRuntime(StringRef symbol, ArrayRef<Value> arguments);
  LogicalResult lowerCall(RuntimeCallOpInterface call);
  /// These fill the frame and return an offset in it.
  FailureOr<std::optional<unsigned>>
  getParameter(Operation *call, const tert::TensorParameter &parameter);
  FailureOr<unsigned> storeTensor(Operation *call, Value memref);
  // These fill the structure at `offset` of the frame.
  LogicalResult storePointer(Operation *call, Value memref, unsigned offset);
  LogicalResult storeScaled(Operation *call, Value data, Value scaleInv,
                            unsigned offset);
  LogicalResult storeQuantized(Operation *call,
                               const tert::QuantizedOperands &operands,
                               unsigned offset);
  /// The selector of the pointer that a buffer starts at.
  FailureOr<int64_t> getBase(Value base);
  FailureOr<int64_t> locatePart(tert::LocatePartOp op);
  Value offsetBy(Value pointer, int64_t bytes);
  void returnUnlessOk(Value status);
  /// The address of the entry's own pointer with this index.
  Value getOwnPointer(Value own, unsigned index) {
    return offsetBy(own, index * sizeof(void *));
  }

  /// The first free index.
  unsigned getNumOwnPointers() const {
    return CallFrames::numOwnPointers + locatedConstants.size() +
           locatedParts.size();
  }

  Value getConstant(Attribute value, Type type);
  Value getInt32(int32_t value) {
    return getConstant(builder.getI32IntegerAttr(value), builder.getI32Type());
  }
  Value getInt64(int64_t value) {
    return getConstant(builder.getI64IntegerAttr(value), builder.getI64Type());
  }
  Value getNull() { return getConstant(builder.getUnitAttr(), pointerType); }
  Value getAddress(Operation *symbol);

  func::FuncOp source;
  ProgramConstants &constants;
  OpBuilder builder;
  Type pointerType;
  Location loc = source.getLoc();

  CallFrames frames;
  LLVM::GlobalOp table;
  SmallVector<LLVM::LLVMFuncOp> parts;
  Calls calls;
  Value context, buffers, own;
  /// Address of the current call's frame.
  Value frame;
  /// The own pointers to constants located so far.
  DenseMap<Attribute, unsigned> locatedConstants;
  /// The own pointers to shards located so far.
  DenseMap<Operation *, unsigned> locatedParts;
};

} // namespace

Value EntryLowering::getConstant(Attribute value, Type type) {
  Value &constant = calls.constantValues[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(calls.head);
    constant = isa<UnitAttr>(value)
                   ? LLVM::ZeroOp::create(builder, loc, type).getResult()
                   : LLVM::ConstantOp::create(builder, loc, type, value);
  }
  return constant;
}

Value EntryLowering::getAddress(Operation *symbol) {
  Value &address = calls.addresses[symbol];
  if (!address) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(calls.head);
    address =
        LLVM::AddressOfOp::create(builder, loc, cast<LLVM::GlobalOp>(symbol));
  }
  return address;
}

Value EntryLowering::offsetBy(Value pointer, int64_t bytes) {
  if (!bytes)
    return pointer;
  // Constant indices of a GEP have 29 bits.
  LLVM::GEPArg offset = llvm::isInt<LLVM::kGEPConstantBitWidth>(bytes)
                            ? LLVM::GEPArg(static_cast<int32_t>(bytes))
                            : LLVM::GEPArg(getInt64(bytes));
  return LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(),
                             pointer, offset);
}

FailureOr<int64_t> EntryLowering::getBase(Value base) {
  if (auto argument = dyn_cast<BlockArgument>(base))
    return argument.getArgNumber();
  if (auto part = base.getDefiningOp<tert::LocatePartOp>())
    return locatePart(part);
  auto get = base.getDefiningOp<memref::GetGlobalOp>();
  auto [located, isNew] =
      locatedConstants.try_emplace(get.getNameAttr(), getNumOwnPointers());
  if (isNew) {
    FailureOr<LLVM::GlobalOp> data = constants.getData(get);
    if (failed(data))
      return failure();
    callRuntime("tert_locate_constant", {context, getAddress(*data),
                                         getOwnPointer(own, located->second)});
  }
  return CallFrames::own(located->second);
}

/// The shard's address is queried once, before the first call that uses it.
FailureOr<int64_t> EntryLowering::locatePart(tert::LocatePartOp op) {
  if (auto known = locatedParts.find(op); known != locatedParts.end())
    return CallFrames::own(known->second);
  FailureOr<BufferAddress> address = getBufferAddress(op.getWhole());
  if (failed(address))
    return failure();
  FailureOr<int64_t> base = getBase(address->base);
  if (failed(base))
    return failure();
  const unsigned located = getNumOwnPointers();
  locatedParts[op] = located;
  Value from = *base < 0 ? getOwnPointer(own, ~*base)
                         : offsetBy(buffers, *base * int64_t(sizeof(void *)));
  Value whole = LLVM::LoadOp::create(builder, loc, pointerType, from);
  const int64_t elementBytes = llvm::divideCeil(
      cast<MemRefType>(op.getType()).getElementTypeBitWidth(), 8);
  callRuntime("tert_locate_part",
              {context, offsetBy(whole, address->bytes),
               getInt64(op.getDistance() * elementBytes),
               getInt32(op.getRanks()), getInt32(op.getAxes()),
               getOwnPointer(own, located)});
  return CallFrames::own(located);
}

/// Fills a tert_tensor and returns its offset.
FailureOr<unsigned> EntryLowering::storeTensor(Operation *call, Value memref) {
  FailureOr<BufferAddress> address = getBufferAddress(memref);
  FailureOr<BufferLayout> layout = getBufferLayout(call, memref);
  if (failed(address) || failed(layout))
    return failure();
  FailureOr<int64_t> base = getBase(address->base);
  FailureOr<unsigned> index = constants.getLayout(call, *layout);
  if (failed(base) || failed(index))
    return failure();
  unsigned tensor = frames.take(sizeof(tert_tensor));
  frames.setPointer(tensor + offsetof(tert_tensor, data), *base,
                    address->bytes);
  frames.setPointer(tensor + offsetof(tert_tensor, layout), CallFrames::Layouts,
                    *index * sizeof(tert_layout));
  return tensor;
}

/// The address of a tensor, or null for a missing one.
LogicalResult EntryLowering::storePointer(Operation *call, Value memref,
                                          unsigned offset) {
  if (!memref)
    return success();
  FailureOr<unsigned> tensor = storeTensor(call, memref);
  if (failed(tensor))
    return failure();
  frames.setPointer(offset, CallFrames::Frame, *tensor);
  return success();
}

LogicalResult EntryLowering::storeScaled(Operation *call, Value data,
                                         Value scaleInv, unsigned offset) {
  return failure(
      failed(storePointer(call, data, offset + offsetof(tert_scaled, data))) ||
      failed(storePointer(call, scaleInv,
                          offset + offsetof(tert_scaled, scale_inv))));
}

LogicalResult EntryLowering::storeQuantized(
    Operation *call, const tert::QuantizedOperands &operands, unsigned offset) {
  return failure(
      failed(storePointer(call, operands.scale,
                          offset + offsetof(tert_quantized, scale))) ||
      failed(storeScaled(call, operands.rowwise, operands.rowwiseScaleInv,
                         offset + offsetof(tert_quantized, rowwise))) ||
      failed(storeScaled(call, operands.columnwise, operands.columnwiseScaleInv,
                         offset + offsetof(tert_quantized, columnwise))) ||
      failed(storePointer(call, operands.amax,
                          offset + offsetof(tert_quantized, amax))));
}

/// The offset of a parameter's structures, nullopt if there are none;
/// consecutive ones are an array.
FailureOr<std::optional<unsigned>>
EntryLowering::getParameter(Operation *call, const TensorParameter &parameter) {
  std::optional<unsigned> first;
  switch (parameter.kind) {
  case TensorParameter::Tensor:
  case TensorParameter::TensorList:
    for (Value operand : parameter.tensors) {
      if (!operand)
        continue;
      FailureOr<unsigned> tensor = storeTensor(call, operand);
      if (failed(tensor))
        return failure();
      if (!first)
        first = *tensor;
    }
    break;
  case TensorParameter::Scaled:
    first = frames.take(sizeof(tert_scaled));
    if (failed(storeScaled(call, parameter.tensors[0], parameter.tensors[1],
                           *first)))
      return failure();
    break;
  case TensorParameter::Quantized:
  case TensorParameter::QuantizedList:
    if (parameter.quantized.empty())
      break;
    first = frames.take(parameter.quantized.size() * sizeof(tert_quantized));
    for (auto [index, operands] : llvm::enumerate(parameter.quantized))
      if (failed(storeQuantized(call, operands,
                                *first + index * sizeof(tert_quantized))))
        return failure();
    break;
  }
  return first;
}

void EntryLowering::returnUnlessOk(Value status) {
  Block *next = builder.createBlock(calls.exit);
  builder.setInsertionPointToEnd(status.getParentBlock());
  Value ok = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status,
                                  getInt32(TERT_OK));
  LLVM::CondBrOp::create(builder, loc, ok, next, ValueRange(), calls.exit,
                         ValueRange(status));
  builder.setInsertionPointToStart(next);
}

void EntryLowering::callRuntime(LLVM::LLVMFuncOp callee,
                                ArrayRef<Value> arguments) {
  auto result = LLVM::CallOp::create(builder, loc, callee, arguments);
  ++calls.count;
  returnUnlessOk(result.getResult());
}

void EntryLowering::callRuntime(StringRef symbol, ArrayRef<Value> arguments) {
  auto type = LLVM::LLVMFunctionType::get(
      builder.getI32Type(),
      llvm::map_to_vector(arguments, [](Value v) { return v.getType(); }));
  callRuntime(constants.getFunction(symbol, type), arguments);
}

/// Temporary memory of calls is in the arena (te.spare), so the runtime needs
/// its address.
LogicalResult EntryLowering::announceArena() {
  auto isArena = [&](BlockArgument argument) {
    return source.getArgAttr(argument.getArgNumber(), kArenaAttr) &&
           cast<MemRefType>(argument.getType()).getNumElements() != 0;
  };
  auto arena = llvm::find_if(source.getArguments(), isArena);
  if (arena == source.getArguments().end())
    return success();
  ensurePart();
  Value pointer = LLVM::LoadOp::create(
      builder, loc, pointerType,
      offsetBy(buffers, arena->getArgNumber() * sizeof(void *)));
  callRuntime("tert_set_arena", {context, pointer});
  return success();
}

LogicalResult EntryLowering::lowerCall(RuntimeCallOpInterface call) {
  loc = call.getLoc();
  if (!llvm::all_of(call->getOperandTypes(), llvm::IsaPred<MemRefType>))
    return call->emitOpError()
           << "is on tensors; tert-bufferize comes before this pass";
  ensurePart();
  SmallVector<Value> arguments = {context,
                                  getAddress(constants.createSite(call))};
  frames.begin();
  // Addresses of structures are taken once all structures exist.
  SmallVector<std::pair<unsigned, unsigned>> addresses; // argument, offset
  for (const TensorParameter &parameter : call.getTensorParameters()) {
    if (parameter.kind == TensorParameter::TensorList)
      arguments.push_back(getInt32(parameter.tensors.size()));
    if (parameter.kind == TensorParameter::QuantizedList)
      arguments.push_back(getInt32(parameter.quantized.size()));
    FailureOr<std::optional<unsigned>> offset = getParameter(call, parameter);
    if (failed(offset))
      return failure();
    if (*offset)
      addresses.emplace_back(arguments.size(), **offset);
    arguments.push_back(*offset ? Value() : getNull());
  }
  if (frames.getNumWords())
    LLVM::CallOp::create(
        builder, loc, constants.getFrameWriter(),
        ValueRange{offsetBy(getAddress(table),
                            frames.getFirstWord() * CallFrames::tableWordBytes),
                   getInt64(frames.getNumWords()), buffers, own});
  for (auto [argument, offset] : addresses)
    arguments[argument] = offsetBy(frame, offset);
  for (Attribute value : call.getConstantParameters()) {
    if (auto array = dyn_cast<DenseI32ArrayAttr>(value)) {
      arguments.push_back(getAddress(constants.getInt32Array(array)));
    } else if (auto text = dyn_cast<StringAttr>(value)) {
      arguments.push_back(getAddress(constants.getString(text)));
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

EntryLowering::Calls
EntryLowering::beginCalls(StringRef name, LLVM::Linkage linkage, bool isPart) {
  builder.setInsertionPoint(source);
  SmallVector<Type> types(isPart ? 3 : 2, pointerType);
  Calls begun;
  begun.function = LLVM::LLVMFuncOp::create(
      builder, source.getLoc(), name,
      LLVM::LLVMFunctionType::get(builder.getI32Type(), types), linkage);
  // Calls leave nothing to optimize, and without optimization LLVM selects
  // their instructions several times faster.
  begun.function.setNoInline(true);
  begun.function.setOptimizeNone(true);
  begun.head = begun.function.addEntryBlock(builder);
  context = begun.head->getArgument(0);
  buffers = begun.head->getArgument(1);
  Region &body = begun.function.getBody();
  begun.exit = builder.createBlock(&body, body.end(), builder.getI32Type(),
                                   source.getLoc());
  LLVM::ReturnOp::create(builder, source.getLoc(), begun.exit->getArgument(0));
  builder.setInsertionPointToStart(begun.head);
  return begun;
}

/// Ends the function of the last calls.
void EntryLowering::endCalls() {
  if (calls.function)
    LLVM::BrOp::create(builder, source.getLoc(), getInt32(TERT_OK), calls.exit);
}

void EntryLowering::ensurePart() {
  if (calls.function && calls.count < kCallsPerPart)
    return;
  endCalls();
  calls = beginCalls(constants.getPartName(), LLVM::Linkage::Internal,
                     /*isPart=*/true);
  parts.push_back(calls.function);
  own = calls.head->getArgument(2);
  frame = LLVM::LoadOp::create(builder, source.getLoc(), pointerType,
                               getOwnPointer(own, ~CallFrames::Frame));
}

LogicalResult EntryLowering::lowerCalls() {
  bool failedAny = failed(announceArena());
  UnsupportedList leftOver;
  for (Operation &op : source.front().without_terminator()) {
    if (auto call = dyn_cast<RuntimeCallOpInterface>(op))
      failedAny |= failed(lowerCall(call));
    else if (!isStaticView(&op) &&
             !isa<memref::GetGlobalOp, arith::ConstantOp, tert::LocatePartOp>(
                 op))
      leftOver.add(op.getName().getStringRef(), "", getModulePath(&op),
                   op.getLoc());
  }
  loc = source.getLoc();
  endCalls();
  if (!leftOver.empty())
    return leftOver.emit(source.getLoc(), "no lowering into an entry point for "
                                          "some operations");
  return failure(failedAny);
}

/// The function that the runtime calls: it has the memory for frames and the
/// entry's own pointers, and calls the functions of calls.
void EntryLowering::writeEntry(StringRef symbol) {
  calls = beginCalls(symbol, LLVM::Linkage::External, /*isPart=*/false);
  auto allocate = [&](Type type, int32_t count) -> Value {
    return LLVM::AllocaOp::create(builder, loc, pointerType, type,
                                  getInt32(count), alignof(void *));
  };
  frame = allocate(builder.getI8Type(), frames.getFrameBytes());
  own = allocate(pointerType, getNumOwnPointers());
  auto setOwn = [&](CallFrames::OwnPointer pointer, Value value) {
    LLVM::StoreOp::create(builder, loc, value, getOwnPointer(own, ~pointer));
  };
  setOwn(CallFrames::Null, getNull());
  setOwn(CallFrames::Frame, frame);
  setOwn(CallFrames::Layouts, getAddress(constants.getLayouts()));
  for (LLVM::LLVMFuncOp part : parts)
    callRuntime(part, {context, buffers, own});
  endCalls();
}

LogicalResult EntryLowering::run() {
  if (!source.getBody().hasOneBlock() || source.getNumResults())
    return source.emitOpError() << "is not an entry point: it must be "
                                   "straight-line code that returns "
                                   "nothing, as tert-bufferize leaves it";
  auto entryName = source->getAttrOfType<StringAttr>(kEntryAttr);
  std::string symbol =
      ("tert_entry_" + (entryName ? entryName.getValue() : source.getName()))
          .str();
  if (source->getParentOfType<ModuleOp>().lookupSymbol(symbol))
    return source.emitOpError()
           << "would become '" << symbol
           << "', which the module has already; give each entry a name of its "
              "own (te.entry)";
  table = constants.createTable();
  if (failed(lowerCalls()))
    return failure();
  constants.setTable(table, frames.getTable());
  writeEntry(symbol);
  return success();
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
    constants.finish();
    for (auto global :
         llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
      global.erase();
    // The mesh is also in the description.
    for (auto grid : llvm::make_early_inc_range(module.getOps<shard::GridOp>()))
      grid.erase();
    // Launched kernels have been moved to the program.
    if (auto kernels = module.lookupSymbol<ModuleOp>(kKernelsModule))
      kernels.erase();
    module->removeAttr(kDescriptionAttr);
  }
};
} // namespace
