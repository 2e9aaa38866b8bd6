// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of math and arith on floats, through the compiled program and
// folded by the compiler, against the C library in long double (and against
// definitions where that has none): at most 4 units in the last place of f32,
// subnormal results included, and the special values of C99's annex F. On all
// exponents and signs, on special values and on pairs of them.

#include "Models.h"

#include <cfloat>
#include <cstring>
#include <functional>

using namespace test;
using tert::session::DType;
using tert::session::SafetensorsFile;
using tert::session::SafetensorsWriter;

namespace {

using Real = long double;
constexpr float kInf = HUGE_VALF;

struct Function {
  std::string name;
  unsigned arity;
  /// The op with its operands %a, %b, %c, without the type.
  std::string op;
  std::function<Real(float, float, float)> formula;
};

Function unary(const std::string &op, Real (*formula)(Real)) {
  return {op, 1, op + " %a", [=](float a, float, float) { return formula(a); }};
}
Function binary(const std::string &op, Real (*formula)(Real, Real)) {
  return {op, 2, op + " %a, %b",
          [=](float a, float b, float) { return formula(a, b); }};
}

Real rsqrt(Real x) { return 1 / std::sqrt(x); }
bool isUnordered(Real a, Real b) { return std::isnan(a) || std::isnan(b); }
/// IEEE 754-2019: NaN if either is, and -0 is below 0.
Real maximum(Real a, Real b) {
  if (isUnordered(a, b))
    return NAN;
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}
Real minimum(Real a, Real b) { return -maximum(-a, -b); }

std::vector<Function> unaryFunctions() {
  return {
      unary("math.absf", std::fabs),
      unary("math.acos", std::acos),
      unary("math.acosh", std::acosh),
      unary("math.asin", std::asin),
      unary("math.asinh", std::asinh),
      unary("math.atan", std::atan),
      unary("math.atanh", std::atanh),
      unary("math.cbrt", std::cbrt),
      unary("math.ceil", std::ceil),
      unary("math.cos", std::cos),
      unary("math.cosh", std::cosh),
      unary("math.erf", std::erf),
      unary("math.erfc", std::erfc),
      unary("math.exp", std::exp),
      unary("math.exp2", std::exp2),
      unary("math.expm1", std::expm1),
      unary("math.floor", std::floor),
      unary("math.log", std::log),
      unary("math.log10", std::log10),
      unary("math.log1p", std::log1p),
      unary("math.log2", std::log2),
      unary("math.round", std::round),
      unary("math.roundeven", std::rint),
      unary("math.rsqrt", rsqrt),
      unary("math.sin", std::sin),
      unary("math.sinh", std::sinh),
      unary("math.sqrt", std::sqrt),
      unary("math.tan", std::tan),
      unary("math.tanh", std::tanh),
      unary("math.trunc", std::trunc),
      unary("arith.negf", [](Real x) { return -x; }),
  };
}

/// Powers with exponents that are known, small and large.
std::vector<Function> powers() {
  std::vector<Function> functions;
  for (float exponent :
       {-33.0f, -32.0f, -5.0f, -2.0f, -1.0f, -0.5f, 0.0f, 0.5f, 1.0f, 2.0f,
        2.5f, 3.0f, 4.0f, 7.0f, 31.0f, 33.0f, 100.0f, 101.0f, 16777216.0f}) {
    std::string text = std::to_string(exponent);
    functions.push_back(
        {"pow " + text, 1,
         "arith.constant " + text + " : f32\n%y = math.powf %a, %k",
         [=](float a, float, float) { return std::pow(Real(a), exponent); }});
  }
  for (int exponent : {-40, -3, 0, 2, 5, 33, 1001}) {
    std::string text = std::to_string(exponent);
    functions.push_back(
        {"powi " + text, 1,
         "arith.constant " + text + " : i32\n%y = math.fpowi %a, %k",
         [=](float a, float, float) { return std::pow(Real(a), exponent); }});
  }
  return functions;
}

std::vector<Function> severalOperands() {
  return {
      binary("arith.addf", [](Real a, Real b) { return a + b; }),
      binary("arith.subf", [](Real a, Real b) { return a - b; }),
      binary("arith.mulf", [](Real a, Real b) { return a * b; }),
      binary("arith.divf", [](Real a, Real b) { return a / b; }),
      binary("arith.remf", std::fmod),
      binary("arith.maximumf", maximum),
      binary("arith.minimumf", minimum),
      // Which zero is the larger one is not said.
      binary("arith.maxnumf",
             [](Real a, Real b) { return std::fmax(a, b) + 0.0L; }),
      binary("arith.minnumf",
             [](Real a, Real b) { return std::fmin(a, b) + 0.0L; }),
      binary("math.atan2", std::atan2),
      binary("math.copysign", std::copysign),
      binary("math.powf", std::pow),
      {"fpowi", 2, "arith.fptosi %b : f32 to i32\n%y = math.fpowi %a, %k",
       [](float a, float b, float) {
         double n =
             std::isnan(b)
                 ? 0
                 : std::trunc(std::fmax(std::fmin(b, 2147483647.0), -0x1p31));
         return std::pow(Real(a), n);
       }},
      {"math.fma", 3, "math.fma %a, %b, %c",
       [](float a, float b, float c) { return Real(std::fma(a, b, c)); }},
      {"math.clampf", 3, "math.clampf %a to [%b, %c]",
       [](float a, float b, float c) { return minimum(maximum(a, b), c); }},
  };
}

/// Errors are in units of the last place of f32; nothing when the value is as
/// far off as NaN, another sign of 0 or another infinity is.
double errorOf(float got, Real expected, bool anyZero) {
  float rounded = static_cast<float>(expected);
  if (std::isnan(rounded))
    return std::isnan(got) ? 0 : INFINITY;
  if (std::isnan(got))
    return INFINITY;
  if (got == rounded)
    return got == 0 && !anyZero && std::signbit(got) != std::signbit(rounded)
               ? INFINITY
               : 0;
  if (std::isinf(expected))
    return INFINITY;
  // Infinity is what comes behind the largest number.
  Real value = std::isinf(got) ? std::copysign(0x1p128L, got) : Real(got);
  int exponent = 0;
  (void)std::frexp(expected, &exponent);
  return static_cast<double>(std::fabs(value - expected) /
                             std::ldexp(1.0L, std::max(exponent - 24, -149)));
}

const std::vector<float> kSpecial = {
    0.0f,        -0.0f,        kInf,        -kInf,      NAN,      1.0f,
    -1.0f,       0x1p-149f,    -0x1p-149f,  FLT_MIN,    -FLT_MIN, FLT_MAX,
    -FLT_MAX,    0.5f,         -0.5f,       2.0f,       -2.0f,    3.0f,
    -3.0f,       2.5f,         -2.5f,       33.0f,      -33.0f,   16777215.0f,
    16777216.0f, -16777217.0f, 0.99999994f, 1.0000001f, 88.8f,    -104.0f,
    1e-30f,      -1e19f};

float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

class ScalarFunctionTest : public testing::Test {
protected:
  /// Compares all functions on `operands`, tensors of one size.
  void check(const std::vector<Function> &functions,
             const std::vector<std::vector<float>> &operands);
  /// Compiles and runs functions of %x0 and so on; `body` ends with the
  /// results, %y0 and so on.
  void run(const std::string &body, size_t numResults, size_t size,
           const std::vector<std::vector<float>> &operands);

