// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives of scalar functions at ordinary and extreme arguments, through
// the compiled program: where the true derivative is a finite f32, the computed
// one is close to it. The true one is a closed form in long double.

#include "Models.h"

#include <cfloat>
#include <functional>

using namespace test;
using tert::session::DType;
using tert::session::SafetensorsFile;
using tert::session::SafetensorsWriter;

namespace {

using Real = long double;

constexpr Real kRootHalf = 0.707106781186547524400844362105L;
constexpr Real kLn2 = 0.693147180559945309417232121458L;
constexpr Real kPi = 3.14159265358979323846264338328L;

Real square(Real x) { return x * x; }
Real logistic(Real x) { return 1 / (1 + std::exp(-x)); }
Real logisticSlope(Real x) { return logistic(x) * logistic(-x); }
Real softplus(Real x) {
  return std::max<Real>(x, 0) + std::log1p(std::exp(-std::fabs(x)));
}
Real tanhSlope(Real x) { return 1 / square(std::cosh(x)); }
/// Of x * sigmoid(a x).
Real gatedSlope(Real x, Real a) {
  return logistic(a * x) + a * x * logisticSlope(a * x);
}
Real geluErfSlope(Real x) {
  return std::erfc(-x * kRootHalf) / 2 +
         x * std::exp(-x * x / 2) / std::sqrt(2 * kPi);
}
/// Of x/2 (1 + tanh(a (x + b x³))); (1 + tanh(u)) / 2 is the logistic of 2u.
Real geluTanhSlope(Real x, Real a, Real b) {
  Real u = a * (x + b * x * x * x), slope = tanhSlope(u);
  return logistic(2 * u) +
         (slope > 0 ? x / 2 * slope * a * (1 + 3 * b * x * x) : 0);
}

struct Function {
  std::string name;
  /// Ops that compute %y from %x; T stands for their type.
  std::string body;
  std::function<Real(Real)> derivative;
  /// What is allowed besides a relative error of 1e-5 and what is below the
  /// smallest normal float: functions that are 1
  /// minus something have derivatives with an error in units of 1.
  Real absolute = 0;
  /// Arguments that are not compared: kinks.
  std::vector<Real> without = {};
};

constexpr Real kOfOne = 5e-7L;

/// An op with %x as its operand.
std::string unary(const std::string &op) { return "%y = " + op + " %x : T\n"; }
std::string activation(const std::string &kind) {
  return "%y = te.activation " + kind + " %x : T -> y T\n";
}
std::string number(const std::string &name, const std::string &value) {
  return "%" + name + " = arith.constant dense<" + value + "> : T\n";
}
const std::string kOne = number("one", "1.0");
const std::string kZero = number("zero", "0.0");
/// %p = 1 + exp(-x)
const std::string kOnePlusExp = kOne + "%n = arith.negf %x : T\n"
                                       "%e = math.exp %n : T\n"
                                       "%p = arith.addf %e, %one : T\n";
/// %t = log1p(exp(-|x|))
const std::string kSoftTail = "%abs = math.absf %x : T\n"
                              "%n = arith.negf %abs : T\n"
                              "%e = math.exp %n : T\n"
                              "%t = math.log1p %e : T\n";
const std::string kPositive = kZero + "%c = arith.cmpf ogt, %x, %zero : T\n";

std::string power(const std::string &exponent) {
  return number("k", exponent) + "%y = math.powf %x, %k : T\n";
}

std::vector<Function> activations() {
  return {
      {"gelu_erf", activation("gelu_erf"), geluErfSlope, kOfOne},
      {"gelu_tanh", activation("gelu_tanh"),
       [](Real x) { return geluTanhSlope(x, std::sqrt(2 / kPi), 0.044715L); },
       kOfOne},
      {"quick_gelu", activation("quick_gelu"),
       [](Real x) { return gatedSlope(x, 1.702L); }, kOfOne},
      {"relu", activation("relu"), [](Real x) { return Real(x > 0); }},
      {"squared_relu", activation("squared_relu"),
       [](Real x) { return x > 0 ? 2 * x : 0; }},
      {"silu", activation("silu"), [](Real x) { return gatedSlope(x, 1); },
       kOfOne},
      {"sigmoid", activation("sigmoid"), logisticSlope},
      {"tanh_activation", activation("tanh"), tanhSlope},
      // Parts of kernels.
      {"sigmoid_gate",
       number("k", "1.5") + "%s = te.activation sigmoid %x : T -> y T\n"
                            "%y = arith.mulf %s, %k : T\n",
       [](Real x) { return 1.5L * logisticSlope(x); }, kOfOne},
      {"tanh_gate",
       number("k", "1.5") + "%s = te.activation tanh %x : T -> y T\n"
                            "%y = arith.mulf %s, %k : T\n",
       [](Real x) { return 1.5L * tanhSlope(x); }},
  };
}

std::vector<Function> pieces() {
  return {
      {"logistic", kOnePlusExp + "%y = arith.divf %one, %p : T\n",
       logisticSlope, kOfOne},
      {"logistic_by_tanh",
       kOne + number("half", "0.5") +
           "%h = arith.mulf %x, %half : T\n%t = math.tanh %h : T\n"
           "%p = arith.addf %one, %t : T\n%y = arith.mulf %p, %half : T\n",
       logisticSlope},
      {"silu_quotient", kOnePlusExp + "%y = arith.divf %x, %p : T\n",
       [](Real x) { return gatedSlope(x, 1); }, kOfOne},
      {"silu_product",
       kOnePlusExp + "%s = arith.divf %one, %p : T\n"
                     "%y = arith.mulf %s, %x : T\n",
       [](Real x) { return gatedSlope(x, 1); }, kOfOne},
      {"softplus_overflowing",
       kOne + "%e = math.exp %x : T\n%p = arith.addf %one, %e : T\n"
              "%y = math.log %p : T\n",
       logistic},
      {"softplus_log1p", "%e = math.exp %x : T\n%y = math.log1p %e : T\n",
       logistic},
      {"softplus",
       kSoftTail + kZero +
           "%m = arith.maximumf %x, %zero : T\n"
           "%y = arith.addf %m, %t : T\n",
       logistic, kOfOne},
      {"log_sigmoid_overflowing",
       kOnePlusExp + "%s = arith.divf %one, %p : T\n%y = math.log %s : T\n",
       [](Real x) { return logistic(-x); }},
      {"log_sigmoid_negated",
       kOnePlusExp + "%l = math.log %p : T\n%y = arith.negf %l : T\n",
       [](Real x) { return logistic(-x); }},
      {"log_sigmoid",
       kSoftTail + kZero +
           "%m = arith.minimumf %x, %zero : T\n"
           "%y = arith.subf %m, %t : T\n",
       [](Real x) { return logistic(-x); }, kOfOne},
      {"mish",
       kSoftTail + kZero +
           "%m = arith.maximumf %x, %zero : T\n"
           "%s = arith.addf %m, %t : T\n"
           "%h = math.tanh %s : T\n%y = arith.mulf %x, %h : T\n",
       [](Real x) {
         Real s = softplus(x), slope = tanhSlope(s);
         return std::tanh(s) + (slope > 0 ? x * slope * logistic(x) : 0);
       },
       2 * kOfOne},
      {"gelu_tanh_pieces",
       kOne + number("a", "0.8") + number("b", "0.045") + number("h", "0.5") +
           "%x2 = arith.mulf %x, %x : T\n%x3 = arith.mulf %x2, %x : T\n"
           "%bx3 = arith.mulf %x3, %b : T\n%i = arith.addf %x, %bx3 : T\n"
           "%u = arith.mulf %i, %a : T\n%t = math.tanh %u : T\n"
           "%p = arith.addf %t, %one : T\n%q = arith.mulf %p, %h : T\n"
           "%y = arith.mulf %q, %x : T\n",
       [](Real x) { return geluTanhSlope(x, 0.8L, 0.045L); }, 2 * kOfOne},
      {"gelu_erf_pieces",
       kOne + number("a", "0.7") + number("h", "0.5") +
           "%u = arith.mulf %x, %a : T\n%t = math.erf %u : T\n"
           "%p = arith.addf %t, %one : T\n%q = arith.mulf %p, %h : T\n"
           "%y = arith.mulf %q, %x : T\n",
       [](Real x) {
         Real u = 0.7L * x;
         return std::erfc(-u) / 2 + u * std::exp(-u * u) / std::sqrt(kPi);
       },
       2 * kOfOne},
      {"softsign",
       kOne + "%abs = math.absf %x : T\n%p = arith.addf %one, %abs : T\n"
              "%y = arith.divf %x, %p : T\n",
       [](Real x) { return 1 / square(1 + std::fabs(x)); },
       1e-11L}, // 1/(1+|x|) minus almost as much
      {"elu",
       kPositive + "%m = arith.minimumf %x, %zero : T\n"
                   "%e = math.expm1 %m : T\n"
                   "%y = arith.select %c, %x, %e : tensor<1x32xi1>, T\n",
       [](Real x) { return x > 0 ? 1 : std::exp(x); },
       0,
       {0}},
      // The branch that is not taken overflows.
      {"elu_overflowing",
       kPositive + kOne +
           "%e = math.exp %x : T\n%m = arith.subf %e, %one : T\n"
           "%y = arith.select %c, %x, %m : tensor<1x32xi1>, T\n",
       [](Real x) { return x > 0 ? 1 : std::exp(x); }},
      {"root_of_positive",
       kPositive + "%r = math.sqrt %x : T\n"
                   "%y = arith.select %c, %r, %x : tensor<1x32xi1>, T\n",
       [](Real x) { return x > 0 ? 0.5L / std::sqrt(x) : 1; }},
      {"log_of_positive",
       kPositive + "%r = math.log %x : T\n"
                   "%y = arith.select %c, %r, %x : tensor<1x32xi1>, T\n",
       [](Real x) { return x > 0 ? 1 / x : 1; }},
      {"leaky_relu",
       kPositive + number("k", "0.01") +
           "%m = arith.mulf %x, %k : T\n"
           "%y = arith.select %c, %x, %m : tensor<1x32xi1>, T\n",
       [](Real x) { return x > 0 ? 1 : 0.01L; }},
      {"hard_sigmoid",
       kZero + kOne + number("k", "0.2") + number("h", "0.5") +
           "%m = arith.mulf %x, %k : T\n%l = arith.addf %m, %h : T\n"
           "%u = arith.minimumf %one, %l : T\n"
           "%y = arith.maximumf %zero, %u : T\n",
       [](Real x) { return std::fabs(x) < 2.5L ? 0.2L : 0; }},
      {"maximum", number("k", "0.3") + "%y = arith.maximumf %x, %k : T\n",
       [](Real x) { return Real(x > 0.3L); }},
      {"minimum", number("k", "0.3") + "%y = arith.minimumf %x, %k : T\n",
       [](Real x) { return Real(x < 0.3L); }},
      {"rational",
       kOne + "%s = arith.mulf %x, %x : T\n%d = arith.addf %s, %one : T\n"
              "%y = arith.divf %x, %d : T\n",
       [](Real x) { return (1 - x * x) / square(1 + x * x); }, kOfOne},
  };
}

std::vector<Function> functions() {
  return {
      {"absf",
       unary("math.absf"),
       [](Real x) { return x > 0 ? 1.0L : -1.0L; },
       0,
       {0}},
      {"negf", unary("arith.negf"), [](Real) { return -1.0L; }},
      {"floor", unary("math.floor"), [](Real) { return 0.0L; }, 0},
      {"cos", unary("math.cos"), [](Real x) { return -std::sin(x); }, kOfOne},
      {"sin", unary("math.sin"), [](Real x) { return std::cos(x); }, kOfOne},
      {"cosh", unary("math.cosh"), [](Real x) { return std::sinh(x); }},
      {"sinh", unary("math.sinh"), [](Real x) { return std::cosh(x); }},
      {"tan", unary("math.tan"),
       [](Real x) { return 1 / square(std::cos(x)); }},
      {"tanh", unary("math.tanh"), tanhSlope},
      {"acos", unary("math.acos"),
       [](Real x) { return -1 / std::sqrt((1 - x) * (1 + x)); }},
      {"asin", unary("math.asin"),
       [](Real x) { return 1 / std::sqrt((1 - x) * (1 + x)); }},
      {"atan", unary("math.atan"), [](Real x) { return 1 / (1 + x * x); }},
      {"acosh", unary("math.acosh"),
       [](Real x) {
         return x < 1 ? NAN : 1 / (std::sqrt(x - 1) * std::sqrt(x + 1));
       }},
      {"asinh", unary("math.asinh"),
       [](Real x) { return 1 / std::sqrt(1 + x * x); }},
      {"atanh", unary("math.atanh"),
       [](Real x) { return std::fabs(x) > 1 ? NAN : 1 / ((1 - x) * (1 + x)); }},
      {"cbrt", unary("math.cbrt"),
       [](Real x) { return 1 / (3 * square(std::cbrt(x))); }},
      {"erfc", unary("math.erfc"),
       [](Real x) { return -2 / std::sqrt(kPi) * std::exp(-x * x); }, 1e-37L},
      {"remf", number("k", "0.3") + "%y = arith.remf %x, %k : T\n",
       [](Real) { return 1.0L; }},
      {"remf_divisor", number("k", "7.5") + "%y = arith.remf %k, %x : T\n",
       [](Real x) { return x == 0 ? NAN : -std::trunc(7.5L / x); }},
      {"clampf",
       number("low", "-1.0") + number("high", "1.0") +
           "%y = math.clampf %x to [%low, %high] : T\n",
       [](Real x) { return Real(std::fabs(x) <= 1); }},
      {"clampf_low",
       kZero + kOne + "%y = math.clampf %zero to [%x, %one] : T\n",
       [](Real x) { return Real(x > 0 && x <= 1); },
       0,
       {1}},
      {"atan2_y", kOne + "%y = math.atan2 %x, %one : T\n",
       [](Real x) { return 1 / (1 + x * x); }},
      {"atan2_x", kOne + "%y = math.atan2 %one, %x : T\n",
       [](Real x) { return -1 / (1 + x * x); }},
      // Where exp is subnormal, and has few digits; not where it is 0 or
      // infinite.
      {"root_of_exp", "%e = math.exp %x : T\n%y = math.sqrt %e : T\n",
       [](Real x) { return x > 88 || x < -103 ? NAN : std::exp(x / 2) / 2; },
       1e-23L},
      {"erf", unary("math.erf"),
       [](Real x) { return 2 / std::sqrt(kPi) * std::exp(-x * x); }, 1e-37L},
      {"exp", unary("math.exp"), [](Real x) { return std::exp(x); }, 1e-37L},
      {"exp2", unary("math.exp2"), [](Real x) { return kLn2 * std::exp2(x); },
       1e-37L},
      {"expm1", unary("math.expm1"), [](Real x) { return std::exp(x); },
       1e-37L},
      {"log", unary("math.log"), [](Real x) { return x < 0 ? NAN : 1 / x; }},
      {"log10", unary("math.log10"),
       [](Real x) { return x < 0 ? NAN : 1 / (x * std::log(10.0L)); }},
      {"log2", unary("math.log2"),
       [](Real x) { return x < 0 ? NAN : 1 / (x * kLn2); }},
      {"log1p", unary("math.log1p"),
       [](Real x) { return x < -1 ? NAN : 1 / (1 + x); }},
      {"sqrt", unary("math.sqrt"), [](Real x) { return 0.5L / std::sqrt(x); }},
      {"rsqrt", unary("math.rsqrt"),
       [](Real x) { return -0.5L / (x * std::sqrt(x)); }},
      {"reciprocal", kOne + "%y = arith.divf %one, %x : T\n",
       [](Real x) { return -1 / square(x); }, 1e-37L},
      {"product", "%y = arith.mulf %x, %x : T\n", [](Real x) { return 2 * x; }},
      {"fma", "%y = math.fma %x, %x, %x : T\n",
       [](Real x) { return 2 * x + 1; }, kOfOne},
      {"power_0", power("0.0"), [](Real) { return 0.0L; }},
      {"power_1", power("1.0"), [](Real) { return 1.0L; }},
      {"power_2", power("2.0"), [](Real x) { return 2 * x; }},
      {"power_3", power("3.0"), [](Real x) { return 3 * x * x; }, 1e-37L},
      {"power_34", power("34.0"), [](Real x) { return 34 * std::pow(x, 33); },
       1e-37L},
      {"power_35", power("35.0"), [](Real x) { return 35 * std::pow(x, 34); },
       1e-37L},
      {"power_-1", power("-1.0"), [](Real x) { return -1 / square(x); },
       1e-37L},
      {"power_1.5", power("1.5"), [](Real x) { return 1.5L * std::sqrt(x); }},
      {"power_of_2", number("k", "2.0") + "%y = math.powf %k, %x : T\n",
       [](Real x) { return kLn2 * std::exp2(x); }, 1e-37L},
      // The exponent's derivative at a base of 0 is 0 where it exists.
      {"power_of_0", kZero + "%y = math.powf %zero, %x : T\n",
       [](Real x) { return x > 0 ? 0.0L : Real(NAN); }},
      {"copysign",
       number("k", "-1.0") + "%y = math.copysign %x, %k : T\n",
       [](Real x) { return x > 0 ? -1.0L : 1.0L; },
       0,
       {0}},
  };
}

/// 32 arguments.
std::vector<float> arguments() {
  std::vector<float> all;
  for (float x : {0.0f, 1e-30f, 0.01f, 0.25f, 0.7f, 1.0f, 1.9f, 4.0f, 12.0f,
                  30.0f, 60.0f, 88.0f, 89.0f, 100.0f, 1e4f, FLT_MAX}) {
    all.push_back(x);
    all.push_back(-x);
  }
  return all;
}

class DerivativeTest : public testing::Test {
protected:
  void check(const std::vector<Function> &tested);

