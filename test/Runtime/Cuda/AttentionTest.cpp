// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gpu.h"
#include "tert/device.h"

using namespace tert_test;

namespace {

class AttentionTest : public GpuTest {};

struct Case {
  int64_t batch, queries, keys, heads, kvHeads, dimension;
  bool causal;
  int32_t dtype;
};

/// Sizes in the order of `layout`.
std::vector<int64_t> ordered(int32_t layout, int64_t batch, int64_t sequence,
                             int64_t heads, int64_t dimension) {
  if (layout == TERT_BSHD)
    return {batch, sequence, heads, dimension};
  if (layout == TERT_BHSD)
    return {batch, heads, sequence, dimension};
  return {sequence, batch, heads, dimension};
}

} // namespace

TEST_F(AttentionTest, ForwardAndGradientMatchTheCpu) {
  const Case cases[] = {{2, 64, 64, 4, 4, 32, true, TERT_BF16},
                        {1, 200, 200, 4, 2, 64, true, TERT_BF16},
                        {2, 128, 128, 2, 2, 128, false, TERT_BF16},
                        {1, 64, 192, 2, 2, 64, true, TERT_BF16},
                        {2, 512, 700, 4, 2, 64, true, TERT_BF16},
                        {2, 90, 30, 2, 2, 64, true, TERT_BF16},
                        {1, 257, 129, 2, 2, 24, false, TERT_BF16},
                        {1, 130, 140, 2, 1, 80, true, TERT_BF16},
                        {3, 1, 300, 4, 1, 128, true, TERT_BF16},
                        {8, 300, 300, 24, 8, 64, true, TERT_BF16},
                        {1, 33, 33, 2, 1, 12, true, TERT_BF16},
                        {2, 40, 40, 4, 2, 32, true, TERT_F32},
                        {1, 5, 1, 1, 1, 8, true, TERT_F32},
                        {1, 50, 70, 3, 1, 20, false, TERT_F32}};
  for (const Case &c : cases)
    for (int32_t layout : {TERT_BSHD, TERT_BHSD, TERT_SBHD}) {
      SCOPED_TRACE(testing::Message()
                   << c.batch << " " << c.queries << " " << c.keys << " "
                   << c.heads << "/" << c.kvHeads << " " << c.dimension
                   << " causal " << c.causal << " dtype " << c.dtype
                   << " layout " << layout);
      auto queryLike = [&] {
        return Tensor(
            c.dtype, ordered(layout, c.batch, c.queries, c.heads, c.dimension));
      };
      auto keyLike = [&] {
        return Tensor(c.dtype,
                      ordered(layout, c.batch, c.keys, c.kvHeads, c.dimension));
      };
      Tensor q = queryLike(), k = keyLike(), v = keyLike(), dO = queryLike();
      Tensor o = queryLike(), dq = queryLike(), dk = keyLike(), dv = keyLike();
      Tensor lse(TERT_F32, {c.batch, c.heads, c.queries});
      q.randomize(1);
      k.randomize(2);
      v.randomize(3);
      dO.randomize(4);
      float scale = 1.0f / std::sqrt(float(c.dimension));
      OnGpu gq(gpu, q), gk(gpu, k), gv(gpu, v), gdO(gpu, dO), go(gpu, o),
          glse(gpu, lse), gdq(gpu, dq), gdk(gpu, dk), gdv(gpu, dv);
      ASSERT_EQ(tert_attention(gpu, nullptr, gq, gk, gv, nullptr, nullptr,
                               nullptr, go, glse, scale, c.causal, layout, 0,
                               0.0f),
                TERT_OK)
          << gpuError();
      ASSERT_EQ(tert_attention_grad(gpu, nullptr, gdO, gq, gk, gv, go, glse,
                                    nullptr, nullptr, nullptr, gdq, gdk, gdv,
                                    nullptr, nullptr, scale, c.causal, layout,
                                    0, 0.0f),
                TERT_OK)
          << gpuError();
      ASSERT_EQ(tert_attention(cpu, nullptr, q, k, v, nullptr, nullptr, nullptr,
                               o, lse, scale, c.causal, layout, 0, 0.0f),
                TERT_OK);
      ASSERT_EQ(tert_attention_grad(cpu, nullptr, dO, q, k, v, o, lse, nullptr,
                                    nullptr, nullptr, dq, dk, dv, nullptr,
                                    nullptr, scale, c.causal, layout, 0, 0.0f),
                TERT_OK);
      double bound = c.dtype == TERT_BF16 ? 1.2e-2 : 5e-6;
      EXPECT_LT(relativeError(go.read(), o), bound);
      EXPECT_LT(relativeError(glse.read(), lse),
                c.dtype == TERT_BF16 ? 1e-3 : 5e-6);
      EXPECT_LT(relativeError(gdq.read(), dq), bound);
      EXPECT_LT(relativeError(gdk.read(), dk), bound);
      EXPECT_LT(relativeError(gdv.read(), dv), bound);
    }
}

