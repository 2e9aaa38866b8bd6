// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of te-run calibrate against their definitions in float64, of a
// model with a layer of outliers, a dead one, and an LM head.

#include "Models.h"

#include <nlohmann/json.hpp>

using namespace test;

namespace {
constexpr int rows = 32, width = 64, hidden = 96, classes = 48, batches = 3;

const char model[] = R"(
func.func @forward(%x: tensor<32x64xf32> {te.input = "x"}, %o: tensor<32x64xf32> {te.input = "o"}, %z: tensor<32x64xf32> {te.input = "z"},
    %wf: tensor<96x64xf32> {te.param = "fc.weight"}, %wh: tensor<48x96xf32> {te.param = "head.weight"},
    %wo: tensor<96x64xf32> {te.param = "outlier.weight"}, %wd: tensor<96x64xf32> {te.param = "dead.weight"},
    %b: tensor<96xf32> {te.param = "fc.bias"}) -> (tensor<32x48xf32> {te.output = "logits"}) {
  %f = te.matmul %x, %wf bias(%b : tensor<96xf32>) {transpose_b} : tensor<32x64xf32>, tensor<96x64xf32> -> tensor<32x96xf32> loc("fc")
  %p = te.matmul %o, %wo {transpose_b} : tensor<32x64xf32>, tensor<96x64xf32> -> tensor<32x96xf32> loc("outlier")
  %d = te.matmul %z, %wd {transpose_b} : tensor<32x64xf32>, tensor<96x64xf32> -> tensor<32x96xf32> loc("dead")
  %s = te.add %f, %p : tensor<32x96xf32>, tensor<32x96xf32> -> tensor<32x96xf32>
  %t = te.add %s, %d : tensor<32x96xf32>, tensor<32x96xf32> -> tensor<32x96xf32>
  %a = te.activation relu %t : tensor<32x96xf32> -> y tensor<32x96xf32>
  %y = te.matmul %a, %wh {transpose_b} : tensor<32x96xf32>, tensor<48x96xf32> -> tensor<32x48xf32> loc("head")
  return %y : tensor<32x48xf32>
}
)";

/// A format: bits of the significand, the leading one included; the exponent of
/// the least normal number; the largest number.
struct Format {
  int digits, least;
  double largest;
};
constexpr Format bf16 = {8, -126, 3.3895e38}, e4m3 = {4, -6, 448},
                 e5m2 = {3, -14, 57344};

double roundTo(const Format &format, double x) {
  if (x == 0)
    return x;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(x), format.least) -
                                          format.digits + 1);
  return std::copysign(
      std::min(std::abs(std::nearbyint(x / unit) * unit), format.largest), x);
}

struct Matrix {
  int m = 0, n = 0;
  std::vector<double> data;

  Matrix(int m, int n) : m(m), n(n), data(size_t(m) * size_t(n)) {}
  double &at(int i, int j) { return data[size_t(i) * size_t(n) + size_t(j)]; }
  double at(int i, int j) const {
    return data[size_t(i) * size_t(n) + size_t(j)];
  }
  Matrix transposed() const {
    Matrix result(n, m);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        result.at(j, i) = at(i, j);
    return result;
  }
  Matrix rounded(const Format &format = bf16) const {
    Matrix result = *this;
    for (double &x : result.data)
      x = roundTo(format, x);
    return result;
  }
  double amax() const {
    double most = 0;
    for (double x : data)
      most = std::max(most, std::abs(x));
    return most;
  }
};

/// a · bᵀ
Matrix times(const Matrix &a, const Matrix &b) {
  Matrix result(a.m, b.m);
  for (int i = 0; i < a.m; ++i)
    for (int j = 0; j < b.m; ++j)
      for (int k = 0; k < a.n; ++k)
        result.at(i, j) += a.at(i, k) * b.at(j, k);
  return result;
}

