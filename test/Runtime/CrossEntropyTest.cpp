// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"

using namespace tert_test;

namespace {

constexpr int64_t ignored = -100;

struct Reference {
  double loss = 0;
  int64_t count = 0;
  std::vector<double> lse;
};

/// What a loss has besides the negative log-likelihood: torch's label smoothing
/// and the z-loss of PaLM.
struct Terms {
  float smoothing = 0, zLoss = 0;
};

Reference crossEntropy(const std::vector<double> &logits,
                       const std::vector<int64_t> &labels, int64_t classes,
                       int32_t reduction, Terms terms = {}) {
  Reference result;
  for (size_t i = 0; i < labels.size(); ++i) {
    double largest = -INFINITY, sum = 0;
    for (int64_t v = 0; v < classes; ++v)
      largest = std::max(largest, logits[i * classes + v]);
    for (int64_t v = 0; v < classes; ++v)
      sum += std::exp(logits[i * classes + v] - largest);
    result.lse.push_back(largest + std::log(sum));
    if (labels[i] == ignored)
      continue;
    // As torch defines it: over -log p of the label, and of all classes.
    double lse = result.lse[i], ofAll = 0;
    for (int64_t v = 0; v < classes; ++v)
      ofAll += lse - logits[i * classes + v];
    result.loss +=
        (1.0 - terms.smoothing) * (lse - logits[i * classes + labels[i]]) +
        terms.smoothing / double(classes) * ofAll + terms.zLoss * lse * lse;
    ++result.count;
  }
  if (reduction == TERT_MEAN && result.count)
    result.loss /= double(result.count);
  return result;
}

/// The gradient of the logits from the formula, for a loss of `factor` times
/// this one.
std::vector<double> gradient(const std::vector<double> &logits,
                             const std::vector<int64_t> &labels,
                             int64_t classes, const Reference &forward,
                             double factor, Terms terms) {
  std::vector<double> result(logits.size(), 0.0);
  for (size_t i = 0; i < labels.size(); ++i)
    for (int64_t v = 0; v < classes && labels[i] != ignored; ++v) {
      double p = std::exp(logits[i * classes + v] - forward.lse[i]);
      double target = (1.0 - terms.smoothing) * (v == labels[i]) +
                      terms.smoothing / double(classes);
      result[i * classes + v] =
          factor * (p - target + 2.0 * terms.zLoss * forward.lse[i] * p);
    }
  return result;
}

struct Case {
  int64_t rows, classes;
  int32_t logitType, labelType, reduction;
  Terms terms = {};
};

class CrossEntropyTest : public testing::TestWithParam<Case> {
protected:
  Case c = GetParam();
  Context context;
  // Columns of padding behind V, which are not part of it.
  Tensor logits{c.logitType, {c.rows, c.classes}, 11};
  Tensor labels{c.labelType, {c.rows}};
  Tensor lse{TERT_F32, {c.rows}};
  Tensor loss = Tensor::scalar(-1), count = Tensor::scalar(-1);

  void SetUp() override {
    logits.randomize(1, 4.0);
    std::mt19937 generator(2);
    labels.fill([&](int64_t i) {
      return i % 5 == 3 ? double(ignored) : double(generator() % c.classes);
    });
  }
  std::vector<int64_t> labelValues() const {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < c.rows; ++i)
      values.push_back(int64_t(labels.at(i)));
    return values;
  }
  Reference reference(const std::vector<double> &values) const {
    return crossEntropy(values, labelValues(), c.classes, c.reduction, c.terms);
  }
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (int32_t logitType : {TERT_F32, TERT_BF16})
    for (int32_t labelType : {TERT_I64, TERT_I32})
      for (int32_t reduction : {TERT_MEAN, TERT_SUM})
        for (auto [rows, classes] : std::vector<std::pair<int64_t, int64_t>>{
                 {1, 1}, {3, 7}, {70, 256}, {33, 509}, {5, 20001}})
          result.push_back({rows, classes, logitType, labelType, reduction});
  for (int32_t logitType : {TERT_F32, TERT_BF16})
    for (Terms terms :
         {Terms{0.1f, 0}, Terms{0, 1e-2f}, Terms{0.25f, 0.5f}, Terms{1, 0}})
      for (auto [rows, classes] : std::vector<std::pair<int64_t, int64_t>>{
               {1, 1}, {70, 256}, {33, 509}, {5, 20001}})
        result.push_back({rows, classes, logitType, TERT_I64,
                          rows == 70 ? TERT_SUM : TERT_MEAN, terms});
  return result;
}

