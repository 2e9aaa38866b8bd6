// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of queries that are sharded, among processes on CPUs: every
// rank's results are compared with the formula at the places of its queries,
// its gradients with finite differences of that formula in float64.

#include "AttentionReference.h"
#include "Ranks.h"

#include <numeric>

using namespace tert_test;

namespace {

struct Case {
  const char *name;
  std::vector<int32_t> mesh;
  int32_t axes;
  bool balanced;
  int32_t layout;
  int64_t batch, heads, kvHeads, queries, dim; ///< queries of a rank
  bool causal;
  int64_t window = 0;
  float softcap = 0;
  /// Its shape, with the rank's queries; empty for none.
  std::vector<int64_t> bias = {};
  std::vector<int64_t> lengths = {};
  bool sinks = false;
  int32_t dtype = TERT_F32;
};

/// [B,S,H,D] in the order of a layout, and which of its dimensions these are.
std::vector<int> orderOf(int32_t layout) {
  switch (layout) {
  case TERT_BSHD:
    return {0, 1, 2, 3};
  case TERT_BHSD:
    return {0, 2, 1, 3};
  default:
    return {1, 0, 2, 3};
  }
}

Tensor headsTensor(const Case &c, int64_t sequence, int64_t heads,
                   int64_t gap) {
  const int64_t sizes[] = {c.batch, sequence, heads, c.dim};
  std::vector<int64_t> ordered;
  for (int dim : orderOf(c.layout))
    ordered.push_back(sizes[dim]);
  return Tensor(c.dtype, ordered, gap);
}

/// The values as [B,S,H,D].
std::vector<double> valuesInOrder(const Tensor &tensor, int32_t layout) {
  const std::vector<int> order = orderOf(layout);
  int64_t sizes[4], strides[4];
  int64_t stride = 1;
  for (int i = 3; i >= 0; --i) {
    sizes[order[i]] = tensor.size(i);
    strides[order[i]] = stride;
    stride *= tensor.size(i);
  }
  std::vector<double> values;
  for (int64_t b = 0; b < sizes[0]; ++b)
    for (int64_t s = 0; s < sizes[1]; ++s)
      for (int64_t h = 0; h < sizes[2]; ++h)
        for (int64_t d = 0; d < sizes[3]; ++d)
          values.push_back(tensor.at(b * strides[0] + s * strides[1] +
                                     h * strides[2] + d * strides[3]));
  return values;
}

/// How many ranks differ in the axes alone, and the number of this one.
std::pair<int64_t, int64_t> indexAlong(const std::vector<int32_t> &mesh,
                                       int32_t rank, int32_t axes) {
  int64_t count = 1, place = 0;
  for (size_t axis = mesh.size(); axis-- > 0; rank /= mesh[axis])
    if (axes >> axis & 1) {
      place += rank % mesh[axis] * count;
      count *= mesh[axis];
    }
  return {count, place};
}

/// te.attention's definition of query_axes and balanced.
std::vector<int64_t> positionsOf(const Case &c, int64_t ranks, int64_t place) {
  std::vector<int64_t> positions(c.queries);
  if (!c.balanced) {
    std::iota(positions.begin(), positions.end(), place * c.queries);
    return positions;
  }
  const auto half = positions.begin() + c.queries / 2;
  std::iota(positions.begin(), half, place * c.queries / 2);
  std::iota(half, positions.end(), (2 * ranks - 1 - place) * c.queries / 2);
  return positions;
}

/// Returns when all ranks have come here: one that ended while others still
/// join would break their connections.
void meet(Rank &rank, const std::vector<int32_t> &mesh) {
  ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
  Tensor one(TERT_F32, {1});
  ASSERT_EQ(tert_collective(rank.context, nullptr, 0, nullptr, 1, one,
                            TERT_ALL_REDUCE, /*async=*/0,
                            (int32_t(1) << mesh.size()) - 1),
            TERT_OK)
      << rank.error();
}

class AttentionPartTest : public testing::TestWithParam<Case> {};

/// The operands and results of one rank.
struct Part {
  const Case &c;
  int64_t ranks, place;
  float scale = 1.5f / std::sqrt(float(c.dim));
  AttentionCase reference;
  Tensor q, k, v, dO, bias, lengths, sinks;
  Tensor o, lse, dq, dk, dv, dbias, dsinks, temporary;