// The tiles of a kernel that a window crosses, and those that it hides.
TEST_F(AttentionTest, WindowsMatchTheCpu) {
  constexpr int64_t batch = 1, queries = 300, keys = 410, heads = 2;
  for (int64_t dimension : {64, 128})
    for (int64_t window : {1, 2, 63, 64, 100, 129, 300, 409, 410}) {
      SCOPED_TRACE(testing::Message() << dimension << " window " << window);
      Tensor q(TERT_BF16, {batch, queries, heads, dimension}), o = q, dO = q,
                                                               dq = q;
      Tensor k(TERT_BF16, {batch, keys, heads, dimension}), v = k, dk = k,
                                                            dv = k;
      Tensor lse(TERT_F32, {batch, heads, queries});
      q.randomize(1);
      k.randomize(2);
      v.randomize(3);
      dO.randomize(4);
      EXPECT_OK(cpu,
                tert_attention(cpu, nullptr, q, k, v, nullptr, nullptr, nullptr,
                               o, lse, 0.1f, true, TERT_BSHD, window, 0.0f));
      OnGpu gq(gpu, q), gk(gpu, k), gv(gpu, v), gdO(gpu, dO), go(gpu, o),
          glse(gpu, lse), gdq(gpu, dq), gdk(gpu, dk), gdv(gpu, dv);
      ASSERT_EQ(tert_attention_grad(gpu, nullptr, gdO, gq, gk, gv, go, glse,
                                    nullptr, nullptr, nullptr, gdq, gdk, gdv,
                                    nullptr, nullptr, 0.1f, true, TERT_BSHD,
                                    window, 0.0f),
                TERT_OK)
          << gpuError();
      EXPECT_OK(cpu, tert_attention_grad(cpu, nullptr, dO, q, k, v, o, lse,
                                         nullptr, nullptr, nullptr, dq, dk, dv,
                                         nullptr, nullptr, 0.1f, true,
                                         TERT_BSHD, window, 0.0f));
      // With one key a query has no gradient: its probability is 1.
      if (window > 1) {
        EXPECT_LT(relativeError(gdq.read(), dq), 1.2e-2);
        EXPECT_LT(relativeError(gdk.read(), dk), 1.2e-2);
      }
      EXPECT_LT(relativeError(gdv.read(), dv), 1.2e-2);
    }
}

