// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/ModelFunction.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/IR/TiedNames.h"
#include "te/Dialect/TE/IR/WeightCopy.h"

#include "StepScale.h"
#include "te/Dialect/TE/IR/LayerName.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::te;

#include "te/Dialect/TE/IR/TEDialect.cpp.inc"
#include "te/Dialect/TE/IR/TEEnums.cpp.inc"

#include "te/Dialect/TE/IR/CostInterfaces.cpp.inc"
#include "te/Dialect/TE/IR/LossInterfaces.cpp.inc"
#include "te/Dialect/TE/IR/OptimizerInterfaces.cpp.inc"
#include "te/Dialect/TE/IR/RecipeInterfaces.cpp.inc"
#include "te/Dialect/TE/IR/TEInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "te/Dialect/TE/IR/TEAttrs.cpp.inc"

namespace {
/// te ops are pure, and te.region computes what its ops compute: all of them
/// can stand in any function.
struct TEInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return true;
  }
  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return true;
  }
};
} // namespace

void TEDialect::initialize() {
  addInterfaces<TEInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "te/Dialect/TE/IR/TEAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "te/Dialect/TE/IR/TEOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "te/Dialect/TE/IR/TELayerOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "te/Dialect/TE/IR/TECollectiveOps.cpp.inc"
      >();
}

/// Checks an attribute that connects a function argument or result with the
/// outside; the generic part of both verification hooks.
static LogicalResult verifyBoundaryAttr(Operation *op, NamedAttribute attr,
                                        bool isResult, bool isBuffer = false) {
  StringRef name = attr.getName();
  if (name == kInputAttr || name == kScalarAttr || name == kKindAttr ||
      name == kOutputAttr || name == kParamAttr || name == kStateAttr ||
      name == kGradientAttr || name == kCopyOfAttr) {
    if (isResult && (name == kInputAttr || name == kScalarAttr))
      return op->emitOpError()
             << "has '" << name << "' on a result; it belongs "
             << "on an argument";
    if (!isResult && !isBuffer &&
        (name == kOutputAttr || name == kGradientAttr))
      return op->emitOpError()
             << "has '" << name << "' on an argument; it belongs on a result";
    if (auto value = dyn_cast<StringAttr>(attr.getValue());
        !value || value.empty())
      return op->emitOpError()
             << "expects '" << name << "' to be a non-empty string";
    return success();
  }
  if (name == kInitAttr) {
    if (!isa<StringAttr, FloatAttr, IntegerAttr>(attr.getValue()))
      return op->emitOpError() << "expects 'te.init' to be a number, or one of "
                                  "\"data\", \"derived\", \"normal:MEAN,STD\", "
                                  "\"uniform:LOW,HIGH\"";
    return success();
  }
  if (name == kDefaultAttr) {
    if (!isa<FloatAttr, IntegerAttr>(attr.getValue()))
      return op->emitOpError() << "expects 'te.default' to be a number";
    return success();
  }
  if (name == kGradientCoefficientAttr || name == kLossDivisorAttr ||
      name == kGradientGuardAttr) {
    if (!isResult && !isBuffer)
      return op->emitOpError()
             << "has '" << name << "' on an argument; it belongs on a result";
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitOpError()
             << "expects '" << name << "' to be without a value";
    return success();
  }
  if (name == kFrozenAttr) {
    if (isResult)
      return op->emitOpError()
             << "has '" << name << "' on a result; it belongs on an argument";
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitOpError()
             << "expects '" << name << "' to be without a value";
    return success();
  }
  if (name == kRangeAttr) {
    auto range = dyn_cast<DenseI64ArrayAttr>(attr.getValue());
    if (!range || range.size() != 2 || range[0] >= range[1])
      return op->emitOpError() << "expects 'te.range' to be array<i64: LOW, "
                                  "HIGH> with LOW < HIGH";
    return success();
  }
  if (name == kMaxAbsAttr) {
    if (isResult)
      return op->emitOpError()
             << "has 'te.max_abs' on a result; it belongs on an argument";
    auto bound = dyn_cast<FloatAttr>(attr.getValue());
    if (!bound || !bound.getValue().isFinite() || bound.getValue().isNegative())
      return op->emitOpError() << "expects 'te.max_abs' to be a finite "
                                  "floating-point number, 0 or larger";
    return success();
  }
  if (name == kShardAttr) {
    if (!isa<ShardAttr>(attr.getValue()))
      return op->emitOpError() << "expects 'te.shard' to be a #te.shard";
    return success();
  }
  if (name == kDonatedAttr) {
    if (isResult || !isa<UnitAttr>(attr.getValue()))
      return op->emitOpError()
             << "expects 'te.donated' to be a unit attribute of an argument";
    return success();
  }
  if (name == kArenaAttr) {
    if (isResult || !isBuffer)
      return op->emitOpError() << "has 'te.arena' on something that is not a "
                                  "memref argument";
    return success();
  }
  if (name == kArenaOffsetAttr) {
    auto offset = dyn_cast<IntegerAttr>(attr.getValue());
    if (!isBuffer || !offset || offset.getInt() < 0)
      return op->emitOpError() << "expects 'te.arena_offset' to be a number of "
                                  "bytes, on a memref argument";
    return success();
  }
  return op->emitOpError() << "has unknown attribute '" << name << "'";
}

