// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Embedding and losses: checks of the C functions before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

#include <cmath>

using namespace tert;

tert_status tert_embedding(tert_context *context, const tert_site *site,
                           const tert_tensor *ids, const tert_tensor *table,
                           const tert_tensor *y) {
  return callOp(context, site, "tert.embedding", [&](OpCall &op) {
    Operand tokens("ids", ids), weights("table", table);
    tokens.isInteger().hasRank(1).hasUnitInnerStride();
    weights.isFloatMatrix();
    Operand("y", y).isFloatMatrix().hasShape({tokens.size(0), weights.size(1)},
                                             "a row of 'table' for every id");
    op.embedding(*ids, *table, *y);
    op.moves({ids, y, y});
  });
}

/// Checks the gradient of a table with a row of `dy` for every id.
static void checkEmbeddingGrad(const tert_tensor *ids, const tert_tensor *dy,
                               const Operand &dtable) {
  Operand tokens("ids", ids);
  tokens.isInteger().hasRank(1).hasUnitInnerStride();
  dtable.isFloatMatrix();
  Operand("dy", dy).isFloatMatrix().hasShape({tokens.size(0), dtable.size(1)},
                                             "a row of 'dtable' for every id");
}

tert_status tert_embedding_grad(tert_context *context, const tert_site *site,
                                const tert_tensor *ids, const tert_tensor *dy,
                                const tert_tensor *dtable) {
  return callOp(context, site, "tert.embedding_grad", [&](OpCall &op) {
    checkEmbeddingGrad(ids, dy, Operand("dtable", dtable));
    op.embeddingGrad(*ids, *dy, *dtable);
    op.moves({ids, dy, dtable});
  });
}

tert_status tert_add_embedding_grad(tert_context *context,
                                    const tert_site *site,
                                    const tert_tensor *ids,
                                    const tert_tensor *dy,
                                    const tert_tensor *dtable) {
  return callOp(context, site, "tert.add_embedding_grad", [&](OpCall &op) {
    Operand table("dtable", dtable);
    table.hasDtype(TERT_F32);
    checkEmbeddingGrad(ids, dy, table);
    op.addEmbeddingGrad(*ids, *dy, *dtable);
    // An upper bound of the rows that are read and written.
    op.moves({ids, dy, dy, dy});
  });
}

tert_status tert_shift_labels(tert_context *context, const tert_site *site,
                              const tert_tensor *ids, const tert_tensor *labels,
                              int64_t ignore_index) {
  return callOp(context, site, "tert.shift_labels", [&](OpCall &op) {
    Operand tokens("ids", ids);
    tokens.isInteger().hasRank(2).hasUnitInnerStride();
    Operand("labels", labels)
        .isInteger()
        .hasShapeOf(tokens)
        .hasUnitInnerStride();
    op.shiftLabels(*ids, *labels, ignore_index);
    op.moves({ids, labels});
  });
}

tert_status tert_count_labels(tert_context *context, const tert_site *site,
                              const tert_tensor *labels,
                              const tert_tensor *count, int64_t classes,
                              int64_t ignore_index) {
  return callOp(context, site, "tert.count_labels", [&](OpCall &op) {
    Operand("labels", labels).isInteger().hasRank(1).hasUnitInnerStride();
    Operand("count", count).isScalar();
    op.countLabels(*labels, *count, classes, ignore_index);
    op.moves({labels});
  });
}

static void checkTerms(int32_t reduction, float labelSmoothing, float zLoss) {
  checkEnum("reduction", reduction, TERT_SUM);
  if (!(labelSmoothing >= 0 && labelSmoothing <= 1))
    invalidArgument("'label_smoothing' is " + std::to_string(labelSmoothing) +
                    "; it must lie in [0, 1]");
  if (!(zLoss >= 0) || !std::isfinite(zLoss))
    invalidArgument("'z_loss' is " + std::to_string(zLoss) +
                    "; it must be finite and not negative");
}

/// Checks shared by the loss and its gradient.
static void checkLoss(const Operand &logits, const Operand &labels,
                      const Operand &lse, const Operand &count,
                      int32_t reduction, float labelSmoothing, float zLoss) {
  logits.isFloatMatrix();
  labels.isInteger()
      .hasShape({logits.size(0)}, "the rows of 'logits'")
      .hasUnitInnerStride();
  lse.hasDtype(TERT_F32).isFloatVector(logits.size(0), "the rows of 'logits'");
  count.isScalar();
  checkTerms(reduction, labelSmoothing, zLoss);
}

