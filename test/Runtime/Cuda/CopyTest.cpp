// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of many tensors and transpositions, against the CPU's.

#include "KernelTest.h"

#include <array>

using namespace tert_test;

namespace {
/// What of a matrix is copied how.
struct Case {
  int32_t from, to;
  int64_t rows, cols;
  /// Of x's and y's rows; with `turnsX` those of x are the copy's columns.
  int64_t xGap, yGap;
  bool turnsX, turnsY;
};

/// The transpose of a matrix, where it lies.
struct Turned {
  explicit Turned(const tert_tensor &tensor) : layout(*tensor.layout) {
    std::swap(layout.sizes[0], layout.sizes[1]);
    std::swap(layout.strides[0], layout.strides[1]);
    data = tensor.data;
  }
  tert_layout layout;
  void *data;
};
} // namespace

/// Whole squares, parts of them, lines that no vector divides, lines that are
/// not aligned, single elements, other types.
static std::vector<Case> getCases() {
  std::vector<Case> cases;
  for (int32_t dtype : {TERT_F8E4M3, TERT_U8, TERT_BF16, TERT_F32, TERT_I64})
    for (auto [rows, cols] : std::vector<std::array<int64_t, 2>>{{256, 384},
                                                                 {16, 1040},
                                                                 {160, 48},
                                                                 {33, 70},
                                                                 {1, 300},
                                                                 {300, 1},
                                                                 {1, 1}})
      for (int64_t gap : {0, 16, 3})
        for (int turns = 0; turns < 4; ++turns)
          cases.push_back({dtype, dtype, rows, cols, gap, gap * 2,
                           (turns & 1) != 0, (turns & 2) != 0});
  for (int64_t cols : {1, 7, 800, 5000})
    for (int64_t gap : {0, 5, 8}) {
      cases.push_back({TERT_F32, TERT_BF16, 9, cols, gap, 0, false, false});
      cases.push_back({TERT_BF16, TERT_F32, 9, cols, 0, gap, false, false});
      cases.push_back({TERT_F32, TERT_BF16, 9, cols, gap, 0, true, false});
    }
  return cases;
}

/// x, then y, of every case.
static std::vector<Tensor> makeTensors(const std::vector<Case> &cases) {
  std::vector<Tensor> tensors;
  for (const Case &c : cases) {
    std::vector<int64_t> sizes = {c.rows, c.cols}, turned = {c.cols, c.rows};
    tensors.emplace_back(c.from, c.turnsX ? turned : sizes, c.xGap);
    Tensor &x = tensors.back();
    x.fill([&](int64_t i) { return (i * 7 + int64_t(tensors.size())) % 120; });
    tensors.push_back(poisoned(c.to, c.turnsY ? turned : sizes, c.yGap));
  }
  return tensors;
}

namespace {
class CopyTest : public KernelTest {
protected:
  /// Copies `cases` at once, or one by one.
  void run(const std::vector<Case> &cases, bool joined) {
    runBoth(makeTensors(cases),
            [&](tert_context *c, const Arguments &a) -> tert_status {
              std::list<Turned> turned;
              std::vector<tert_tensor> x, y;
              auto view = [&](const tert_tensor &tensor,
                              bool turns) -> tert_tensor {
                if (!turns)
                  return tensor;
                turned.emplace_back(tensor);
                return {turned.back().data, &turned.back().layout};
              };
              for (size_t i = 0; i < cases.size(); ++i) {
                x.push_back(view(*a[2 * i], cases[i].turnsX));
                y.push_back(view(*a[2 * i + 1], cases[i].turnsY));
              }
              if (joined)
                return tert_multi_copy(c, nullptr, int32_t(x.size()), x.data(),
                                       int32_t(y.size()), y.data());
              for (size_t i = 0; i < x.size(); ++i)
                if (tert_status status = tert_copy(c, nullptr, &x[i], &y[i]))
                  return status;
              return TERT_OK;
            });
    for (size_t i = 0; i < cases.size(); ++i) {
      const Case &c = cases[i];
      SCOPED_TRACE(testing::Message()
                   << c.rows << "x" << c.cols << " types " << c.from << c.to
                   << " gaps " << c.xGap << " " << c.yGap << " turned "
                   << c.turnsX << c.turnsY);
      expectSameBits(2 * i + 1);
      if (HasFailure())
        return;
    }
  }
};
} // namespace

