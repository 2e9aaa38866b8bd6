// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/Calibration.h"

#include <gtest/gtest.h>

using namespace mlir::te;

namespace {
const std::string sound = R"({
  "format": "te-calibration", "version": 1, "model": "m", "source": "s.onnx",
  "checkpoint": null, "steps": 16, "labels": 512,
  "loss": {"mean": 2.5, "error": 0.1},
  "products": [
    {"layer": "h.0.fc", "product": "fprop",
     "second_order": {"mean": 0.0125, "error": 0.001},
     "first_order": {"mean": -0.5, "error": 0.2}, "relative_error": 0.04,
     "input": {"amax": 3, "flushed": 0.5}, "weight": {"amax": 1, "flushed": 0}},
    {"layer": "h.0.fc", "product": "wgrad", "relative_error": 0.06,
     "bias": -0.01, "grad_output": {"amax": 1e-9, "flushed": 0},
     "input": {"amax": 3, "flushed": 0}}]})";

std::string errorOf(const std::string &text) {
  llvm::Expected<Calibration> parsed = Calibration::parse(text, "c.json");
  return parsed ? "" : llvm::toString(parsed.takeError());
}

std::string errorWith(const std::string &from, const std::string &to) {
  std::string text = sound;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return errorOf(text.replace(at, from.size(), to));
}
} // namespace

TEST(Calibration, ReadsAFile) {
  llvm::Expected<Calibration> parsed = Calibration::parse(sound, "c.json");
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(parsed->getLoss(), 2.5);
  EXPECT_EQ(parsed->getLayers().size(), 1u);
  EXPECT_FALSE(parsed->find("h.1.fc"));
  const Calibration::Layer *layer = parsed->find("h.0.fc");
  ASSERT_TRUE(layer);
  const Calibration::Product *fprop = layer->find(MatmulRole::Fprop),
                             *wgrad = layer->find(MatmulRole::Wgrad);
  ASSERT_TRUE(fprop && wgrad);
  EXPECT_EQ(fprop->lossIncrease, 0.0125);
  EXPECT_EQ(fprop->relativeError, 0.04);
  EXPECT_EQ(wgrad->bias, -0.01);
  EXPECT_FALSE(layer->find(MatmulRole::Dgrad));
  EXPECT_FALSE(layer->find(MatmulRole::Other));
}

TEST(Calibration, ErrorsNameTheField) {
  EXPECT_EQ(errorOf("[1, 2"),
            "c.json: it is not JSON: [1:5, byte=5]: Expected , or ] after "
            "array element");
  EXPECT_EQ(errorOf(std::string(100000, '[')),
            "c.json: its JSON is nested too deep");
  EXPECT_NE(errorOf("[]").find("not a file of 'te-run calibrate'"),
            std::string::npos);
  EXPECT_NE(errorWith("te-calibration", "tert-artifact").find("'format'"),
            std::string::npos);
  EXPECT_NE(errorWith("\"version\": 1", "\"version\": 2").find("'version'"),
            std::string::npos);
  EXPECT_EQ(errorWith("\"steps\": 16, ", ""), "c.json: 'steps' is missing");
  EXPECT_EQ(errorWith("\"steps\": 16", "\"steps\": 16, \"x\\n\": 0"),
            "c.json: it has a field that is not known, 'x?'; its fields are "
            "format, version, model, source, checkpoint, steps, labels, loss, "
            "products");
  EXPECT_EQ(errorWith("2.5", "0"),
            "c.json: 'loss.mean' is not above 0, so that nothing can be said "
            "relative to it");
  EXPECT_EQ(errorWith("2.5", "1e999"),
            "c.json: 'loss.mean' is not a finite number");
  EXPECT_EQ(errorWith("0.0125", "-1"),
            "c.json: 'products[0].second_order.mean' is not a number from 0 to "
            "1.79769e+308");
  EXPECT_EQ(errorWith("\"flushed\": 0.5", "\"flushed\": 1.5"),
            "c.json: 'products[0].input.flushed' is not a number from 0 to 1");
  EXPECT_EQ(errorWith("-0.01", "\"much\""),
            "c.json: 'products[1].bias' is not a finite number");
  EXPECT_EQ(errorWith("wgrad", "other"),
            "c.json: 'products[1].product' is not fprop, dgrad or wgrad");
  EXPECT_EQ(errorWith("\"layer\": \"h.0.fc\"", "\"layer\": \"\""),
            "c.json: 'products[0].layer' is not the name of a layer");
  EXPECT_NE(errorWith("wgrad", "fprop").find("'products[1]' has a field"),
            std::string::npos);
  EXPECT_EQ(errorWith("\"products\": [", "\"products\": [5, "),
            "c.json: 'products[0]' is not an object");
  const size_t second = sound.find("    {\"layer\"", sound.find("wgrad") - 60);
  const std::string wgrad = sound.substr(second, sound.size() - second - 2);
  EXPECT_EQ(errorOf(sound.substr(0, sound.size() - 2) + ",\n" + wgrad + "]}"),
            "c.json: 'products[2]' is a second wgrad of the layer 'h.0.fc'");
}

TEST(Calibration, Quality) {
  auto quality = [](const char *text) {
    llvm::Expected<double> parsed = parseQuality(text);
    if (parsed)
      return *parsed;
    llvm::consumeError(parsed.takeError());
    return -1.0;
  };
  EXPECT_DOUBLE_EQ(quality("0.1%"), 0.001);
  EXPECT_DOUBLE_EQ(quality(" 0.1 % "), 0.001);
  EXPECT_DOUBLE_EQ(quality("0.001"), 0.001);
  EXPECT_DOUBLE_EQ(quality("0"), 0);
  EXPECT_DOUBLE_EQ(quality("100%"), 1);
  for (const char *bad :
       {"", "%", "101%", "1.5", "-0.1%", "nan", "inf%", "0.1%%", "one"})
    EXPECT_EQ(quality(bad), -1.0) << bad;
  // Rounded up, and read back as enough.
  EXPECT_EQ(formatQuality(0.00141001), "0.142%");
  EXPECT_EQ(formatQuality(0), "0%");
  EXPECT_EQ(formatQuality(1), "100%");
  for (double share : {3.3e-9, 0.0014, 0.07 / 3, 0.9991})
    EXPECT_GE(quality(formatQuality(share).c_str()), share);
}
