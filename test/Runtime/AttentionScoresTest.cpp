// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What attention does to its scores: softcap, bias, window, lengths, sinks.
// Gradients are compared with finite differences of the formula in float64.

#include "AttentionReference.h"

using namespace tert_test;

namespace {

using Case = AttentionCase;

class AttentionScoresTest : public testing::TestWithParam<Case> {
protected:
  Case c = GetParam();
  float scale = 1.5f / std::sqrt(float(c.dim));
  Tensor q{c.dtype, {c.batch, c.queries, c.heads, c.dim}, 3};
  Tensor k{c.dtype, {c.batch, c.keys, c.kvHeads, c.dim}, 1};
  Tensor v{c.dtype, {c.batch, c.keys, c.kvHeads, c.dim}, 2};
  Tensor dO{c.dtype, {c.batch, c.queries, c.heads, c.dim}, 4};
  Tensor bias{c.dtype,
              c.bias.empty() ? std::vector<int64_t>{1, 1, 1, 1} : c.bias, 5};
  Tensor lengths{TERT_I64, {c.batch}};
  Tensor sinks{TERT_F32, {c.heads}};

  AttentionScoresTest() {
    q.randomize(1, 1.5);
    k.randomize(2, 1.5);
    v.randomize(3);
    dO.randomize(4);
    bias.randomize(5, 2.0);
    sinks.randomize(6);
    for (size_t b = 0; b < c.lengths.size(); ++b)
      lengths.set(b, double(c.lengths[b]));
  }

  const tert_tensor *givenBias() const {
    return c.bias.empty() ? nullptr : &bias.get();
  }
  const tert_tensor *givenLengths() const {
    return c.lengths.empty() ? nullptr : &lengths.get();
  }
  const tert_tensor *givenSinks() const {
    return c.sinks ? &sinks.get() : nullptr;
  }

  struct Results {
    Tensor o, lse, dq, dk, dv, dbias, dsinks;
  };
  Results run(int threads) {
    Context context(threads);
    Results r{q,    Tensor(TERT_F32, {c.batch, c.heads, c.queries}),
              q,    k,
              v,    Tensor(TERT_F32, shapeOf(bias), 1),
              sinks};
    EXPECT_OK(context,
              tert_attention(context, nullptr, q, k, v, givenBias(),
                             givenLengths(), givenSinks(), r.o, r.lse, scale,
                             c.causal, TERT_BSHD, c.window, c.softcap));
    EXPECT_OK(context, tert_attention_grad(
                           context, nullptr, dO, q, k, v, r.o, r.lse,
                           givenBias(), givenLengths(), givenSinks(), r.dq,
                           r.dk, r.dv, givenBias() ? &r.dbias.get() : nullptr,
                           givenSinks() ? &r.dsinks.get() : nullptr, scale,
                           c.causal, TERT_BSHD, c.window, c.softcap));
    return r;
  }
  static std::vector<int64_t> shapeOf(const Tensor &tensor) {
    return {tensor.layout.sizes, tensor.layout.sizes + tensor.layout.rank};
  }

  void expectGradient(const Tensor &gradient, const AttentionOperands &operands,
                      std::vector<double> AttentionOperands::*of,
                      const char *name) {
    expectAttentionGradient(c, scale, operands, of, valuesOf(dO),
                            valuesOf(gradient), name);
  }
};

} // namespace

// Spans of 256 queries and of 256 keys, and blocks of 48 queries, are crossed.
INSTANTIATE_TEST_SUITE_P(
    Forms, AttentionScoresTest,
    testing::Values(
        Case{"softcap", 2, 2, 1, 9, 11, 8, false, 0, 2.0f, {}, {}, false},
        Case{"window", 1, 2, 2, 70, 70, 8, true, 5, 0, {}, {}, false},
        Case{"window_spans", 1, 1, 1, 300, 560, 4, true, 30, 0, {}, {}, false},
        Case{"window_alone", 1, 2, 1, 20, 30, 4, false, 4, 0, {}, {}, false},
        Case{
            "window_of_nothing", 1, 1, 1, 12, 4, 4, false, 2, 0, {}, {}, false},
        Case{"gemma", 2, 4, 2, 60, 60, 16, true, 16, 5.0f, {}, {}, false},
        Case{"bias", 2, 4, 2, 7, 9, 8, false, 0, 0, {2, 4, 7, 9}, {}, false},
        Case{"bias_of_heads",
             2,
             4,
             2,
             50,
             50,
             8,
             true,
             0,
             0,
             {1, 4, 50, 50},
             {},
             false},
        Case{"bias_of_keys",
             2,
             4,
             2,
             300,
             20,
             4,
             true,
             0,
             0,
             {1, 4, 1, 20},
             {},
             false},
        Case{"bias_of_batch",
             3,
             2,
             1,
             10,
             12,
             4,
             false,
             0,
             1.5f,
             {3, 1, 1, 12},
             {},
             false},
        Case{"bias_spans",
             1,
             1,
             1,
             270,
             300,
             4,
             true,
             0,
             0,
             {1, 1, 270, 300},
             {},
             false},
        Case{"lengths", 3, 2, 1, 20, 20, 8, true, 0, 0, {}, {20, 7, 0}, false},
        Case{
            "lengths_beyond", 2, 2, 2, 5, 6, 4, false, 0, 0, {}, {9, 3}, false},
        Case{"sinks", 2, 4, 2, 30, 30, 8, true, 0, 0, {}, {}, true},
        Case{"gpt_oss", 2, 4, 2, 300, 300, 4, true, 20, 0, {}, {}, true},
        Case{"sinks_without_keys",
             2,
             2,
             1,
             5,
             4,
             4,
             true,
             0,
             0,
             {},
             {0, 3},
             true},
        Case{"all",
             2,
             4,
             2,
             50,
             60,
             8,
             true,
             20,
             3.0f,
             {1, 4, 50, 60},
             {40, 60},
             true},
        Case{"all_bf16",
             2,
             4,
             2,
             50,
             60,
             8,
             true,
             20,
             3.0f,
             {1, 4, 50, 60},
             {40, 60},
             true,
             TERT_BF16}),
    [](const auto &info) { return info.param.name; });