  TemporaryFolder folder;
};

/// `text` with other names for values, and the type written out.
std::string instantiate(std::string text, const std::string &prefix) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isType = text[i] == 'T' && (i == 0 || !std::isalnum(text[i - 1])) &&
                  (i + 1 == text.size() || !std::isalnum(text[i + 1]));
    if (isType)
      result += "tensor<1x32xf32>";
    else if (text[i] == '%')
      result += "%" + prefix;
    else
      result += text[i];
  }
  return result;
}

} // namespace

void DerivativeTest::check(const std::vector<Function> &tested) {
  std::string arguments, results, types, body, values;
  std::vector<SafetensorsWriter::Entry> entries;
  for (size_t i = 0; i < tested.size(); ++i) {
    const std::string &name = tested[i].name;
    std::string prefix = "f" + std::to_string(i) + "_";
    std::string comma = i ? ", " : "";
    arguments += comma + "%" + prefix + "x: tensor<1x32xf32> {te.input = \"" +
                 name + "\"}";
    results += comma + "tensor<1x32xf32> {te.output = \"" + name + "\"}";
    types += comma + "tensor<1x32xf32>";
    values += comma + "%" + prefix + "y";
    body += instantiate(tested[i].body, prefix);
    entries.push_back({name, DType::F32, {1, 32}});
    entries.push_back({"cotangent." + name, DType::F32, {1, 32}});
  }
  writeText(folder / "functions.mlir",
            "func.func @forward(" + arguments + ") -> (" + results + ") {\n" +
                body + "return " + values + " : " + types + "\n}\n");

  std::vector<float> points = ::arguments(), ones(32, 1.0f);
  auto writer = SafetensorsWriter::create(folder / "in", entries, {});
  ASSERT_TRUE(writer) << writer.takeError().message();
  for (size_t i : writer->order()) {
    const std::vector<float> &data = i % 2 ? ones : points;
    ASSERT_FALSE(writer->append(reinterpret_cast<const char *>(data.data()),
                                data.size() * sizeof(float)));
  }
  ASSERT_FALSE(writer->commit());
  ASSERT_SUCCEEDS(teCompile({folder / "functions.mlir", "--entry=vjp",
                             "--precision=f32", "-o", folder / "vjp.so"}));
  ASSERT_SUCCEEDS(teRun({"vjp", folder / "vjp.so", "--inputs", folder / "in",
                         "--outputs", folder / "out"}));
  SafetensorsFile out = openTensors(folder / "out");
  for (const Function &function : tested) {
    std::vector<double> computed = valuesOf(out, "grad." + function.name);
    int compared = 0;
    for (size_t i = 0; i < points.size(); ++i) {
      Real x = points[i], expected = function.derivative(x);
      bool isKink =
          std::count(function.without.begin(), function.without.end(), x);
      // As a float it would be infinite.
      if (isKink || !(std::fabs(expected) <= Real(FLT_MAX)))
        continue;
      ++compared;
      Real error = std::fabs(computed[i] - expected);
      Real allowed = 1e-5L * std::fabs(expected) + function.absolute + FLT_MIN;
      EXPECT_TRUE(error <= allowed)
          << function.name << "'(" << points[i] << ") is " << computed[i]
          << " instead of " << double(expected);
    }
    EXPECT_GE(compared, 10) << function.name;
  }
}

