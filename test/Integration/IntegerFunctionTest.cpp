// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of arith and math on integers, and conversions between
// integers and floats, through the compiled program. Where MLIR leaves results
// undefined they are XLA's: x / 0 is -1, x % 0 is x, the smallest number
// divided by -1 is itself, shifts by all bits or more leave the sign, floats
// become the nearest integer and NaN becomes 0. Flags change nothing.

#include "Models.h"

#include <bitset>
#include <cfloat>
#include <cstring>
#include <functional>
#include <limits>

using namespace test;
using tert::session::DType;
using tert::session::SafetensorsFile;
using tert::session::SafetensorsWriter;

namespace {

using Wide = __int128;

/// A function of two integers with `Int` bits, which wraps; as signed numbers.
template <typename Int> struct Function {
  std::string op; ///< of %a and %b, without the type
  std::function<Wide(Int, Int)> formula;
};

template <typename Int> std::vector<Function<Int>> functions() {
  using Unsigned = std::make_unsigned_t<Int>;
  constexpr int width = std::numeric_limits<Unsigned>::digits;
  auto floorDivide = [](Wide a, Wide b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
  };
  auto power = [](Int a, Int n) -> Wide {
    if (n < 0)
      return a == 1 ? 1 : a == -1 ? (n & 1 ? -1 : 1) : 0;
    Unsigned y = 1, square = Unsigned(a);
    for (Int rest = n; rest; rest >>= 1, square *= square)
      if (rest & 1)
        y *= square;
    return Int(y);
  };
  auto isInside = [](Int b) { return Unsigned(b) < Unsigned(width); };
  auto bits = [](Int a) { return std::bitset<64>(Unsigned(a)); };
  return {
      {"arith.addi %a, %b", [](Int a, Int b) { return Wide(a) + b; }},
      {"arith.addi %a, %b overflow<nsw, nuw>",
       [](Int a, Int b) { return Wide(a) + b; }},
      {"arith.subi %a, %b overflow<nuw>",
       [](Int a, Int b) { return Wide(a) - b; }},
      {"arith.muli %a, %b overflow<nsw>",
       [](Int a, Int b) { return Wide(Unsigned(Wide(a) * b)); }},
      {"arith.divsi %a, %b", [](Int a, Int b) { return b ? Wide(a) / b : -1; }},
      {"arith.divsi %a, %b exact",
       [](Int a, Int b) { return b ? Wide(a) / b : -1; }},
      {"arith.divui %a, %b",
       [](Int a, Int b) { return b ? Wide(Unsigned(a) / Unsigned(b)) : -1; }},
      {"arith.remsi %a, %b", [](Int a, Int b) { return b ? Wide(a) % b : a; }},
      {"arith.remui %a, %b",
       [](Int a, Int b) {
         return b ? Wide(Unsigned(a) % Unsigned(b)) : Wide(a);
       }},
      {"arith.shli %a, %b overflow<nsw>",
       [=](Int a, Int b) { return isInside(b) ? Wide(Unsigned(a) << b) : 0; }},
      {"arith.shrsi %a, %b exact",
       [=](Int a, Int b) { return Wide(a >> (isInside(b) ? b : width - 1)); }},
      {"arith.shrui %a, %b",
       [=](Int a, Int b) { return isInside(b) ? Wide(Unsigned(a) >> b) : 0; }},
      {"arith.maxsi %a, %b", [](Int a, Int b) { return std::max(a, b); }},
      {"arith.minui %a, %b",
       [](Int a, Int b) { return std::min<Unsigned>(a, b); }},
      {"arith.xori %a, %b", [](Int a, Int b) { return a ^ b; }},
      {"math.ipowi %a, %b", power},
      {"math.absi %a", [](Int a, Int) { return a < 0 ? -Wide(a) : Wide(a); }},
      {"math.ctpop %a", [=](Int a, Int) { return Wide(bits(a).count()); }},
      {"math.ctlz %a",
       [=](Int a, Int) {
         int zeros = 0;
         while (zeros < width && !bits(a)[width - 1 - zeros])
           ++zeros;
         return Wide(zeros);
       }},
      {"math.cttz %a",
       [=](Int a, Int) {
         int zeros = 0;
         while (zeros < width && !bits(a)[zeros])
           ++zeros;
         return Wide(zeros);
       }},
      // Without a result where the divisor is 0; there it must not end the
      // program.
      {"arith.floordivsi %a, %b",
       [=](Int a, Int b) { return floorDivide(a, b); }},
      {"arith.ceildivsi %a, %b",
       [=](Int a, Int b) { return -floorDivide(-Wide(a), b); }},
      {"arith.ceildivui %a, %b",
       [](Int a, Int b) {
         Wide x = Unsigned(a), y = Unsigned(b);
         return (x + y - 1) / y;
       }},
  };
}

template <typename Int> std::vector<Int> specialNumbers() {
  using Limits = std::numeric_limits<Int>;
  return {0,
          1,
          -1,
          2,
          -2,
          3,
          -3,
          7,
          -7,
          31,
          32,
          63,
          64,
          Limits::max(),
          Limits::min(),
          Limits::min() + 1,
          5,
          -5,
          33,
          100,
          -64,
          Limits::max() - 1,
          1 << 20,
          -(1 << 20)};
}

class IntegerFunctionTest : public testing::Test {
protected:
  template <typename Int> void check(const std::string &type, DType dtype);
  void run(const std::string &model,
           const std::vector<SafetensorsWriter::Entry> &entries,
           const std::vector<std::string> &data);