/// What a matrix is after a cast to a format and back, with the scale of its
/// own amax.
Matrix cast(const Matrix &x, const Format &format) {
  Matrix result = x;
  const double amax = x.amax();
  const float scale = amax > 0 ? float(format.largest) / float(amax) : 1.0f;
  for (double &value : result.data)
    value = roundTo(format, float(value) * scale) / scale;
  return result;
}

/// Share of the nonzero elements that a cast makes 0.
/// Shares of the nonzero values by how many octaves they are below the amax,
/// two together, and from 30 on all.
std::vector<double> octavesOf(const Matrix &x) {
  std::vector<double> counts(16, 0.0);
  const double amax = x.amax();
  double nonzero = 0;
  for (double value : x.data)
    if (value != 0) {
      ++nonzero;
      ++counts[size_t(
          std::min(15.0, std::floor(std::log2(amax / std::abs(value)) / 2)))];
    }
  for (double &count : counts)
    count /= nonzero;
  return counts;
}

double flushedOf(const Matrix &x, const Format &format) {
  Matrix copy = cast(x, format);
  double flushed = 0, nonzero = 0;
  for (size_t i = 0; i < x.data.size(); ++i) {
    nonzero += x.data[i] != 0;
    flushed += x.data[i] != 0 && copy.data[i] == 0;
  }
  return nonzero > 0 ? flushed / nonzero : 0;
}

/// Sums over the batches.
struct Figures {
  double first = 0, second = 0, dot = 0, error = 0, result = 0;

  /// `gradient` of the mean loss over the rows, of a forward product.
  void add(const Matrix &exact, const Matrix &inFp8, const Matrix *gradient) {
    for (int i = 0; i < exact.m; ++i) {
      double ofRow = 0;
      for (int j = 0; j < exact.n; ++j) {
        const double y = exact.at(i, j), e = inFp8.at(i, j) - y;
        ofRow += gradient ? gradient->at(i, j) * e : 0;
        dot += y * e;
        error += e * e;
        result += y * y;
      }
      first += ofRow;
      second += rows / 2.0 * ofRow * ofRow;
    }
  }
  double relativeError() const {
    return result > 0 ? std::sqrt(error / result) : 0;
  }
};

std::vector<float> floats(size_t count, double size, double step) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] =
        float(size * std::sin(step * double(i + 1) * double(i % 97 + 3)));
  return values;
}

Matrix matrixOf(const std::vector<float> &values, size_t first, int m, int n) {
  Matrix result(m, n);
  for (size_t i = 0; i < result.data.size(); ++i)
    result.data[i] = values[first + i];
  return result;
}

class Sensitivity : public testing::Test {
protected:
  /// `format` is that of gradients, as an option of te-compile and here.
  void check(const std::vector<std::string> &options, const Format &gradients);

  std::vector<float> x = floats(batches * rows * width, 1, 0.37);
  std::vector<float> o = floats(batches * rows * width, 0.5, 0.71);
  std::vector<float> z = std::vector<float>(batches * rows * width);
  std::vector<int64_t> labels = std::vector<int64_t>(batches * rows);
  std::vector<float> wf = floats(hidden * width, 0.2, 0.13);
  std::vector<float> wo = floats(hidden * width, 0.2, 0.29);
  std::vector<float> wd = floats(hidden * width, 0.2, 0.53);
  std::vector<float> wh = floats(classes * hidden, 0.3, 0.17);
  std::vector<float> b = floats(hidden, 0.5, 0.6);
  TemporaryFolder folder;
};

