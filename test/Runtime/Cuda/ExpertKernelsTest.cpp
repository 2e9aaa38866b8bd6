// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows grouped by expert, and products of experts, against the CPU's, which are
// tested against float64.

#include "ExpertReference.h"
#include "KernelTest.h"

using namespace tert_test;

namespace {

class ExpertKernelsTest : public KernelTest {
protected:
  /// A product on one of the devices.
  static tert_status multiply(tert_context *context, const ExpertCase &c,
                              const Arguments &x, bool isSplit = true) {
    if (!c.isScaled())
      return tert_expert_matmul(context, nullptr, x[0], x[1], x[2], x[3],
                                c.transposeB, c.wgrad, c.alignment);
    return tert_scaled_expert_matmul(
        context, nullptr, Scaled(x[0], x[4]), Scaled(x[1], x[5]), x[2], x[3],
        c.transposeB, c.wgrad, c.alignment,
        isSplit ? TERT_ACCUMULATE_SPLIT : TERT_ACCUMULATE_FAST);
  }

  void runProduct(const ExpertCase &c, const Tensor &groups,
                  const ExpertOperands &x, bool isSplit) {
    Tensor aScale = Tensor::scalar(0.5f), bScale(TERT_F32, {c.experts()});
    bScale.fill([](int64_t e) { return std::ldexp(1.0, int(e % 4)); });
    Tensor d = x.d;
    for (int64_t i = 0; i < d.numElements(); ++i)
      d.setBits(i, ~uint64_t(0));
    runBoth({x.a, x.b, groups, d, aScale, bScale},
            [&](tert_context *context, const Arguments &arguments) {
              return multiply(context, c, arguments, isSplit);
            });
  }

  /// Sums of small integers are exact in any order and in few bits.
  void expectExact(const ExpertCase &c, int64_t gap, bool isSplit = true) {
    SCOPED_TRACE(testing::Message()
                 << "rows " << testing::PrintToString(c.rowsOfExperts)
                 << " alignment " << c.alignment << " n " << c.n << " m or k "
                 << c.mOrK << " transpose_b " << c.transposeB << " wgrad "
                 << c.wgrad << " types " << c.aType << c.bType << c.dType
                 << " split " << isSplit);
    Tensor groups = expertGroups(c, /*tailBlocks=*/2);
    ExpertOperands x(c, groups, gap);
    x.randomizeIntegers(c, groups);
    ASSERT_NO_FATAL_FAILURE(runProduct(c, groups, x, isSplit));
    expectSameBits(3);
  }
};

struct Types {
  int32_t a, b;
};
const Types floats[] = {{TERT_F32, TERT_F32},
                        {TERT_F32, TERT_BF16},
                        {TERT_BF16, TERT_F32},
                        {TERT_BF16, TERT_BF16}};
const Types codes[] = {{TERT_F8E4M3, TERT_F8E4M3},
                       {TERT_F8E5M2, TERT_F8E4M3},
                       {TERT_F8E4M3, TERT_F8E5M2}};

} // namespace

TEST_F(ExpertKernelsTest, GroupsAreBitForBit) {
  for (int64_t rows : {0, 1, 31, 500, 1024, 1025, 70000})
    for (int64_t count : {1, 3, 64, 1500})
      for (auto [alignment, ranks] :
           {std::pair{1, 1}, {8, 1}, {128, 1}, {1, 2}, {8, 4}}) {
        if (count % ranks)
          continue;
        SCOPED_TRACE(testing::Message()
                     << rows << " rows of " << count << " experts, "
                     << alignment << ", " << ranks << " ranks");
        // Too few for several ranks.
        const int64_t places =
            ranks > 1 ? rows / 8 * 8 / ranks / 8 * 8 * ranks
                      : (rows + std::min(count, rows) * (alignment - 1)) /
                                alignment * alignment +
                            2 * alignment;
        std::mt19937 generator(1);
        Tensor experts(TERT_I32, {rows});
        experts.fill([&](int64_t) {
          const int64_t expert = generator() % count;
          return double(expert % 3 == 1   ? expert / 2
                        : expert % 7 == 2 ? -1
                                          : expert);
        });
        runBoth({experts, poisoned(TERT_I32, {places}),
                 poisoned(TERT_I32, {rows}), poisoned(TERT_I32, {places})},
                [&](tert_context *c, const Arguments &a) {
                  return tert_group_rows(c, nullptr, a[0], a[1], a[2], a[3],
                                         count, alignment, ranks);
                });
        for (size_t i : {1, 2, 3})
          expectSameBits(i);
      }
}