  TemporaryFolder folder;
};

template <typename T>
std::vector<T> read(const SafetensorsFile &file, const std::string &name) {
  const auto *view = file.find(name);
  if (!view)
    throw std::runtime_error("no tensor " + name);
  std::vector<T> values(view->bytes / sizeof(T));
  std::memcpy(values.data(), view->data, view->bytes);
  return values;
}

} // namespace

void IntegerFunctionTest::run(
    const std::string &model,
    const std::vector<SafetensorsWriter::Entry> &entries,
    const std::vector<std::string> &data) {
  writeText(folder / "functions.mlir", model);
  auto writer = SafetensorsWriter::create(folder / "in", entries, {});
  ASSERT_TRUE(writer) << writer.takeError().message();
  for (size_t i : writer->order())
    ASSERT_FALSE(writer->append(data[i].data(), data[i].size()));
  ASSERT_FALSE(writer->commit());
  ASSERT_SUCCEEDS(teCompile({folder / "functions.mlir", "--entry=forward",
                             "--precision=f32", "-o", folder / "forward.so"}));
  ASSERT_SUCCEEDS(teRun({"forward", folder / "forward.so", "--inputs",
                         folder / "in", "--outputs", folder / "out"}));
}

template <typename Int>
void IntegerFunctionTest::check(const std::string &type, DType dtype) {
  std::vector<Int> numbers = specialNumbers<Int>(), a, b;
  for (Int first : numbers)
    for (Int second : numbers)
      a.push_back(first), b.push_back(second);
  std::vector<Function<Int>> tested = functions<Int>();
  std::string tensor = "tensor<" + std::to_string(a.size()) + "x" + type + ">";
  std::string declared, body, values, types;
  for (size_t i = 0; i < tested.size(); ++i) {
    std::string name = "y" + std::to_string(i), comma = i ? ", " : "";
    declared += comma + tensor + " {te.output = \"" + name + "\"}";
    body += "%" + name + " = " + tested[i].op + " : " + tensor + "\n";
    values += comma + "%" + name;
    types += comma + tensor;
  }
  run("func.func @forward(%a: " + tensor + " {te.input = \"a\"}, %b: " +
          tensor + " {te.input = \"b\"}) -> (" + declared + ") {\n" + body +
          "return " + values + " : " + types + "\n}\n",
      {{"a", dtype, {int64_t(a.size())}}, {"b", dtype, {int64_t(a.size())}}},
      {bytesOf(a), bytesOf(b)});
  if (HasFatalFailure())
    return;
  SafetensorsFile out = openTensors(folder / "out");
  for (size_t i = 0; i < tested.size(); ++i) {
    bool isRounding = tested[i].op.find("floordiv") != std::string::npos ||
                      tested[i].op.find("ceildiv") != std::string::npos;
    std::vector<Int> computed = read<Int>(out, "y" + std::to_string(i));
    ASSERT_EQ(computed.size(), a.size());
    for (size_t j = 0; j < a.size(); ++j) {
      if (isRounding && b[j] == 0)
        continue;
      EXPECT_EQ(computed[j], Int(tested[i].formula(a[j], b[j])))
          << tested[i].op << " of " << a[j] << " and " << b[j];
    }
  }
}

