// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/HuggingFaceFolder.h"

#include "TestFiles.h"
#include "support/Checksum.h"
#include "support/Safetensors.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tert::session;
using namespace test;

namespace {
struct Tensor {
  std::string name;
  DType dtype;
  Shape shape;
  std::string bytes;
};

Tensor floats(const std::string &name, const Shape &shape,
              const std::vector<float> &values) {
  return {name, DType::F32, shape, bytesOf(values)};
}

void writeTensors(const std::string &path, const std::vector<Tensor> &tensors,
                  const std::map<std::string, std::string> &notes = {}) {
  std::vector<SafetensorsWriter::Entry> entries;
  for (const Tensor &tensor : tensors)
    entries.push_back({tensor.name, tensor.dtype, tensor.shape});
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(path, entries, notes);
  ASSERT_TRUE(writer);
  for (size_t index : writer->order())
    ASSERT_FALSE(writer->append(tensors[index].bytes.data(),
                                tensors[index].bytes.size()));
  ASSERT_FALSE(writer->commit());
}

void writeCheckpoint(const std::string &path,
                     const std::vector<Tensor> &tensors,
                     std::map<std::string, std::string> notes) {
  const std::string none(16, '0');
  notes["format"] = "tert-checkpoint";
  notes["version"] = "1";
  notes["checksum"] = none;
  writeTensors(path, tensors, notes);
  std::string bytes = readText(path);
  Checksum checksum;
  checksum.add(bytes.data(), bytes.size());
  bytes.replace(bytes.find(none), none.size(), checksum.finish());
  writeText(path, bytes);
}

class HuggingFaceFolder : public ::testing::Test {
protected:
  /// A tied table, a norm, which is frozen, and a counter as a
  /// buffer. 1.00390625 lies between two numbers of BF16, 1.00048828125 of F16;
  /// both have an even neighbour below.
  HuggingFaceFolder() {
    std::filesystem::create_directories(folder / "model");
    writeCheckpoint(
        checkpoint(),
        {floats("base.table", {2, 2}, {1.00390625f, 1.01f, -3, 4}),
         floats("base.norm", {2}, {1.00048828125f, 2}),
         floats("adamw.m.base.norm", {2}, {7, 7}),
         {"base.count", DType::I64, {}, bytesOf<int64_t>({5})}},
        {{"step", "9"},
         {"parameters", R"({"base.norm": [], "base.table": ["head.weight"]})"},
         {"frozen", R"(["base.norm"])"},
         {"buffers", R"(["base.count"])"}});
    writeText(folder / "model/config.json", "{\"dtype\":  \"bfloat16\"}");
    writeText(folder / "model/tokenizer.json", "tokens");
    writeText(folder / "model/modeling.py", "code");
  }

  std::string checkpoint() const { return folder / "checkpoint"; }
  void writeModel(const std::vector<Tensor> &tensors,
                  const std::string &file = "model.safetensors") {
    writeTensors(folder / ("model/" + file), tensors);
  }
  /// The usual files of the model.
  void writeUsual() {
    writeModel({bf16("base.table", {2, 2}), bf16("base.norm", {2})});
  }
  static Tensor bf16(const std::string &name, const Shape &shape) {
    return {
        name, DType::BF16, shape,
        std::string(static_cast<size_t>(*byteCount(DType::BF16, shape)), '\0')};
  }
  FolderExportOptions options() const {
    return {checkpoint(), folder / "out", folder / "model"};
  }
  std::string failure(const FolderExportOptions &options) {
    return exportFolder(options, nullptr).takeError().message();
  }
  /// {name: (type, bytes)} of a file in the output.
  std::map<std::string, std::pair<DType, std::string>>
  read(const std::string &file = "model.safetensors") {
    std::map<std::string, std::pair<DType, std::string>> tensors;
    Expected<SafetensorsFile> opened =
        SafetensorsFile::open(folder / ("out/" + file));
    EXPECT_TRUE(opened) << opened.takeError().message();
    if (opened) {
      EXPECT_EQ(opened->metadata().at("format"), "pt");
      for (const auto &[name, view] : opened->tensors())
        tensors[name] = {view.dtype, std::string(view.data, view.bytes)};
    }
    return tensors;
  }
  TemporaryFolder folder;
};

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE((text).find(part), std::string::npos) << (text)
} // namespace

