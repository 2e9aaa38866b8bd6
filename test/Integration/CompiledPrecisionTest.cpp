// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts and delayed scaling as operations of a program: written in the te
// dialect, compiled, loaded and run, against what Transformer Engine's own
// kernels returned, bit for bit.

#include "Models.h"
#include "SafetensorsFixture.h"
#include "session/Session.h"

using namespace tert;
using namespace tert_test;
using Role = session::ArgumentDescription::Role;

namespace {

/// Numbers of a program's text.
std::string str(int64_t number) { return std::to_string(number); }

/// A program in the te dialect, compiled and loaded, with one entry `forward`.
class Program {
public:
  Program(const test::TemporaryFolder &folder, const std::string &text) {
    test::writeText(folder / "program.mlir", text);
    test::Result result =
        test::teCompile({folder / "program.mlir", "--entry", "forward",
                         "--precision", "f32", "-o", folder / "program.so"});
    if (result.code != 0)
      throw std::runtime_error(result.error);
    session::SessionOptions options;
    options.device = "cpu";
    options.numThreads = 2;
    session = valueOf(session::Session::create(
        valueOf(session::Artifact::open(folder / "program.so")), options));
    call.emplace(valueOf(session::EntryCall::create(*session, "forward")));
  }

  void set(const std::string &name, const Tensor &tensor) {
    check(call->setInput(argument(Role::Input, name, tensor), tensor.data()));
  }
  void run() { check(call->run()); }
  /// Reads an output into a tensor that says what to expect of it.
  void get(const std::string &name, Tensor &tensor) {
    check(
        call->readOutput(argument(Role::Output, name, tensor), tensor.data()));
  }

private:
  const session::ArgumentDescription &
  argument(Role role, const std::string &name, const Tensor &tensor) {
    const auto *found = call->description().find(role, name);
    if (!found || found->type.dtype != tensor.layout.dtype ||
        found->type.elements() != tensor.numElements())
      throw std::runtime_error("the program has no such " + name);
    return *found;
  }
  static void check(session::Error error) {
    if (error)
      throw std::runtime_error(error.message());
  }
  template <typename T> static T valueOf(session::Expected<T> value) {
    if (!value)
      check(value.takeError());
    return std::move(*value);
  }

  std::unique_ptr<session::Session> session;
  std::optional<session::EntryCall> call;
};

/// An element of a vector, as a tensor of rank 0.
std::string sliceOf(const std::string &result, const std::string &vector,
                    int64_t size, int64_t index) {
  return "  %" + result + " = tensor.extract_slice %" + vector + "[" +
         str(index) + "] [1] [1] : tensor<" + str(size) +
         "xf32> to tensor<f32>\n";
}

class CompiledPrecisionTest : public testing::Test {
protected:
  SafetensorsFixture file{TE_RUNTIME_INPUTS "/transformer_engine.safetensors"};
  test::TemporaryFolder folder;
};

} // namespace

