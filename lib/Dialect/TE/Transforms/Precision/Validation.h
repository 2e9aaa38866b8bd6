// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of te-validate-precision: the states, the readers of FP8 copies,
// and the update of the scales. It shares no code with the passes whose results
// it checks.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_VALIDATION_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_VALIDATION_H

#include "Precision/ScaleTrace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

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
  /// True if a parameter is frozen, so that its first copies stay.
  bool isFrozen(StringRef param) const { return frozen.contains(param); }
  /// True if a layer has a forward product somewhere, in any precision.
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

/// Checks the ops that make and read FP8 copies in a function. Returns the
/// weight slots that it reads.
ReadParams validateReads(ScalingModule &module, func::FuncOp func,
                         const Quantizations &quantizations);

/// Checks the update of the scales, if the function has one, and the FP8
/// weights that it writes.
void validateUpdate(ScalingModule &module, func::FuncOp func,
                    const Quantizations &quantizations,
                    const ReadParams &readParams);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_VALIDATION_H
