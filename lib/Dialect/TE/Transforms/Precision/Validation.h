// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-validate-precision by what it looks at: the states, what reads FP8 copies,
// and the update of the scales. It shares no code with the passes that
// establish what it checks.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_VALIDATION_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_VALIDATION_H

#include "Precision/ScaleTrace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::te {

/// What an FP8 operand is a copy of.
struct CopyOrigin {
  /// The slot that quantized it, -1 when that is unknown.
  int64_t slot;
  bool columnwise;
  /// Made in this function, else null.
  Operation *quantization;
  /// The FP8 state that it is, else empty.
  StringRef state;
};

/// A weight's copies that are carried between steps.
struct WeightState {
  int64_t slot;
  func::FuncOp writer;
};

/// The quantizations of a function, in program order.
using Quantizations = llvm::MapVector<Operation *, Quantization>;

/// Weight slots that a function reads through their states, with the parameter.
using ReadParams = llvm::DenseMap<int64_t, std::string>;

/// What a module says about its scaling, and whether an error was found in it.
class ScalingModule {
public:
  explicit ScalingModule(ModuleOp module) : module(module) {}

  /// Reads slots and recipe. False when there is nothing to check, or nothing
  /// more.
  bool read();
  /// Checks what a function's states are, and learns which FP8 weights it
  /// writes and in which slots.
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
  /// The recipe's states; empty where scales are made in the step.
  ArrayRef<RecipeState> getRecipeStates() const { return recipeStates; }
  bool carriesScales() const { return !recipeStates.empty(); }

  /// By parameter.
  const llvm::StringMap<WeightState> &getWeightStates() const {
    return weightStates;
  }
  /// Whether a parameter is frozen, so that its first copies stay.
  bool isFrozen(StringRef param) const { return frozen.contains(param); }
  /// Whether a layer has a forward product somewhere, in whatever precision.
  bool hasForward(StringRef layer) const { return layers.contains(layer); }

  std::optional<ScaleOrigin> traceScale(Value value) const {
    return te::traceScale(value, recipe, recipeStates);
  }
  std::optional<CopyOrigin> traceCopy(Value value) const;
  /// The slot whose column of the returned scales a first scale is written to.
  int64_t getSlotOf(const InitialScale &scale) const;

private:
  std::optional<CopyOrigin> traceJoined(tensor::ConcatOp concat) const;
  void readLayers();
  void checkColumns(func::FuncOp func);
  void readWeight(func::FuncOp func, unsigned result);

  ModuleOp module;
  bool failed = false;
  ArrayAttr slots, formats;
  RecipeAttrInterface recipe;
  SmallVector<RecipeState> recipeStates;
  llvm::StringMap<WeightState> weightStates;
  llvm::StringSet<> frozen;
  llvm::StringSet<> layers;
};

/// Checks what makes and reads FP8 copies in a function. Returns what it learns
/// about weights.
ReadParams validateReads(ScalingModule &module, func::FuncOp func,
                         const Quantizations &quantizations);

/// Checks the update of the scales, if the function has one, and the FP8
/// weights that it writes.
void validateUpdate(ScalingModule &module, func::FuncOp func,
                    const Quantizations &quantizations,
                    const ReadParams &readParams);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_VALIDATION_H
