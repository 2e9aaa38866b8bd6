// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"

#include <array>

using namespace tert_test;

namespace {

struct Case {
  const char *name;
  int64_t batch, heads, kvHeads, querySize, keySize, headDim;
  int32_t causal;
  int32_t layout = TERT_BSHD;
  int32_t dtype = TERT_F32;
};

/// Sizes [B, S, H, D] in the order of `layout`.
std::vector<int64_t> ordered(int32_t layout, int64_t batch, int64_t sequence,
                             int64_t heads, int64_t dim) {
  switch (layout) {
  case TERT_BSHD:
    return {batch, sequence, heads, dim};
  case TERT_BHSD:
    return {batch, heads, sequence, dim};
  default:
    return {sequence, batch, heads, dim};
  }
}

/// Index of (b, s, h, d) in row-major order of the sizes of `layout`.
struct Indexer {
  int32_t layout;
  int64_t batch, sequence, heads, dim;

  int64_t operator()(int64_t b, int64_t s, int64_t h, int64_t d) const {
    switch (layout) {
    case TERT_BSHD:
      return ((b * sequence + s) * heads + h) * dim + d;
    case TERT_BHSD:
      return ((b * heads + h) * sequence + s) * dim + d;
    default:
      return ((s * batch + b) * heads + h) * dim + d;
    }
  }
};

struct Reference {
  std::vector<double> o, lse, dq, dk, dv;
};

/// Attention by its definition; the gradient of sum(o * dO) when dO is there,
/// where the gradient of the softmax uses the output `stored`, which may have
/// been rounded to bf16.
Reference attention(const Case &c, const std::vector<double> &q,
                    const std::vector<double> &k, const std::vector<double> &v,
                    double scale, const std::vector<double> *dO = nullptr,
                    const std::vector<double> *stored = nullptr) {
  Indexer atQ{c.layout, c.batch, c.querySize, c.heads, c.headDim};
  Indexer atK{c.layout, c.batch, c.keySize, c.kvHeads, c.headDim};
  Reference r{std::vector<double>(q.size(), 0.0),
              std::vector<double>(c.batch * c.heads * c.querySize),
              std::vector<double>(q.size(), 0.0),
              std::vector<double>(k.size(), 0.0),
              std::vector<double>(v.size(), 0.0)};
  std::vector<double> p(c.keySize), dP(c.keySize);
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t h = 0; h < c.heads; ++h) {
      int64_t kv = h / (c.heads / c.kvHeads);
      for (int64_t i = 0; i < c.querySize; ++i) {
        int64_t visible =
            c.causal ? std::clamp<int64_t>(i + c.keySize - c.querySize + 1, 0,
                                           c.keySize)
                     : c.keySize;
        double largest = -INFINITY, sum = 0;
        for (int64_t j = 0; j < visible; ++j) {
          p[j] = 0;
          for (int64_t d = 0; d < c.headDim; ++d)
            p[j] += scale * q[atQ(b, i, h, d)] * k[atK(b, j, kv, d)];
          largest = std::max(largest, p[j]);
        }
        for (int64_t j = 0; j < visible; ++j)
          sum += p[j] = std::exp(p[j] - largest);
        r.lse[(b * c.heads + h) * c.querySize + i] =
            visible ? largest + std::log(sum) : -INFINITY;
        double delta = 0;
        for (int64_t j = 0; j < visible; ++j) {
          p[j] /= sum;
          dP[j] = 0;
          for (int64_t d = 0; d < c.headDim; ++d) {
            double value = v[atK(b, j, kv, d)];
            r.o[atQ(b, i, h, d)] += p[j] * value;
            if (dO) {
              dP[j] += (*dO)[atQ(b, i, h, d)] * value;
              r.dv[atK(b, j, kv, d)] += p[j] * (*dO)[atQ(b, i, h, d)];
            }
          }
        }
        if (!dO)
          continue;
        for (int64_t d = 0; d < c.headDim; ++d)
          delta += (*dO)[atQ(b, i, h, d)] * (*stored)[atQ(b, i, h, d)];
        for (int64_t j = 0; j < visible; ++j) {
          double dS = p[j] * (dP[j] - delta) * scale;
          for (int64_t d = 0; d < c.headDim; ++d) {
            r.dq[atQ(b, i, h, d)] += dS * k[atK(b, j, kv, d)];
            r.dk[atK(b, j, kv, d)] += dS * q[atQ(b, i, h, d)];
          }
        }
      }
    }
  return r;
}

