// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestTensor.h"

using namespace tert_test;

using Shape = std::vector<int64_t>;

/// `value` as a tensor of `dtype` stores it.
static double stored(int32_t dtype, float value) {
  return dtype == TERT_BF16 ? bf16Value(bf16Bits(value)) : value;
}

TEST(AddTest, ShapesStridesAndTypes) {
  Context context;
  struct Case {
    Shape a, b;
  };
  for (const Case &c : std::vector<Case>{{{}, {}},
                                         {{7}, {7}},
                                         {{7}, {}},
                                         {{33, 17}, {33, 17}},
                                         {{33, 17}, {17}},
                                         {{33, 17}, {}},
                                         {{1, 1}, {1}},
                                         {{5, 1}, {1}},
                                         {{2, 3, 4, 50}, {4, 50}},
                                         {{2, 3, 1, 50}, {1, 50}},
                                         {{3, 100, 130}, {130}},
                                         {{0, 4}, {4}},
                                         {{20000}, {20000}}})
    for (int32_t aType : {TERT_F32, TERT_BF16})
      for (int32_t bType : {TERT_F32, TERT_BF16})
        for (int32_t yType : {TERT_F32, TERT_BF16}) {
          int64_t gap = c.a.size() > 1 ? 3 : 0;
          Tensor a(aType, c.a, gap), b(bType, c.b), y(yType, c.a, 2 * gap);
          a.randomize(1);
          b.randomize(2);
          EXPECT_OK(context, tert_add(context, nullptr, a, b, y));
          for (int64_t i = 0; i < a.numElements(); ++i)
            ASSERT_EQ(y.at(i),
                      stored(yType, float(a.at(i)) +
                                        float(b.at(i % b.numElements()))));
          y.checkGaps();
        }
}

TEST(AddTest, InPlace) {
  Context context;
  Tensor a(TERT_F32, {100, 77}), b(TERT_F32, {100, 77});
  a.randomize(1);
  b.randomize(2);
  Tensor before = a;
  EXPECT_OK(context, tert_add(context, nullptr, a, b, a));
  for (int64_t i = 0; i < a.numElements(); ++i)
    ASSERT_EQ(a.at(i), float(before.at(i)) + float(b.at(i)));
}

TEST(AddTest, RefusesOtherShapes) {
  Context context;
  tert_site site = {"tert.add", "h.1 (model.py:3)", 4, 0, 0};
  Tensor a(TERT_F32, {4, 6}), b(TERT_F32, {4}), y(TERT_F32, {4, 6});
  EXPECT_EQ(tert_add(context, &site, a, b, y), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(), "tert.add at h.1 (model.py:3): 'b' is [4] f32, "
                             "but must be a suffix of [4, 6], the shape of "
                             "'a'");
  EXPECT_EQ(tert_add(context, &site, a, a, b), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_add(context, &site, b, a, b), TERT_INVALID_ARGUMENT);
  Tensor q(TERT_F8E4M3, {4, 6});
  EXPECT_EQ(tert_add(context, &site, q, a, y), TERT_INVALID_ARGUMENT);
}

TEST(ColumnSumTest, AgainstFloat64) {
  Context context;
  for (auto [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 1}, {1, 77}, {500, 1}, {63, 64}, {64, 65}, {300, 257}, {0, 9}})
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      Tensor x(dtype, {rows, cols}, 5), y(dtype, {cols});
      x.randomize(11);
      EXPECT_OK(context, tert_column_sum(context, nullptr, x, y));
      for (int64_t j = 0; j < cols; ++j) {
        double sum = 0, magnitude = 0;
        for (int64_t i = 0; i < rows; ++i) {
          sum += x.at(i, j);
          magnitude += std::fabs(x.at(i, j));
        }
        double tolerance = magnitude * 1e-5;
        if (dtype == TERT_BF16)
          tolerance += std::fabs(sum) / 256;
        ASSERT_NEAR(y.at(j), sum, tolerance) << rows << "x" << cols;
      }
      y.checkGaps();
    }
}

TEST(ColumnSumTest, ThreadsDoNotMatter) {
  Context one(1), three(3);
  Tensor x(TERT_F32, {1000, 100}), y1(TERT_F32, {100}), y3(TERT_F32, {100});
  x.randomize(5);
  EXPECT_OK(one, tert_column_sum(one, nullptr, x, y1));
  EXPECT_OK(three, tert_column_sum(three, nullptr, x, y3));
  EXPECT_TRUE(y1.sameBits(y3));
}