// Queries, keys and values of a joined layer, and gradients that are parts of
// its gradient: only what belongs to them is written.
TEST_F(AttentionTest, PartsOfJoinedTensorsAgree) {
  constexpr int64_t batch = 2, sequence = 200, heads = 3, dimension = 64;
  const std::vector<int64_t> sizes = {batch, sequence, heads, dimension},
                             joined = {batch, sequence, 3 * heads, dimension};
  Tensor qkv(TERT_BF16, joined), dO(TERT_BF16, sizes),
      lse(TERT_F32, {batch, heads, sequence});
  qkv.randomize(1);
  dO.randomize(2);
  auto partOf = [&](const OnGpu &whole, int64_t index, tert_layout &layout) {
    const tert_tensor &tensor = *static_cast<const tert_tensor *>(whole);
    layout = *tensor.layout;
    layout.sizes[2] = heads;
    return tert_tensor{static_cast<char *>(tensor.data) +
                           index * heads * dimension * 2,
                       &layout};
  };
  auto copyOf = [&](const Tensor &whole, int64_t index) {
    Tensor part(TERT_BF16, sizes);
    const int64_t row = heads * dimension;
    for (int64_t i = 0; i < batch * sequence; ++i)
      for (int64_t j = 0; j < row; ++j)
        part.set(i * row + j, whole.at((3 * i + index) * row + j));
    return part;
  };
  Tensor apart[] = {copyOf(qkv, 0), copyOf(qkv, 1), copyOf(qkv, 2)};
  OnGpu gqkv(gpu, qkv), gdqkv(gpu, qkv), gdO(gpu, dO), go(gpu, dO),
      glse(gpu, lse), gq(gpu, apart[0]), gk(gpu, apart[1]), gv(gpu, apart[2]),
      gdq(gpu, dO), gdk(gpu, dO), gdv(gpu, dO);
  ASSERT_EQ(tert_attention(gpu, nullptr, gq, gk, gv, nullptr, nullptr, nullptr,
                           go, glse, 0.125f, true, TERT_BSHD, 0, 0.0f),
            TERT_OK)
      << gpuError();
  ASSERT_EQ(tert_attention_grad(gpu, nullptr, gdO, gq, gk, gv, go, glse,
                                nullptr, nullptr, nullptr, gdq, gdk, gdv,
                                nullptr, nullptr, 0.125f, true, TERT_BSHD, 0,
                                0.0f),
            TERT_OK)
      << gpuError();
  tert_layout layouts[6];
  const tert_tensor q = partOf(gqkv, 0, layouts[0]),
                    k = partOf(gqkv, 1, layouts[1]),
                    v = partOf(gqkv, 2, layouts[2]),
                    dq = partOf(gdqkv, 0, layouts[3]),
                    dk = partOf(gdqkv, 1, layouts[4]),
                    dv = partOf(gdqkv, 2, layouts[5]);
  ASSERT_EQ(tert_attention_grad(gpu, nullptr, gdO, &q, &k, &v, go, glse,
                                nullptr, nullptr, nullptr, &dq, &dk, &dv,
                                nullptr, nullptr, 0.125f, true, TERT_BSHD, 0,
                                0.0f),
            TERT_OK)
      << gpuError();
  const Tensor together = gdqkv.read();
  EXPECT_TRUE(copyOf(together, 0).sameBits(gdq.read()));
  EXPECT_TRUE(copyOf(together, 1).sameBits(gdk.read()));
  EXPECT_TRUE(copyOf(together, 2).sameBits(gdv.read()));
}

