// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"

using namespace tert_test;

namespace {

struct Case {
  int64_t rows, tableRows, cols;
  int32_t idType, tableType, yType;
};

class EmbeddingTest : public testing::TestWithParam<Case> {
protected:
  Case c = GetParam();
  Context context;
  Tensor ids{c.idType, {c.rows}};

  void SetUp() override {
    std::mt19937 generator(1);
    // Some ids often, some never.
    ids.fill([&](int64_t) {
      int64_t id = generator() % c.tableRows;
      return double(id % 3 ? id : id / 2);
    });
  }
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (int32_t idType : {TERT_I64, TERT_I32})
    for (int32_t tableType : {TERT_F32, TERT_BF16})
      for (int32_t yType : {TERT_F32, TERT_BF16}) {
        result.push_back({1, 1, 1, idType, tableType, yType});
        result.push_back({500, 37, 70, idType, tableType, yType});
        result.push_back({9, 1000, 300, idType, tableType, yType});
      }
  return result;
}

std::string caseName(const testing::TestParamInfo<Case> &info) {
  const Case &c = info.param;
  return std::to_string(c.rows) + "x" + std::to_string(c.cols) + "_of_" +
         std::to_string(c.tableRows) + "_ids_" + dtypeName(c.idType) +
         "_table_" + dtypeName(c.tableType) + "_y_" + dtypeName(c.yType);
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Shapes, EmbeddingTest, testing::ValuesIn(cases()),
                         caseName);

TEST_P(EmbeddingTest, GathersRows) {
  Tensor table(c.tableType, {c.tableRows, c.cols}, 3);
  Tensor y(c.yType, {c.rows, c.cols}, 1);
  table.randomize(2);
  EXPECT_OK(context, tert_embedding(context, nullptr, ids, table, y));
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j) {
      double value = table.at(int64_t(ids.at(i)), j);
      ASSERT_EQ(y.at(i, j), c.yType == TERT_BF16
                                ? bf16Value(bf16Bits(float(value)))
                                : value);
    }
  y.checkGaps();
}

TEST_P(EmbeddingTest, GradSumsRows) {
  Tensor dy(c.yType, {c.rows, c.cols}, 2);
  dy.randomize(3);
  std::vector<double> expected(c.tableRows * c.cols, 0.0);
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j)
      expected[int64_t(ids.at(i)) * c.cols + j] += dy.at(i, j);
  Tensor dtable(c.tableType, {c.tableRows, c.cols}, 5);
  EXPECT_OK(context, tert_embedding_grad(context, nullptr, ids, dy, dtable));
  expectClose(dtable, expected, 1e-5, "dtable");

  Tensor again(c.tableType, {c.tableRows, c.cols});
  Context one(1), three(3);
  EXPECT_OK(one, tert_embedding_grad(one, nullptr, ids, dy, again));
  EXPECT_TRUE(again.sameBits(dtable));
  EXPECT_OK(three, tert_embedding_grad(three, nullptr, ids, dy, again));
  EXPECT_TRUE(again.sameBits(dtable));
}

TEST_P(EmbeddingTest, GradIsAdded) {
  Tensor dy(c.yType, {c.rows, c.cols}, 2);
  dy.randomize(3);
  Tensor before(TERT_F32, {c.tableRows, c.cols}, 5);
  before.randomize(4);
  std::vector<double> expected = valuesOf(before);
  std::vector<bool> isNamed(c.tableRows);
  for (int64_t i = 0; i < c.rows; ++i) {
    isNamed[int64_t(ids.at(i))] = true;
    for (int64_t j = 0; j < c.cols; ++j)
      expected[int64_t(ids.at(i)) * c.cols + j] += dy.at(i, j);
  }
  Tensor sum = before;
  EXPECT_OK(context, tert_add_embedding_grad(context, nullptr, ids, dy, sum));
  expectClose(sum, expected, 1e-5, "dtable");
  // As a gradient and a sum of their own.
  Tensor grad(TERT_F32, {c.tableRows, c.cols}),
      apart(TERT_F32, {c.tableRows, c.cols}, 5);
  EXPECT_OK(context, tert_embedding_grad(context, nullptr, ids, dy, grad));
  EXPECT_OK(context, tert_add(context, nullptr, before, grad, apart));
  EXPECT_TRUE(sum.sameBits(apart));
  for (int64_t i = 0; i < c.tableRows; ++i)
    for (int64_t j = 0; j < c.cols && !isNamed[i]; ++j)
      ASSERT_EQ(sum.at(i, j), before.at(i, j));
  Tensor bf16(TERT_BF16, {c.tableRows, c.cols});
  EXPECT_EQ(tert_add_embedding_grad(context, nullptr, ids, dy, bf16),
            TERT_INVALID_ARGUMENT);
}

TEST(EmbeddingErrorTest, NamesTheIdOutsideTheTable) {
  Context context;
  tert_site site = {"tert.embedding", "transformer.wte (model.py:12)", 3, 0, 0};
  Tensor ids(TERT_I64, {5}), table(TERT_F32, {7, 4}), y(TERT_F32, {5, 4});
  table.randomize(1);
  for (double id : {7.0, -1.0}) {
    ids.fill([&](int64_t i) { return i == 3 ? id : i; });
    EXPECT_EQ(tert_embedding(context, &site, ids, table, y), TERT_INVALID_DATA);
    std::string name =
        "token id " + std::to_string(int64_t(id)) + " at position 3";
    EXPECT_NE(context.error().find(name), std::string::npos) << context.error();
    EXPECT_NE(context.error().find("[0, 7)"), std::string::npos);
    EXPECT_NE(context.error().find("transformer.wte"), std::string::npos);
    EXPECT_EQ(tert_embedding_grad(context, &site, ids, y, table),
              TERT_INVALID_DATA);
    EXPECT_NE(context.error().find(name), std::string::npos) << context.error();
  }
}

TEST(ShiftLabelsTest, ShiftsByOne) {
  Context context;
  for (int32_t from : {TERT_I64, TERT_I32})
    for (int32_t to : {TERT_I64, TERT_I32}) {
      Tensor ids(from, {3, 5}, 2), labels(to, {3, 5}, 1);
      ids.fill([](int64_t i) { return i * 10; });
      EXPECT_OK(context,
                tert_shift_labels(context, nullptr, ids, labels, -100));
      for (int64_t i = 0; i < 3; ++i)
        for (int64_t j = 0; j < 5; ++j)
          EXPECT_EQ(labels.at(i, j), j == 4 ? -100 : ids.at(i, j + 1));
      labels.checkGaps();
    }
  Tensor single(TERT_I64, {2, 1}), labels = single, none(TERT_I64, {2, 0});
  single.fill([](int64_t) { return 5; });
  EXPECT_OK(context, tert_shift_labels(context, nullptr, single, labels, -1));
  EXPECT_EQ(labels.at(0), -1);
  EXPECT_EQ(labels.at(1), -1);
  EXPECT_OK(context, tert_shift_labels(context, nullptr, none, none, -1));
}