void Sensitivity::check(const std::vector<std::string> &options,
                        const Format &gradients) {
  // An outlier in each row of one column, which the weights hardly read.
  for (size_t i = 0; i < o.size(); i += width)
    o[i + 5] = i % 128 ? 1e6f : -1e6f;
  for (size_t i = 0; i < wo.size(); i += width)
    wo[i + 5] *= 1e-6f;
  for (size_t i = 0; i < labels.size(); ++i)
    labels[i] = int64_t(i * 7 % classes);

  writeText(folder / "model.mlir", model);
  writeText(folder / "data.safetensors",
            safetensorsOf({{"x", "F32", "[3,32,64]", bytesOf(x)},
                           {"o", "F32", "[3,32,64]", bytesOf(o)},
                           {"z", "F32", "[3,32,64]", bytesOf(z)},
                           {"labels", "I64", "[3,32]", bytesOf(labels)}}));
  writeText(folder / "weights.safetensors",
            safetensorsOf({{"fc.weight", "F32", "[96,64]", bytesOf(wf)},
                           {"outlier.weight", "F32", "[96,64]", bytesOf(wo)},
                           {"dead.weight", "F32", "[96,64]", bytesOf(wd)},
                           {"head.weight", "F32", "[48,96]", bytesOf(wh)},
                           {"fc.bias", "F32", "[96]", bytesOf(b)}}));
  std::vector<std::string> compile = {
      folder / "model.mlir", "--init", "normal:0.1",       "--loss",
      "cross-entropy",       "-o",     folder / "model.so"};
  compile.insert(compile.end(), options.begin(), options.end());
  ASSERT_SUCCEEDS(teCompile(compile));
  Result result = teRun({"calibrate", folder / "model.so", "--data",
                         folder / "data.safetensors", "--weights",
                         folder / "weights.safetensors", "--steps", "3", "-o",
                         folder / "calibration.json"});
  ASSERT_SUCCEEDS(result);

  // The same from definitions.
  std::map<std::string, Figures> expected;
  std::map<std::string, double> flushed, ofWeights;
  std::map<std::string, std::vector<double>> octaves;
  double loss = 0;
  const Matrix f = matrixOf(wf, 0, hidden, width),
               p = matrixOf(wo, 0, hidden, width),
               h = matrixOf(wh, 0, classes, hidden);
  for (size_t batch = 0; batch < batches; ++batch) {
    const size_t first = batch * rows * width;
    const Matrix input = matrixOf(x, first, rows, width).rounded(),
                 outliers = matrixOf(o, first, rows, width).rounded();
    const Matrix exact = times(input, f.rounded()),
                 ofOutliers = times(outliers, p.rounded());
    Matrix a = exact;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < hidden; ++j)
        a.at(i, j) = std::max(
            0.0,
            roundTo(bf16, roundTo(bf16, exact.at(i, j) + double(b[size_t(j)])) +
                              roundTo(bf16, ofOutliers.at(i, j))));
    const Matrix logits = times(a, h.rounded()).rounded();
    Matrix dy(rows, classes);
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      for (int j = 0; j < classes; ++j)
        sum += std::exp(logits.at(i, j));
      for (int j = 0; j < classes; ++j) {
        const bool isLabel = labels[batch * rows + size_t(i)] == j;
        const double share = std::exp(logits.at(i, j)) / sum;
        dy.at(i, j) = (share - isLabel) / rows;
        loss -= isLabel ? std::log(share) / rows / batches : 0;
      }
    }
    dy = dy.rounded();
    const Matrix da = times(dy, h.rounded().transposed()).rounded();
    Matrix ds = da;
    for (size_t i = 0; i < ds.data.size(); ++i)
      ds.data[i] = a.data[i] > 0 ? da.data[i] : 0;
    auto forward = [&](const char *name, const Matrix &in, const Matrix &w,
                       const Matrix &dy) {
      expected[name + std::string("/fprop")].add(
          times(in, w.rounded()), times(cast(in, e4m3), cast(w, e4m3)), &dy);
      expected[name + std::string("/wgrad")].add(
          times(dy.transposed(), in.transposed()),
          times(cast(dy, gradients).transposed(), cast(in, e4m3).transposed()),
          nullptr);
      flushed[name] += flushedOf(in, e4m3) / batches;
      ofWeights[name] = flushedOf(w, e4m3);
      const std::vector<double> ofBatch = octavesOf(in);
      octaves[name].resize(ofBatch.size());
      for (size_t i = 0; i < ofBatch.size(); ++i)
        octaves[name][i] += ofBatch[i] / batches;
      octaves[name + std::string(".weight")] = octavesOf(w);
    };
    forward("fc", input, f, ds);
    forward("outlier", outliers, p, ds);
    forward("head", a, h, dy);
    expected["head/dgrad"].add(
        da, times(cast(dy, gradients), cast(h, e4m3).transposed()), nullptr);
  }

  const auto root =
      nlohmann::json::parse(readText(folder / "calibration.json"));
  EXPECT_EQ(root["steps"], 3);
  EXPECT_EQ(root["labels"], batches * rows);
  EXPECT_NEAR(root["loss"]["mean"].get<double>(), loss, 0.01 * loss);
  std::vector<std::string> names;
  std::map<std::string, double> increases;
  for (const auto &product : root["products"]) {
    const std::string layer = product["layer"];
    const std::string name =
        layer + "/" + product["product"].get<std::string>();
    SCOPED_TRACE(name);
    names.push_back(name);
    const double error = product["relative_error"];
    if (layer == "dead") {
      EXPECT_EQ(error, 0);
      EXPECT_EQ(product["input"]["amax"], 0);
      EXPECT_EQ(product["input"]["flushed"], 0);
      continue;
    }
    ASSERT_TRUE(expected.count(name));
    const Figures &figures = expected[name];
    EXPECT_NEAR(error, figures.relativeError(), 0.03 * figures.relativeError());
    if (product["product"] != "fprop") {
      EXPECT_NEAR(product["bias"].get<double>(), figures.dot / figures.result,
                  0.05 * figures.relativeError());
      continue;
    }
    const double second = product["second_order"]["mean"];
    increases[layer] = second;
    EXPECT_NEAR(second, figures.second / batches,
                0.05 * figures.second / batches);
    EXPECT_NEAR(product["first_order"]["mean"].get<double>(),
                figures.first / batches, 0.05 * std::sqrt(second));
    EXPECT_NEAR(product["input"]["flushed"].get<double>(), flushed[layer],
                1e-3);
    EXPECT_NEAR(product["weight"]["flushed"].get<double>(), ofWeights[layer],
                1e-3);
    ASSERT_EQ(product["input"].size(), 3u) << product;
    for (size_t i = 0; i < 16; ++i) {
      // Values at a limit may be on either side.
      EXPECT_NEAR(product["input"]["octaves"][i].get<double>(),
                  octaves[layer][i], 5e-3);
      EXPECT_NEAR(product["weight"]["octaves"][i].get<double>(),
                  octaves[layer + ".weight"][i], 5e-3);
    }
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "fc/fprop", "fc/wgrad", "outlier/fprop", "outlier/wgrad",
                       "dead/fprop", "dead/wgrad", "head/fprop", "head/dgrad",
                       "head/wgrad"}));
  // All of the outliers' neighbours are lost, and no others.
  EXPECT_GT(flushed["outlier"], 0.9);
  EXPECT_LT(flushed["fc"], 0.01);
  EXPECT_GT(increases["outlier"], 10 * increases["fc"]);
  EXPECT_GT(increases["outlier"], 10 * increases["head"]);
}
} // namespace

TEST_F(Sensitivity, FiguresAreThoseOfTheirDefinitions) {
  check({"--entry", "calibrate"}, e5m2);
}

TEST_F(Sensitivity, OfE4M3GradientsBesideTraining) {
  check({"--entry", "calibrate,train", "--fp8-format", "e4m3"}, e4m3);
}

TEST_F(Sensitivity, OfAProgramInBF16) {
  check({"--entry", "train,calibrate", "--precision", "bf16"}, e5m2);
}