std::string caseName(const testing::TestParamInfo<Case> &info) {
  const Case &c = info.param;
  return std::to_string(c.rows) + "x" + std::to_string(c.classes) + "_" +
         dtypeName(c.logitType) + "_labels_" + dtypeName(c.labelType) +
         (c.reduction == TERT_MEAN ? "_mean" : "_sum") +
         (c.terms.smoothing != 0
              ? "_smoothed" + std::to_string(int(100 * c.terms.smoothing))
              : "") +
         (c.terms.zLoss != 0 ? "_z" + std::to_string(int(100 * c.terms.zLoss))
                             : "");
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Shapes, CrossEntropyTest, testing::ValuesIn(cases()),
                         caseName);

TEST_P(CrossEntropyTest, AgreesWithFormula) {
  Reference expected = reference(valuesOf(logits));
  EXPECT_OK(context, tert_cross_entropy(context, nullptr, logits, labels, loss,
                                        lse, count, ignored, c.reduction,
                                        c.terms.smoothing, c.terms.zLoss));
  expectClose(lse, expected.lse, 1e-6, "lse");
  EXPECT_NEAR(loss.at(0), expected.loss, 1e-6 * (1 + expected.loss));
  EXPECT_EQ(count.at(0), double(expected.count));
}

TEST_P(CrossEntropyTest, GradAgreesWithFormula) {
  EXPECT_OK(context, tert_cross_entropy(context, nullptr, logits, labels, loss,
                                        lse, count, ignored, c.reduction,
                                        c.terms.smoothing, c.terms.zLoss));
  Reference forward = reference(valuesOf(logits));
  double factor = 0.75;
  std::vector<double> expected = gradient(
      valuesOf(logits), labelValues(), c.classes, forward,
      c.reduction == TERT_MEAN ? factor / double(forward.count) : factor,
      c.terms);
  Tensor dlogits(c.logitType, {c.rows, c.classes}, 3);
  EXPECT_OK(context, tert_cross_entropy_grad(
                         context, nullptr, Tensor::scalar(float(factor)),
                         logits, labels, lse, count, dlogits, ignored,
                         c.reduction, c.terms.smoothing, c.terms.zLoss));
  expectClose(dlogits, expected, 1e-6, "dlogits");

  // In place, and with other numbers of threads.
  for (int threads : {1, 3}) {
    Context pool(threads);
    Tensor inPlace = logits, lse2 = lse, loss2 = loss;
    EXPECT_OK(pool, tert_cross_entropy(pool, nullptr, inPlace, labels, loss2,
                                       lse2, count, ignored, c.reduction,
                                       c.terms.smoothing, c.terms.zLoss));
    EXPECT_TRUE(loss2.sameBits(loss));
    EXPECT_TRUE(lse2.sameBits(lse));
    EXPECT_OK(pool, tert_cross_entropy_grad(
                        pool, nullptr, Tensor::scalar(float(factor)), inPlace,
                        labels, lse, count, inPlace, ignored, c.reduction,
                        c.terms.smoothing, c.terms.zLoss));
    EXPECT_TRUE(inPlace.sameBits(dlogits));
    inPlace.checkGaps();
  }
}

/// A batch in two parts, whose losses add up.
TEST_P(CrossEntropyTest, WithGradAgreesWithFormula) {
  Reference whole = reference(valuesOf(logits));
  double factor = 0.75, divisor = c.reduction == TERT_MEAN && whole.count
                                      ? double(whole.count)
                                      : 1.0;
  std::vector<double> expected =
      gradient(valuesOf(logits), labelValues(), c.classes, whole,
               factor / divisor, c.terms);
  EXPECT_OK(context, tert_count_labels(context, nullptr, labels, count,
                                       c.classes, ignored));
  EXPECT_EQ(count.at(0), double(whole.count));

  Tensor first = logits, firstLoss = loss;
  for (int threads : {1, 3}) {
    Context pool(threads);
    Tensor part = logits, sum = Tensor::scalar(2);
    int64_t half = c.rows / 2;
    for (auto [begin, rows] :
         {std::pair(int64_t(0), half), std::pair(half, c.rows - half)})
      EXPECT_OK(pool, tert_cross_entropy_with_grad(
                          pool, nullptr, Tensor::scalar(float(factor)),
                          labels.rows(begin, rows), count,
                          part.rows(begin, rows), sum, ignored, c.reduction,
                          c.terms.smoothing, c.terms.zLoss));
    expectClose(part, expected, 1e-6, "dlogits");
    EXPECT_NEAR(sum.at(0), 2 + whole.loss, 1e-6 * (2 + whole.loss));
    part.checkGaps();
    if (threads == 1) {
      first = part;
      firstLoss = sum;
    } else {
      EXPECT_TRUE(part.sameBits(first));
      EXPECT_TRUE(sum.sameBits(firstLoss));
    }
  }
}