  TemporaryFolder folder;
  std::vector<std::vector<float>> results;
};

} // namespace

void ScalarFunctionTest::run(const std::string &body, size_t numResults,
                             size_t size,
                             const std::vector<std::vector<float>> &operands) {
  std::string type = "tensor<" + std::to_string(size) + "xf32>";
  std::string arguments, declared, values, types;
  std::vector<SafetensorsWriter::Entry> entries;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string name = "x" + std::to_string(i);
    arguments += (i ? ", %" : "%") + name + ": " + type + " {te.input = \"" +
                 name + "\"}";
    entries.push_back({name, DType::F32, {int64_t(size)}});
  }
  for (size_t i = 0; i < numResults; ++i) {
    std::string name = "y" + std::to_string(i), comma = i ? ", " : "";
    declared += comma + type + " {te.output = \"" + name + "\"}";
    values += comma + "%" + name;
    types += comma + type;
  }
  writeText(folder / "functions.mlir",
            "func.func @forward(" + arguments + ") -> (" + declared + ") {\n" +
                body + "return " + values + " : " + types + "\n}\n");
  auto writer = SafetensorsWriter::create(folder / "in", entries, {});
  ASSERT_TRUE(writer) << writer.takeError().message();
  for (size_t i : writer->order())
    ASSERT_FALSE(writer->append(
        reinterpret_cast<const char *>(operands[i].data()), size * 4));
  ASSERT_FALSE(writer->commit());
  ASSERT_SUCCEEDS(teCompile({folder / "functions.mlir", "--entry=forward",
                             "--precision=f32", "-o", folder / "forward.so"}));
  ASSERT_SUCCEEDS(teRun({"forward", folder / "forward.so", "--inputs",
                         folder / "in", "--outputs", folder / "out"}));
  SafetensorsFile out = openTensors(folder / "out");
  results.assign(numResults, std::vector<float>(size));
  for (size_t i = 0; i < numResults; ++i) {
    const auto *view = out.find("y" + std::to_string(i));
    ASSERT_NE(view, nullptr);
    ASSERT_EQ(view->bytes, size * 4);
    std::memcpy(results[i].data(), view->data, view->bytes);
  }
}

