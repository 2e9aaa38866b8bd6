// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Embedding and loss: what the C functions check before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

tert_status tert_embedding(tert_context *context, const tert_site *site,
                           const tert_tensor *ids, const tert_tensor *table,
                           const tert_tensor *y) {
  return callOp(
      context, site, "tert.embedding",
      [&](Backend &backend, const tert_site &at) {
        Operand tokens("ids", ids), weights("table", table);
        tokens.isInteger().hasRank(1).hasUnitInnerStride();
        weights.isFloatMatrix();
        Operand("y", y).isFloatMatrix().hasShape(
            {tokens.size(0), weights.size(1)}, "a row of 'table' for every id");
        backend.embedding(at, *ids, *table, *y);
      },
      [&] { return moves({ids, y, y}); });
}

tert_status tert_embedding_grad(tert_context *context, const tert_site *site,
                                const tert_tensor *ids, const tert_tensor *dy,
                                const tert_tensor *dtable) {
  return callOp(
      context, site, "tert.embedding_grad",
      [&](Backend &backend, const tert_site &at) {
        Operand tokens("ids", ids), weights("dtable", dtable);
        tokens.isInteger().hasRank(1).hasUnitInnerStride();
        weights.isFloatMatrix();
        Operand("dy", dy).isFloatMatrix().hasShape(
            {tokens.size(0), weights.size(1)},
            "a row of 'dtable' for every id");
        backend.embeddingGrad(at, *ids, *dy, *dtable);
      },
      [&] { return moves({ids, dy, dtable}); });
}

tert_status tert_shift_labels(tert_context *context, const tert_site *site,
                              const tert_tensor *ids, const tert_tensor *labels,
                              int64_t ignore_index) {
  return callOp(
      context, site, "tert.shift_labels",
      [&](Backend &backend, const tert_site &at) {
        Operand tokens("ids", ids);
        tokens.isInteger().hasRank(2).hasUnitInnerStride();
        Operand("labels", labels)
            .isInteger()
            .hasShapeOf(tokens)
            .hasUnitInnerStride();
        backend.shiftLabels(at, *ids, *labels, ignore_index);
      },
      [&] { return moves({ids, labels}); });
}

tert_status tert_count_labels(tert_context *context, const tert_site *site,
                              const tert_tensor *labels,
                              const tert_tensor *count, int64_t classes,
                              int64_t ignore_index) {
  return callOp(
      context, site, "tert.count_labels",
      [&](Backend &backend, const tert_site &at) {
        Operand("labels", labels).isInteger().hasRank(1).hasUnitInnerStride();
        Operand("count", count).isScalar();
        backend.countLabels(at, *labels, *count, classes, ignore_index);
      },
      [&] { return moves({labels}); });
}

/// Checks what the loss and its gradient have in common.
static void checkLoss(const Operand &logits, const Operand &labels,
                      const Operand &lse, const Operand &count,
                      int32_t reduction) {
  logits.isFloatMatrix();
  labels.isInteger()
      .hasShape({logits.size(0)}, "the rows of 'logits'")
      .hasUnitInnerStride();
  lse.hasDtype(TERT_F32).isFloatVector(logits.size(0), "the rows of 'logits'");
  count.isScalar();
  checkEnum("reduction", reduction, TERT_SUM + 1);
}

tert_status tert_cross_entropy(tert_context *context, const tert_site *site,
                               const tert_tensor *logits,
                               const tert_tensor *labels,
                               const tert_tensor *loss, const tert_tensor *lse,
                               const tert_tensor *count, int64_t ignore_index,
                               int32_t reduction) {
  return callOp(
      context, site, "tert.cross_entropy",
      [&](Backend &backend, const tert_site &at) {
        checkLoss({"logits", logits}, {"labels", labels}, {"lse", lse},
                  {"count", count}, reduction);
        Operand("loss", loss).isScalar();
        backend.crossEntropy(at, *logits, *labels, *loss, *lse, *count,
                             ignore_index,
                             static_cast<tert_reduction>(reduction));
      },
      [&] { return moves({logits, labels, loss, lse, count}); });
}

tert_status
tert_cross_entropy_grad(tert_context *context, const tert_site *site,
                        const tert_tensor *dloss, const tert_tensor *logits,
                        const tert_tensor *labels, const tert_tensor *lse,
                        const tert_tensor *count, const tert_tensor *dlogits,
                        int64_t ignore_index, int32_t reduction) {
  return callOp(
      context, site, "tert.cross_entropy_grad",
      [&](Backend &backend, const tert_site &at) {
        Operand scores("logits", logits);
        checkLoss(scores, {"labels", labels}, {"lse", lse}, {"count", count},
                  reduction);
        Operand("dloss", dloss).isScalar();
        Operand("dlogits", dlogits).isFloatLike(scores);
        backend.crossEntropyGrad(at, *dloss, *logits, *labels, *lse, *count,
                                 *dlogits, ignore_index,
                                 static_cast<tert_reduction>(reduction));
      },
      [&] { return moves({logits, labels, lse, count, dlogits}); });
}

tert_status tert_cross_entropy_with_grad(
    tert_context *context, const tert_site *site, const tert_tensor *dloss,
    const tert_tensor *labels, const tert_tensor *count,
    const tert_tensor *logits, const tert_tensor *loss, int64_t ignore_index,
    int32_t reduction) {
  return callOp(
      context, site, "tert.cross_entropy_with_grad",
      [&](Backend &backend, const tert_site &at) {
        Operand scores("logits", logits);
        scores.isFloatMatrix();
        Operand("labels", labels)
            .isInteger()
            .hasShape({scores.size(0)}, "the rows of 'logits'")
            .hasUnitInnerStride();
        Operand("dloss", dloss).isScalar();
        Operand("count", count).isScalar();
        Operand("loss", loss).isScalar();
        checkEnum("reduction", reduction, TERT_SUM + 1);
        backend.crossEntropyWithGrad(at, *dloss, *labels, *count, *logits,
                                     *loss, ignore_index,
                                     static_cast<tert_reduction>(reduction));
      },
      [&] { return moves({labels, logits, logits}); });
}