TEST(CrossEntropyGradTest, AgreesWithFiniteDifferences) {
  Context context;
  for (Terms terms : {Terms(), Terms{0.3f, 0.2f}}) {
    Tensor logits(TERT_F32, {4, 6}), dlogits = logits, labels(TERT_I64, {4});
    Tensor lse(TERT_F32, {4}), loss = Tensor::scalar(0), count = loss;
    logits.randomize(1);
    std::vector<int64_t> values = {2, ignored, 0, 5};
    labels.fill([&](int64_t i) { return double(values[i]); });
    EXPECT_OK(context, tert_cross_entropy(context, nullptr, logits, labels,
                                          loss, lse, count, ignored, TERT_MEAN,
                                          terms.smoothing, terms.zLoss));
    EXPECT_OK(context, tert_cross_entropy_grad(
                           context, nullptr, Tensor::scalar(1), logits, labels,
                           lse, count, dlogits, ignored, TERT_MEAN,
                           terms.smoothing, terms.zLoss));
    expectClose(dlogits,
                finiteDifferences(
                    valuesOf(logits),
                    [&](const std::vector<double> &x) {
                      return crossEntropy(x, values, 6, TERT_MEAN, terms).loss;
                    }),
                1e-6, "dlogits");
  }
}

/// Of x = [[1, 2, 0.5], [-1, 0, 3]] and the labels y = [1, 0], by PyTorch in
/// float64: F.cross_entropy(x, y, label_smoothing=e) + z * x.logsumexp(-1)
/// .square().mean(), with e and z in turn, and its gradients.
TEST(CrossEntropyGradTest, AgreesWithTorch) {
  Context context;
  const std::vector<double> values = {1, 2, 0.5, -1, 0, 3};
  struct {
    Terms terms;
    double loss;
    std::vector<double> dlogits;
  } cases[] = {{{0.1f, 0},
                2.22345967726602,
                {0.0989452821444079, -0.152400807060785, 0.0534555249163776,
                 -0.458092753893906, 0.00663964462232028, 0.451453109271586}},
               {{0.1f, 0.01f},
                2.30082346534304,
                {0.104643491698806, -0.136911467574314, 0.0569116637165874,
                 -0.457567021470662, 0.00806873351505758, 0.480157126993179}},
               {{0, 0.01f},
                2.34249013200971,
                {0.121310158365472, -0.170244800907647, 0.0735783303832541,
                 -0.490900354803995, 0.0247354001817242, 0.496823793659845}}};
  for (const auto &expected : cases) {
    Tensor logits(TERT_F32, {2, 3}), dlogits = logits, labels(TERT_I64, {2});
    Tensor lse(TERT_F32, {2}), loss = Tensor::scalar(0), count = loss;
    logits.fill([&](int64_t i) { return values[i]; });
    labels.fill([](int64_t i) { return i == 0 ? 1 : 0; });
    const Terms &terms = expected.terms;
    EXPECT_OK(context, tert_cross_entropy(context, nullptr, logits, labels,
                                          loss, lse, count, ignored, TERT_MEAN,
                                          terms.smoothing, terms.zLoss));
    EXPECT_NEAR(loss.at(0), expected.loss, 1e-6 * expected.loss);
    EXPECT_OK(context, tert_cross_entropy_grad(
                           context, nullptr, Tensor::scalar(1), logits, labels,
                           lse, count, dlogits, ignored, TERT_MEAN,
                           terms.smoothing, terms.zLoss));
    expectClose(dlogits, expected.dlogits, 1e-6, "dlogits");
  }
}

TEST(CrossEntropyEdgeTest, AllRowsIgnored) {
  Context context;
  for (int32_t reduction : {TERT_MEAN, TERT_SUM}) {
    Tensor logits(TERT_BF16, {3, 9}), dlogits = logits, labels(TERT_I32, {3});
    Tensor lse(TERT_F32, {3}), loss = Tensor::scalar(-1), count = loss;
    logits.randomize(1);
    dlogits.randomize(2);
    labels.fill([](int64_t) { return -1; });
    EXPECT_OK(context,
              tert_cross_entropy(context, nullptr, logits, labels, loss, lse,
                                 count, -1, reduction, 0, 0));
    EXPECT_EQ(loss.at(0), 0);
    EXPECT_EQ(count.at(0), 0);
    EXPECT_OK(context, tert_cross_entropy_grad(
                           context, nullptr, Tensor::scalar(1), logits, labels,
                           lse, count, dlogits, -1, reduction, 0, 0));
    expectClose(dlogits, std::vector<double>(27, 0.0), 0, "dlogits");
  }
}