TEST(CopyTest, AnyStridesAndEveryType) {
  Context context;
  for (int32_t dtype : {TERT_F32, TERT_BF16, TERT_F8E4M3, TERT_F8E5M2, TERT_I64,
                        TERT_I32, TERT_U8})
    for (bool transposed : {false, true}) {
      Shape shape = {3, 70, 41};
      Tensor x(dtype, shape, Shape{4000, 50, 1});
      Tensor y(dtype, shape,
               transposed ? Shape{7000, 2, 150} : Shape{1, 140, 3});
      x.fill([](int64_t i) { return i % 100; });
      EXPECT_OK(context, tert_copy(context, nullptr, x, y));
      EXPECT_TRUE(x.sameBits(y));
      y.checkGaps();
    }
}

TEST(CopyTest, ConvertsFloats) {
  Context context;
  for (Shape shape : {Shape{}, Shape{5000}, Shape{30, 41}, Shape{2, 3, 4, 5}})
    for (bool strided : {false, true}) {
      Shape strides(shape.size());
      int64_t stride = strided ? 2 : 1;
      for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
        strides[dim] = stride;
      Tensor x(TERT_F32, shape), y(TERT_BF16, shape, strides);
      Tensor z(TERT_F32, shape);
      x.randomize(3);
      EXPECT_OK(context, tert_copy(context, nullptr, x, y));
      EXPECT_OK(context, tert_copy(context, nullptr, y, z));
      for (int64_t i = 0; i < x.numElements(); ++i) {
        ASSERT_EQ(y.bitsAt(i), bf16Bits(float(x.at(i))));
        ASSERT_EQ(z.at(i), y.at(i));
      }
      y.checkGaps();
    }
}

TEST(CopyTest, RoundsSpecialValuesToBf16) {
  Context context;
  // A tie to even both ways, overflow to infinity, subnormals and NaN whose
  // payload would round away.
  uint32_t bits[] = {0x3f808000, 0x3f818000, 0x7f7fffff, 0xff800000,
                     0x00000001, 0x00008000, 0x00018000, 0x7f800001,
                     0xffffffff, 0x80000000};
  Tensor x(TERT_F32, {10}), y(TERT_BF16, {10});
  for (int i = 0; i < 10; ++i)
    x.setBits(i, bits[i]);
  EXPECT_OK(context, tert_copy(context, nullptr, x, y));
  uint16_t expected[] = {0x3f80, 0x3f82, 0x7f80, 0xff80, 0x0000,
                         0x0000, 0x0002, 0x7fc0, 0xffff, 0x8000};
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(y.bitsAt(i), expected[i]) << i;
}

TEST(CopyTest, RefusesOtherTypesAndShapes) {
  Context context;
  Tensor x(TERT_F32, {4}), y(TERT_I32, {4}), z(TERT_F32, {5});
  EXPECT_EQ(tert_copy(context, nullptr, x, y), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(), "tert.copy: 'y' is [4] i32, but must be f32");
  EXPECT_EQ(tert_copy(context, nullptr, x, z), TERT_INVALID_ARGUMENT);
}

namespace {
/// Pairs of tensors as the C function takes them.
struct Copies {
  std::vector<Tensor> x, y;

  void add(int32_t from, int32_t to, const Shape &shape, const Shape &xStrides,
           const Shape &yStrides) {
    x.emplace_back(from, shape, xStrides);
    y.emplace_back(to, shape, yStrides);
    x.back().fill([](int64_t i) { return i % 100; });
  }
  tert_status run(tert_context *context) const {
    std::vector<tert_tensor> from, to;
    for (const Tensor &tensor : x)
      from.push_back(tensor.get());
    for (const Tensor &tensor : y)
      to.push_back(tensor.get());
    return tert_multi_copy(context, nullptr, int32_t(from.size()), from.data(),
                           int32_t(to.size()), to.data());
  }
};
} // namespace