// What acts on scores: windows through cuDNN where it takes them, everything
// else in plain kernels.
TEST_F(AttentionTest, ScoreOptionsMatchTheCpu) {
  struct Options {
    const char *name;
    bool causal;
    int64_t window;
    float softcap;
    std::vector<int64_t> bias; ///< its shape; empty for none
    bool lengths, sinks;
  };
  constexpr int64_t batch = 2, queries = 72, keys = 72, heads = 4, kvHeads = 2,
                    dimension = 32;
  const Options all[] = {
      {"window", true, 20, 0, {}, false, false},
      {"wide window", true, 500, 0, {}, false, false},
      {"window alone", false, 20, 0, {}, false, false},
      {"softcap", true, 0, 5.0f, {}, false, false},
      {"gemma", true, 20, 5.0f, {}, false, false},
      {"bias", false, 0, 0, {2, 4, 72, 72}, false, false},
      {"bias of heads", true, 0, 0, {1, 4, 72, 72}, false, false},
      {"bias of keys", true, 0, 0, {2, 1, 1, 72}, false, false},
      {"lengths", true, 0, 0, {}, true, false},
      {"sinks", true, 0, 0, {}, false, true},
      {"all", true, 20, 5.0f, {1, 4, 1, 72}, true, true}};
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (const Options &c : all) {
      SCOPED_TRACE(testing::Message() << c.name << " dtype " << dtype);
      Tensor q(dtype, {batch, queries, heads, dimension}), o = q, dO = q,
                                                           dq = q;
      Tensor k(dtype, {batch, keys, kvHeads, dimension}), v = k, dk = k, dv = k;
      Tensor lse(TERT_F32, {batch, heads, queries}), lengths(TERT_I64, {batch}),
          sinks(TERT_F32, {heads}), dsinks = sinks;
      std::vector<int64_t> biasShape =
          c.bias.empty() ? std::vector<int64_t>{1, 1, 1, keys} : c.bias;
      Tensor bias(dtype, biasShape), dbias(TERT_F32, biasShape);
      q.randomize(1);
      k.randomize(2);
      v.randomize(3);
      dO.randomize(4);
      bias.randomize(5, 2.0);
      sinks.randomize(6);
      lengths.set(0, 0);
      lengths.set(1, 50);
      OnGpu gq(gpu, q), gk(gpu, k), gv(gpu, v), gdO(gpu, dO), go(gpu, o),
          glse(gpu, lse), gdq(gpu, dq), gdk(gpu, dk), gdv(gpu, dv),
          gbias(gpu, bias), gdbias(gpu, dbias), glengths(gpu, lengths),
          gsinks(gpu, sinks), gdsinks(gpu, dsinks);
      auto given = [](bool isThere, const tert_tensor *tensor) {
        return isThere ? tensor : nullptr;
      };
      bool hasBias = !c.bias.empty();
      float scale = 0.5f;
      ASSERT_EQ(tert_attention(gpu, nullptr, gq, gk, gv, given(hasBias, gbias),
                               given(c.lengths, glengths),
                               given(c.sinks, gsinks), go, glse, scale,
                               c.causal, TERT_BSHD, c.window, c.softcap),
                TERT_OK)
          << gpuError();
      ASSERT_EQ(
          tert_attention_grad(gpu, nullptr, gdO, gq, gk, gv, go, glse,
                              given(hasBias, gbias), given(c.lengths, glengths),
                              given(c.sinks, gsinks), gdq, gdk, gdv,
                              given(hasBias, gdbias), given(c.sinks, gdsinks),
                              scale, c.causal, TERT_BSHD, c.window, c.softcap),
          TERT_OK)
          << gpuError();
      ASSERT_EQ(tert_attention(cpu, nullptr, q, k, v, given(hasBias, bias),
                               given(c.lengths, lengths), given(c.sinks, sinks),
                               o, lse, scale, c.causal, TERT_BSHD, c.window,
                               c.softcap),
                TERT_OK);
      ASSERT_EQ(tert_attention_grad(
                    cpu, nullptr, dO, q, k, v, o, lse, given(hasBias, bias),
                    given(c.lengths, lengths), given(c.sinks, sinks), dq, dk,
                    dv, given(hasBias, dbias), given(c.sinks, dsinks), scale,
                    c.causal, TERT_BSHD, c.window, c.softcap),
                TERT_OK);
      double bound = dtype == TERT_BF16 ? 1.2e-2 : 5e-6;
      EXPECT_LT(relativeError(go.read(), o), bound);
      EXPECT_LT(relativeError(gdq.read(), dq), bound);
      EXPECT_LT(relativeError(gdk.read(), dk), bound);
      EXPECT_LT(relativeError(gdv.read(), dv), bound);
      if (hasBias)
        EXPECT_LT(relativeError(gdbias.read(), dbias), bound);
      if (c.sinks)
        EXPECT_LT(relativeError(gdsinks.read(), dsinks), bound);
      Tensor statistics = glse.read();
      for (int64_t i = 0; i < lse.numElements(); ++i)
        if (std::isinf(lse.at(i)))
          ASSERT_EQ(statistics.at(i), lse.at(i)) << i;
        else
          ASSERT_NEAR(statistics.at(i), lse.at(i), 1e-2) << i;
    }
}

