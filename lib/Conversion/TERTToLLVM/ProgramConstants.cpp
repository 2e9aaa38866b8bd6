// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramConstants.h"

#include "CallFrames.h"

#include "te/Analysis/GeneratedKernel.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Target/MachineCode.h"

#include "tert/artifact.h"
#include "tert/types.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::te;

ProgramConstants::ProgramConstants(ModuleOp module)
    : module(module), builder(module.getContext()) {
  MLIRContext *context = module.getContext();
  pointerType = LLVM::LLVMPointerType::get(context);
  Type i32 = builder.getI32Type();
  Type extents = LLVM::LLVMArrayType::get(builder.getI64Type(), TERT_MAX_RANK);
  layoutType =
      LLVM::LLVMStructType::getLiteral(context, {i32, i32, extents, extents});
  Type i64 = builder.getI64Type();
  siteType = LLVM::LLVMStructType::getLiteral(
      context, {pointerType, pointerType, i32, i64, i64});
  kernelType = LLVM::LLVMStructType::getLiteral(
      context, {pointerType, pointerType, pointerType, i64, pointerType, i64,
                i32, i32, pointerType});
  constantType =
      LLVM::LLVMStructType::getLiteral(context, {pointerType, i64, i64});
}

void ProgramConstants::moveBehindLast() {
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(module.getBody());
}

LLVM::GlobalOp ProgramConstants::createGlobal(Location loc, StringRef name,
                                              Type type, Attribute value,
                                              LLVM::Linkage linkage) {
  moveBehindLast();
  auto global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                       linkage, name, value);
  last = global;
  return global;
}

FailureOr<unsigned> ProgramConstants::getLayout(Operation *user,
                                                const BufferLayout &layout) {
  std::optional<int32_t> dtype = tert::getRuntimeDType(layout.elementType);
  int32_t rank = layout.sizes.size();
  if (!dtype || rank > TERT_MAX_RANK)
    return user->emitOpError()
           << "has an operand of " << rank << " dimensions of "
           << layout.elementType << "; the runtime takes at most "
           << TERT_MAX_RANK << " of its own types";
  auto extents = [&](SmallVector<int64_t> values) -> Attribute {
    values.resize(TERT_MAX_RANK, 0);
    return builder.getI64TensorAttr(values);
  };
  Attribute value = builder.getArrayAttr(
      {builder.getI32IntegerAttr(*dtype), builder.getI32IntegerAttr(rank),
       extents(layout.sizes), extents(layout.strides)});
  return layouts.try_emplace(value, layouts.size()).first->second;
}

LLVM::GlobalOp ProgramConstants::getLayouts() {
  if (!layoutArray)
    layoutArray =
        createGlobal(module.getLoc(), "tert_layouts",
                     LLVM::LLVMArrayType::get(layoutType, 0), Attribute());
  return layoutArray;
}

LLVM::GlobalOp ProgramConstants::createTable() {
  return createGlobal(
      module.getLoc(), "tert_frames_" + std::to_string(numTables++),
      LLVM::LLVMArrayType::get(builder.getI64Type(), 0), Attribute());
}

void ProgramConstants::setTable(LLVM::GlobalOp table,
                                ArrayRef<int64_t> numbers) {
  table.setGlobalType(
      LLVM::LLVMArrayType::get(builder.getI64Type(), numbers.size()));
  table.setValueAttr(builder.getI64TensorAttr(numbers));
}

LLVM::LLVMFuncOp ProgramConstants::getFrameWriter() {
  if (!frameWriter)
    frameWriter = CallFrames::getWriter(module);
  return frameWriter;
}

void ProgramConstants::finish() {
  if (!layoutArray)
    return;
  layoutArray.setGlobalType(
      LLVM::LLVMArrayType::get(layoutType, layouts.size()));
  layoutArray.setValueAttr(builder.getArrayAttr(
      llvm::map_to_vector(layouts, [](auto &entry) { return entry.first; })));
}

LLVM::GlobalOp ProgramConstants::getString(StringRef text) {
  LLVM::GlobalOp &global = strings[text];
  if (!global) {
    std::string bytes = (text + StringRef("\0", 1)).str();
    global = createGlobal(
        module.getLoc(), "tert_string_" + std::to_string(strings.size() - 1),
        LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
        builder.getStringAttr(bytes));
  }
  return global;
}

