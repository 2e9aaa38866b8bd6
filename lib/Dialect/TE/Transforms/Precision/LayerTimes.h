// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time that layers take in FP8 and in high precision, by a cost model: of
// the kernels that te-quantize and te-fuse would make of them.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_LAYERTIMES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_LAYERTIMES_H

#include "Precision/QuantizePlan.h"
#include "te/Analysis/CostModel.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::te {

/// Decides which layers are FP8 where that takes less time. What a layer costs
/// in FP8 depends on others that quantize the same tensors: such a tensor is
/// quantized once, and its cast to the compute type remains while one of its
/// readers is not FP8.
class LayerTimes {
public:
  /// `plan` is that of all products that can be FP8. The functions that are
  /// `timed` decide, each executed once. Ops that read values of the module are
  /// built beside it meanwhile; it does not change. A byte that is kept for the
  /// backward pass counts like `memoryPrice` seconds in all choices.
  LayerTimes(ModuleOp module, QuantizePlan plan, RecipeAttrInterface recipe,
             double memoryPrice,
             llvm::function_ref<bool(func::FuncOp)> isTimed);

  /// Takes layers out of FP8 that take longer in it, except those that are
  /// `isFixed` and those with kernels that the model does not know. If a step
  /// updates scales, the others have to pay for that together.
  void choose(llvm::function_ref<bool(StringAttr)> isFixed, bool updatesScales);

  /// False for layers taken out.
  bool isFp8(StringAttr layer) const;

  /// What the functions that decide take less with a layer in FP8, in seconds,
  /// bytes included; nothing if that is not known.
  std::optional<double> getGain(StringAttr layer);

  /// What a layer takes in a function, in FP8 and in high precision, as long as
  /// the others are what they are: "FP8" and "High" in remarks. Not known of
  /// functions that are not timed.
  CostComparison compare(func::FuncOp func, StringAttr layer);

private:
  /// Nothing if a kernel is not known to the model.
  using Time = std::optional<Cost>;

  struct Product {
    Operation *op;
    unsigned layer, function;
    Time fp8, high;
  };
  /// A value that a function quantizes, with the products that read copies of
  /// it, in any function, and whether they read the columnwise one.
  struct Tensor {
    Value source;
    const QuantizedTensor *planned;
    unsigned function;
    SmallVector<std::pair<unsigned, bool>, 4> readers;
    /// The backward pass reads the value whatever becomes FP8.
    bool isKept = false;
  };
  /// An operand's rounding to the compute type, which FP8 does without.
  struct Cast {
    Operation *op;
    unsigned function;
    Time time;
  };
  struct Layer {
    StringAttr name;
    bool isFp8 = true, isFixed = false;
    SmallVector<unsigned, 4> products;
    llvm::SmallSetVector<unsigned, 8> tensors, casts;
  };

  unsigned getLayer(StringAttr name);
  void addFunction(const FunctionPlan &function, unsigned index);
  void addWeights();

  OpBuilder getBuilder();
  SmallVector<Work> takeWork();
  bool hasBlocks(const QuantizedTensor &tensor) const;
  SmallVector<Work> getQuantization(const QuantizedTensor &tensor, Value source,
                                    bool rowwise, bool columnwise);
  Time getTime(ArrayRef<Work> kernels);
  Time getPaddedTime(MatmulOp product, RankedTensorType logits);
  Time getFp8Time(const QuantizedOp &quantized, const FunctionPlan &function);
  Time getScalingTime();
  Time getTime(const Tensor &tensor);
  Time getTime(const Cast &cast) const;
  int64_t getKeptBytes(const Tensor &tensor) const;
  Time getTime(const Layer &layer, std::optional<unsigned> function);
  Time getGain(Layer &layer, std::optional<unsigned> function);
  double takeOut(ArrayRef<unsigned> group);
  SmallVector<SmallVector<unsigned>> getGroups() const;

  CostModel model;
  QuantizePlan plan;
  RecipeAttrInterface recipe;
  double memoryPrice;
  /// Whether a function of the plan decides.
  SmallVector<bool> timed;
  SmallVector<Layer> layers;
  llvm::DenseMap<StringAttr, unsigned> layerByName;
  SmallVector<Product> products;
  llvm::DenseMap<Operation *, unsigned> productByOp;
  SmallVector<Tensor> tensors;
  SmallVector<Cast> casts;
  /// Where ops are built to ask for their work; its first arguments are the
  /// recipe's states.
  std::unique_ptr<Block> scratch;
  SmallVector<Value> states;
  /// Kernels by what they do. Layers of a model are alike.
  llvm::StringMap<Time> times;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_LAYERTIMES_H