// Ranks that share a sequence have pieces of it with keys in front of them. The
// terms of all pieces of all ranks add up to the gradient of the whole.
TEST_F(AttentionTest, PiecesOfASequenceAddUpToItsGradient) {
  // Long enough for cuDNN in the context that adds in any order.
  constexpr int64_t batch = 2, heads = 2, kvHeads = 1, dimension = 128;
  constexpr float scale = 0.1f;
  char message[1024] = "";
  tert_options options = {0, 1};
  tert_context *nondeterministic = nullptr;
  tert_open("cuda:0", &options, &nondeterministic, message, sizeof(message));
  ASSERT_NE(nondeterministic, nullptr) << message;
  for (int64_t ranks : {2, 3, 4}) {
    const int64_t half = 520, sequence = 2 * ranks * half;
    std::vector<int64_t> sizes = {batch, sequence, heads, dimension},
                         kvSizes = {batch, sequence, kvHeads, dimension};
    Tensor q(TERT_BF16, sizes), k(TERT_BF16, kvSizes), v(TERT_BF16, kvSizes),
        dO(TERT_BF16, sizes), o(q), dq(q), dk(k), dv(v),
        lse(TERT_F32, {batch, heads, sequence});
    q.randomize(1);
    k.randomize(2);
    v.randomize(3);
    dO.randomize(4);
    EXPECT_OK(cpu,
              tert_attention(cpu, nullptr, q, k, v, nullptr, nullptr, nullptr,
                             o, lse, scale, true, TERT_BSHD, 0, 0.0f));
    EXPECT_OK(cpu,
              tert_attention_grad(cpu, nullptr, dO, q, k, v, o, lse, nullptr,
                                  nullptr, nullptr, dq, dk, dv, nullptr,
                                  nullptr, scale, true, TERT_BSHD, 0, 0.0f));
    for (tert_context *context : {gpu, nondeterministic}) {
      OnGpu gq(context, q), gk(context, k), gv(context, v), gdO(context, dO),
          go(context, o), glse(context, lse), gdq(context, q), gdk(context, k),
          gdv(context, v);
      Tensor dkSum(TERT_F32, kvSizes), dvSum(TERT_F32, kvSizes);
      for (Tensor *sum : {&dkSum, &dvSum})
        sum->fill([](int64_t) { return 0; });
      auto runPiece = [&](int64_t position, int64_t count) {
        SCOPED_TRACE(testing::Message() << ranks << " ranks, " << count
                                        << " queries from " << position);
        const int64_t keys = position + count;
        auto cut = [](const OnGpu &whole, int32_t dim, int64_t first,
                      int64_t size, tert_layout &layout) {
          const tert_tensor &tensor = *static_cast<const tert_tensor *>(whole);
          layout = *tensor.layout;
          layout.sizes[dim] = size;
          return tert_tensor{static_cast<char *>(tensor.data) +
                                 first * layout.strides[dim] *
                                     (layout.dtype == TERT_F32 ? 4 : 2),
                             &layout};
        };
        tert_layout layouts[9];
        const tert_tensor pieceQ = cut(gq, 1, position, count, layouts[0]),
                          pieceK = cut(gk, 1, 0, keys, layouts[1]),
                          pieceV = cut(gv, 1, 0, keys, layouts[2]),
                          pieceO = cut(go, 1, position, count, layouts[3]),
                          pieceLse = cut(glse, 2, position, count, layouts[4]),
                          pieceDO = cut(gdO, 1, position, count, layouts[5]),
                          pieceDq = cut(gdq, 1, position, count, layouts[6]),
                          pieceDk = cut(gdk, 1, 0, keys, layouts[7]),
                          pieceDv = cut(gdv, 1, 0, keys, layouts[8]);
        ASSERT_EQ(tert_attention_grad(context, nullptr, &pieceDO, &pieceQ,
                                      &pieceK, &pieceV, &pieceO, &pieceLse,
                                      nullptr, nullptr, nullptr, &pieceDq,
                                      &pieceDk, &pieceDv, nullptr, nullptr,
                                      scale, true, TERT_BSHD, 0, 0.0f),
                  TERT_OK)
            << tert_last_error(context);
        auto add = [&](const OnGpu &term, Tensor &sum) {
          const Tensor values = term.read();
          const int64_t row = kvHeads * dimension;
          for (int64_t b = 0; b < batch; ++b)
            for (int64_t i = 0; i < keys * row; ++i) {
              const int64_t at = b * sequence * row + i;
              sum.set(at, sum.at(at) + values.at(at));
            }
        };
        add(gdk, dkSum);
        add(gdv, dvSum);
      };
      // Of the first rank and of those between, whose pieces are apart, and of
      // the last, which has one.
      for (int64_t rank = 0; rank < ranks - 1; ++rank) {
        runPiece((2 * ranks - 1 - rank) * half, half);
        runPiece(rank * half, half);
      }
      runPiece((ranks - 1) * half, 2 * half);
      EXPECT_LT(relativeError(gdq.read(), dq), 1.2e-2) << ranks;
      EXPECT_LT(relativeError(dkSum, dk), 1.2e-2) << ranks;
      EXPECT_LT(relativeError(dvSum, dv), 1.2e-2) << ranks;
      const char *notice = nullptr;
      EXPECT_FALSE(tert_read_notice(context, 0, &notice) == TERT_OK && notice)
          << notice;
    }
  }
  tert_close(nondeterministic);
}