  Part(const Case &c, int32_t rank)
      : c(c), ranks(indexAlong(c.mesh, rank, c.axes).first),
        place(indexAlong(c.mesh, rank, c.axes).second),
        reference{c.name,    c.batch,           c.heads, c.kvHeads,
                  c.queries, c.queries * ranks, c.dim,   c.causal,
                  c.window,  c.softcap,         c.bias,  c.lengths,
                  c.sinks,   c.dtype,           {}},
        q(headsTensor(c, c.queries, c.heads, 3)),
        k(headsTensor(c, c.queries * ranks, c.kvHeads, 1)),
        v(headsTensor(c, c.queries * ranks, c.kvHeads, 2)),
        dO(headsTensor(c, c.queries, c.heads, 4)),
        bias(c.dtype,
             c.bias.empty() ? std::vector<int64_t>{1, 1, 1, 1} : c.bias, 5),
        lengths(TERT_I64, {c.batch}), sinks(TERT_F32, {c.heads}), o(q),
        lse(TERT_F32, {c.batch, c.heads, c.queries}), dq(dO), dk(v), dv(k),
        dbias(TERT_F32,
              {bias.size(0), bias.size(1), bias.size(2), bias.size(3)}, 1),
        dsinks(sinks), temporary(TERT_U8, {1}) {
    reference.positions = positionsOf(c, ranks, place);
    q.randomize(10 + rank, 1.5);
    k.randomize(2, 1.5);
    v.randomize(3);
    dO.randomize(30 + rank);
    bias.randomize(40 + rank, 2.0);
    sinks.randomize(6);
    for (size_t b = 0; b < c.lengths.size(); ++b)
      lengths.set(b, double(c.lengths[b]));
    // Nothing that was there before counts.
    for (Tensor *result : {&o, &lse, &dq, &dk, &dv, &dbias, &dsinks})
      result->fill([](int64_t) { return NAN; });
    if (!c.balanced || (!c.causal && c.window == 0))
      return;
    auto rounded = [](int64_t bytes) { return (bytes + 255) / 256 * 256; };
    auto term = [&](const Tensor &tensor) {
      return rounded(tensor.numElements() / (c.causal ? 2 : 1) *
                     bytesOf(tensor.layout.dtype));
    };
    int64_t bytes = term(dk) + term(dv);
    if (!c.bias.empty() && c.bias[2] == 1)
      bytes += term(dbias);
    if (c.sinks)
      bytes += rounded(4 * c.heads);
    temporary = Tensor(TERT_U8, {bytes});
  }

  const tert_tensor *given(bool isThere, const Tensor &tensor) const {
    return isThere ? &tensor.get() : nullptr;
  }
  tert_status forward(tert_context *context) const {
    return tert_attention_part(
        context, nullptr, q, k, v, given(!c.bias.empty(), bias),
        given(!c.lengths.empty(), lengths), given(c.sinks, sinks), o, lse,
        scale, c.causal, c.layout, c.window, c.softcap, c.axes, c.balanced);
  }
  tert_status backward(tert_context *context) const {
    return tert_attention_part_grad(
        context, nullptr, dO, q, k, v, o, lse, given(!c.bias.empty(), bias),
        given(!c.lengths.empty(), lengths), given(c.sinks, sinks), dq, dk, dv,
        given(!c.bias.empty(), dbias), given(c.sinks, dsinks),
        given(temporary.size(0) > 1, temporary), scale, c.causal, c.layout,
        c.window, c.softcap, c.axes, c.balanced);
  }
};

void expectFormula(const Part &part) {
  const Case &c = part.c;
  AttentionOperands x{valuesInOrder(part.q, c.layout),
                      valuesInOrder(part.k, c.layout),
                      valuesInOrder(part.v, c.layout), valuesOf(part.bias),
                      valuesOf(part.sinks)};
  const AttentionOutput expected = attend(part.reference, part.scale, x);
  const std::vector<double> o = valuesInOrder(part.o, c.layout);
  for (size_t i = 0; i < o.size(); ++i)
    ASSERT_NEAR(o[i], expected.o[i],
                4e-6 + (c.dtype == TERT_BF16 ? 0x1p-8 : 4e-6) *
                           std::abs(expected.o[i]))
        << "o[" << i << "]";
  for (size_t i = 0; i < expected.lse.size(); ++i)
    if (std::isinf(expected.lse[i]))
      ASSERT_EQ(part.lse.at(i), -INFINITY) << i;
    else
      ASSERT_NEAR(part.lse.at(i), expected.lse[i], 1e-5) << i;

  auto expectGradient = [&](const std::vector<double> &actual,
                            std::vector<double> AttentionOperands::*of,
                            const char *name) {
    expectAttentionGradient(part.reference, part.scale, x, of,
                            valuesInOrder(part.dO, c.layout), actual, name);
  };
  expectGradient(valuesInOrder(part.dq, c.layout), &AttentionOperands::q, "dq");
  expectGradient(valuesInOrder(part.dk, c.layout), &AttentionOperands::k, "dk");
  expectGradient(valuesInOrder(part.dv, c.layout), &AttentionOperands::v, "dv");
  if (!c.bias.empty())
    expectGradient(valuesOf(part.dbias), &AttentionOperands::bias, "dbias");
  if (c.sinks)
    expectGradient(valuesOf(part.dsinks), &AttentionOperands::sinks, "dsinks");
  for (const Tensor *tensor : {&part.o, &part.lse, &part.dq, &part.dk, &part.dv,
                               &part.dbias, &part.dsinks, &part.temporary})
    tensor->checkGaps();
}

} // namespace

