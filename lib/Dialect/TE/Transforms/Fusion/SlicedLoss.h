// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A head in slices of rows: the loss and its gradient between the products of
// the linear layer, one slice after the other.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_SLICEDLOSS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_SLICEDLOSS_H

#include "Fusion/LossHead.h"

#include <memory>

namespace mlir::te {

/// Builds a head in slices: the loss and its gradient here, the products in
/// subclasses.
class SlicedHead {
public:
  SlicedHead(RewriterBase &builder, const LossHead &head,
             ArrayRef<int64_t> parts)
      : builder(builder), head(head), parts(parts),
        classes(head.getLogitsType().getDimSize(1)) {}
  virtual ~SlicedHead() = default;

  /// Adds the slices' losses to `loss` and returns the sum; `shared` comes from
  /// the loss's buildShared. The new products replace what is computed from the
  /// gradient of the logits, but the old ops are left.
  Value rewrite(ValueRange shared, Value loss);
  /// Erases the old products that read the gradient of the logits, and the one
  /// that made these, once the loss is gone.
  virtual void eraseGradients() = 0;
  virtual void eraseForward() = 0;

protected:
  /// Slices what the products read.
  virtual void sliceOperands() = 0;
  virtual Value buildLogits(unsigned part) = 0;
  virtual void buildGradients(unsigned part, Value dlogits) = 0;
  virtual void replaceGradients() = 0;

  /// Slices of `value` along its dimension `dim`; the value itself if there is
  /// one part.
  SmallVector<Value> split(Location loc, Value value, int64_t dim = 0);
  /// The logits without columns behind those of the classes.
  Value cutPadding(Value logits);
  /// Rows of `pieces` one after the other.
  Value join(Location loc, ArrayRef<Value> pieces);
  /// The slices' gradients of the input replace the one of `dgrad`, if that is
  /// not null.
  void replaceInputGradient(Operation *dgrad);

  RewriterBase &builder;
  LossHead head;
  ArrayRef<int64_t> parts;
  int64_t classes;
  /// Of the input, by slice.
  SmallVector<Value> dinputs;
};

/// Of products in high precision, over `paddedClasses` classes.
std::unique_ptr<SlicedHead> sliceHead(RewriterBase &builder,
                                      const LossHead &head,
                                      const Projection &projection,
                                      ArrayRef<int64_t> parts,
                                      int64_t paddedClasses);

/// Of FP8 products. Slices have multiples of 16 rows.
std::unique_ptr<SlicedHead> sliceHead(RewriterBase &builder,
                                      const LossHead &head,
                                      const ScaledProjection &projection,
                                      ArrayRef<int64_t> parts);

/// Builds the product that makes logits over `paddedClasses` classes, and
/// returns those of its own; the old op is left.
Value buildPaddedLogits(OpBuilder &builder, MatmulOp fprop,
                        int64_t paddedClasses);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_SLICEDLOSS_H