TEST_F(HuggingFaceFolder, NamesAndTypesOfTheOriginal) {
  // The tied weight under one of its names, the norm without its first part,
  // and a tensor that is none of the program's.
  writeModel({bf16("head.weight", {2, 2}),
              {"norm", DType::F16, {2}, std::string(4, '\0')},
              {"mask", DType::Bool, {3}, std::string("\1\0\1", 3)},
              {"base.count", DType::I64, {}, bytesOf<int64_t>({1})}});
  Expected<FolderExportSummary> summary = exportFolder(options(), nullptr);
  ASSERT_TRUE(summary) << summary.takeError().message();
  EXPECT_EQ(summary->step, 9u);
  EXPECT_EQ(summary->tensors, 4u);
  EXPECT_EQ(summary->files, 1u);
  EXPECT_EQ(summary->bytes, 8u + 4 + 3 + 8);
  EXPECT_EQ(summary->warning, "");
  auto tensors = read();
  ASSERT_EQ(tensors.size(), 4u);
  // 1 (the tie goes to the even neighbour), 1.0078125, -3, 4.
  EXPECT_EQ(tensors["head.weight"],
            std::pair(DType::BF16,
                      bytesOf<uint16_t>({0x3f80, 0x3f81, 0xc040, 0x4080})));
  EXPECT_EQ(tensors["norm"],
            std::pair(DType::F16, bytesOf<uint16_t>({0x3c00, 0x4000})));
  EXPECT_EQ(tensors["mask"], std::pair(DType::Bool, std::string("\1\0\1", 3)));
  EXPECT_EQ(tensors["base.count"],
            std::pair(DType::I64, bytesOf<int64_t>({5})));
  EXPECT_EQ(readText(folder / "out/config.json"), "{\"dtype\":  \"bfloat16\"}");
  EXPECT_EQ(readText(folder / "out/tokenizer.json"), "tokens");
  EXPECT_FALSE(std::filesystem::exists(folder / "out/modeling.py"));
}

TEST_F(HuggingFaceFolder, AnotherTypeIsInTheConfiguration) {
  writeUsual();
  FolderExportOptions wide = options();
  wide.dtype = DType::F32;
  ASSERT_TRUE(exportFolder(wide, nullptr));
  EXPECT_EQ(read()["base.table"],
            std::pair(DType::F32, bytesOf<float>({1.00390625f, 1.01f, -3, 4})));
  auto config = nlohmann::json::parse(readText(folder / "out/config.json"));
  EXPECT_EQ(config, nlohmann::json({{"dtype", "float32"}}));
  writeText(folder / "model/config.json", R"({"torch_dtype": "float16"})");
  wide.dtype = DType::BF16;
  ASSERT_TRUE(exportFolder(wide, nullptr));
  config = nlohmann::json::parse(readText(folder / "out/config.json"));
  EXPECT_EQ(config, nlohmann::json({{"torch_dtype", "bfloat16"}}));
}

TEST_F(HuggingFaceFolder, ShardsAndTheirIndex) {
  writeModel({bf16("base.table", {2, 2})}, "one.safetensors");
  writeModel({bf16("base.norm", {2})}, "two.safetensors");
  writeText(folder / "model/model.safetensors.index.json",
            R"({"weight_map": {"base.table": "one.safetensors",
                               "base.norm": "two.safetensors"}})");
  FolderExportOptions small = options();
  small.shardBytes = 8;
  Expected<FolderExportSummary> summary = exportFolder(small, nullptr);
  ASSERT_TRUE(summary) << summary.takeError().message();
  EXPECT_EQ(summary->files, 2u);
  EXPECT_EQ(read("model-00001-of-00002.safetensors").count("base.norm"), 1u);
  EXPECT_EQ(read("model-00002-of-00002.safetensors").count("base.table"), 1u);
  EXPECT_EQ(nlohmann::json::parse(
                readText(folder / "out/model.safetensors.index.json")),
            nlohmann::json::parse(
                R"({"metadata": {"total_size": 12},
              "weight_map": {"base.norm": "model-00001-of-00002.safetensors",
                             "base.table": "model-00002-of-00002.safetensors"}})"));
  // Of a folder that this wrote nothing stays that a reader would take.
  ASSERT_TRUE(exportFolder(options(), nullptr));
  EXPECT_EQ(read().size(), 2u);
  for (const char *name :
       {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
        "model.safetensors.index.json"})
    EXPECT_FALSE(std::filesystem::exists(folder / ("out/" + std::string(name))))
        << name;
}

