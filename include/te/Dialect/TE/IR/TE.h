// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The te dialect: ops, attributes, interfaces and their data types.

#ifndef TE_DIALECT_TE_IR_TE_H
#define TE_DIALECT_TE_IR_TE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

#include "te/Dialect/TE/IR/Cost.h"
#include "te/Dialect/TE/IR/Loss.h"
#include "te/Dialect/TE/IR/Magnitude.h"
#include "te/Dialect/TE/IR/Optimizer.h"

#include "te/Dialect/TE/IR/TEEnums.h.inc"

namespace mlir::te {

/// Where tensors of a layout have the heads.
inline int64_t getHeadDim(AttentionLayout layout) {
  return layout == AttentionLayout::BHSD ? 1 : 2;
}

/// One operand that an op's FP8 form reads quantized.
struct Fp8Operand {
  unsigned operandNumber;
  TensorRole role;
  /// The FP8 form reads the operand's transpose (its columnwise copy).
  bool columnwise;
};

/// Why an op does not become FP8, in words for a remark: a clause and an
/// imperative, without a full stop.
struct Fp8Refusal {
  std::string reason;
  /// Empty when nothing would.
  std::string suggestion;
};

/// A quantized operand as the FP8 form reads it: the copy asked for, and the
/// reciprocal of the scale it was made with.
struct QuantizedValue {
  Value data;
  Value scaleInv;
};

/// What a producer hands out when it quantizes a result itself; null where a
/// copy was not wanted.
struct QuantizedResults {
  Value rowwise;
  Value columnwise;
  Value amax;
  Value highPrecision;
};

/// A quantization that an op does (QuantizingOpInterface); null where there is
/// nothing.
struct Quantization {
  Operation *op;
  /// What is quantized. An op that need not write it in high precision names
  /// what it computes it from.
  Value source;
  Value scale;
  Value rowwise, columnwise;
  Value amax;
};

/// One tensor of scaling state that a recipe carries between steps.
struct RecipeState {
  std::string name; ///< "fp8.scales"
  std::string kind; ///< value of te.kind, "fp8_scale"
  RankedTensorType type;
  double init; ///< every element's first value
};

/// The values of an update of a recipe's states.
struct ScaleUpdate {
  /// Old and new ones in the order of getStates.
  SmallVector<Value> states, newStates;
  SmallVector<Value> amaxes; ///< in slot order
  ArrayAttr formats;         ///< in slot order
};

/// A scale made of a tensor's amax before there is any history.
struct InitialScale {
  Value amax;
  Type format; ///< what it scales to
  Value scale, scaleInv;
};

/// What the epilogue of a matrix product could compute (EpilogueOpInterface).
struct ProductEpilogue {
  Value product;        ///< what the op reads of the product
  StringRef name;       ///< in cost models, "gelu_aux"
  std::string computes; ///< in words for a remark, "GELU"
  /// What kernels of their own are still needed for.
  SmallVector<Work> rest;
};

/// Dimensions that FP8 GEMMs read are multiples of this many elements.
constexpr int64_t kFp8Alignment = 16;

} // namespace mlir::te

namespace mlir::te {
/// Where foreign ops with Fp8OpInterface keep the name of their layer.
inline constexpr llvm::StringLiteral kLayerAttr = "te.layer";
} // namespace mlir::te

namespace mlir::te {

//===-- Methods of most ops -----------------------------------------------===//

/// Every operand and result is moved once.
Work getMovingWork(Operation *op);

/// `op`, which quantizes nothing, with results for the copies of these types
/// (null: not wanted) and for the amax, and without its first result unless
/// that is kept. All other results are replaced. It lacks its scale.
Operation *createQuantizing(RewriterBase &rewriter, Operation *op, Type rowwise,
                            Type columnwise, bool keepResult);

/// QuantizingProducerOpInterface::quantizeResult of ops that quantize their
/// first result.
template <typename OpTy>
QuantizedResults quantizeFirstResult(RewriterBase &rewriter, OpTy op,
                                     Value scale, Type rowwise, Type columnwise,
                                     bool keepResult) {
  auto made = cast<OpTy>(
      createQuantizing(rewriter, op, rowwise, columnwise, keepResult));
  made.getScaleMutable().assign(scale);
  return {made.getRowwise(), made.getColumnwise(), made.getAmax(),
          keepResult ? made->getResult(0) : Value()};
}

/// RowSummingOpInterface::sumRows of ops whose last result is the sum.
Value createSummingRows(RewriterBase &rewriter, Operation *op, Type type);

class LinalgForm;

} // namespace mlir::te