INSTANTIATE_TEST_SUITE_P(
    Forms, AttentionPartTest,
    testing::Values(
        Case{"causal", {2}, 1, false, TERT_BSHD, 2, 4, 2, 9, 8, true},
        Case{"causal_balanced", {2}, 1, true, TERT_BSHD, 2, 4, 2, 10, 8, true},
        Case{"three", {3}, 1, true, TERT_BHSD, 2, 2, 1, 6, 4, true},
        Case{"four", {4}, 1, true, TERT_SBHD, 2, 2, 2, 4, 4, true},
        Case{"four_in_order", {4}, 1, false, TERT_SBHD, 2, 2, 2, 5, 4, true},
        Case{"last_of_two_axes",
             {2, 2},
             2,
             true,
             TERT_BSHD,
             1,
             2,
             1,
             6,
             4,
             true},
        Case{"first_of_two_axes",
             {2, 2},
             1,
             false,
             TERT_BHSD,
             1,
             2,
             1,
             6,
             4,
             true},
        Case{"both_axes", {2, 2}, 3, true, TERT_BSHD, 1, 2, 1, 4, 4, true},
        Case{"axis_of_one", {1, 2}, 1, true, TERT_BSHD, 1, 2, 1, 4, 4, true},
        Case{"full", {2}, 1, false, TERT_BSHD, 2, 4, 2, 9, 8, false},
        Case{"full_balanced", {2}, 1, true, TERT_BHSD, 2, 4, 2, 10, 8, false},
        Case{"window", {3}, 1, true, TERT_BSHD, 1, 2, 2, 20, 4, true, 7},
        Case{"window_alone", {2}, 1, true, TERT_SBHD, 1, 2, 1, 12, 4, false, 5},
        Case{"window_alone_in_order",
             {3},
             1,
             false,
             TERT_BSHD,
             1,
             2,
             1,
             7,
             4,
             false,
             5},
        Case{
            "window_spans", {2}, 1, true, TERT_BSHD, 1, 1, 1, 280, 2, true, 30},
        Case{"bias_rows",
             {2},
             1,
             true,
             TERT_BSHD,
             2,
             4,
             2,
             6,
             4,
             true,
             0,
             0,
             {1, 4, 6, 12}},
        Case{"bias_row",
             {2},
             1,
             true,
             TERT_BSHD,
             2,
             4,
             2,
             6,
             4,
             true,
             0,
             0,
             {2, 1, 1, 12}},
        Case{"bias_full",
             {2},
             1,
             true,
             TERT_BHSD,
             2,
             2,
             2,
             6,
             4,
             false,
             0,
             2,
             {2, 2, 6, 12}},
        Case{"gemma", {2}, 1, true, TERT_BSHD, 2, 4, 2, 30, 8, true, 16, 5},
        Case{"lengths",
             {2},
             1,
             true,
             TERT_BSHD,
             3,
             2,
             1,
             10,
             8,
             true,
             0,
             0,
             {},
             {20, 7, 0}},
        Case{"gpt_oss",
             {4},
             1,
             true,
             TERT_BSHD,
             2,
             4,
             2,
             40,
             4,
             true,
             20,
             0,
             {},
             {},
             true},
        Case{"all",
             {2},
             1,
             true,
             TERT_BSHD,
             2,
             4,
             2,
             30,
             8,
             true,
             20,
             3,
             {1, 4, 1, 60},
             {40, 60},
             true},
        Case{"all_in_order",
             {3},
             1,
             false,
             TERT_BHSD,
             2,
             4,
             2,
             10,
             8,
             true,
             9,
             3,
             {1, 4, 10, 30},
             {13, 30},
             true},
        Case{"all_without_causal",
             {2},
             1,
             true,
             TERT_SBHD,
             2,
             4,
             2,
             14,
             8,
             false,
             9,
             3,
             {2, 1, 1, 28},
             {13, 28},
             true},
        Case{"all_bf16",
             {2},
             1,
             true,
             TERT_BSHD,
             2,
             4,
             2,
             30,
             8,
             true,
             20,
             3,
             {1, 4, 30, 60},
             {40, 60},
             true,
             TERT_BF16}),
    [](const auto &info) { return info.param.name; });