class AttentionTest : public testing::TestWithParam<Case> {
protected:
  Case c = GetParam();
  Context context;
  float scale = 1 / std::sqrt(float(c.headDim));

  Tensor queryLike(int64_t gap = 0) const {
    return Tensor(c.dtype,
                  ordered(c.layout, c.batch, c.querySize, c.heads, c.headDim),
                  gap);
  }
  Tensor keyLike(int64_t gap = 0) const {
    return Tensor(c.dtype,
                  ordered(c.layout, c.batch, c.keySize, c.kvHeads, c.headDim),
                  gap);
  }
  Tensor lseLike() const {
    return Tensor(TERT_F32, {c.batch, c.heads, c.querySize});
  }
};

std::string caseName(const testing::TestParamInfo<Case> &info) {
  return info.param.name;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(
    Shapes, AttentionTest,
    testing::Values(
        Case{"one_position", 1, 1, 1, 1, 1, 8, 0},
        Case{"square", 2, 3, 3, 64, 64, 32, 0},
        Case{"causal", 2, 2, 2, 100, 100, 64, 1},
        Case{"head_dim_20", 1, 2, 2, 37, 53, 20, 0},
        Case{"head_dim_1", 1, 2, 1, 9, 11, 1, 1},
        Case{"head_dim_128", 1, 2, 2, 70, 70, 128, 1},
        Case{"more_keys_causal", 1, 2, 2, 30, 90, 16, 1},
        Case{"fewer_keys_causal", 1, 2, 2, 90, 30, 16, 1},
        Case{"one_query", 3, 2, 1, 1, 300, 64, 1},
        Case{"grouped", 2, 6, 2, 50, 70, 24, 1},
        Case{"multi_query_bhsd", 2, 4, 1, 65, 65, 32, 1, TERT_BHSD},
        Case{"sbhd", 2, 3, 3, 49, 47, 40, 0, TERT_SBHD},
        Case{"bf16", 2, 4, 2, 100, 100, 64, 1, TERT_BSHD, TERT_BF16},
        Case{"bf16_sbhd", 2, 2, 2, 60, 31, 20, 0, TERT_SBHD, TERT_BF16},
        Case{"spans", 1, 2, 1, 300, 530, 16, 1},
        Case{"long", 1, 1, 1, 1100, 1100, 32, 1},
        Case{"long_full_bhsd", 1, 1, 1, 700, 1100, 16, 0, TERT_BHSD}),
    caseName);

TEST_P(AttentionTest, AgreesWithFormula) {
  // Gaps between rows, as in tensors that are parts of others.
  Tensor q = queryLike(4), k = keyLike(8), v = keyLike(2), o = queryLike(1),
         lse = lseLike(), dO = queryLike(3), dq = queryLike(5), dk = keyLike(7),
         dv = keyLike(9);
  q.randomize(1, 1.5);
  k.randomize(2, 1.5);
  v.randomize(3);
  dO.randomize(4);
  Reference expected =
      attention(c, valuesOf(q), valuesOf(k), valuesOf(v), scale);
  EXPECT_OK(context,
            tert_attention(context, nullptr, q, k, v, nullptr, nullptr, nullptr,
                           o, lse, scale, c.causal, c.layout, 0, 0.0f));
  expectClose(o, expected.o, 3e-6, "o");
  for (size_t i = 0; i < expected.lse.size(); ++i)
    if (std::isinf(expected.lse[i]))
      ASSERT_EQ(lse.at(i), -INFINITY) << i;
    else
      ASSERT_NEAR(lse.at(i), expected.lse[i], 1e-5) << i;

  std::vector<double> cotangent = valuesOf(dO), stored = valuesOf(o);
  expected = attention(c, valuesOf(q), valuesOf(k), valuesOf(v), scale,
                       &cotangent, &stored);
  EXPECT_OK(context,
            tert_attention_grad(context, nullptr, dO, q, k, v, o, lse, nullptr,
                                nullptr, nullptr, dq, dk, dv, nullptr, nullptr,
                                scale, c.causal, c.layout, 0, 0.0f));
  expectClose(dq, expected.dq, 2e-5, "dq");
  expectClose(dk, expected.dk, 2e-5, "dk");
  expectClose(dv, expected.dv, 2e-5, "dv");
}

TEST_P(AttentionTest, ThreadsDoNotMatter) {
  Tensor q = queryLike(), k = keyLike(), v = keyLike(), dO = queryLike();
  q.randomize(1);
  k.randomize(2);
  v.randomize(3);
  dO.randomize(4);
  auto run = [&](int threads) {
    Context pool(threads);
    std::vector<Tensor> r = {queryLike(), lseLike(), queryLike(), keyLike(),
                             keyLike()};
    EXPECT_OK(pool,
              tert_attention(pool, nullptr, q, k, v, nullptr, nullptr, nullptr,
                             r[0], r[1], scale, c.causal, c.layout, 0, 0.0f));
    EXPECT_OK(pool, tert_attention_grad(pool, nullptr, dO, q, k, v, r[0], r[1],
                                        nullptr, nullptr, nullptr, r[2], r[3],
                                        r[4], nullptr, nullptr, scale, c.causal,
                                        c.layout, 0, 0.0f));
    return r;
  };
  std::vector<Tensor> one = run(1), three = run(3);
  for (size_t i = 0; i < one.size(); ++i)
    EXPECT_TRUE(one[i].sameBits(three[i])) << i;
}

TEST(AttentionGradTest, AgreesWithFiniteDifferences) {
  Context context;
  Case c{"", 1, 2, 1, 4, 6, 3, 1};
  Tensor q(TERT_F32, {1, 4, 2, 3}), o = q, dO = q, dq = q;
  Tensor k(TERT_F32, {1, 6, 1, 3}), v = k, dk = k, dv = k;
  Tensor lse(TERT_F32, {1, 2, 4});
  q.randomize(1);
  k.randomize(2);
  v.randomize(3);
  dO.randomize(4);
  EXPECT_OK(context,
            tert_attention(context, nullptr, q, k, v, nullptr, nullptr, nullptr,
                           o, lse, 0.7f, 1, TERT_BSHD, 0, 0.0f));
  EXPECT_OK(context,
            tert_attention_grad(context, nullptr, dO, q, k, v, o, lse, nullptr,
                                nullptr, nullptr, dq, dk, dv, nullptr, nullptr,
                                0.7f, 1, TERT_BSHD, 0, 0.0f));
  std::array<std::vector<double>, 3> inputs = {valuesOf(q), valuesOf(k),
                                               valuesOf(v)};
  const Tensor *gradients[] = {&dq, &dk, &dv};
  for (size_t which = 0; which < 3; ++which)
    expectClose(*gradients[which],
                finiteDifferences(inputs[which],
                                  [&](const std::vector<double> &x) {
                                    std::array<std::vector<double>, 3> at =
                                        inputs;
                                    at[which] = x;
                                    Reference r =
                                        attention(c, at[0], at[1], at[2], 0.7f);
                                    double sum = 0;
                                    for (size_t i = 0; i < r.o.size(); ++i)
                                      sum += r.o[i] * dO.at(i);
                                    return sum;
                                  }),
                5e-6, "input " + std::to_string(which));
}

/// q, k and v as parts of one [B, S, 3 * H * D] projection, gradients likewise.
TEST(AttentionPackedTest, NeedsNoCopies) {
  Context context;
  const int64_t batch = 2, sequence = 70, heads = 3, dim = 16;
  for (int32_t dtype : {TERT_F32, TERT_BF16}) {
    Tensor packed(dtype, {batch, sequence, 3 * heads * dim});
    Tensor dPacked = packed;
    packed.randomize(1);
    tert_layout part = {};
    part.dtype = dtype;
    part.rank = 4;
    const int64_t sizes[] = {batch, sequence, heads, dim};
    const int64_t strides[] = {sequence * 3 * heads * dim, 3 * heads * dim, dim,
                               1};
    std::copy_n(sizes, 4, part.sizes);
    std::copy_n(strides, 4, part.strides);
    auto partOf = [&](const Tensor &whole, int64_t index) {
      return tert_tensor{static_cast<char *>(whole.data()) +
                             index * heads * dim * bytesOf(dtype),
                         &part};
    };
    tert_tensor q = partOf(packed, 0), k = partOf(packed, 1),
                v = partOf(packed, 2), dq = partOf(dPacked, 0),
                dk = partOf(dPacked, 1), dv = partOf(dPacked, 2);
    Tensor o(dtype, {batch, sequence, heads, dim}), dO = o;
    Tensor lse(TERT_F32, {batch, heads, sequence});
    dO.randomize(2);
    EXPECT_OK(context,
              tert_attention(context, nullptr, &q, &k, &v, nullptr, nullptr,
                             nullptr, o, lse, 0.25f, 1, TERT_BSHD, 0, 0.0f));
    EXPECT_OK(context, tert_attention_grad(context, nullptr, dO, &q, &k, &v, o,
                                           lse, nullptr, nullptr, nullptr, &dq,
                                           &dk, &dv, nullptr, nullptr, 0.25f, 1,
                                           TERT_BSHD, 0, 0.0f));

    Case c{"", batch, heads, heads, sequence, sequence, dim, 1};
    std::array<std::vector<double>, 3> inputs;
    for (int64_t i = 0; i < packed.numElements(); ++i)
      inputs[i / (heads * dim) % 3].push_back(packed.at(i));
    std::vector<double> cotangent = valuesOf(dO), stored = valuesOf(o);
    Reference r = attention(c, inputs[0], inputs[1], inputs[2], 0.25,
                            &cotangent, &stored);
    std::vector<double> gradients;
    expectClose(o, r.o, 3e-6, "o");
    for (int64_t row = 0; row < batch * sequence; ++row)
      for (const std::vector<double> *gradient : {&r.dq, &r.dk, &r.dv})
        gradients.insert(gradients.end(), gradient->begin() + row * heads * dim,
                         gradient->begin() + (row + 1) * heads * dim);
    expectClose(dPacked, gradients, 2e-5, "gradients");
  }
}

TEST(AttentionRangeTest, LargeScoresDoNotOverflow) {
  Context context;
  Tensor q(TERT_F32, {1, 3, 1, 4}), k(TERT_F32, {1, 300, 1, 4}), v = k;
  Tensor o = q, lse(TERT_F32, {1, 1, 3});
  // Scores rise by 40 from key to key up to 12000: the last one wins.
  q.fill([](int64_t) { return 10; });
  k.fill([](int64_t i) { return double(i / 4); });
  v.fill([](int64_t i) { return double(i / 4); });
  EXPECT_OK(context,
            tert_attention(context, nullptr, q, k, v, nullptr, nullptr, nullptr,
                           o, lse, 1.0f, 0, TERT_BSHD, 0, 0.0f));
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_NEAR(o.at(i), 299, 1e-3);
  EXPECT_NEAR(lse.at(0), 299 * 40.0, 1e-3);
  // And the same with the largest score first.
  q.fill([](int64_t) { return -10; });
  EXPECT_OK(context,
            tert_attention(context, nullptr, q, k, v, nullptr, nullptr, nullptr,
                           o, lse, 1.0f, 0, TERT_BSHD, 0, 0.0f));
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_NEAR(o.at(i), 0, 1e-6);
  q.set(4, NAN);
  EXPECT_OK(context,
            tert_attention(context, nullptr, q, k, v, nullptr, nullptr, nullptr,
                           o, lse, 1.0f, 0, TERT_BSHD, 0, 0.0f));
  EXPECT_TRUE(std::isnan(o.at(4)));
  EXPECT_FALSE(std::isnan(o.at(0)));
}

TEST(AttentionEmptyTest, NothingToDo) {
  Context context;
  Tensor q(TERT_F32, {2, 0, 3, 8}), k(TERT_F32, {2, 5, 3, 8});
  Tensor dk = k, dv = k, lse(TERT_F32, {2, 3, 0});
  EXPECT_OK(context,
            tert_attention(context, nullptr, q, k, k, nullptr, nullptr, nullptr,
                           q, lse, 1.0f, 1, TERT_BSHD, 0, 0.0f));
  EXPECT_OK(context,
            tert_attention_grad(context, nullptr, q, q, k, k, q, lse, nullptr,
                                nullptr, nullptr, q, dk, dv, nullptr, nullptr,
                                1.0f, 1, TERT_BSHD, 0, 0.0f));
  expectClose(dk, std::vector<double>(dk.numElements(), 0.0), 0, "dk");
  // No keys: outputs are zero.
  Tensor q2(TERT_F32, {1, 3, 2, 8}), o2 = q2, none(TERT_F32, {1, 0, 2, 8});
  Tensor dq2 = q2, lse2(TERT_F32, {1, 2, 3});
  q2.randomize(1);
  EXPECT_OK(context,
            tert_attention(context, nullptr, q2, none, none, nullptr, nullptr,
                           nullptr, o2, lse2, 1.0f, 0, TERT_BSHD, 0, 0.0f));
  expectClose(o2, std::vector<double>(o2.numElements(), 0.0), 0, "o");
  EXPECT_OK(context,
            tert_attention_grad(context, nullptr, q2, q2, none, none, o2, lse2,
                                nullptr, nullptr, nullptr, dq2, none, none,
                                nullptr, nullptr, 1.0f, 0, TERT_BSHD, 0, 0.0f));
  expectClose(dq2, std::vector<double>(dq2.numElements(), 0.0), 0, "dq");
  // No query heads, but keys: their gradients are zero.
  Tensor q3(TERT_F32, {1, 3, 0, 8}), k3(TERT_F32, {1, 4, 2, 8}),
      dk3 = k3, dv3 = k3, lse3(TERT_F32, {1, 0, 3});
  EXPECT_OK(context,
            tert_attention_grad(context, nullptr, q3, q3, k3, k3, q3, lse3,
                                nullptr, nullptr, nullptr, q3, dk3, dv3,
                                nullptr, nullptr, 1.0f, 0, TERT_BSHD, 0, 0.0f));
  expectClose(dk3, std::vector<double>(dk3.numElements(), 0.0), 0, "dk");
}

TEST(AttentionErrorTest, RefusesBadArguments) {
  Context context;
  Tensor q(TERT_F32, {1, 3, 4, 8}), k(TERT_F32, {1, 3, 3, 8}),
      lse(TERT_F32, {1, 4, 3});
  EXPECT_EQ(tert_attention(context, nullptr, q, k, k, nullptr, nullptr, nullptr,
                           q, lse, 1.0f, 0, TERT_BSHD, 0, 0.0f),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("divides the 4"), std::string::npos)
      << context.error();
  EXPECT_EQ(tert_attention(context, nullptr, q, q, q, nullptr, nullptr, nullptr,
                           q, lse, 1.0f, 0, 3, 0, 0.0f),
            TERT_INVALID_ARGUMENT);
}