#include "te/Dialect/TE/IR/CostInterfaces.h.inc"
#include "te/Dialect/TE/IR/RecipeInterfaces.h.inc"
#include "te/Dialect/TE/IR/TEInterfaces.h.inc"

#include "te/Dialect/TE/IR/TEDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "te/Dialect/TE/IR/TEAttrs.h.inc"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TEOps.h.inc"

namespace mlir::te {

/// Names of the discardable attributes that connect a function to the outside
/// (see the dialect's description).
inline constexpr llvm::StringLiteral kInputAttr = "te.input";
inline constexpr llvm::StringLiteral kParamAttr = "te.param";
inline constexpr llvm::StringLiteral kStateAttr = "te.state";
inline constexpr llvm::StringLiteral kScalarAttr = "te.scalar";
inline constexpr llvm::StringLiteral kShardAttr = "te.shard";
inline constexpr llvm::StringLiteral kOutputAttr = "te.output";
inline constexpr llvm::StringLiteral kGradientAttr = "te.gradient";
inline constexpr llvm::StringLiteral kGradientCoefficientAttr =
    "te.gradient_coefficient";
inline constexpr llvm::StringLiteral kKindAttr = "te.kind";
/// `te.kind` of the keys and values of earlier tokens, which no checkpoint has.
inline constexpr llvm::StringLiteral kCacheKind = "kv_cache";

/// The entry that te-prepare-weights makes, and the kind of its states.
inline constexpr llvm::StringLiteral kPrepareEntry = "prepare";
inline constexpr llvm::StringLiteral kPreparedKind = "prepared";
inline constexpr llvm::StringLiteral kInitAttr = "te.init";
inline constexpr llvm::StringLiteral kDefaultAttr = "te.default";
inline constexpr llvm::StringLiteral kEntryAttr = "te.entry";
inline constexpr llvm::StringLiteral kRangeAttr = "te.range";
inline constexpr llvm::StringLiteral kMaxAbsAttr = "te.max_abs";
inline constexpr llvm::StringLiteral kRangesAttr = "te.ranges";
inline constexpr llvm::StringLiteral kArenaAttr = "te.arena";
inline constexpr llvm::StringLiteral kArenaBytesAttr = "te.arena_bytes";
inline constexpr llvm::StringLiteral kArenaOffsetAttr = "te.arena_offset";
inline constexpr llvm::StringLiteral kDonatedAttr = "te.donated";
inline constexpr llvm::StringLiteral kSpareAttr = "te.spare";
inline constexpr llvm::StringLiteral kDescriptionAttr = "te.description";
inline constexpr llvm::StringLiteral kSlotsAttr = "te.slots";
inline constexpr llvm::StringLiteral kRecipeAttr = "te.recipe";
inline constexpr llvm::StringLiteral kCostsAttr = "te.costs";
inline constexpr llvm::StringLiteral kTargetAttr = "te.target";
inline constexpr llvm::StringLiteral kSlotFormatsAttr = "te.slot_formats";

/// The element type of a tensor with this role in one of the usual pairs of
/// formats.
FloatType getElementType(MLIRContext *context, Fp8Format format,
                         TensorRole role);

/// The element `index` of a vector of f32, as a scalar.
Value extractElement(OpBuilder &builder, Location loc, Value vector,
                     int64_t index);

/// The recipe that a module was quantized with; null for one that was not.
RecipeAttrInterface getRecipe(ModuleOp module);

/// Reads a recipe: an attribute such as "#te.delayed_scaling<history = 16>", of
/// which "#te." may be missing. Null, with an error at `loc`, when it is not a
/// recipe. Its dialect may be loaded, so passes call it when they are
/// initialized.
RecipeAttrInterface parseRecipe(StringRef text, Location loc);

/// The module path of an op ("transformer.h.0.mlp.c_fc"), from the name part of
/// its location; empty when there is none.
StringRef getModulePath(Operation *op);
StringRef getModulePath(Location loc);

/// The location of an op that stands for several modules. Its path names all
/// of them, as joinLayers() does: "h.0.attn.{q,k,v}".
Location joinModules(ArrayRef<Location> locations);

/// The modules that an op stands for: those that joinModules() joined, or its
/// own path.
SmallVector<StringRef> getModulePaths(Operation *op);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_TE_H
