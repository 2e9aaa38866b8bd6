// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of parts of a sequence on several GPUs, against the CPU's attention
// of the whole sequence.

#include "GpuRanks.h"

using namespace tert_test;

namespace {

using CudaAttentionPartTest = GpuMeshTest;

struct Case {
  const char *name;
  bool balanced;
  int64_t batch, queries, heads, kvHeads, dimension; ///< queries of a rank
  bool causal;
  int64_t window = 0;
  bool hasBias = false, hasLengths = false, hasSinks = false;
  int32_t dtype = TERT_BF16;
};

/// The row of the whole sequence that a rank's query is.
int64_t positionOf(const Case &c, int64_t ranks, int64_t rank, int64_t query) {
  const int64_t half = c.queries / 2;
  if (!c.balanced)
    return rank * c.queries + query;
  return query < half ? rank * half + query
                      : (2 * ranks - 1 - rank) * half + query - half;
}

/// Elements [b, ?, rest] of `part`, [batch, queries, rest], from those of
/// `whole`, or the other way round.
void copyRows(const Case &c, int64_t ranks, int64_t rank, Tensor &part,
              Tensor &whole, bool toPart) {
  const int64_t rest = c.heads * c.dimension, keys = ranks * c.queries;
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t i = 0; i < c.queries; ++i)
      for (int64_t j = 0; j < rest; ++j) {
        const int64_t at = (b * c.queries + i) * rest + j;
        const int64_t of =
            (b * keys + positionOf(c, ranks, rank, i)) * rest + j;
        if (toPart)
          part.setBits(at, whole.bitsAt(of));
        else
          whole.setBits(of, part.bitsAt(at));
      }
}

const tert_tensor *given(bool isThere, const tert_tensor *tensor) {
  return isThere ? tensor : nullptr;
}

void compare(const Case &c, Rank &rank, int64_t ranks) {
  const int64_t keys = ranks * c.queries;
  const float scale = 1.0f / std::sqrt(float(c.dimension));
  std::vector<int64_t> all = {c.batch, keys, c.heads, c.dimension},
                       kvSizes = {c.batch, keys, c.kvHeads, c.dimension},
                       own = {c.batch, c.queries, c.heads, c.dimension};
  Tensor q(c.dtype, all), dO(c.dtype, all), o(c.dtype, all), dq(c.dtype, all),
      k(c.dtype, kvSizes), v(c.dtype, kvSizes), dk(c.dtype, kvSizes),
      dv(c.dtype, kvSizes), lse(TERT_F32, {c.batch, c.heads, keys}),
      bias(c.dtype, {1, c.heads, 1, keys}),
      dbias(TERT_F32, {1, c.heads, 1, keys}), lengths(TERT_I64, {c.batch}),
      sinks(TERT_F32, {c.heads}), dsinks(sinks);
  q.randomize(1);
  k.randomize(2);
  v.randomize(3);
  bias.randomize(5);
  sinks.randomize(6);
  lengths.fill([&](int64_t b) { return double(keys - 5 * b); });
  // Other ranks' queries pass no gradient on: dk and dv are this rank's terms.
  Tensor ownQ(c.dtype, own), ownDO(c.dtype, own), ownO(c.dtype, own),
      ownDq(c.dtype, own), ownLse(TERT_F32, {c.batch, c.heads, c.queries});
  copyRows(c, ranks, rank.rank, ownQ, q, /*toPart=*/true);
  ownDO.randomize(40 + rank.rank);
  dO.fill([](int64_t) { return 0; });
  copyRows(c, ranks, rank.rank, ownDO, dO, /*toPart=*/false);

  Context cpu(0);
  EXPECT_OK(cpu, tert_attention(cpu, nullptr, q, k, v, given(c.hasBias, bias),
                                given(c.hasLengths, lengths),
                                given(c.hasSinks, sinks), o, lse, scale,
                                c.causal, TERT_BSHD, c.window, 0.0f));
  EXPECT_OK(cpu, tert_attention_grad(
                     cpu, nullptr, dO, q, k, v, o, lse, given(c.hasBias, bias),
                     given(c.hasLengths, lengths), given(c.hasSinks, sinks), dq,
                     dk, dv, given(c.hasBias, dbias), given(c.hasSinks, dsinks),
                     scale, c.causal, TERT_BSHD, c.window, 0.0f));

  tert_context *gpu = rank.context;
  Tensor temporary(TERT_U8, {4 * (dk.numElements() + dv.numElements() +
                                  dbias.numElements() + c.heads) +
                             1024});
  OnGpu gq(gpu, ownQ), gk(gpu, k), gv(gpu, v), gdO(gpu, ownDO), go(gpu, ownO),
      glse(gpu, ownLse), gdq(gpu, ownDq), gdk(gpu, k), gdv(gpu, v),
      gbias(gpu, bias), gdbias(gpu, dbias), glengths(gpu, lengths),
      gsinks(gpu, sinks), gdsinks(gpu, dsinks), gtemporary(gpu, temporary);
  ASSERT_EQ(
      tert_attention_part(gpu, nullptr, gq, gk, gv, given(c.hasBias, gbias),
                          given(c.hasLengths, glengths),
                          given(c.hasSinks, gsinks), go, glse, scale, c.causal,
                          TERT_BSHD, c.window, 0.0f, 1, c.balanced),
      TERT_OK)
      << rank.error();
  ASSERT_EQ(
      tert_attention_part_grad(
          gpu, nullptr, gdO, gq, gk, gv, go, glse, given(c.hasBias, gbias),
          given(c.hasLengths, glengths), given(c.hasSinks, gsinks), gdq, gdk,
          gdv, given(c.hasBias, gdbias), given(c.hasSinks, gdsinks), gtemporary,
          scale, c.causal, TERT_BSHD, c.window, 0.0f, 1, c.balanced),
      TERT_OK)
      << rank.error();
  copyRows(c, ranks, rank.rank, ownO, o, /*toPart=*/true);
  copyRows(c, ranks, rank.rank, ownDq, dq, /*toPart=*/true);
  const double bound = c.dtype == TERT_BF16 ? 1.2e-2 : 5e-6;
  EXPECT_LT(relativeError(go.read(), ownO), bound);
  EXPECT_LT(relativeError(gdq.read(), ownDq), bound);
  EXPECT_LT(relativeError(gdk.read(), dk), bound);
  EXPECT_LT(relativeError(gdv.read(), dv), bound);
  if (c.hasBias)
    EXPECT_LT(relativeError(gdbias.read(), dbias), bound);
  if (c.hasSinks)
    EXPECT_LT(relativeError(gdsinks.read(), dsinks), bound);
  const Tensor statistics = glse.read();
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t h = 0; h < c.heads; ++h)
      for (int64_t i = 0; i < c.queries; ++i)
        ASSERT_NEAR(statistics.at((b * c.heads + h) * c.queries + i),
                    lse.at((b * c.heads + h) * keys +
                           positionOf(c, ranks, rank.rank, i)),
                    c.dtype == TERT_BF16 ? 1e-2 : 1e-5);
}

} // namespace