// Of many keys in heads of 128, which cuDNN computes if any order will do.
TEST_F(AttentionTest, NondeterministicGradientsAgree) {
  tert_options options = {};
  options.nondeterministic = 1;
  char message[1024] = "";
  tert_context *any = nullptr;
  ASSERT_EQ(tert_open("cuda:0", &options, &any, message, sizeof(message)),
            TERT_OK)
      << message;
  std::vector<int64_t> sizes = {1, 4224, 2, 128};
  Tensor q(TERT_BF16, sizes), k(TERT_BF16, sizes), v(TERT_BF16, sizes),
      dO(TERT_BF16, sizes), lse(TERT_F32, {1, 2, 4224});
  q.randomize(1);
  k.randomize(2);
  v.randomize(3);
  dO.randomize(4);
  std::vector<Tensor> gradients;
  for (tert_context *context : {gpu, any}) {
    OnGpu gq(context, q), gk(context, k), gv(context, v), gdO(context, dO),
        go(context, q), glse(context, lse), dq(context, q), dk(context, k),
        dv(context, v);
    EXPECT_EQ(tert_attention(context, nullptr, gq, gk, gv, nullptr, nullptr,
                             nullptr, go, glse, 0.125f, true, TERT_BSHD, 0,
                             0.0f),
              TERT_OK)
        << tert_last_error(context);
    EXPECT_EQ(tert_attention_grad(context, nullptr, gdO, gq, gk, gv, go, glse,
                                  nullptr, nullptr, nullptr, dq, dk, dv,
                                  nullptr, nullptr, 0.125f, true, TERT_BSHD, 0,
                                  0.0f),
              TERT_OK)
        << tert_last_error(context);
    for (const OnGpu *gradient : {&dq, &dk, &dv})
      gradients.push_back(gradient->read());
  }
  tert_close(any);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_LT(relativeError(gradients[i + 3], gradients[i]), 2e-3) << i;
}