/// All casts in one program, each with an element of one vector of scales.
TEST_F(CompiledPrecisionTest, CastsAgreeWithTransformerEngine) {
  constexpr int64_t rows = 96, cols = 80, numCasts = 16;
  struct Cast {
    std::string x, reference;
    int32_t format;
  };
  std::vector<Cast> casts;
  Tensor scales(TERT_F32, {numCasts});
  std::string body, results, types;
  for (const char *dtype : {"float32", "bfloat16"})
    for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
      for (int i = 0; i < 4; ++i) {
        bool e4m3 = format == TERT_F8E4M3;
        std::string n = str(int64_t(casts.size()));
        casts.push_back({dtype,
                         std::string("cast.") + dtype +
                             (e4m3 ? ".e4m3." : ".e5m2.") + str(i) + ".",
                         format});
        scales.set(int64_t(casts.size()) - 1,
                   file.get(casts.back().reference + "scale").at(0));
        std::string element = e4m3 ? "xf8E4M3FN>" : "xf8E5M2>";
        std::string q = "tensor<96x80" + element, qt = "tensor<80x96" + element;
        body += sliceOf("s" + n, "scales", numCasts, int64_t(casts.size()) - 1);
        body += "  %q" + n + ", %qt" + n + ", %amax" + n + " = te.quantize %" +
                dtype + ", %s" + n + " : tensor<96x80x" +
                (*dtype == 'f' ? "f32" : "bf16") + "> -> rowwise " + q +
                " columnwise " + qt + " amax tensor<f32>\n";
        std::string comma = results.empty() ? "" : ", ";
        results += comma + "%q" + n + ", %qt" + n + ", %amax" + n;
        types += comma + q + " {te.output = \"rowwise" + n + "\"}, " + qt +
                 " {te.output = \"columnwise" + n +
                 "\"}, tensor<f32> {te.output = \"amax" + n + "\"}";
      }
  ASSERT_EQ(int64_t(casts.size()), numCasts);
  std::string returned = types;
  for (size_t brace; (brace = returned.find(" {")) != std::string::npos;)
    returned.erase(brace, returned.find('}') + 1 - brace);
  Program program(
      folder,
      "func.func @forward(%float32: tensor<96x80xf32> {te.input = \"float32\"},"
      " %bfloat16: tensor<96x80xbf16> {te.input = \"bfloat16\"},"
      " %scales: tensor<16xf32> {te.input = \"scales\"})\n    -> (" +
          types + ") {\n" + body + "  return " + results + " : " + returned +
          "\n}\n");

  program.set("float32", file.get("cast.float32.x"));
  program.set("bfloat16", file.get("cast.bfloat16.x"));
  program.set("scales", scales);
  program.run();
  for (size_t i = 0; i < casts.size(); ++i) {
    const auto &[x, reference, format] = casts[i];
    Tensor q(format, {rows, cols}), qt(format, {cols, rows});
    Tensor amax = Tensor::scalar(0);
    program.get("rowwise" + std::to_string(i), q);
    program.get("columnwise" + std::to_string(i), qt);
    program.get("amax" + std::to_string(i), amax);
    EXPECT_TRUE(q.sameBits(file.get(reference + "rowwise", format)))
        << reference;
    EXPECT_TRUE(qt.sameBits(file.get(reference + "columnwise", format)))
        << reference;
    EXPECT_TRUE(amax.sameBits(file.get(reference + "amax"))) << reference;
  }
}

