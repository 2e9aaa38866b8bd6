// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention over a rank's shard of the queries: checks of the C functions, and
// the calls of a backend's attention.

#include "program/AttentionChecks.h"
#include "program/AttentionPieces.h"
#include "program/Context.h"
#include "program/Contiguous.h"
#include "tert/ops.h"

using namespace tert;

/// The pieces of the queries of the context's rank along `axes`. Without a
/// mask, positions do not matter: all queries are one piece.
static std::vector<QueryPiece> piecesOf(const tert_context &context,
                                        const Operand &q, const Operand &k,
                                        int32_t layout, bool isMasked,
                                        int32_t axes, bool balanced) {
  const Group group = context.groupAlong(axes);
  const int32_t dim = sequenceDimOf(layout);
  const int64_t queries = q.size(dim);
  int64_t all = 0;
  if (__builtin_mul_overflow(queries, int64_t(group.size()), &all) ||
      k.size(dim) != all)
    k.fail("of " + std::to_string(group.size()) + " times the " +
           std::to_string(queries) + " queries of 'q', for the " +
           std::to_string(group.size()) + " ranks along " + group.axes);
  if (balanced && queries % 2 != 0)
    q.fail("of an even number of queries, which are two pieces of a sequence");
  if (!isMasked)
    return {{0, queries, group.rank * queries}};
  return splitQueries(queries, {group.rank, group.size(), balanced});
}

namespace {

/// Operands of the attention of one piece.
struct PieceOperands {
  PieceOperands(const tert_tensor *qs, const tert_tensor *ks,
                const tert_tensor *vs, const tert_tensor *os,
                const tert_tensor *lses, const tert_tensor *biases,
                const QueryPiece &piece, const PieceMask &mask, int32_t dim)
      : q(qs), k(ks), v(vs), o(os), lse(lses), bias(biases) {
    for (TensorSlice *slice : {&q, &o})
      slice->cut(dim, piece.first, piece.count);
    for (TensorSlice *slice : {&k, &v})
      slice->cut(dim, 0, mask.keys);
    lse.cut(2, piece.first, piece.count);
    if (biases)
      sliceRows(bias, piece).cut(3, 0, mask.keys);
  }

  /// Slices a bias to the piece's queries, unless it is broadcast along them.
  static TensorSlice &sliceRows(TensorSlice &bias, const QueryPiece &piece) {
    return sizeOf(*bias, 2) == 1 ? bias : bias.cut(2, piece.first, piece.count);
  }

  TensorSlice q, k, v, o, lse, bias;
};

/// Temporary memory of one call, taken piece by piece; empty if there is none.
class Temporary {
public:
  explicit Temporary(const tert_tensor *memory)
      : next(memory ? static_cast<char *>(memory->data) : nullptr) {}

  static int64_t bytesFor(int64_t bytes) { return (bytes + 255) / 256 * 256; }
  char *take(int64_t bytes) {
    char *taken = next;
    next += bytesFor(bytes);
    return taken;
  }

private:
  char *next;
};

/// A gradient that pieces contribute terms to, each to the first `keys` of the
/// dimension `dim`, or to all of it if that is negative. A term is written in
/// place, or to `temporary` and then added.
class GradientTerm {
public:
  GradientTerm(const tert_tensor *gradient, int32_t dim, int64_t keys,
               Temporary *temporary)
      : sum(gradient), rest(gradient), own(), term() {
    if (!gradient)
      return;
    if (dim >= 0) {
      rest.cut(dim, keys, sizeOf(*gradient, dim) - keys);
      sum.cut(dim, 0, keys);
    } else {
      rest.cut(0, 0, 0);
    }
    if (!temporary)
      return;
    own = contiguousLike(*sum);
    term = {temporary->take(numElements(*sum) * bytesOf(own.dtype)), &own};
  }
  GradientTerm(const GradientTerm &) = delete;
  GradientTerm &operator=(const GradientTerm &) = delete;

  const tert_tensor &operator*() const { return term.layout ? term : *sum; }
  const tert_tensor *get() const { return term.layout ? &term : sum.get(); }

  /// Call once the term has been computed.
  void finish(Backend &backend, const tert_site &site) const {
    if (!sum.get())
      return;
    if (term.layout)
      backend.add(site, *sum, term, *sum);
    else if (numElements(*rest) != 0)
      backend.fill(site, *rest, 0.0);
  }

private:
  TensorSlice sum, rest;
  tert_layout own;
  tert_tensor term;
};

} // namespace

/// Bytes of the terms of the first piece.
static int64_t temporaryBytes(bool causal, const tert_tensor *dk,
                              const tert_tensor *dv, const tert_tensor *dbias,
                              const tert_tensor *dsinks) {
  // It is within the first half of the sequence, and attends to no later key.
  const int64_t parts = causal ? 2 : 1;
  int64_t bytes = 0;
  for (const tert_tensor *gradient : {dk, dv})
    bytes += Temporary::bytesFor(numElements(*gradient) / parts *
                                 bytesOf(dtypeOf(*gradient)));
  if (dbias && sizeOf(*dbias, 2) == 1)
    bytes += Temporary::bytesFor(numElements(*dbias) / parts *
                                 bytesOf(dtypeOf(*dbias)));
  if (dsinks)
    bytes +=
        Temporary::bytesFor(numElements(*dsinks) * bytesOf(dtypeOf(*dsinks)));
  return bytes;
}