TEST_F(IntegerFunctionTest, Of32Bits) { check<int32_t>("i32", DType::I32); }
TEST_F(IntegerFunctionTest, Of64Bits) { check<int64_t>("i64", DType::I64); }

/// The nearest number of a type, as MLIR truncates floats.
template <typename Int> static Int convert(float x) {
  using Limits = std::numeric_limits<Int>;
  if (std::isnan(x))
    return 0;
  if (x <= static_cast<long double>(Limits::min()))
    return Limits::min();
  return x >= static_cast<long double>(Limits::max()) ? Limits::max() : Int(x);
}

TEST_F(IntegerFunctionTest, Conversions) {
  std::vector<float> x = {0,
                          -0.0f,
                          0.99f,
                          -0.99f,
                          1.5f,
                          -2.5f,
                          1e9f,
                          -1e9f,
                          2147483520.f,
                          2147483648.f,
                          -2147483648.f,
                          -2147483904.f,
                          4294967040.f,
                          4294967296.f,
                          9.2e18f,
                          9.3e18f,
                          -9.3e18f,
                          1.9e19f,
                          FLT_MAX,
                          -FLT_MAX,
                          HUGE_VALF,
                          -HUGE_VALF,
                          NAN,
                          1e-40f};
  std::vector<int64_t> n = specialNumbers<int64_t>();
  ASSERT_EQ(x.size(), n.size());
  std::string model = R"(
    func.func @forward(%x: tensor<24xf32> {te.input = "x"}, %n: tensor<24xi64> {te.input = "n"}) -> (
        tensor<24xi32> {te.output = "i32"}, tensor<24xi64> {te.output = "i64"},
        tensor<24xi32> {te.output = "u32"}, tensor<24xi64> {te.output = "u64"},
        tensor<24xf32> {te.output = "signed"}, tensor<24xf32> {te.output = "unsigned"},
        tensor<24xf32> {te.output = "narrow"}) {
      %0 = arith.fptosi %x : tensor<24xf32> to tensor<24xi32>
      %1 = arith.fptosi %x : tensor<24xf32> to tensor<24xi64>
      %2 = arith.fptoui %x : tensor<24xf32> to tensor<24xi32>
      %3 = arith.fptoui %x : tensor<24xf32> to tensor<24xi64>
      %4 = arith.sitofp %n : tensor<24xi64> to tensor<24xf32>
      %5 = arith.uitofp %n : tensor<24xi64> to tensor<24xf32>
      %6 = arith.trunci %n overflow<nsw, nuw> : tensor<24xi64> to tensor<24xi32>
      %7 = arith.sitofp %6 : tensor<24xi32> to tensor<24xf32>
      return %0, %1, %2, %3, %4, %5, %7 : tensor<24xi32>, tensor<24xi64>, tensor<24xi32>, tensor<24xi64>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>
    })";
  run(model, {{"x", DType::F32, {24}}, {"n", DType::I64, {24}}},
      {bytesOf(x), bytesOf(n)});
  if (HasFatalFailure())
    return;
  SafetensorsFile out = openTensors(folder / "out");
  auto i32 = read<int32_t>(out, "i32");
  auto i64 = read<int64_t>(out, "i64");
  auto u32 = read<uint32_t>(out, "u32");
  auto u64 = read<uint64_t>(out, "u64");
  auto ofSigned = read<float>(out, "signed"),
       ofUnsigned = read<float>(out, "unsigned"),
       narrow = read<float>(out, "narrow");
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(i32[i], convert<int32_t>(x[i])) << x[i];
    EXPECT_EQ(i64[i], convert<int64_t>(x[i])) << x[i];
    EXPECT_EQ(u32[i], convert<uint32_t>(x[i])) << x[i];
    EXPECT_EQ(u64[i], convert<uint64_t>(x[i])) << x[i];
    EXPECT_EQ(ofSigned[i], float(n[i])) << n[i];
    EXPECT_EQ(ofUnsigned[i], float(uint64_t(n[i]))) << n[i];
    EXPECT_EQ(narrow[i], float(int32_t(n[i]))) << n[i];
  }
}