TEST_F(CopyTest, ManyAtOnce) { run(getCases(), /*joined=*/true); }

TEST_F(CopyTest, OneByOne) { run(getCases(), /*joined=*/false); }

TEST_F(CopyTest, FewAtOnce) {
  run({{TERT_F8E4M3, TERT_F8E4M3, 768, 2304, 0, 0, true, false},
       {TERT_F8E4M3, TERT_F8E4M3, 3072, 768, 0, 0, true, false},
       {TERT_F32, TERT_F32, 1, 1, 0, 0, false, false},
       {TERT_F32, TERT_F32, 1, 1, 0, 0, false, false}},
      /*joined=*/true);
}

/// Heads in another order: rows of words and of single elements, aligned and
/// not, in five dimensions, as slices of rows.
TEST_F(CopyTest, SwapsOuterDimensions) {
  for (int32_t dtype : {TERT_F8E4M3, TERT_BF16, TERT_F32, TERT_I64})
    for (int64_t row : {1, 3, 16, 24, 128})
      for (int64_t gap : {0, 5, 16})
        for (bool turnsX : {false, true}) {
          std::vector<Tensor> tensors;
          tensors.emplace_back(dtype, std::vector<int64_t>{2, 3, 17, 5, row},
                               gap);
          tensors[0].fill([](int64_t i) { return i % 113; });
          tensors.push_back(poisoned(dtype, {2, 17, 3, 5, row}, 2 * gap));
          runBoth(tensors,
                  [&](tert_context *c, const Arguments &a) -> tert_status {
                    tert_layout layout = *a[!turnsX]->layout;
                    std::swap(layout.sizes[1], layout.sizes[2]);
                    std::swap(layout.strides[1], layout.strides[2]);
                    tert_tensor turned = {a[!turnsX]->data, &layout};
                    return turnsX ? tert_copy(c, nullptr, &turned, a[1])
                                  : tert_copy(c, nullptr, a[0], &turned);
                  });
          SCOPED_TRACE(testing::Message() << "type " << dtype << " rows of "
                                          << row << " gap " << gap);
          expectSameBits(1);
        }
}

/// Of every type, in lines that words of any width divide, and elements that
/// are no neighbours; more of them than a small table holds.
TEST_F(CopyTest, FillsManyAtOnce) {
  std::vector<Tensor> tensors;
  for (int32_t dtype : {TERT_F32, TERT_BF16, TERT_I64, TERT_I32, TERT_U8})
    for (auto [rows, cols] : std::vector<std::array<int64_t, 2>>{
             {256, 384}, {1, 1000003}, {33, 70}, {300, 1}, {1, 1}})
      for (int64_t gap : {0, 16, 3})
        tensors.push_back(poisoned(dtype, {rows, cols}, gap));
  runBoth(tensors, [&](tert_context *c, const Arguments &a) -> tert_status {
    std::list<Turned> turned;
    std::vector<tert_tensor> y;
    for (size_t i = 0; i < tensors.size(); ++i) {
      y.push_back(*a[i]);
      if (i % 2 == 0)
        continue;
      turned.emplace_back(*a[i]);
      y.back() = {turned.back().data, &turned.back().layout};
    }
    return tert_multi_fill(c, nullptr, int32_t(y.size()), y.data(), 97);
  });
  for (size_t i = 0; i < tensors.size(); ++i) {
    SCOPED_TRACE(i);
    expectSameBits(i);
  }
}