tert_status tert_cross_entropy(tert_context *context, const tert_site *site,
                               const tert_tensor *logits,
                               const tert_tensor *labels,
                               const tert_tensor *loss, const tert_tensor *lse,
                               const tert_tensor *count, int64_t ignore_index,
                               int32_t reduction, float label_smoothing,
                               float z_loss) {
  return callOp(context, site, "tert.cross_entropy", [&](OpCall &op) {
    checkLoss({"logits", logits}, {"labels", labels}, {"lse", lse},
              {"count", count}, reduction, label_smoothing, z_loss);
    Operand("loss", loss).isScalar();
    op.crossEntropy(*logits, *labels, *loss, *lse, *count, ignore_index,
                    static_cast<tert_reduction>(reduction), label_smoothing,
                    z_loss);
    op.moves({logits, labels, loss, lse, count});
  });
}

tert_status
tert_cross_entropy_grad(tert_context *context, const tert_site *site,
                        const tert_tensor *dloss, const tert_tensor *logits,
                        const tert_tensor *labels, const tert_tensor *lse,
                        const tert_tensor *count, const tert_tensor *dlogits,
                        int64_t ignore_index, int32_t reduction,
                        float label_smoothing, float z_loss) {
  return callOp(context, site, "tert.cross_entropy_grad", [&](OpCall &op) {
    Operand scores("logits", logits);
    checkLoss(scores, {"labels", labels}, {"lse", lse}, {"count", count},
              reduction, label_smoothing, z_loss);
    Operand("dloss", dloss).isScalar();
    Operand("dlogits", dlogits).isFloatLike(scores);
    op.crossEntropyGrad(*dloss, *logits, *labels, *lse, *count, *dlogits,
                        ignore_index, static_cast<tert_reduction>(reduction),
                        label_smoothing, z_loss);
    op.moves({logits, labels, lse, count, dlogits});
  });
}

tert_status tert_cross_entropy_with_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dloss,
    const tert_tensor *labels, const tert_tensor *count,
    const tert_tensor *logits, const tert_tensor *loss, int64_t ignore_index,
    int32_t reduction, float label_smoothing, float z_loss) {
  return callOp(context, site, "tert.cross_entropy_with_grad", [&](OpCall &op) {
    Operand scores("logits", logits);
    scores.isFloatMatrix();
    Operand("labels", labels)
        .isInteger()
        .hasShape({scores.size(0)}, "the rows of 'logits'")
        .hasUnitInnerStride();
    Operand("dloss", dloss).isScalar();
    Operand("count", count).isScalar();
    Operand("loss", loss).isScalar();
    checkTerms(reduction, label_smoothing, z_loss);
    op.crossEntropyWithGrad(
        *dloss, *labels, *count, *logits, *loss, ignore_index,
        static_cast<tert_reduction>(reduction), label_smoothing, z_loss);
    op.moves({labels, logits, logits});
  });
}

/// Checks shared by the squared error and its gradient.
static void checkSquaredError(const Operand &x, const Operand &target,
                              int32_t reduction) {
  x.isFloatMatrix();
  target.isFloatLike(x);
  checkEnum("reduction", reduction, TERT_SUM);
}

tert_status tert_squared_error(tert_context *context, const tert_site *site,
                               const tert_tensor *x, const tert_tensor *target,
                               const tert_tensor *loss, int32_t reduction) {
  return callOp(context, site, "tert.squared_error", [&](OpCall &op) {
    checkSquaredError({"x", x}, {"target", target}, reduction);
    Operand("loss", loss).isScalar();
    op.squaredError(*x, *target, *loss, static_cast<tert_reduction>(reduction));
    op.moves({x, target});
  });
}

tert_status tert_squared_error_grad(tert_context *context,
                                    const tert_site *site,
                                    const tert_tensor *dloss,
                                    const tert_tensor *x,
                                    const tert_tensor *target,
                                    const tert_tensor *dx, int32_t reduction) {
  return callOp(context, site, "tert.squared_error_grad", [&](OpCall &op) {
    Operand values("x", x);
    checkSquaredError(values, {"target", target}, reduction);
    Operand("dloss", dloss).isScalar();
    Operand("dx", dx).isFloatLike(values);
    op.squaredErrorGrad(*dloss, *x, *target, *dx,
                        static_cast<tert_reduction>(reduction));
    op.moves({x, target, dx});
  });
}