TEST_P(CudaAttentionPartTest, AgreesWithTheCpusWhole) {
  const Case cases[] = {
      {"causal", false, 2, 128, 4, 2, 64, true},
      {"balanced", true, 2, 128, 4, 2, 64, true},
      {"balanced d128", true, 1, 256, 2, 2, 128, true},
      {"rectangle and triangle", true, 2, 1080, 4, 2, 64, true},
      {"rectangle and triangle in order", false, 1, 700, 4, 1, 128, true},
      {"full", false, 2, 96, 4, 4, 64, false},
      {"full balanced", true, 2, 96, 4, 4, 64, false},
      {"window", true, 2, 128, 4, 2, 64, true, 40},
      {"window alone", true, 1, 64, 2, 2, 64, false, 40},
      {"odd", false, 2, 33, 2, 1, 64, true},
      {"all", true, 2, 64, 4, 2, 32, true, 20, true, true, true},
      {"f32", true, 2, 40, 4, 2, 20, true, 0, true, true, true, TERT_F32}};
  const int64_t ranks = options.mesh[0];
  runRanks(options, [&](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    for (const Case &c : cases) {
      SCOPED_TRACE(testing::Message() << c.name << " rank " << rank.rank);
      compare(c, rank, ranks);
    }
    // Nobody leaves before all have joined.
    const Tensor number = Tensor::scalar(1);
    OnGpu one(rank.context, number);
    EXPECT_EQ(tert_collective(rank.context, nullptr, 0, nullptr, 1, one,
                              TERT_ALL_REDUCE, /*async=*/0, 1),
              TERT_OK)
        << rank.error();
  });
}

INSTANTIATE_TEST_SUITE_P(Meshes, CudaAttentionPartTest,
                         testing::Values(std::vector<int32_t>{},
                                         std::vector<int32_t>{4}),
                         nameOfMesh);