/// Slots of both formats side by side, several updates in one program: each
/// takes the state that the one before it returned.
TEST_F(CompiledPrecisionTest, ScaleUpdatesAgreeWithTransformerEngine) {
  struct Recipe {
    int64_t history;
    const char *algo;
    int margin;
  };
  constexpr int64_t updates = 4, slotsPerFormat = 48, slots = 96;
  for (const Recipe &recipe :
       {Recipe{16, "max", 0}, Recipe{4, "max", 1}, Recipe{16, "most_recent", 3},
        Recipe{1, "max", 3}}) {
    const int64_t history = recipe.history;
    const std::string algo = recipe.algo;
    const int margin = recipe.margin;
    SCOPED_TRACE(algo + ", history " + str(history) + ", margin " +
                 str(margin));
    std::string vector = "tensor<96xf32>";
    std::string matrix = "tensor<" + str(history) + "x96xf32>";
    std::string formats, arguments, results, types, body;
    for (int64_t slot = 0; slot < slots; ++slot)
      formats += std::string(slot ? ", " : "") +
                 (slot < slotsPerFormat ? "f8E4M3FN" : "f8E5M2");
    for (int64_t step = 0; step < updates; ++step) {
      std::string n = str(step), next = str(step + 1), amaxes;
      arguments +=
          "%amaxes" + n + ": " + vector + " {te.input = \"amaxes" + n + "\"}, ";
      results += "%scales" + next + ", ";
      types += vector + " {te.output = \"scales" + next + "\"}, ";
      for (int64_t slot = 0; slot < slots; ++slot) {
        std::string name = "a" + n + "_" + str(slot);
        body += sliceOf(name, "amaxes" + n, slots, slot);
        amaxes += (slot ? ", %" : "%") + name;
      }
      body += "  %scales" + next + ", %invs" + next + ", %history" + next +
              ", %nonfinite" + next + " = te.update_scales %scales" + n +
              ", %invs" + n + ", %history" + n + ", %nonfinite" + n +
              " amaxes(" + amaxes +
              ") {recipe = #te.delayed_scaling<history = " + str(history) +
              ", algo = " + algo + ", margin = " + str(margin) +
              ">, formats = [" + formats + "]} : " + vector + ", " + vector +
              ", " + matrix + ", tensor<96xi64>\n";
    }
    std::string last = str(updates), returned;
    for (int64_t step = 0; step < updates; ++step)
      returned += vector + ", ";
    Program program(
        folder, "func.func @forward(" + arguments + "%scales0: " + vector +
                    " {te.input = \"scales\"}, %invs0: " + vector +
                    " {te.input = \"invs\"}, %history0: " + matrix +
                    " {te.input = \"history\"}, %nonfinite0: tensor<96xi64>"
                    " {te.input = \"nonfinite\"})\n    -> (" +
                    types + vector + " {te.output = \"new_invs\"}, " + matrix +
                    " {te.output = \"new_history\"}, tensor<96xi64>"
                    " {te.output = \"new_nonfinite\"}) {\n" +
                    body + "  return " + results + "%invs" + last +
                    ", %history" + last + ", %nonfinite" + last + " : " +
                    returned + vector + ", " + matrix +
                    ", tensor<96xi64>\n}\n");

    auto reference = [&](const char *format, const char *what) {
      return file.get(std::string("update.") + format + ".len" + str(history) +
                      "." + algo + ".margin" + str(margin) + "." + what);
    };
    // What the reference has for a slot of the program.
    auto columnOf = [&](const Tensor &e4m3, const Tensor &e5m2, int64_t row,
                        int64_t slot) {
      return slot < slotsPerFormat ? e4m3.at(row, slot)
                                   : e5m2.at(row, slot - slotsPerFormat);
    };
    Tensor amaxes4 = reference("e4m3", "amax"),
           amaxes5 = reference("e5m2", "amax"),
           scales4 = reference("e4m3", "scale"),
           scales5 = reference("e5m2", "scale");

    Tensor scales(TERT_F32, {slots}), invs(TERT_F32, {slots}),
        window(TERT_F32, {history, slots}), nonfinite(TERT_I64, {slots});
    scales.fill([](int64_t) { return 1; });
    invs.fill([](int64_t) { return 1; });
    window.fill([](int64_t) { return 0; });
    nonfinite.fill([](int64_t) { return 0; });
    ASSERT_EQ(amaxes4.size(0) % updates, 0);
    for (int64_t first = 0; first < amaxes4.size(0); first += updates) {
      for (int64_t step = 0; step < updates; ++step)
        program.set("amaxes" + str(step),
                    Tensor(TERT_F32, {slots}).fill([&](int64_t slot) {
                      return columnOf(amaxes4, amaxes5, first + step, slot);
                    }));
      program.set("scales", scales);
      program.set("invs", invs);
      program.set("history", window);
      program.set("nonfinite", nonfinite);
      program.run();
      for (int64_t step = 0; step < updates; ++step) {
        program.get("scales" + str(step + 1), scales);
        for (int64_t slot = 0; slot < slots; ++slot)
          ASSERT_EQ(float(scales.at(slot)),
                    float(columnOf(scales4, scales5, first + step, slot)))
              << "step " << first + step << ", slot " << slot;
      }
      program.get("new_invs", invs);
      program.get("new_history", window);
      program.get("new_nonfinite", nonfinite);
      for (int64_t slot = 0; slot < slots; ++slot) {
        ASSERT_EQ(float(invs.at(slot)), 1.0f / float(scales.at(slot)));
        ASSERT_EQ(nonfinite.at(slot), 0);
      }
    }
    Tensor window4 = reference("e4m3", "history"),
           window5 = reference("e5m2", "history");
    for (int64_t row = 0; row < history; ++row)
      for (int64_t slot = 0; slot < slots; ++slot)
        ASSERT_EQ(window.at(row, slot), columnOf(window4, window5, row, slot))
            << "row " << row << ", slot " << slot;
  }
}
