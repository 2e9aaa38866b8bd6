// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of a program keep all of their bits, also those that are not
// doubles.

#include "Models.h"

#include <cstring>

using namespace test;
using tert::session::DType;
using tert::session::SafetensorsWriter;
using tert::session::TensorView;

TEST(IntegerConstantTest, AreExact) {
  const std::vector<int64_t> numbers = {0,
                                        -1,
                                        (1LL << 53) - 1,
                                        1LL << 53,
                                        (1LL << 53) + 1,
                                        -(1LL << 53) - 1,
                                        INT64_MAX,
                                        INT64_MIN,
                                        INT64_MIN + 1,
                                        123456789012345678LL,
                                        1LL << 62};
  std::string results, body, values, types;
  for (size_t i = 0; i < numbers.size(); ++i) {
    std::string name = "c" + std::to_string(i), comma = i ? ", " : "";
    results += comma + "tensor<3xi64> {te.output = \"" + name + "\"}";
    body += "%" + name + " = arith.constant dense<" +
            std::to_string(numbers[i]) + "> : tensor<3xi64>\n";
    values += comma + "%" + name;
    types += comma + "tensor<3xi64>";
  }
  TemporaryFolder folder;
  writeText(folder / "constants.mlir",
            "func.func @forward(%x: tensor<1x1xf32> {te.input = \"x\"}) -> (" +
                results + ") {\n" + body + "return " + values + " : " + types +
                "\n}\n");
  auto writer =
      SafetensorsWriter::create(folder / "in", {{"x", DType::F32, {1, 1}}}, {});
  ASSERT_TRUE(writer) << writer.takeError().message();
  float x = 0;
  ASSERT_FALSE(writer->append(reinterpret_cast<const char *>(&x), sizeof(x)));
  ASSERT_FALSE(writer->commit());
  ASSERT_SUCCEEDS(teCompile({folder / "constants.mlir", "--entry=forward",
                             "--precision=f32", "-o", folder / "forward.so"}));
  ASSERT_SUCCEEDS(teRun({"forward", folder / "forward.so", "--inputs",
                         folder / "in", "--outputs", folder / "out"}));
  auto out = openTensors(folder / "out");
  for (size_t i = 0; i < numbers.size(); ++i) {
    const TensorView *view = out.find("c" + std::to_string(i));
    ASSERT_NE(view, nullptr);
    ASSERT_EQ(view->bytes, 3 * sizeof(int64_t));
    for (int element = 0; element < 3; ++element) {
      int64_t value;
      std::memcpy(&value, view->data + element * sizeof(value), sizeof(value));
      EXPECT_EQ(value, numbers[i]);
    }
  }
}