TEST_F(HuggingFaceFolder, ParametersWithOtherNames) {
  // As with experts that are joined when they are loaded.
  writeModel(
      {bf16("base.norm", {2}), bf16("table.0", {2}), bf16("table.1", {2})});
  Expected<FolderExportSummary> summary = exportFolder(options(), nullptr);
  ASSERT_TRUE(summary) << summary.takeError().message();
  EXPECT_HAS(summary->warning, "1 parameters, 'base.table' among them");
  auto tensors = read();
  EXPECT_EQ(tensors.size(), 3u);
  EXPECT_EQ(tensors["base.table"].first, DType::BF16);
  EXPECT_EQ(tensors["base.table"], tensors["head.weight"]);
}

TEST_F(HuggingFaceFolder, Adapters) {
  writeCheckpoint(
      checkpoint(),
      {floats("m.q.base_layer.weight", {2}, {1, 2}),
       floats("m.q.lora_A.default.weight", {2}, {3, 4}),
       floats("m.q.lora_B.default.weight", {2}, {5, 6}),
       floats("m.q.lora_magnitude_vector.default.weight", {2}, {7, 8}),
       floats("m.head.modules_to_save.default.weight", {2}, {9, 10})},
      {{"parameters", R"({"m.q.base_layer.weight": [],
                          "m.q.lora_A.default.weight": [],
                          "m.q.lora_B.default.weight": [],
                          "m.q.lora_magnitude_vector.default.weight": [],
                          "m.head.modules_to_save.default.weight": []})"},
       {"frozen",
        R"(["m.q.base_layer.weight", "m.q.lora_A.default.weight"])"}});
  std::filesystem::create_directories(folder / "adapter");
  writeText(folder / "adapter/adapter_config.json",
            R"({"peft_type": "LORA", "base_model_name_or_path": null})");
  FolderExportOptions adapters = options();
  adapters.adapter = folder / "adapter";
  // New adapters: the names are those that PEFT would write.
  Expected<FolderExportSummary> summary = exportFolder(adapters, nullptr);
  ASSERT_TRUE(summary) << summary.takeError().message();
  auto tensors = read("adapter_model.safetensors");
  EXPECT_EQ(tensors.size(), 4u);
  EXPECT_EQ(tensors["m.q.lora_A.weight"].second, bytesOf<float>({3, 4}));
  EXPECT_EQ(tensors["m.q.lora_B.weight"].second, bytesOf<float>({5, 6}));
  EXPECT_EQ(tensors["m.q.lora_magnitude_vector"].second,
            bytesOf<float>({7, 8}));
  EXPECT_EQ(tensors["m.head.weight"].second, bytesOf<float>({9, 10}));
  EXPECT_EQ(nlohmann::json::parse(readText(folder / "out/adapter_config.json")),
            nlohmann::json({{"peft_type", "LORA"},
                            {"inference_mode", true},
                            {"base_model_name_or_path", folder / "model"}}));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/config.json"));

  // Those that were there give their types, and must be the same.
  std::filesystem::remove_all(folder / "out");
  std::vector<Tensor> there = {
      bf16("m.q.lora_A.weight", {2}), bf16("m.q.lora_B.weight", {2}),
      bf16("m.q.lora_magnitude_vector", {2}), bf16("m.head.weight", {2})};
  const std::string file = folder / "adapter/adapter_model.safetensors";
  writeTensors(file, there);
  ASSERT_TRUE(exportFolder(adapters, nullptr));
  EXPECT_EQ(read("adapter_model.safetensors")["m.q.lora_A.weight"],
            std::pair(DType::BF16, bytesOf<uint16_t>({0x4040, 0x4080})));
  there.push_back(bf16("m.v.lora_A.weight", {2}));
  writeTensors(file, there);
  EXPECT_HAS(failure(adapters), "has no parameter for 'm.v.lora_A.weight'");
  there.back() = bf16("m.v.lora_A.weight", {2});
  there.pop_back();
  there[0] = bf16("m.q.lora_A.weight", {1, 2});
  writeTensors(file, there);
  EXPECT_HAS(failure(adapters), "'m.q.lora_A.weight' is [2] in the checkpoint "
                                "and [1, 2] in '");
}

