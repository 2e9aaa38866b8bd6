// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions and their gradients through the compiled program, against sums
// over all their loops in float64. They are written as subscripts, like
// "mk,kn->mn", which name the loops of both operands and of the result.

#include "Models.h"

#include <map>

using namespace test;
using tert::session::DType;
using tert::session::SafetensorsFile;
using tert::session::SafetensorsWriter;

namespace {

const std::map<char, int64_t> sizes = {{'1', 1}, {'b', 3}, {'h', 2}, {'m', 6},
                                       {'q', 5}, {'n', 7}, {'e', 4}, {'k', 8},
                                       {'d', 3}, {'s', 5}};

struct Array {
  std::string loops;
  std::vector<double> values;
};

std::vector<int64_t> shapeOf(const std::string &loops) {
  std::vector<int64_t> shape;
  for (char loop : loops)
    shape.push_back(sizes.at(loop));
  return shape;
}

int64_t elementsOf(const std::string &loops) {
  int64_t count = 1;
  for (char loop : loops)
    count *= sizes.at(loop);
  return count;
}

std::string typeOf(const std::string &loops) {
  std::string type = "tensor<";
  for (char loop : loops)
    type += std::to_string(sizes.at(loop)) + "x";
  return type + "f32>";
}

/// Numbers that floats hold, between -1 and 1.
Array draw(const std::string &loops, unsigned seed) {
  Array array{loops, std::vector<double>(elementsOf(loops))};
  for (double &value : array.values) {
    seed = seed * 1664525 + 1013904223;
    value = double(seed >> 16) / 0x8000 - 1;
  }
  return array;
}

/// Σ a · b over the loops that the result does not have.
std::vector<double> contract(const Array &a, const Array &b,
                             const std::string &result) {
  std::string loops;
  for (char loop : a.loops + b.loops)
    if (loops.find(loop) == std::string::npos)
      loops += loop;
  std::map<char, int64_t> counter;
  auto at = [&](const std::string &own) {
    int64_t position = 0;
    for (char loop : own)
      position = position * sizes.at(loop) + counter[loop];
    return position;
  };
  std::vector<double> sums(elementsOf(result), 0.0);
  for (int64_t i = 0, e = elementsOf(loops); i < e; ++i) {
    int64_t rest = i;
    for (char loop : loops) {
      counter[loop] = rest % sizes.at(loop);
      rest /= sizes.at(loop);
    }
    sums[at(result)] += a.values[at(a.loops)] * b.values[at(b.loops)];
  }
  return sums;
}

struct Case {
  std::string a, b, c;
  bool hasInit = false;
  bool isGeneric = false;

  std::string name() const { return a + "." + b + "." + c; }
  /// The op, which computes %y from %a, %b and %init.
  std::string op() const;
};

std::string Case::op() const {
  std::string loops, iterators;
  for (char loop : c + a + b)
    if (loops.find(loop) == std::string::npos)
      loops += loop;
  auto dim = [&](char loop) { return "d" + std::to_string(loops.find(loop)); };
  std::string dims;
  for (char loop : loops) {
    dims += (dims.empty() ? "" : ", ") + dim(loop);
    iterators +=
        std::string(iterators.empty() ? "" : ", ") +
        (c.find(loop) == std::string::npos ? "\"reduction\"" : "\"parallel\"");
  }
  std::string maps;
  for (const std::string &own : {a, b, c}) {
    std::string position;
    for (char loop : own)
      position += (position.empty() ? "" : ", ") + dim(loop);
    maps += std::string(maps.empty() ? "" : ", ") + "affine_map<(" + dims +
            ") -> (" + position + ")>";
  }
  std::string operands = "ins(%a, %b : " + typeOf(a) + ", " + typeOf(b) +
                         ") outs(%init : " + typeOf(c) + ")";
  if (!isGeneric)
    return "%y = linalg.contract indexing_maps = [" + maps + "] " + operands +
           " -> " + typeOf(c) + "\n";
  return "%y = linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [" + iterators + "]} " + operands +
         " {\n^bb0(%p: f32, %q: f32, %o: f32):\n"
         "%t = arith.mulf %q, %p : f32\n%s = arith.addf %t, %o : f32\n"
         "linalg.yield %s : f32\n} -> " +
         typeOf(c) + "\n";
}

class ContractionTest : public testing::TestWithParam<Case> {
protected:
  TemporaryFolder folder;
};

void expectClose(const SafetensorsFile &file, const std::string &name,
                 const std::vector<double> &expected) {
  EXPECT_LT(relativeError(valuesOf(file, name), expected), 1e-6) << name;
}

} // namespace