TEST(CrossEntropyEdgeTest, WithGradOfIgnoredRows) {
  Context context;
  for (int32_t reduction : {TERT_MEAN, TERT_SUM}) {
    Tensor logits(TERT_BF16, {3, 9}, 2), labels(TERT_I32, {3});
    Tensor loss = Tensor::scalar(4), count = Tensor::scalar(0);
    logits.randomize(1);
    labels.fill([](int64_t) { return -1; });
    EXPECT_OK(context, tert_cross_entropy_with_grad(
                           context, nullptr, Tensor::scalar(1), labels, count,
                           logits, loss, -1, reduction, 0, 0));
    EXPECT_EQ(loss.at(0), 4);
    expectClose(logits, std::vector<double>(27, 0.0), 0, "dlogits");
    logits.checkGaps();
  }
}

TEST(CrossEntropyEdgeTest, LargeLogits) {
  Context context;
  Tensor logits(TERT_F32, {2, 40}), labels(TERT_I64, {2});
  Tensor lse(TERT_F32, {2}), loss = Tensor::scalar(-1), count = loss;
  logits.fill([](int64_t i) { return i < 40 ? 1e30 : -1000.0 * (i - 40); });
  labels.fill([](int64_t) { return 0; });
  EXPECT_OK(context, tert_cross_entropy(context, nullptr, logits, labels, loss,
                                        lse, count, -100, TERT_SUM, 0, 0));
  EXPECT_FLOAT_EQ(float(lse.at(0)), 1e30f);
  EXPECT_EQ(lse.at(1), 0);
  logits.set(3, NAN);
  EXPECT_OK(context, tert_cross_entropy(context, nullptr, logits, labels, loss,
                                        lse, count, -100, TERT_SUM, 0, 0));
  EXPECT_TRUE(std::isnan(loss.at(0)));
  EXPECT_EQ(lse.at(1), 0);
}

TEST(CrossEntropyErrorTest, RefusesTermsOutOfRange) {
  Context context;
  Tensor logits(TERT_F32, {4, 6}), labels(TERT_I64, {4});
  Tensor lse(TERT_F32, {4}), loss = Tensor::scalar(0), count = loss;
  for (float smoothing : {-0.1f, 1.5f, NAN}) {
    EXPECT_EQ(tert_cross_entropy(context, nullptr, logits, labels, loss, lse,
                                 count, ignored, TERT_MEAN, smoothing, 0),
              TERT_INVALID_ARGUMENT);
    EXPECT_NE(context.error().find("'label_smoothing' is"), std::string::npos)
        << context.error();
  }
  for (float zLoss : {-1.0f, INFINITY, NAN}) {
    EXPECT_EQ(tert_cross_entropy_grad(context, nullptr, loss, logits, labels,
                                      lse, count, logits, ignored, TERT_MEAN, 0,
                                      zLoss),
              TERT_INVALID_ARGUMENT);
    EXPECT_NE(context.error().find("'z_loss' is"), std::string::npos)
        << context.error();
    EXPECT_EQ(tert_cross_entropy_with_grad(context, nullptr, loss, labels,
                                           count, logits, loss, ignored,
                                           TERT_MEAN, 0, zLoss),
              TERT_INVALID_ARGUMENT);
  }
}

TEST(CrossEntropyErrorTest, NamesTheLabelThatIsNoClass) {
  Context context;
  tert_site site = {"tert.cross_entropy", "loss (train.py:3)", 9, 0, 0};
  Tensor logits(TERT_F32, {4, 6}), labels(TERT_I64, {4});
  Tensor lse(TERT_F32, {4}), loss = Tensor::scalar(0), count = loss;
  logits.randomize(1);
  for (double label : {6.0, -1.0}) {
    labels.fill([&](int64_t i) { return i == 2 ? label : double(ignored); });
    std::string name =
        "label " + std::to_string(int64_t(label)) + " at position 2";
    EXPECT_EQ(tert_cross_entropy(context, &site, logits, labels, loss, lse,
                                 count, ignored, TERT_MEAN, 0, 0),
              TERT_INVALID_DATA);
    EXPECT_NE(context.error().find(name), std::string::npos) << context.error();
    EXPECT_NE(context.error().find("[0, 6)"), std::string::npos);
    EXPECT_EQ(tert_cross_entropy_grad(context, &site, loss, logits, labels, lse,
                                      count, logits, ignored, TERT_MEAN, 0, 0),
              TERT_INVALID_DATA);
    EXPECT_NE(context.error().find(name), std::string::npos) << context.error();
    EXPECT_EQ(tert_cross_entropy_with_grad(context, &site, loss, labels, count,
                                           logits, loss, ignored, TERT_MEAN, 0,
                                           0),
              TERT_INVALID_DATA);
    EXPECT_NE(context.error().find(name), std::string::npos) << context.error();
    EXPECT_EQ(tert_count_labels(context, &site, labels, count, 6, ignored),
              TERT_INVALID_DATA);
    EXPECT_NE(context.error().find(name), std::string::npos) << context.error();
  }
}