TEST_F(ExpertKernelsTest, AnExpertThatDoesNotExistIsNamed) {
  for (int32_t bad : {5, -2}) {
    Tensor experts(TERT_I32, {40}), slot(TERT_I32, {40}),
        source(TERT_I32, {64}), groups(TERT_I32, {64});
    experts.fill([&](int64_t i) { return i == 33 ? bad : i % 5; });
    OnGpu e(gpu, experts), s(gpu, source), p(gpu, slot), g(gpu, groups);
    tert_site site = {"tert.group_rows", "h.0.mlp (model.py:5)", 2, 0, 0};
    ASSERT_EQ(tert_group_rows(gpu, &site, e, s, p, g, 5, 4, 1), TERT_OK)
        << gpuError();
    EXPECT_EQ(tert_synchronize(gpu), TERT_INVALID_DATA);
    EXPECT_EQ(gpuError(),
              "tert.group_rows at h.0.mlp (model.py:5): expert " +
                  std::to_string(bad) +
                  " of row 33 is outside of [0, 5), and not -1 for none");
  }
}

/// Rows in any order, small groups, odd sizes and strides, float32: the kernel
/// for all of these.
TEST_F(ExpertKernelsTest, AnyProductIsExactOnIntegers) {
  for (const std::vector<int64_t> &rows :
       std::vector<std::vector<int64_t>>{{3, 0, 170, 1}, {0, 40}, {0}})
    for (int64_t alignment : {1, 8, 64, 128})
      for (bool wgrad : {false, true})
        for (bool transposeB : {false, true})
          for (int32_t dType : {TERT_F32, TERT_BF16}) {
            for (const Types &types : floats)
              expectExact({rows, alignment, 33, 70, transposeB, wgrad, types.a,
                           types.b, dType},
                          /*gap=*/3);
            for (const Types &types : codes)
              expectExact({rows, alignment, 70, 33, transposeB, wgrad, types.a,
                           types.b, dType},
                          /*gap=*/2);
          }
}

/// Aligned groups and strides: the matrix units.
TEST_F(ExpertKernelsTest, AlignedProductsAreExactOnIntegers) {
  const std::vector<std::vector<int64_t>> allRows = {
      {300, 0, 5, 128, 64, 400}, {0, 0, 129}, {640}, {0, 0}};
  for (auto [n, mOrK] :
       {std::pair(256, 128), std::pair(48, 16), std::pair(1000, 656)})
    for (const std::vector<int64_t> &rows : allRows)
      for (bool wgrad : {false, true})
        for (bool transposeB : {false, true})
          for (int32_t dType : {TERT_F32, TERT_BF16}) {
            expectExact({rows, 128, n, mOrK, transposeB, wgrad, TERT_BF16,
                         TERT_BF16, dType},
                        /*gap=*/8);
            for (const Types &types : codes)
              expectExact({rows, 128, n, mOrK, transposeB, wgrad, types.a,
                           types.b, dType},
                          /*gap=*/n % 16 ? 8 : 16);
            expectExact({rows, 128, n, mOrK, transposeB, wgrad, TERT_F8E4M3,
                         TERT_F8E4M3, dType},
                        /*gap=*/16, /*isSplit=*/false);
          }
}

