// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of a training step that passes and users share: precision.
// Losses and optimizers are attributes (te/Dialect/TE/IR/Loss.h and
// Optimizer.h).

#ifndef TE_DIALECT_TE_TRANSFORMS_TRAINING_TRAINING_H
#define TE_DIALECT_TE_TRANSFORMS_TRAINING_TRAINING_H

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/NamedValues.h"

namespace mlir::te {

enum class ComputePrecision {
  FP8,  ///< bf16 compute with FP8 linears, f32 masters
  BF16, ///< bf16 compute, f32 masters
  F32   ///< everything in f32, to compare with a framework
};

inline constexpr NamedValue<ComputePrecision> kComputePrecisions[] = {
    {"fp8", ComputePrecision::FP8,
     "bf16 compute with FP8 linears, f32 masters"},
    {"bf16", ComputePrecision::BF16, "bf16 compute, f32 masters"},
    {"f32", ComputePrecision::F32, "everything in f32"}};

/// The type of inputs, outputs, parameters and gradients that are not vectors.
enum class BoundaryType {
  F32, ///< as in the model
  BF16 ///< half the memory; not for entry `train`, whose masters are f32
};

inline constexpr NamedValue<BoundaryType> kBoundaryTypes[] = {
    {"f32", BoundaryType::F32, "f32, as the model has them"},
    {"bf16", BoundaryType::BF16,
     "bf16, as layers in a bf16 model have them; not for the entry train, "
     "whose parameters are masters"}};

/// The type of sums of gradients over microbatches.
enum class GradientSums { F32, BF16 };

inline constexpr NamedValue<GradientSums> kGradientSums[] = {
    {"f32", GradientSums::F32, "f32"},
    {"bf16", GradientSums::BF16,
     "bf16, rounded once a microbatch: half the memory"}};

/// The type of trained matrices, which an optimizer changes.
enum class MasterType { F32, BF16 };

inline constexpr NamedValue<MasterType> kMasterTypes[] = {
    {"f32", MasterType::F32, "f32"},
    {"bf16", MasterType::BF16,
     "bf16, rounded stochastically in every step: half the memory"}};

/// Parameters of which only what entries make of them is kept
/// (te-prepare-weights).
enum class PreparedWeights { None, Frozen, All };

inline constexpr NamedValue<PreparedWeights> kPreparedWeights[] = {
    {"none", PreparedWeights::None, "no parameters"},
    {"frozen", PreparedWeights::Frozen, "those that are not trained"},
    {"all", PreparedWeights::All,
     "all that no entry changes: they may not change otherwise"}};

/// The losses by name, for messages.
inline constexpr llvm::StringLiteral kLossNames =
    "causal-lm, masked-lm, cross-entropy, classification, mse or output:NAME";

/// True if `text` means no loss at all: entries that need one are then an
/// error.
inline bool isNoLoss(StringRef text) { return text.empty() || text == "none"; }

/// Parses a loss: an attribute such as "#te.masked_lm<z_loss = 1.0e-4>", in
/// which "#te." and "<>" are optional and the name may have hyphens,
/// "masked-lm"; or "output:NAME". Null, with an error at `loc`, if it is not a
/// loss.
LossAttrInterface parseLoss(StringRef text, Location loc);

/// Parses an optimizer: an attribute such as "#te.sgd<nesterov = true>", in
/// which "#te." and "<>" are optional: "sgd". Null, with an error at `loc`, if
/// it is not an optimizer.
OptimizerAttrInterface parseOptimizer(StringRef text, Location loc);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_TRAINING_TRAINING_H
