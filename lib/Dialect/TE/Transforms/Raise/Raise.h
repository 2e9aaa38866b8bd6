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

/// Contractions in `root`, which linalg has many names for, become te.matmul;
/// those over batches, which that is not, become linalg.generic. Says as
/// remarks what was recognised, and why others were not.
void raiseContractions(Operation *root);

/// Two products around a softmax become te.attention, with the scale, the
/// causal triangle, the window and the softcap that they are written with. Says
/// as remarks what was recognised, and why what looks like it was not.
void raiseDecomposedAttention(Operation *root);

/// Sums and means of the log-probabilities of labels become te.cross_entropy.
void raiseCrossEntropy(Operation *root);

/// Transposed operands and biases become part of te.matmul.
void populateRaiseLinearPatterns(RewritePatternSet &patterns);
/// Decomposed GELU, SiLU and their kin become te.activation.
void populateRaiseActivationPatterns(RewritePatternSet &patterns);
/// x / sqrt(mean(x²) + eps) becomes te.rms_norm, with its gamma.
void populateRaiseNormPatterns(RewritePatternSet &patterns);
/// activation(gate) * up becomes te.gated_activation.
void populateRaiseGatedActivationPatterns(RewritePatternSet &patterns);
/// Rotated halves or pairs of heads become te.rope.
void populateRaiseRopePatterns(RewritePatternSet &patterns);
/// Attention between transposes becomes attention in the layout before them.
void populateRaiseAttentionPatterns(RewritePatternSet &patterns);
/// Pairs of reshapes and of transposes cancel.
void populateRaiseReshapePatterns(RewritePatternSet &patterns);

/// The permutation of a value that linalg.transpose makes, and its source;
/// null when it is made otherwise.
linalg::TransposeOp getTranspose(Value value, ArrayRef<int64_t> permutation);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_RAISE_H