void ScalarFunctionTest::check(
    const std::vector<Function> &functions,
    const std::vector<std::vector<float>> &operands) {
  size_t size = operands[0].size();
  std::string type = "tensor<" + std::to_string(size) + "xf32>";
  std::string body = "%e = tensor.empty() : " + type + "\n";
  for (size_t i = 0; i < functions.size(); ++i) {
    const Function &function = functions[i];
    std::string maps, loops, reads, types, arguments;
    for (unsigned j = 0; j < function.arity; ++j) {
      reads += (j ? ", %x" : "%x") + std::to_string(j);
      types += (j ? ", " : "") + type;
      arguments += std::string("%") + char('a' + j) + ": f32, ";
    }
    for (unsigned j = 0; j <= function.arity; ++j)
      maps += std::string(j ? ", " : "") + "affine_map<(i) -> (i)>";
    bool hasConstant = function.op.find('\n') != std::string::npos;
    bool hasInteger = function.op.find("fpowi") != std::string::npos;
    // A function alone might become one of the runtime's: a number that
    // none of them exceeds is no limit but infinity is.
    body += "%y" + std::to_string(i) + " = linalg.generic {indexing_maps = [" +
            maps + "], iterator_types = [\"parallel\"]} ins(" + reads + " : " +
            types + ") outs(%e : " + type + ") {\n^bb0(" + arguments +
            "%o: f32):\n" + (hasConstant ? "%k = " : "%y = ") + function.op +
            (hasInteger ? " : f32, i32\n" : " : f32\n") +
            "%infinity = arith.constant 0x7f800000 : f32\n"
            "%z = arith.minimumf %y, %infinity : f32\n"
            "linalg.yield %z : f32\n} -> " +
            type + "\n";
  }
  run(body, functions.size(), size, operands);
  ASSERT_EQ(results.size(), functions.size());
  for (size_t i = 0; i < functions.size(); ++i) {
    bool anyZero = functions[i].name.find("num") != std::string::npos;
    double worst = 0;
    size_t at = 0;
    for (size_t j = 0; j < size; ++j) {
      float b = operands.size() > 1 ? operands[1][j] : 0,
            c = operands.size() > 2 ? operands[2][j] : 0;
      Real expected = functions[i].formula(operands[0][j], b, c);
      double error = errorOf(results[i][j], expected, anyZero);
      if (error > worst)
        worst = error, at = j;
    }
    float b = operands.size() > 1 ? operands[1][at] : 0,
          c = operands.size() > 2 ? operands[2][at] : 0;
    RecordProperty(functions[i].name, std::to_string(worst));
    EXPECT_LE(worst, 4) << functions[i].name << " of " << operands[0][at]
                        << ", " << b << ", " << c << " is " << results[i][at]
                        << " instead of "
                        << double(functions[i].formula(operands[0][at], b, c));
  }
}