LogicalResult TEDialect::verifyRegionArgAttribute(Operation *op,
                                                  unsigned regionIndex,
                                                  unsigned argIndex,
                                                  NamedAttribute attr) {
  // The type is asked of the function: a declaration has no block arguments.
  auto function = dyn_cast<FunctionOpInterface>(op);
  bool isBuffer =
      function && isa<BaseMemRefType>(function.getArgumentTypes()[argIndex]);
  // While a function is bufferized, what a result is written into is a tensor.
  if (attr.getName() != kArenaOffsetAttr && function)
    isBuffer |= bool(function.getArgAttrOfType<BoolAttr>(
        argIndex, bufferization::BufferizationDialect::kWritableAttrName));
  return verifyBoundaryAttr(op, attr, /*isResult=*/false, isBuffer);
}

LogicalResult TEDialect::verifyRegionResultAttribute(Operation *op,
                                                     unsigned regionIndex,
                                                     unsigned resultIndex,
                                                     NamedAttribute attr) {
  return verifyBoundaryAttr(op, attr, /*isResult=*/true);
}

static bool isTiedNames(Attribute attr) {
  auto names = dyn_cast<DictionaryAttr>(attr);
  return names && llvm::all_of(names, [](NamedAttribute parameter) {
           auto others = dyn_cast<ArrayAttr>(parameter.getValue());
           return others && llvm::all_of(others, llvm::IsaPred<StringAttr>);
         });
}

LogicalResult TEDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kEntryAttr) {
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError() << "has 'te.entry'; only functions are entries";
    if (!isa<StringAttr>(attr.getValue()))
      return op->emitOpError() << "expects 'te.entry' to be a string";
    return success();
  }
  if (name == kModelAttr) {
    // Functions of other compilers are not registered here.
    if (!isa<FunctionOpInterface>(op) && op->isRegistered())
      return op->emitOpError() << "has 'te.model'; only functions are models";
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitOpError() << "expects 'te.model' to be without a value";
    return success();
  }
  if (name == kLayerAttr && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError() << "expects 'te.layer' to be a string";
  if ((name == kArenaBytesAttr && !isa<IntegerAttr>(attr.getValue())) ||
      (name == kDescriptionAttr && !isa<StringAttr>(attr.getValue())))
    return op->emitOpError()
           << "expects '" << name << "' to be "
           << (name == kArenaBytesAttr ? "an integer" : "a string");
  if (name == kCostsAttr && !isa<CostModelAttrInterface>(attr.getValue()))
    return op->emitOpError()
           << "expects 'te.costs' to be a cost model, such as "
              "#te.measured_costs<...>";
  if (name == kSpareAttr) {
    auto spare = dyn_cast<DenseI64ArrayAttr>(attr.getValue());
    if (!spare || spare.size() != 2 || spare[0] < 0 || spare[1] < 0)
      return op->emitOpError() << "expects 'te.spare' to be array<i64: OFFSET, "
                                  "BYTES>, neither of them negative";
  }
  if (name == kRecipeAttr && !isa<RecipeAttrInterface>(attr.getValue()))
    return op->emitOpError() << "expects 'te.recipe' to be a quantization "
                                "recipe, such as #te.delayed_scaling";
  if (name == kTargetAttr && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError() << "expects 'te.target' to be a string";
  if ((name == kSlotsAttr || name == kRangesAttr) &&
      (!isa<ArrayAttr>(attr.getValue()) ||
       !llvm::all_of(cast<ArrayAttr>(attr.getValue()),
                     llvm::IsaPred<StringAttr>)))
    return op->emitOpError()
           << "expects '" << name << "' to be an array of strings";
  if (name == kTiedAttr && !isTiedNames(attr.getValue()))
    return op->emitOpError() << "expects 'te.tied' to be a dictionary from "
                                "parameters to arrays of strings";
  if (name == kSlotFormatsAttr &&
      (!isa<ArrayAttr>(attr.getValue()) ||
       !llvm::all_of(cast<ArrayAttr>(attr.getValue()),
                     llvm::IsaPred<TypeAttr>)))
    return op->emitOpError()
           << "expects 'te.slot_formats' to be an array of types";
  return success();
}

StringRef mlir::te::getModulePath(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      if (StringRef name = getModulePath(part); !name.empty())
        return name;
    return {};
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return getModulePath(call.getCallee());
  return {};
}

StringRef mlir::te::getModulePath(Operation *op) {
  return getModulePath(op->getLoc());
}

Location mlir::te::joinModules(ArrayRef<Location> locations) {
  MLIRContext *context = locations.front().getContext();
  Location fused = FusedLoc::get(context, locations);
  SmallVector<StringRef> paths;
  for (Location loc : locations)
    if (StringRef path = getModulePath(loc); !path.empty())
      paths.push_back(path);
  if (paths.size() != locations.size() || llvm::all_equal(paths))
    return fused;
  return NameLoc::get(StringAttr::get(context, joinLayers(paths)), fused);
}

SmallVector<StringRef> mlir::te::getModulePaths(Operation *op) {
  SmallVector<StringRef> paths;
  auto name = dyn_cast<NameLoc>(op->getLoc());
  if (auto fused = name ? dyn_cast<FusedLoc>(name.getChildLoc()) : FusedLoc())
    for (Location part : fused.getLocations())
      if (StringRef path = getModulePath(part); !path.empty())
        paths.push_back(path);
  if (paths.empty())
    paths.push_back(getModulePath(op));
  return paths;
}