TEST_F(DerivativeTest, Activations) { check(activations()); }
TEST_F(DerivativeTest, PiecesOfActivations) { check(pieces()); }
TEST_F(DerivativeTest, Functions) { check(functions()); }

/// Powers of which neither operand is known, as PyTorch differentiates them:
/// by the base b a^(b-1), and 0 where b is 0; by the exponent a^b log(a), and 0
/// where a is 0 and b is not negative.
TEST_F(DerivativeTest, PowersOfTwoOperands) {
  const Real inf = INFINITY, nan = NAN;
  struct Case {
    float base, exponent;
    Real byBase, byExponent;
  };
  const std::vector<Case> cases = {
      {0, 0, 0, 0},
      {0, 1, 1, 0},
      {0, 2, 0, 0},
      {0, 3, 0, 0},
      {0, 0.5f, inf, 0},
      {0, -1, -inf, -inf},
      {-2, 3, 12, nan},
      {-2, 2, -4, nan},
      {-2, 0, 0, nan},
      {-2, -1, -0.25L, nan},
      {-1.5f, 4, -13.5L, nan},
      {-1, 35, 35, nan},
      {2, 3, 12, 8 * kLn2},
      {2, -2, -0.25L, kLn2 / 4},
      {1, 0, 0, 0},
      {1, 1000, 1000, 0},
  };
  const std::string type = "tensor<1x16xf32>";
  writeText(folder / "powers.mlir",
            "func.func @forward(%a: " + type + " {te.input = \"a\"}, %b: " +
                type + " {te.input = \"b\"}) -> (" + type +
                " {te.output = \"y\"}) {\n%y = math.powf %a, %b : " + type +
                "\nreturn %y : " + type + "\n}\n");
  std::vector<float> bases, exponents, ones(16, 1.0f);
  for (const Case &each : cases)
    bases.push_back(each.base), exponents.push_back(each.exponent);
  auto writer =
      SafetensorsWriter::create(folder / "in",
                                {{"a", DType::F32, {1, 16}},
                                 {"b", DType::F32, {1, 16}},
                                 {"cotangent.y", DType::F32, {1, 16}}},
                                {});
  ASSERT_TRUE(writer) << writer.takeError().message();
  for (size_t i : writer->order()) {
    const std::vector<float> &data = i == 0 ? bases : i == 1 ? exponents : ones;
    ASSERT_FALSE(writer->append(reinterpret_cast<const char *>(data.data()),
                                data.size() * sizeof(float)));
  }
  ASSERT_FALSE(writer->commit());
  ASSERT_SUCCEEDS(teCompile({folder / "powers.mlir", "--entry=vjp",
                             "--precision=f32", "-o", folder / "vjp.so"}));
  ASSERT_SUCCEEDS(teRun({"vjp", folder / "vjp.so", "--inputs", folder / "in",
                         "--outputs", folder / "out"}));
  SafetensorsFile out = openTensors(folder / "out");
  for (auto [name, member] : {std::pair("grad.a", &Case::byBase),
                              std::pair("grad.b", &Case::byExponent)}) {
    std::vector<double> computed = valuesOf(out, name);
    for (size_t i = 0; i < cases.size(); ++i) {
      Real expected = cases[i].*member;
      bool isRight = std::isnan(expected) ? std::isnan(computed[i])
                     : std::isinf(expected)
                         ? computed[i] == double(expected)
                         : std::fabs(computed[i] - expected) <=
                               1e-6L * std::fabs(expected);
      EXPECT_TRUE(isRight) << name << " of " << bases[i] << "^" << exponents[i]
                           << " is " << computed[i] << " instead of "
                           << double(expected);
    }
  }
}