TEST_F(ExpertKernelsTest, ManyExperts) {
  std::vector<int64_t> rows(300);
  for (size_t e = 0; e < rows.size(); ++e)
    rows[e] = int64_t(e * 37 % 150) - 60 < 0 ? 0 : int64_t(e * 37 % 150) - 60;
  for (bool wgrad : {false, true})
    for (int32_t type : {TERT_BF16, TERT_F8E4M3})
      expectExact({rows, 128, 64, 48, false, wgrad, type, type, TERT_BF16}, 0);
}

/// Sums of float32 in pieces are more exact than the matrix units' own.
TEST_F(ExpertKernelsTest, RoundingOfSums) {
  for (bool wgrad : {false, true})
    for (auto [type, isSplit, bound] : {std::tuple(TERT_BF16, true, 5e-6),
                                        std::tuple(TERT_F8E4M3, true, 2e-4),
                                        std::tuple(TERT_F8E4M3, false, 5e-3)}) {
      const ExpertCase c = {{1000, 0, 2000}, 128,   256,  wgrad ? 256 : 2048,
                            false,           wgrad, type, type,
                            TERT_F32};
      Tensor groups = expertGroups(c);
      ExpertOperands x(c, groups);
      x.randomize(c, groups);
      ASSERT_NO_FATAL_FAILURE(runProduct(c, groups, x, isSplit));
      EXPECT_LE(relativeError(onGpu[3], onCpu[3]), bound)
          << "type " << type << " split " << isSplit << " wgrad " << wgrad;
    }
}

/// One expert's product is that of tert_scaled_matmul, and as exact.
TEST_F(ExpertKernelsTest, SumsAreAsExactAsThoseOfOneMatrix) {
  for (bool isSplit : {true, false}) {
    const ExpertCase c = {{1024}, 128,         256,         4096,    true,
                          false,  TERT_F8E4M3, TERT_F8E4M3, TERT_F32};
    Tensor groups = expertGroups(c, /*tailBlocks=*/0);
    ExpertOperands x(c, groups);
    x.randomize(c, groups);
    Tensor one = Tensor::scalar(1);
    runBoth({x.a, x.b, groups, x.d, one, one, x.d}, [&](tert_context *context,
                                                        const Arguments &t) {
      const Scaled a(t[0], t[4]), b(t[1], t[5]);
      const int32_t accumulate =
          isSplit ? TERT_ACCUMULATE_SPLIT : TERT_ACCUMULATE_FAST;
      if (tert_status status = tert_scaled_matmul(
              context, nullptr, a, b, nullptr, nullptr, t[6], accumulate))
        return status;
      return multiply(context, c, t, isSplit);
    });
    const double error = relativeError(onGpu[3], onCpu[3]),
                 errorOfOne = relativeError(onGpu[6], onCpu[6]);
    EXPECT_LE(error, 1.5 * errorOfOne) << "split " << isSplit;
  }
}

/// Many tiles for each multiprocessor, of which none may read what a copy has
/// not written yet, or has written too early.
TEST_F(ExpertKernelsTest, RunsAreBitEqual) {
  for (bool wgrad : {false, true})
    for (bool transposeB : {false, true})
      for (int32_t type : {TERT_BF16, TERT_F8E4M3}) {
        const ExpertCase c = {{700, 1500, 0, 2200, 3},
                              128,
                              1024,
                              1040,
                              transposeB,
                              wgrad,
                              type,
                              type,
                              TERT_BF16};
        Tensor groups = expertGroups(c);
        ExpertOperands x(c, groups);
        x.randomize(c, groups);
        Tensor one = Tensor::scalar(1);
        OnGpu a(gpu, x.a), b(gpu, x.b), g(gpu, groups), scale(gpu, one);
        OnGpu first(gpu, x.d);
        ASSERT_EQ(multiply(gpu, c, {a, b, g, first, scale, scale}), TERT_OK)
            << gpuError();
        const Tensor expected = first.read();
        for (int run = 0; run < 5; ++run) {
          OnGpu again(gpu, x.d);
          ASSERT_EQ(multiply(gpu, c, {a, b, g, again, scale, scale}), TERT_OK);
          EXPECT_TRUE(again.read().sameBits(expected));
        }
      }
}