tert_status tert_attention_part(
    tert_context *context, const tert_site *site, const tert_tensor *q,
    const tert_tensor *k, const tert_tensor *v, const tert_tensor *bias,
    const tert_tensor *lengths, const tert_tensor *sinks, const tert_tensor *o,
    const tert_tensor *lse, float scale, int32_t causal, int32_t layout,
    int64_t window, float softcap, int32_t query_axes, int32_t balanced) {
  return callOp(context, site, "tert.attention_part", [&](OpCall &op) {
    double flops = 0;
    Operand query("q", q), key("k", k);
    checkAttention(query, key, {"v", v}, {"o", o}, {"lse", lse}, bias, lengths,
                   sinks, layout, window, softcap);
    const bool isMasked = causal != 0 || window != 0;
    const int32_t dim = sequenceDimOf(layout);
    for (const QueryPiece &piece :
         piecesOf(*context, query, key, layout, isMasked, query_axes,
                  balanced != 0)) {
      const PieceMask mask(piece, key.size(dim), causal != 0, window);
      const PieceOperands part(q, k, v, o, lse, bias, piece, mask, dim);
      flops +=
          attentionFlops(*part.q, *part.k, layout, causal != 0, mask.window, 2);
      op.attention(*part.q, *part.k, *part.v, part.bias.get(), lengths, sinks,
                   *part.o, *part.lse, scale, causal != 0,
                   static_cast<tert_attention_layout>(layout), mask.window,
                   softcap);
    }
    op.multiplies(flops, dtypeOf(*q), {q, k, v, bias, o, lse});
  });
}

tert_status tert_attention_part_grad(
    tert_context *context, const tert_site *site, const tert_tensor *d_o,
    const tert_tensor *q, const tert_tensor *k, const tert_tensor *v,
    const tert_tensor *o, const tert_tensor *lse, const tert_tensor *bias,
    const tert_tensor *lengths, const tert_tensor *sinks, const tert_tensor *dq,
    const tert_tensor *dk, const tert_tensor *dv, const tert_tensor *dbias,
    const tert_tensor *dsinks, const tert_tensor *temporary, float scale,
    int32_t causal, int32_t layout, int64_t window, float softcap,
    int32_t query_axes, int32_t balanced) {
  return callOp(context, site, "tert.attention_part_grad", [&](OpCall &op) {
    double flops = 0;
    Operand query("q", q), key("k", k);
    checkAttention(query, key, {"v", v}, {"o", o}, {"lse", lse}, bias, lengths,
                   sinks, layout, window, softcap);
    checkAttentionGrad(query, key, d_o, bias, sinks, dq, dk, dv, dbias, dsinks);
    const bool isMasked = causal != 0 || window != 0;
    const int32_t dim = sequenceDimOf(layout);
    const std::vector<QueryPiece> pieces = piecesOf(
        *context, query, key, layout, isMasked, query_axes, balanced != 0);
    // Also for a rank whose pieces are adjacent: all ranks have the same
    // program.
    if (isMasked && balanced) {
      const int64_t bytes = temporaryBytes(causal != 0, dk, dv, dbias, dsinks);
      Operand memory("temporary", temporary);
      memory.hasDtype(TERT_U8).hasRank(1).isContiguous();
      if (memory.size(0) < bytes)
        memory.fail("of at least " + std::to_string(bytes) + " bytes");
    }
    Temporary free(temporary);
    for (const QueryPiece &piece : pieces) {
      const PieceMask mask(piece, key.size(dim), causal != 0, window);
      const PieceOperands part(q, k, v, o, lse, bias, piece, mask, dim);
      TensorSlice dOs(d_o), dqs(dq), dbiasRows(dbias);
      dOs.cut(dim, piece.first, piece.count);
      dqs.cut(dim, piece.first, piece.count);
      const bool hasRows = dbias && sizeOf(*dbias, 2) != 1;
      if (hasRows)
        PieceOperands::sliceRows(dbiasRows, piece);
      Temporary *terms = &piece == &pieces.front() ? nullptr : &free;
      const GradientTerm dks(dk, dim, mask.keys, terms),
          dvs(dv, dim, mask.keys, terms),
          dbiases(dbiasRows.get(), 3, mask.keys, hasRows ? nullptr : terms),
          sinkTerm(dsinks, -1, 0, terms);
      flops +=
          attentionFlops(*part.q, *part.k, layout, causal != 0, mask.window, 5);
      op.attentionGrad(*dOs, *part.q, *part.k, *part.v, *part.o, *part.lse,
                       part.bias.get(), lengths, sinks, *dqs, *dks, *dvs,
                       dbiases.get(), sinkTerm.get(), scale, causal != 0,
                       static_cast<tert_attention_layout>(layout), mask.window,
                       softcap);
      for (const GradientTerm *term : {&dks, &dvs, &dbiases, &sinkTerm})
        term->finish(op.backend, op.site);
    }
    op.multiplies(flops, dtypeOf(*q),
                  {d_o, q, k, v, o, lse, bias, dq, dk, dv, dbias});
  });
}