TEST_P(ContractionTest, AgreesWithSums) {
  const Case &tested = GetParam();
  std::string text = "func.func @forward(%a: " + typeOf(tested.a) +
                     " {te.input = \"a\"}, %b: " + typeOf(tested.b) +
                     " {te.input = \"b\"}";
  if (tested.hasInit)
    text += ", %init: " + typeOf(tested.c) + " {te.input = \"init\"}";
  text += ") -> (" + typeOf(tested.c) + " {te.output = \"y\"}) {\n";
  if (!tested.hasInit)
    text += "%init = arith.constant dense<0.0> : " + typeOf(tested.c) + "\n";
  writeText(folder / "model.mlir",
            text + tested.op() + "return %y : " + typeOf(tested.c) + "\n}\n");

  std::map<std::string, Array> inputs = {{"a", draw(tested.a, 1)},
                                         {"b", draw(tested.b, 2)},
                                         {"cotangent.y", draw(tested.c, 3)}};
  if (tested.hasInit)
    inputs["init"] = draw(tested.c, 4);
  std::vector<SafetensorsWriter::Entry> entries;
  for (const auto &[name, array] : inputs)
    entries.push_back({name, DType::F32, shapeOf(array.loops)});
  auto writer = SafetensorsWriter::create(folder / "inputs", entries, {});
  ASSERT_TRUE(writer) << writer.takeError().message();
  for (size_t i : writer->order()) {
    const std::vector<double> &values = inputs[entries[i].name].values;
    std::vector<float> data(values.begin(), values.end());
    ASSERT_FALSE(writer->append(reinterpret_cast<const char *>(data.data()),
                                data.size() * sizeof(float)));
  }
  ASSERT_FALSE(writer->commit());
  ASSERT_SUCCEEDS(teCompile({folder / "model.mlir", "--entry=vjp",
                             "--precision=f32", "-o", folder / "model.so"}));
  ASSERT_SUCCEEDS(teRun({"vjp", folder / "model.so", "--inputs",
                         folder / "inputs", "--outputs", folder / "outputs"}));

  SafetensorsFile outputs = openTensors(folder / "outputs");
  const Array &a = inputs["a"], &b = inputs["b"], &dy = inputs["cotangent.y"];
  std::vector<double> y = contract(a, b, tested.c);
  if (tested.hasInit) {
    for (size_t i = 0; i < y.size(); ++i)
      y[i] += inputs["init"].values[i];
    expectClose(outputs, "grad.init", dy.values);
  }
  expectClose(outputs, "y", y);
  expectClose(outputs, "grad.a", contract(dy, b, tested.a));
  expectClose(outputs, "grad.b", contract(dy, a, tested.b));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ContractionTest,
    testing::Values(Case{"mk", "kn", "mn"}, Case{"mk", "nk", "mn", true},
                    Case{"km", "kn", "mn", false, true},
                    Case{"mk", "kn", "nm", true, true}, Case{"km", "nk", "nm"},
                    Case{"bsk", "kn", "bsn"}, Case{"sbk", "nk", "bsn", true},
                    Case{"bhsd", "dnhe", "bnse"}, Case{"bkmd", "dkn", "nbm"},
                    Case{"k", "kn", "n"}, Case{"mk", "k", "m", true},
                    Case{"k", "k", ""}, Case{"1mk", "1kn", "1mn"},
                    Case{"m1k", "kn1", "1mn", true}, Case{"1k", "1k", "1"},
                    // Batches.
                    Case{"bmk", "bkn", "bmn"}, Case{"bmk", "bnk", "bmn", true},
                    Case{"bhqd", "bhsd", "bhqs", false, true},
                    Case{"bqhd", "bshd", "bhqs"}, Case{"mbk", "nkb", "nmb"},
                    Case{"bk", "bk", "b"}, Case{"bmk", "bk", "bm", true}),
    [](const testing::TestParamInfo<Case> &info) {
      return "Case" + std::to_string(info.index);
    });