TEST_F(HuggingFaceFolder, AnotherModelIsRefused) {
  EXPECT_HAS(failure(options()), "model.safetensors'");
  writeModel({bf16("base.table", {4}), bf16("base.norm", {2})});
  EXPECT_HAS(failure(options()),
             "'base.table' is [2, 2] in the checkpoint and [4] in '");
  writeModel({bf16("other", {2})});
  EXPECT_HAS(failure(options()), "has none of the parameters of '");
  writeUsual();
  for (const char *config : {"", "[]", "{\"a\": ", "1"}) {
    writeText(folder / "model/config.json", config);
    EXPECT_HAS(failure(options()), "config.json'") << config;
  }
  writeText(folder / "model/config.json", std::string(1000000, '['));
  EXPECT_HAS(failure(options()), "config.json' is no JSON object");
  std::filesystem::remove(folder / "model/config.json");
  EXPECT_HAS(failure(options()), "config.json'");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_F(HuggingFaceFolder, AnIndexCannotLeadElsewhere) {
  writeTensors(folder / "elsewhere", {bf16("base.table", {2, 2})});
  for (const char *name :
       {R"("../elsewhere")", R"("")", R"("..")", "7", R"("/etc/passwd")"}) {
    writeText(folder / "model/model.safetensors.index.json",
              R"({"weight_map": {"base.table": )" + std::string(name) + "}}");
    EXPECT_HAS(failure(options()), "names a file that is not one of its folder")
        << name;
  }
  for (const char *map :
       {"{}", R"({"weight_map": {}})", R"({"weight_map": 3})", "[]"}) {
    writeText(folder / "model/model.safetensors.index.json", map);
    EXPECT_HAS(failure(options()), "model.safetensors.index.json'") << map;
  }
}

TEST_F(HuggingFaceFolder, NothingOfOthersIsReplaced) {
  writeUsual();
  FolderExportOptions into = options();
  into.output = folder / "model/.";
  into.replaceOthers = true;
  EXPECT_HAS(failure(into), "is the folder that the model is from");
  std::filesystem::create_directories(folder / "out");
  writeText(folder / "out/notes.txt", "mine");
  EXPECT_HAS(failure(options()), "has files that te-run did not write");
  writeTensors(folder / "out/model.safetensors", {bf16("theirs", {2})});
  EXPECT_HAS(failure(options()), "te-run did not write it");
  into = options();
  into.replaceOthers = true;
  ASSERT_TRUE(exportFolder(into, nullptr));
  EXPECT_EQ(readText(folder / "out/notes.txt"), "mine");
  EXPECT_EQ(read().count("base.table"), 1u);
  // Now it is one of ours.
  EXPECT_TRUE(exportFolder(options(), nullptr));
  writeText(folder / "file", "");
  into.output = folder / "file";
  EXPECT_HAS(failure(into), "is in the way of --output");
}

TEST_F(HuggingFaceFolder, AValueThatATypeCannotHold) {
  writeCheckpoint(checkpoint(), {floats("w", {2}, {1, 70000})},
                  {{"parameters", R"({"w": []})"}});
  writeModel({{"w", DType::F16, {2}, std::string(4, '\0')}});
  EXPECT_HAS(failure(options()),
             "parameter 'w': element 1 is 70000, beyond what F16 holds");
  EXPECT_FALSE(std::filesystem::exists(folder / "out/model.safetensors"));
}