TEST(MultiCopyTest, CopiesEachElement) {
  Copies copies;
  copies.add(TERT_F8E4M3, TERT_F8E4M3, {300, 70}, {1, 300}, {70, 1});
  copies.add(TERT_F32, TERT_F32, {}, {}, {});
  copies.add(TERT_F32, TERT_BF16, {3, 5000}, {5001, 1}, {5000, 1});
  copies.add(TERT_BF16, TERT_F32, {40, 30}, {1, 40}, {60, 2});
  copies.add(TERT_I64, TERT_I64, {2, 3, 4}, {12, 4, 1}, {1, 2, 6});
  copies.add(TERT_I32, TERT_I32, {0, 3}, {3, 1}, {3, 1});
  Context context;
  EXPECT_OK(context, copies.run(context));
  for (size_t k = 0; k < copies.x.size(); ++k) {
    for (int64_t i = 0; i < copies.x[k].numElements(); ++i)
      ASSERT_EQ(copies.y[k].at(i), copies.x[k].at(i)) << k << " at " << i;
    copies.y[k].checkGaps();
  }
  EXPECT_OK(context, tert_multi_copy(context, nullptr, 0, nullptr, 0, nullptr));
}

TEST(MultiCopyTest, NamesTheCopyThatIsWrong) {
  Context context;
  Copies copies;
  copies.add(TERT_F32, TERT_F32, {4}, {1}, {1});
  copies.add(TERT_F32, TERT_I32, {4}, {1}, {1});
  EXPECT_EQ(copies.run(context), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.multi_copy: copy 1: 'y' is [4] i32, but must be f32");
  copies.y.pop_back();
  EXPECT_EQ(copies.run(context), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(), "tert.multi_copy: 'y' has 1 entries for 2 in 'x'");
}

TEST(FillTest, TypesAndStrides) {
  Context context;
  for (int32_t dtype : {TERT_F32, TERT_BF16, TERT_I64, TERT_I32, TERT_U8}) {
    Tensor dense(dtype, {3, 5000}), strided(dtype, {3, 50}, Shape{2, 7});
    Tensor scalar(dtype, {}), empty(dtype, {3, 0});
    for (const Tensor &y : {dense, strided, scalar, empty}) {
      EXPECT_OK(context, tert_fill(context, nullptr, y, 7));
      for (int64_t i = 0; i < y.numElements(); ++i)
        ASSERT_EQ(y.at(i), 7);
      y.checkGaps();
    }
  }
}

TEST(FillTest, ManyAtOnce) {
  Context context;
  std::vector<Tensor> tensors;
  for (int32_t dtype : {TERT_F32, TERT_BF16, TERT_I64, TERT_I32, TERT_U8}) {
    tensors.emplace_back(dtype, Shape{3, 5000});
    tensors.emplace_back(dtype, Shape{3, 50}, Shape{2, 7});
    tensors.emplace_back(dtype, Shape{3, 50}, Shape{1, 3});
    tensors.emplace_back(dtype, Shape{});
    tensors.emplace_back(dtype, Shape{3, 0});
  }
  std::vector<tert_tensor> handles;
  for (const Tensor &tensor : tensors)
    handles.push_back(tensor.get());
  EXPECT_OK(context, tert_multi_fill(context, nullptr, int32_t(handles.size()),
                                     handles.data(), 7));
  for (size_t k = 0; k < tensors.size(); ++k) {
    for (int64_t i = 0; i < tensors[k].numElements(); ++i)
      ASSERT_EQ(tensors[k].at(i), 7) << k << " at " << i;
    tensors[k].checkGaps();
  }
  EXPECT_OK(context, tert_multi_fill(context, nullptr, 0, nullptr, 7));
  // No element is written unless all can be.
  EXPECT_EQ(tert_multi_fill(context, nullptr, int32_t(handles.size()),
                            handles.data(), -1),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error().rfind("tert.multi_fill: fill 20: 'value' is -1", 0),
            0u)
      << context.error();
  EXPECT_EQ(tensors[0].at(0), 7);
  EXPECT_EQ(tert_multi_fill(context, nullptr, 1, nullptr, 7),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(), "tert.multi_fill: 'y' is null, a list of 1");
}

TEST(FillTest, RefusesWhatDoesNotFit) {
  Context context;
  Tensor i32(TERT_I32, {2}), u8(TERT_U8, {2}), q(TERT_F8E4M3, {2});
  EXPECT_EQ(tert_fill(context, nullptr, i32, 0x1p31), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_fill(context, nullptr, i32, 0.5), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_fill(context, nullptr, i32, NAN), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_fill(context, nullptr, u8, -1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_fill(context, nullptr, q, 1), TERT_INVALID_ARGUMENT);
  EXPECT_OK(context, tert_fill(context, nullptr, i32, -0x1p31));
}