TEST_P(AttentionScoresTest, AgreesWithFormula) {
  Results r = run(3);
  AttentionOperands x{valuesOf(q), valuesOf(k), valuesOf(v), valuesOf(bias),
                      valuesOf(sinks)};
  AttentionOutput expected = attend(c, scale, x);
  expectClose(r.o, expected.o, 4e-6, "o");
  for (size_t i = 0; i < expected.lse.size(); ++i)
    if (std::isinf(expected.lse[i]))
      ASSERT_EQ(r.lse.at(i), -INFINITY) << i;
    else
      ASSERT_NEAR(r.lse.at(i), expected.lse[i], 1e-5) << i;
  expectGradient(r.dq, x, &AttentionOperands::q, "dq");
  expectGradient(r.dk, x, &AttentionOperands::k, "dk");
  expectGradient(r.dv, x, &AttentionOperands::v, "dv");
  if (givenBias())
    expectGradient(r.dbias, x, &AttentionOperands::bias, "dbias");
  if (givenSinks())
    expectGradient(r.dsinks, x, &AttentionOperands::sinks, "dsinks");
}

TEST_P(AttentionScoresTest, ThreadsDoNotMatter) {
  Results one = run(1), three = run(3);
  EXPECT_TRUE(one.o.sameBits(three.o));
  EXPECT_TRUE(one.lse.sameBits(three.lse));
  EXPECT_TRUE(one.dq.sameBits(three.dq));
  EXPECT_TRUE(one.dk.sameBits(three.dk));
  EXPECT_TRUE(one.dv.sameBits(three.dv));
  EXPECT_TRUE(one.dbias.sameBits(three.dbias));
  EXPECT_TRUE(one.dsinks.sameBits(three.dsinks));
}

// A bias of -infinity hides a key, and a query that it hides all of has the
// output 0 and no gradient, as in PyTorch.
TEST(AttentionBiasTest, HidesKeys) {
  Context context;
  Tensor q(TERT_F32, {1, 2, 1, 4}), o = q, dO = q, dq = q;
  Tensor k(TERT_F32, {1, 3, 1, 4}), v = k, dk = k, dv = k;
  Tensor lse(TERT_F32, {1, 1, 2}), bias(TERT_F32, {1, 1, 2, 3}), dbias = bias;
  q.randomize(1);
  k.randomize(2);
  v.randomize(3);
  dO.randomize(4);
  // Query 0 sees key 1 alone, query 1 nothing.
  for (int64_t i = 0; i < 6; ++i)
    bias.set(i, i == 1 ? 0.0 : -INFINITY);
  EXPECT_OK(context,
            tert_attention(context, nullptr, q, k, v, bias, nullptr, nullptr, o,
                           lse, 1.0f, 0, TERT_BSHD, 0, 0.0f));
  EXPECT_OK(context,
            tert_attention_grad(context, nullptr, dO, q, k, v, o, lse, bias,
                                nullptr, nullptr, dq, dk, dv, dbias, nullptr,
                                1.0f, 0, TERT_BSHD, 0, 0.0f));
  EXPECT_EQ(lse.at(1), -INFINITY);
  for (int64_t d = 0; d < 4; ++d) {
    EXPECT_EQ(o.at(d), v.at(4 + d));
    EXPECT_EQ(o.at(4 + d), 0);
    EXPECT_EQ(dq.at(4 + d), 0);
    EXPECT_EQ(dv.at(d), 0);
    EXPECT_EQ(dv.at(4 + d), dO.at(d));
    EXPECT_EQ(dv.at(8 + d), 0);
  }
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_NEAR(dbias.at(i), 0, 1e-7) << i;
}

TEST(AttentionErrors, ScoreOptions) {
  Context context;
  Tensor q(TERT_F32, {2, 3, 4, 8}), lse(TERT_F32, {2, 4, 3});
  auto call = [&](const tert_tensor *bias, const tert_tensor *lengths,
                  const tert_tensor *sinks, int64_t window, float softcap) {
    return tert_attention(context, nullptr, q, q, q, bias, lengths, sinks, q,
                          lse, 1.0f, 0, TERT_BSHD, window, softcap);
  };
  Tensor bias(TERT_F32, {1, 2, 3, 3}), lengths(TERT_I64, {3}),
      sinks(TERT_BF16, {4});
  EXPECT_EQ(call(bias, nullptr, nullptr, 0, 0), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("[2, 4, 3, 3]"), std::string::npos)
      << context.error();
  EXPECT_EQ(call(nullptr, lengths, nullptr, 0, 0), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(nullptr, nullptr, sinks, 0, 0), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(nullptr, nullptr, nullptr, -1, 0), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("window"), std::string::npos);
  EXPECT_EQ(call(nullptr, nullptr, nullptr, 0, -1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(nullptr, nullptr, nullptr, 0, NAN), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("softcap"), std::string::npos);
  EXPECT_EQ(tert_attention_grad(context, nullptr, q, q, q, q, q, lse, nullptr,
                                nullptr, nullptr, q, q, q, lse, nullptr, 1.0f,
                                0, TERT_BSHD, 0, 0.0f),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("dbias"), std::string::npos);
}
