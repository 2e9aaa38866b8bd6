// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patterns of te-raise, one file per idea.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_RAISE_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_RAISE_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::te {

/// Raises products of rows, each with a matrix that a te.embedding gathers for
/// it, to te.expert_matmul. Emits remarks on those that were raised.
void raiseExpertProducts(Operation *root);

/// Raises products of consecutive groups of rows, each with a matrix of its
/// own, to te.expert_matmul. Emits remarks on those that were raised.
void raiseRaggedProducts(Operation *root);

/// Raises sums over all experts, of which masks choose a few for each row, to
/// products with the chosen experts' matrices. Emits remarks on those that were
/// raised.
void raiseOneHotExperts(Operation *root);

/// Replaces products of experts on rows that were sorted by those on rows as
/// they were, where what follows undoes the sort or sums over rows.
void cancelSorts(Operation *root);

/// Raises recurrences that are written out step by step to te.scan. Emits
/// remarks on those that were raised.
void raiseScans(Operation *root);

/// Raises sums of one tensor at several shifts, each times a number for each
/// channel, to te.causal_conv. Emits remarks on those that were raised.
void raiseCausalConvs(Operation *root);

/// Raises contractions in `root`, of any linalg form, to te.matmul, and batched
/// ones, which it does not support, to linalg.generic. Emits remarks on those
/// that were raised, and on the reasons for others.
void raiseContractions(Operation *root);

/// Raises two products around a softmax to te.attention, with their scale,
/// causal triangle, window and softcap. Emits remarks on those that were
/// raised, and on the reasons for similar ones that were not.
void raiseDecomposedAttention(Operation *root);

/// Raises sums and means of the log-probabilities of labels to
/// te.cross_entropy.
void raiseCrossEntropy(Operation *root);

/// Raises slices that are the consecutive pieces of one value to te.split,
/// whose gradient joins theirs.
void raiseSplits(Operation *root);

/// Merges transposed operands and biases into te.matmul.
void populateRaiseLinearPatterns(RewritePatternSet &patterns);
/// Raises decomposed GELU, SiLU and similar functions to te.activation.
void populateRaiseActivationPatterns(RewritePatternSet &patterns);
/// Raises x / sqrt(mean(x²) + eps) to te.rms_norm, with its gamma, and
/// te.layer_norm likewise.
void populateRaiseNormPatterns(RewritePatternSet &patterns);
/// Raises activation(gate) * up to te.gated_activation.
void populateRaiseGatedActivationPatterns(RewritePatternSet &patterns);
/// Makes a SiLU of a convolution part of te.causal_conv.
void populateRaiseCausalConvPatterns(RewritePatternSet &patterns);
/// Raises rotated halves or pairs of heads to te.rope.
void populateRaiseRopePatterns(RewritePatternSet &patterns);
/// Moves attention to the layout before its transposes.
void populateRaiseAttentionPatterns(RewritePatternSet &patterns);
/// Cancels pairs of reshapes and of transposes.
void populateRaiseReshapePatterns(RewritePatternSet &patterns);

/// The linalg.transpose with this permutation that defines a value; null if
/// another op does.
linalg::TransposeOp getTranspose(Value value, ArrayRef<int64_t> permutation);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_RAISE_H