/// All signs and exponents with some mantissas, the first and the last among
/// them.
static std::vector<float> manyFloats(uint32_t perExponent) {
  std::vector<float> values(kSpecial);
  uint32_t state = 12345;
  for (uint32_t head = 0; head < 512; ++head)
    for (uint32_t i = 0; i < perExponent; ++i) {
      state = state * 1664525 + 1013904223;
      uint32_t mantissa = i == 0 ? 0 : i == 1 ? 0x7fffff : state >> 9;
      values.push_back(fromBits(head << 23 | mantissa));
    }
  // Where functions are neither 0 nor infinity.
  for (int i = -8000; i <= 8000; ++i)
    values.push_back(static_cast<float>(i) / 512 + 1e-4f);
  values.resize(values.size() / 16 * 16);
  return values;
}

TEST_F(ScalarFunctionTest, OfOneOperand) {
  check(unaryFunctions(), {manyFloats(64)});
}

TEST_F(ScalarFunctionTest, PowersWithKnownExponents) {
  check(powers(), {manyFloats(32)});
}

TEST_F(ScalarFunctionTest, OfSeveralOperands) {
  std::vector<std::vector<float>> operands(3);
  auto add = [&](float a, float b, float c) {
    operands[0].push_back(a), operands[1].push_back(b),
        operands[2].push_back(c);
  };
  for (float a : kSpecial)
    for (float b : kSpecial)
      for (float c : {1.0f, -0.0f, kInf, NAN})
        add(a, b, c);
  uint64_t state = 88172645463325252;
  auto random = [&] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<uint32_t>(state >> 16);
  };
  for (int i = 0; i < 20000; ++i) {
    add(fromBits(random()), fromBits(random()), fromBits(random()));
    // Near 1, where powers with large exponents are.
    add(1 + (float(random() % 65536) - 32768) * 0x1p-20f,
        float(int32_t(random())) * 0x1p-16f, 1);
    // Whole exponents, and remainders that are not all of the dividend.
    add(float(int32_t(random())) * 0x1p-28f, float(random() % 40) - 20, 0);
  }
  check(severalOperands(), operands);
}

/// What the compiler evaluates is what programs compute.
TEST_F(ScalarFunctionTest, OfConstants) {
  std::vector<Function> functions;
  for (const Function &function : unaryFunctions())
    functions.push_back(function);
  for (const Function &function : severalOperands())
    if (function.arity == 2 && function.name != "fpowi")
      functions.push_back(function);
  size_t count = kSpecial.size(), size = count * count;
  std::string type = "tensor<" + std::to_string(size) + "xf32>", a, b;
  std::vector<std::vector<float>> operands(2);
  char text[16];
  for (size_t i = 0; i < size; ++i)
    for (unsigned j : {0, 1}) {
      operands[j].push_back(kSpecial[j ? i % count : i / count]);
      uint32_t bits;
      std::memcpy(&bits, &operands[j].back(), 4);
      std::snprintf(text, sizeof(text), "0x%08X", bits);
      (j ? b : a) += (i ? ", " : "") + std::string(text);
    }
  std::string body = "%a = arith.constant dense<[" + a + "]> : " + type +
                     "\n%b = arith.constant dense<[" + b + "]> : " + type +
                     "\n";
  for (size_t i = 0; i < functions.size(); ++i)
    body += "%y" + std::to_string(i) + " = " + functions[i].op + " : " + type +
            "\n";
  run(body, functions.size(), size, {operands[0]});
  ASSERT_EQ(results.size(), functions.size());
  for (size_t i = 0; i < functions.size(); ++i) {
    bool anyZero = functions[i].name.find("num") != std::string::npos;
    for (size_t j = 0; j < size; ++j) {
      // MLIR's folder takes the angle of (0, 0) for none.
      if (functions[i].name == "math.atan2" && operands[0][j] == 0 &&
          operands[1][j] == 0)
        continue;
      Real expected = functions[i].formula(operands[0][j], operands[1][j], 0);
      ASSERT_LE(errorOf(results[i][j], expected, anyZero), 4)
          << functions[i].name << " of " << operands[0][j] << ", "
          << operands[1][j] << " is " << results[i][j] << " instead of "
          << double(expected);
    }
  }
}