/// The first file position in a location.
static FileLineColLoc findPosition(Location loc) {
  if (auto position = dyn_cast<FileLineColLoc>(loc))
    return position;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findPosition(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findPosition(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColLoc position = findPosition(part))
        return position;
  return {};
}

/// "transformer.h.0.mlp.c_fc (modeling_gpt2.py:188)", as far as known.
static std::string describeLocation(Operation *op) {
  std::string text = getModulePath(op).str();
  FileLineColLoc position = findPosition(op->getLoc());
  if (!position)
    return text;
  std::string place =
      (llvm::sys::path::filename(position.getFilename().getValue()) + ":" +
       Twine(position.getLine()))
          .str();
  return text.empty() ? place : text + " (" + place + ")";
}

LLVM::GlobalOp ProgramConstants::createStruct(
    Location loc, StringRef name, Type type,
    function_ref<SmallVector<Value>(OpBuilder &)> makeFields) {
  LLVM::GlobalOp global = createGlobal(loc, name, type, Attribute());
  OpBuilder body(module.getContext());
  body.createBlock(&global.getInitializerRegion());
  Value value = LLVM::UndefOp::create(body, loc, type);
  for (auto [index, field] : llvm::enumerate(makeFields(body)))
    value = LLVM::InsertValueOp::create(body, loc, value, field, index);
  LLVM::ReturnOp::create(body, loc, value);
  return global;
}

/// "tert.layer_norm", "tert.launch exp_mul_0", "tert.all_gather"
static std::string describeCall(Operation *op) {
  if (isa<tert::CollectiveOp, tert::CollectiveSequenceOp>(op)) {
    auto collective = cast<CollectiveOpInterface>(op);
    return ("tert." + stringifyEnum(collective.getCollectiveKind()) +
            (collective.isAsync() ? " async" : ""))
        .str();
  }
  std::string name = op->getName().getStringRef().str();
  if (auto launch = dyn_cast<tert::LaunchOp>(op))
    name += " " + launch.getKernel().getLeafReference().str();
  return name;
}

LLVM::GlobalOp ProgramConstants::createSite(Operation *op) {
  LLVM::GlobalOp name = getString(describeCall(op));
  LLVM::GlobalOp location = getString(describeLocation(op));
  int64_t offset = 0, bytes = 0;
  if (auto spare = op->getAttrOfType<DenseI64ArrayAttr>(kSpareAttr)) {
    offset = spare[0];
    bytes = spare[1];
  }
  return createStruct(
      op->getLoc(), "tert_site_" + std::to_string(numSites), siteType,
      [&](OpBuilder &body) -> SmallVector<Value> {
        Location loc = op->getLoc();
        return {
            LLVM::AddressOfOp::create(body, loc, name),
            LLVM::AddressOfOp::create(body, loc, location),
            LLVM::ConstantOp::create(body, loc,
                                     body.getI32IntegerAttr(numSites++)),
            LLVM::ConstantOp::create(body, loc, body.getI64IntegerAttr(offset)),
            LLVM::ConstantOp::create(body, loc, body.getI64IntegerAttr(bytes))};
      });
}

/// Moves code for a CPU into `module`, to be optimized. `cpu` is the processor
/// that it may assume, empty for the baseline.
static LLVM::LLVMFuncOp addKernelCode(ModuleOp module, LLVM::LLVMFuncOp source,
                                      StringRef cpu) {
  LLVM::LLVMFuncOp code = source.clone();
  code.setName(
      ("tert_kernel_" + source.getName() + (cpu.empty() ? "" : "_v3")).str());
  code.setLinkage(LLVM::Linkage::Internal);
  for (StringRef name : {kKernelTasksAttr, kKernelAlignmentsAttr})
    code->removeAttr(name);
  OpBuilder builder(module.getContext());
  code.setPassthroughAttr(
      builder.getArrayAttr(builder.getStringAttr(kOptimizeAttr)));
  if (!cpu.empty())
    code.setTargetCpu(cpu);
  module.push_back(code);
  return code;
}

FailureOr<LLVM::GlobalOp> ProgramConstants::getKernel(Operation *user,
                                                      SymbolRefAttr symbol) {
  LLVM::GlobalOp &global = kernels[symbol];
  if (global)
    return global;
  auto source = dyn_cast_or_null<LLVM::LLVMFuncOp>(
      SymbolTable::lookupSymbolIn(module, symbol));
  auto image =
      source
          ? source->getParentOp()->getAttrOfType<StringAttr>(kKernelImageAttr)
          : StringAttr();
  if (!source || (source.isExternal() && !image))
    return user->emitOpError()
           << "launches " << symbol
           << ", which is not a kernel ready to run; te-kernels-to-llvm and, "
              "for "
              "a "
              "GPU, te-kernels-to-image come before this pass";

  LLVM::GlobalOp name = getString(source.getName());
  LLVM::GlobalOp imageText;
  LLVM::LLVMFuncOp code, codeV3;
  if (image) {
    imageText = getString(image);
  } else {
    code = addKernelCode(module, source, "");
    if (llvm::Triple(llvm::sys::getDefaultTargetTriple()).isX86_64())
      codeV3 = addKernelCode(module, source, "x86-64-v3");
  }
  LLVM::GlobalOp alignments;
  if (auto values =
          source->getAttrOfType<DenseI32ArrayAttr>(kKernelAlignmentsAttr))
    alignments = getInt32Array(values);
  global = createStruct(
      source.getLoc(), "tert_kernel_" + std::to_string(kernels.size() - 1),
      kernelType, [&](OpBuilder &body) -> SmallVector<Value> {
        Location loc = source.getLoc();
        auto address = [&](auto target) -> Value {
          if (target)
            return LLVM::AddressOfOp::create(body, loc, target);
          return LLVM::ZeroOp::create(body, loc, pointerType);
        };
        auto number = [&](Type type, uint64_t value) -> Value {
          return LLVM::ConstantOp::create(body, loc,
                                          body.getIntegerAttr(type, value));
        };
        auto launch = [&](Type type, StringRef name) {
          auto value = source->getAttrOfType<IntegerAttr>(name);
          return number(type, value ? value.getInt() : 0);
        };
        Type i32 = body.getI32Type(), i64 = body.getI64Type();
        return {address(name),
                address(code),
                address(codeV3),
                launch(i64, kKernelTasksAttr),
                address(imageText),
                number(i64, image ? llvm::xxh3_64bits(image.getValue()) : 0),
                launch(i32, kKernelBlocksAttr),
                launch(i32, kKernelThreadsAttr),
                address(alignments)};
      });
  return global;
}

LLVM::GlobalOp ProgramConstants::getInt32Array(DenseI32ArrayAttr values) {
  LLVM::GlobalOp &global = arrays[values];
  if (!global)
    global = createGlobal(
        module.getLoc(), "tert_array_" + std::to_string(arrays.size() - 1),
        LLVM::LLVMArrayType::get(builder.getI32Type(), values.size()),
        builder.getI32TensorAttr(values.asArrayRef()));
  return global;
}

FailureOr<LLVM::GlobalOp> ProgramConstants::getData(memref::GetGlobalOp op) {
  LLVM::GlobalOp &global = data[op.getNameAttr()];
  if (global)
    return global;
  auto source = module.lookupSymbol<memref::GlobalOp>(op.getName());
  auto value = source ? dyn_cast_or_null<DenseElementsAttr>(
                            source.getInitialValue().value_or(Attribute()))
                      : DenseElementsAttr();
  if (!value || !source.getConstant())
    return op.emitOpError() << "names no constant with data";
  // LLVM has no FP8; integers of the same width hold the same bytes.
  Type element = value.getElementType();
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
    value = value.bitcast(builder.getI8Type());
  value = value.reshape(
      RankedTensorType::get({value.getNumElements()}, value.getElementType()));
  std::string number = std::to_string(data.size() - 1);
  LLVM::GlobalOp bytes = createGlobal(
      source.getLoc(), "tert_data_" + number,
      LLVM::LLVMArrayType::get(value.getElementType(), value.getNumElements()),
      value);
  bytes.setAlignment(64);
  // MLIR's storage of the data: a splat stores one element, and booleans may be
  // packed.
  ArrayRef<char> raw = value.getRawData();
  unsigned width = value.getElementType().getIntOrFloatBitWidth();
  uint64_t hash =
      llvm::xxh3_64bits(
          ArrayRef(reinterpret_cast<const uint8_t *>(raw.data()), raw.size())) +
      2 * width + (value.isSplat() ? 1 : 0);
  uint64_t size = value.getNumElements() * llvm::divideCeil(width, 8);
  global = createStruct(
      source.getLoc(), "tert_constant_" + number, constantType,
      [&](OpBuilder &body) -> SmallVector<Value> {
        auto word = [&](uint64_t value) -> Value {
          return LLVM::ConstantOp::create(
              body, source.getLoc(),
              body.getIntegerAttr(body.getI64Type(), value));
        };
        return {LLVM::AddressOfOp::create(body, source.getLoc(), bytes),
                word(size), word(hash)};
      });
  return global;
}

LLVM::LLVMFuncOp ProgramConstants::getFunction(StringRef name,
                                               LLVM::LLVMFunctionType type) {
  LLVM::LLVMFuncOp &function = functions[name];
  if (!function) {
    moveBehindLast();
    function = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
    last = function;
  }
  return function;
}

void ProgramConstants::createArtifactInfo(StringAttr description) {
  createGlobal(
      module.getLoc(), TERT_ARTIFACT_ABI_VERSION_SYMBOL, builder.getI32Type(),
      builder.getI32IntegerAttr(TERT_ABI_VERSION), LLVM::Linkage::External);
  if (!description)
    return;
  // References the file's data instead of loading it, each in its own section.
  auto createSection = [&](StringRef section, StringRef symbol,
                           StringRef bytes) {
    createGlobal(module.getLoc(), symbol,
                 LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                 builder.getStringAttr(bytes), LLVM::Linkage::External)
        .setSection(section);
  };
  createSection(TERT_ARTIFACT_DESCRIPTION_SECTION,
                TERT_ARTIFACT_DESCRIPTION_SYMBOL,
                (description.getValue() + StringRef("\0", 1)).str());
  std::string seal = TERT_ARTIFACT_SEAL_MAGIC;
  seal.resize(TERT_ARTIFACT_SEAL_BYTES, '0');
  createSection(TERT_ARTIFACT_SEAL_SECTION, TERT_ARTIFACT_SEAL_SYMBOL, seal);
}