TEST_P(AttentionPartTest, AgreesWithFormula) {
  const Case &c = GetParam();
  runRanks({c.mesh}, [&](Rank &rank) {
    SCOPED_TRACE(testing::Message() << "rank " << rank.rank);
    ASSERT_NO_FATAL_FAILURE(meet(rank, c.mesh));
    Part part(c, rank.rank);
    ASSERT_EQ(part.forward(rank.context), TERT_OK) << rank.error();
    ASSERT_EQ(part.backward(rank.context), TERT_OK) << rank.error();
    expectFormula(part);
  });
}

TEST(AttentionPartJobTest, AContextWithoutAJobHasTheWholeSequence) {
  const Case c{"", {1}, 1, true, TERT_BSHD, 1, 2, 1, 6, 4, true};
  Part part(c, 0);
  Context context;
  EXPECT_OK(context, part.forward(context));
  EXPECT_OK(context, part.backward(context));
  expectFormula(part);
  // A part of it is not possible.
  const Case half{"", {2}, 1, false, TERT_BSHD, 1, 2, 1, 6, 4, true};
  Part first(half, 0);
  EXPECT_EQ(first.forward(context), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'k' is [1, 12, 1, 4] f32"), std::string::npos)
      << context.error();
  EXPECT_NE(context.error().find(
                "of 1 times the 6 queries of 'q', for the 1 ranks along no "
                "mesh: the context is no rank of a job"),
            std::string::npos)
      << context.error();
}

TEST(AttentionPartErrorTest, RefusesWhatIsNoPart) {
  runRanks({{2}}, [](Rank &rank) {
    ASSERT_NO_FATAL_FAILURE(meet(rank, {2}));
    auto expectError = [&](tert_status status, const std::string &text) {
      EXPECT_EQ(status, TERT_INVALID_ARGUMENT);
      EXPECT_NE(rank.error().find(text), std::string::npos) << rank.error();
    };
    Case c{"", {2}, 1, true, TERT_BSHD, 1, 2, 1, 6, 4, true};
    // Twice the queries of a rank are not these keys.
    Part part(c, rank.rank);
    Part third(c, rank.rank);
    third.k.layout.sizes[1] = third.v.layout.sizes[1] = 9;
    expectError(third.forward(rank.context),
                "of 2 times the 6 queries of 'q', for the 2 ranks along axis "
                "0 of the mesh");
    c.axes = 2;
    expectError(part.forward(rank.context), "axis 1");
    c.axes = -1;
    expectError(part.forward(rank.context), "'axes' is negative");
    c.axes = 1;
    ASSERT_EQ(part.forward(rank.context), TERT_OK) << rank.error();
    part.temporary = Tensor(TERT_U8, {511});
    expectError(part.backward(rank.context), "of at least 512 bytes");
    part.temporary = Tensor(TERT_U8, {1});
    expectError(part.backward(rank.context), "'temporary'");
    c.queries = 5;
    expectError(Part(c, rank.rank).forward(rank.context), "an even number");
  });
}