// cuDNN wants the statistics without gaps, and does not meet those of the
// caller.
TEST_F(AttentionTest, StatisticsMayHaveGaps) {
  std::vector<int64_t> sizes = {2, 200, 4, 64};
  Tensor q(TERT_BF16, sizes), k(TERT_BF16, sizes), v(TERT_BF16, sizes),
      dO(TERT_BF16, sizes), lse(TERT_F32, {2, 4, 200}),
      apart(TERT_F32, {2, 4, 200}, /*rowGap=*/8);
  q.randomize(1);
  k.randomize(2);
  v.randomize(3);
  dO.randomize(4);
  auto run = [&](const Tensor &statistics) {
    OnGpu gq(gpu, q), gk(gpu, k), gv(gpu, v), gdO(gpu, dO), go(gpu, q),
        glse(gpu, statistics), gdq(gpu, q), gdk(gpu, k), gdv(gpu, v);
    EXPECT_EQ(tert_attention(gpu, nullptr, gq, gk, gv, nullptr, nullptr,
                             nullptr, go, glse, 0.125f, true, TERT_BSHD, 0,
                             0.0f),
              TERT_OK)
        << gpuError();
    EXPECT_EQ(tert_attention_grad(gpu, nullptr, gdO, gq, gk, gv, go, glse,
                                  nullptr, nullptr, nullptr, gdq, gdk, gdv,
                                  nullptr, nullptr, 0.125f, true, TERT_BSHD, 0,
                                  0.0f),
              TERT_OK)
        << gpuError();
    return std::vector<Tensor>{go.read(), glse.read(), gdq.read(), gdk.read(),
                               gdv.read()};
  };
  std::vector<Tensor> together = run(lse), gaps = run(apart);
  for (size_t i = 0; i < gaps.size(); ++i)
    EXPECT_TRUE(gaps[i].sameBits(together[i])) << i;
  gaps[1].checkGaps();
  const char *notice = nullptr;
  EXPECT_FALSE(tert_read_notice(gpu, 0, &notice) == TERT_OK && notice)
      << notice;
}

// What cuDNN does not do is right as well, and the person at the keyboard
// learns why it takes so long.
TEST_F(AttentionTest, PlainKernelsAreNamed) {
  auto notices = [&] {
    std::vector<std::string> texts;
    const char *notice = nullptr;
    for (size_t i = 0; tert_read_notice(gpu, i, &notice) == TERT_OK && notice;
         ++i)
      texts.push_back(notice);
    return texts;
  };
  EXPECT_TRUE(notices().empty());
  std::vector<int64_t> sizes = {2, 40, 2, 264};
  Tensor q(TERT_BF16, sizes), k(TERT_BF16, sizes), v(TERT_BF16, sizes),
      dO(TERT_BF16, sizes), o(TERT_BF16, sizes), dq(TERT_BF16, sizes),
      dk(TERT_BF16, sizes), dv(TERT_BF16, sizes), lse(TERT_F32, {2, 2, 40});
  q.randomize(1);
  k.randomize(2);
  v.randomize(3);
  dO.randomize(4);
  ASSERT_EQ(tert_attention(cpu, nullptr, q, k, v, nullptr, nullptr, nullptr, o,
                           lse, 0.125f, true, TERT_BSHD, 0, 0.0f),
            TERT_OK);
  ASSERT_EQ(tert_attention_grad(cpu, nullptr, dO, q, k, v, o, lse, nullptr,
                                nullptr, nullptr, dq, dk, dv, nullptr, nullptr,
                                0.125f, true, TERT_BSHD, 0, 0.0f),
            TERT_OK);
  OnGpu gq(gpu, q), gk(gpu, k), gv(gpu, v), gdO(gpu, dO), go(gpu, o),
      glse(gpu, lse), gdq(gpu, q), gdk(gpu, k), gdv(gpu, v);
  for (int run = 0; run < 2; ++run)
    ASSERT_EQ(tert_attention_grad(gpu, nullptr, gdO, gq, gk, gv, go, glse,
                                  nullptr, nullptr, nullptr, gdq, gdk, gdv,
                                  nullptr, nullptr, 0.125f, true, TERT_BSHD, 0,
                                  0.0f),
              TERT_OK)
        << gpuError();
  EXPECT_LT(relativeError(gdq.read(), dq), 1.2e-2);
  EXPECT_LT(relativeError(gdk.read(), dk), 1.2e-2);
  EXPECT_LT(relativeError(gdv.read(), dv), 1.2e-2);
  ASSERT_EQ(notices().size(), 1u); // of two calls
  for (const char *part : {"the gradient of attention over a batch of 2",
                           "2 heads (2 of keys) of 264", "cuDNN refuses it: "})
    EXPECT_NE(notices()[0].find(part), std::string::npos) << notices()[0];
}
