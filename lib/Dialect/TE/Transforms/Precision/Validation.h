// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of te-validate-precision: the states, FP8 values, the readers of
// FP8 copies, the layers, the update of the scales, and what stays in higher
// precision. It shares no code with the passes whose results it checks.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_VALIDATION_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_VALIDATION_H

#include "Precision/ScaleTrace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <set>

namespace mlir::te {

/// The source of an FP8 operand.
struct CopyOrigin {
  /// The slot that quantized it, -1 if unknown.
  int64_t slot;
  bool columnwise;
  /// The quantization in this function, else null.
  Operation *quantization;
  /// The FP8 state, else empty.
  StringRef state;
};

/// The copies of a weight that are carried between steps.
struct WeightState {
  int64_t slot;
  func::FuncOp writer;
};

/// The quantizations of a function, in program order.
using Quantizations = llvm::MapVector<Operation *, Quantization>;

/// Weight slots that a function reads through their states, with the parameter.
using ReadParams = llvm::DenseMap<int64_t, std::string>;

/// Whether a value's elements have an FP8 format.
bool isFp8(Value value);

/// The scaling declarations of a module, and whether an error was found in
/// them.
class ScalingModule {
public:
  explicit ScalingModule(ModuleOp module) : module(module) {}

  /// Reads slots and recipe. Returns false if there is nothing to check.
  bool read();
  /// Checks the states of a function, and finds the FP8 weights that it writes
  /// and their slots.
  void readStates(func::FuncOp func);

  InFlightDiagnostic error(Operation *op) {
    failed = true;
    return op->emitError();
  }
  bool hasFailed() const { return failed; }

  bool isSlot(int64_t slot) const { return slot >= 0 && slot < getNumSlots(); }
  int64_t getNumSlots() const { return slots.size(); }
  /// "slot 1 'fc.weight'"
  std::string describe(int64_t slot) const;
  StringRef getName(int64_t slot) const {
    return cast<StringAttr>(slots[slot]).getValue();
  }
  Type getFormat(int64_t slot) const {
    return cast<TypeAttr>(formats[slot]).getValue();
  }
  ArrayAttr getFormats() const { return formats; }

  RecipeAttrInterface getRecipe() const { return recipe; }
  /// The recipe's states; empty if scales are made in the step.
  ArrayRef<RecipeState> getRecipeStates() const { return recipeStates; }
  bool carriesScales() const { return !recipeStates.empty(); }

  /// By parameter.
  const llvm::StringMap<WeightState> &getWeightStates() const {
    return weightStates;
  }
  /// The FP8 states of a parameter that functions have as arguments, sorted.
  const std::set<std::string> &getReadStates(StringRef param) const {
    static const std::set<std::string> none;
    auto it = readStatesOf.find(param);
    return it == readStatesOf.end() ? none : it->second;
  }
  /// True if a parameter is frozen, so that its first copies stay.
  bool isFrozen(StringRef param) const { return frozen.contains(param); }
  /// True if a layer has a forward product somewhere, in any precision.
  bool hasForward(StringRef layer) const { return layers.contains(layer); }

  std::optional<ScaleOrigin> traceScale(Value value) const {
    return te::traceScale(value, recipe, recipeStates);
  }
  std::optional<CopyOrigin> traceCopy(Value value) const;
  std::optional<CopyOrigin> traceRows(Value value) const;
  /// What the recipe finds wrong with a scale made in the step. `scaleInv` is
  /// the reciprocal that a reader multiplies with, null if the quantization
  /// itself is checked.
  std::optional<std::string> checkScaleOfStep(const Quantization &quantization,
                                              Value scaleInv) const;
  /// The grid axes along which ranks gather copies of a quantization, but along
  /// which `amax` is not their maximum: "0, 1".
  std::string getMissingAxes(const Quantization &quantization,
                             Value amax) const;
  /// The slot whose column of the returned scales a first scale is written to.
  int64_t getSlotOf(const InitialScale &scale) const;

private:
  std::optional<CopyOrigin> traceJoined(tensor::ConcatOp concat) const;
  void readLayers();
  bool checkFormats();
  void checkColumns(func::FuncOp func);
  void readWeight(func::FuncOp func, unsigned result);

  ModuleOp module;
  bool failed = false;
  ArrayAttr slots, formats;
  RecipeAttrInterface recipe;
  SmallVector<RecipeState> recipeStates;
  llvm::StringMap<WeightState> weightStates;
  llvm::StringMap<std::set<std::string>> readStatesOf;
  llvm::StringSet<> frozen;
  llvm::StringSet<> layers;
};

/// Checks the ops that make and read FP8 copies in a function. Returns the
/// weight slots that it reads.
ReadParams validateReads(ScalingModule &module, func::FuncOp func,
                         const Quantizations &quantizations);

/// Checks that FP8 values are made by quantizations alone, of tensors that were
/// not FP8 before, and that whoever reads them has their scale_inv.
void validateBits(ScalingModule &module, func::FuncOp func,
                  const Quantizations &quantizations);

/// Checks that the products of a layer read copies of the same tensors.
void validateLayers(ScalingModule &module, func::FuncOp func,
                    const Quantizations &quantizations);

/// Slots whose tensor is quantized in parts.
using PartSlots = llvm::DenseSet<int64_t>;

/// Checks that a slot has one tensor and a layer one forward product, or both
/// are computed some rows after the other. Returns the slots of such tensors.
PartSlots validateParts(ScalingModule &module, func::FuncOp func,
                        const Quantizations &quantizations);

/// Checks that parameters, optimizer states and sums of gradients are made of
/// values in higher precision.
void validateMasters(ScalingModule &module, func::FuncOp func);

/// Checks the update of the scales, if the function has one, and the FP8
/// weights that it writes.
void validateUpdate(ScalingModule &module, func::FuncOp func,
                    const Quantizations &quantizations,
                    const ReadParams &readParams, const PartSlots &partSlots);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_VALIDATION_H
