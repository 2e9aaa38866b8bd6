// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/Description.h"

#include <gtest/gtest.h>

using namespace tert::session;

namespace {
const std::string sound = R"({
  "format": "tert-artifact", "version": 1, "compiler": "c", "target": "cpu",
  "fingerprint": "f", "recipe": {"history": 16, "margin": 2},
  "options": {"microbatches": 4},
  "slots": [{"name": "a.input", "format": "e4m3"},
            {"name": "a.grad_output", "format": "e5m2"}],
  "states": [
    {"name": "w", "kind": "parameter", "dtype": "f32", "shape": [2, 3],
     "init": {"kind": "uniform", "low": -1, "high": 0.5}}],
  "entries": [
    {"name": "train", "symbol": "s", "arena_bytes": 256, "arguments": [
      {"name": "ids", "role": "input", "dtype": "i32", "shape": [4], "range": [0, 9]},
      {"name": "lr", "role": "scalar", "dtype": "f32", "shape": [], "default": 0.1},
      {"name": "w", "role": "state"},
      {"name": "loss", "role": "output", "dtype": "f32", "shape": [],
       "arena_offset": 252}]}]})";

std::string errorWith(const std::string &from, const std::string &to) {
  std::string text = sound;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  Expected<Description> result = parseDescription(text);
  return result ? "" : result.takeError().message();
}
} // namespace

TEST(Description, ReadsEveryField) {
  Expected<Description> result = parseDescription(sound);
  ASSERT_TRUE(result) << result.takeError().message();
  EXPECT_EQ(result->margin, 2);
  EXPECT_EQ(result->history, 16);
  EXPECT_EQ(result->microbatches, 4u);
  ASSERT_EQ(result->slots.size(), 2u);
  EXPECT_EQ(result->slots[1].format, TERT_F8E5M2);
  ASSERT_EQ(result->states.size(), 1u);
  EXPECT_EQ(result->states[0].type.bytes(), 24u);
  EXPECT_EQ(result->states[0].init.kind, StateInit::Kind::Uniform);
  EXPECT_EQ(result->states[0].init.second, 0.5);
  const EntryDescription *entry = result->findEntry("train");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->arenaBytes, 256u);
  EXPECT_EQ(entry->arguments[0].range, std::make_pair(int64_t(0), int64_t(9)));
  EXPECT_EQ(entry->arguments[1].defaultValue, 0.1);
  EXPECT_EQ(entry->arguments[2].type.shape, (Shape{2, 3}));
  EXPECT_EQ(entry->arguments[3].arenaOffset, 252u);
  EXPECT_FALSE(result->findEntry("grad"));
}

TEST(Description, TheMesh) {
  Expected<Description> result = parseDescription(sound);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->mesh.axes.empty());
  EXPECT_EQ(result->mesh.ranks(), 1);
  auto with = [](const std::string &mesh) {
    std::string text = sound;
    return text.replace(text.find("\"slots\""), 0, "\"mesh\": " + mesh + ", ");
  };
  result = parseDescription(with(
      R"([{"axis": "dp", "size": 2}, {"axis": "cp", "size": 3},
          {"axis": "tp", "size": 4}])"));
  ASSERT_TRUE(result) << result.takeError().message();
  const Mesh &mesh = result->mesh;
  EXPECT_EQ(mesh.ranks(), 24);
  EXPECT_EQ(mesh.text(), "dp=2, cp=3, tp=4");
  EXPECT_EQ(mesh.sizeOf("cp"), 3);
  EXPECT_EQ(mesh.sizeOf("pp"), 1);
  // Row-major: 17 is 1 * 12 + 1 * 4 + 1.
  EXPECT_EQ(mesh.coordinate(17, "dp"), 1);
  EXPECT_EQ(mesh.coordinate(17, "cp"), 1);
  EXPECT_EQ(mesh.coordinate(17, "tp"), 1);
  EXPECT_EQ(mesh.coordinate(17, "pp"), 0);
  EXPECT_EQ(mesh.groupAlong(17, "dp"), 5);
  EXPECT_EQ(mesh.groupAlong(17, "tp"), 16);
  EXPECT_EQ(mesh.groupAlong(17, "pp"), 17);
  EXPECT_EQ(mesh.indexAlong(17, {"tp", "dp"}), 5);
  EXPECT_EQ(mesh.indexAlong(17, {"pp"}), 0);
  for (const char *bad :
       {"3", R"([{"axis": "dp"}])", R"([{"axis": "dp", "size": 0}])",
        R"([{"axis": "", "size": 2}])",
        R"([{"axis": "dp", "size": 2}, {"axis": "dp", "size": 2}])",
        R"([{"axis": "dp", "size": 9223372036854775807}])",
        R"([{"axis": "a", "size": 65536}, {"axis": "b", "size": 65536}])"}) {
    Expected<Description> refused = parseDescription(with(bad));
    ASSERT_FALSE(refused) << bad;
    std::string why = refused.takeError().message();
    EXPECT_NE(why.find("'mesh"), std::string::npos) << why;
  }
}

TEST(Description, WhatCalibrateMeasures) {
  auto with = [](const std::string &sensitivity) {
    std::string text = sound;
    return text.replace(text.find("\"slots\""), 0,
                        "\"sensitivity\": " + sensitivity + ", ");
  };
  Expected<Description> result = parseDescription(with(
      R"({"products": [{"layer": "h.0", "product": "fprop"},
                       {"layer": "h.0", "product": "wgrad"}],
          "figures": ["error_dot", "input_amax"]})"));
  ASSERT_TRUE(result) << result.takeError().message();
  ASSERT_EQ(result->sensitivity.products.size(), 2u);
  EXPECT_EQ(result->sensitivity.products[1].layer, "h.0");
  EXPECT_EQ(result->sensitivity.products[1].product, "wgrad");
  EXPECT_EQ(result->sensitivity.figures,
            (std::vector<std::string>{"error_dot", "input_amax"}));
  for (const char *bad :
       {"3", R"({"products": []})", R"({"products": [3], "figures": []})",
        R"({"products": [{"layer": "h.0"}], "figures": []})",
        R"({"products": [], "figures": ["a", 3]})",
        R"({"products": [], "figures": "a"})"}) {
    Expected<Description> refused = parseDescription(with(bad));
    ASSERT_FALSE(refused) << bad;
    std::string why = refused.takeError().message();
    EXPECT_NE(why.find("'sensitivity"), std::string::npos) << why;
  }
}

TEST(Description, PartsOfStates) {
  auto with = [](const std::string &shape, const std::string &shard,
                 const std::string &kind = "parameter") {
    std::string text = sound;
    text.replace(text.find("[2, 3]"), 6, shape + ", \"shard\": " + shard);
    text.replace(text.find("parameter"), 9, kind);
    return text.replace(text.find("\"slots\""), 0,
                        R"("mesh": [{"axis": "dp", "size": 2},
                                    {"axis": "tp", "size": 4}], )");
  };
  Expected<Description> result = parseDescription(
      with("[3, 7]", R"({"shape": [24, 7], "dim": 0, "dim_axes": ["tp"],
                         "blocks": [8, 16], "flat_axes": ["dp"]})"));
  ASSERT_TRUE(result) << result.takeError().message();
  EXPECT_TRUE(result->hasShardedStates());
  const StateDescription &state = result->states[0];
  EXPECT_EQ(state.type.bytes(), 84u);
  EXPECT_EQ(state.globalShape(), (Shape{24, 7}));
  EXPECT_EQ(state.shard->layout.cut(), (ShardSplit{{24, 7}, 0, 4, {8, 16}, 2}));
  // Rank 6 is dp 1, tp 2: of its 2 + 4 rows it has the second half.
  std::vector<int64_t> rows;
  EXPECT_FALSE(
      state.visitRanges(result->mesh, 6, 0, 21, [&](const ShardRange &range) {
        EXPECT_EQ(range.global % 7, 0);
        for (int64_t i = 0; i < range.count; i += 7)
          rows.push_back((range.global + i) / 7);
        return Error::success();
      }));
  EXPECT_EQ(rows, (std::vector<int64_t>{17, 18, 19}));
  // Sums over microbatches are in no checkpoint.
  result = parseDescription(
      with("[12]", R"({"shape": [24], "flat_axes": ["dp"]})", "accumulator"));
  ASSERT_TRUE(result) << result.takeError().message();
  EXPECT_FALSE(result->hasShardedStates());
  result = parseDescription(sound);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->hasShardedStates());
  EXPECT_EQ(result->states[0].globalShape(), (Shape{2, 3}));

  struct Case {
    const char *shape, *shard, *part;
  };
  const Case cases[] = {
      {"[12]", "7", "'states[0].shard'"},
      {"[12]", "{}", "'states[0].shard.shape' is missing"},
      {"[12]", R"({"shape": [-1]})", "'states[0].shard.shape'"},
      {"[12]", R"({"shape": [9223372036854775807]})", "more bytes"},
      {"[12]", R"({"shape": [1,1,1,1,1,1,12]})", "at most 6"},
      {"[12]", R"({"shape": [24], "flat_axes": ["pp"]})", "shard.flat_axes'"},
      {"[12]", R"({"shape": [24], "flat_axes": "dp"})", "shard.flat_axes'"},
      {"[12]", R"({"shape": [24], "flat_axes": [1]})", "shard.flat_axes'"},
      {"[6]", R"({"shape": [24], "flat_axes": ["dp", "dp"]})", "each once"},
      {"[3]", R"({"shape": [24], "dim_axes": ["dp"], "flat_axes": ["dp"]})",
       "names 'dp', as dim_axes does"},
      {"[12]", R"({"shape": [24], "dim_axes": ["dp"], "dim": 1})",
       "cuts dimension 1"},
      {"[12]", R"({"shape": [24], "dim_axes": ["dp"], "dim": -1})",
       "cuts dimension -1"},
      {"[12]", R"({"shape": [24], "dim_axes": ["dp"], "dim": 0.5})",
       "'states[0].shard.dim'"},
      {"[12]", R"({"shape": [24], "dim_axes": ["dp"], "blocks": [8, 8]})",
       "do not add up"},
      {"[12]",
       R"({"shape": [24], "dim_axes": ["dp"], "blocks": [18446744073709551615]})",
       "'states[0].shard.blocks'"},
      {"[13]", R"({"shape": [24], "flat_axes": ["dp"]})",
       "makes shards of 12 elements, but the state has 13"}};
  for (const Case &one : cases) {
    Expected<Description> refused =
        parseDescription(with(one.shape, one.shard));
    ASSERT_FALSE(refused) << one.shard;
    std::string why = refused.takeError().message();
    EXPECT_NE(why.find(one.part), std::string::npos) << why;
  }
  result = parseDescription(
      with("[12]", R"({"shape": [24], "flat_axes": ["dp"]})", "fp8_scale"));
  ASSERT_FALSE(result);
}

TEST(Description, CopiesOfParameters) {
  const std::string parameter =
      R"({"name": "w", "kind": "parameter", "dtype": "f32", "shape": [5, 3],
          "init": {"kind": "data"}})";
  auto with = [&](const std::string &name, const std::string &dtype,
                  const std::string &shape, const std::string &of) {
    return R"({"format": "tert-artifact", "version": 1, "compiler": "c",
               "target": "cpu", "fingerprint": "f", "entries": [], "states": [)" +
           std::string(R"({"name": ")") + name +
           R"(", "kind": "weight_copy", "dtype": ")" + dtype +
           R"(", "shape": )" + shape + R"(, "init": {"kind": "derived"}}, )" +
           of + "]}";
  };
  // With more rows than the parameter, which may come behind it.
  Expected<Description> result =
      parseDescription(with("copy.w", "bf16", "[8, 3]", parameter));
  ASSERT_TRUE(result) << result.takeError().message();
  EXPECT_EQ(result->states[0].copiedParameter(), "w");
  EXPECT_FALSE(result->states[0].isSaved());
  EXPECT_EQ(result->states[1].copiedParameter(), "");
  EXPECT_TRUE(result->states[1].isSaved());
  EXPECT_FALSE(result->hasShardedStates());

  // By another name.
  const std::string renamed = R"(copy.2.w", "copy_of": "w)";
  result = parseDescription(with(renamed, "bf16", "[8, 3]", parameter));
  ASSERT_TRUE(result) << result.takeError().message();
  EXPECT_EQ(result->states[0].copiedParameter(), "w");

  std::string optimizer = parameter;
  optimizer.replace(optimizer.find("parameter"), 9, "optimizer");
  std::string narrow = parameter;
  narrow.replace(narrow.find("f32"), 3, "bf16");
  struct Case {
    std::string text;
    const char *part;
  };
  const Case cases[] = {
      {with("w.copy", "bf16", "[8, 3]", parameter), "is not 'copy.'"},
      {with("copy.", "bf16", "[8, 3]", parameter), "is not 'copy.'"},
      {with("copy.v", "bf16", "[8, 3]", parameter), "'v', which is not"},
      {with(R"(copy.w", "copy_of": "v)", "bf16", "[8, 3]", parameter),
       "'v', which is not"},
      {with(R"(v", "copy_of": ")", "bf16", "[8, 3]", parameter),
       "'copy_of' names none"},
      {with("copy.w", "bf16", "[8, 3]", optimizer), "'w', which is not"},
      {with("copy.w", "bf16", "[8, 3]", narrow), "the f32 parameter 'w'"},
      {with("copy.w", "f32", "[8, 3]", parameter), "the f32 parameter 'w'"},
      {with("copy.w", "bf16", "[4, 3]", parameter), "the f32 parameter 'w'"},
      {with("copy.w", "bf16", "[8, 4]", parameter), "the f32 parameter 'w'"},
      {with("copy.w", "bf16", "[15]", parameter), "the f32 parameter 'w'"},
      {with("copy.w", "bf16", "[]", parameter), "the f32 parameter 'w'"}};
  for (const Case &one : cases) {
    Expected<Description> refused = parseDescription(one.text);
    ASSERT_FALSE(refused) << one.text;
    const std::string why = refused.takeError().message();
    EXPECT_NE(why.find(one.part), std::string::npos) << why;
  }
}

TEST(Description, EveryTruncationIsAnError) {
  for (size_t length = 0; length < sound.size(); ++length)
    EXPECT_FALSE(parseDescription(sound.substr(0, length))) << length;
}

TEST(Description, WrongFieldsAreNamed) {
  struct Case {
    const char *from, *to, *part;
  };
  const Case cases[] = {
      {"tert-artifact", "other", "'format'"},
      {"\"version\": 1", "\"version\": 2", "version 1"},
      {"\"version\": 1", "\"version\": \"1\"", "'version'"},
      {"\"fingerprint\": \"f\"", "\"fingerprint\": 3", "'fingerprint'"},
      {"\"microbatches\": 4", "\"microbatches\": 0", "'options.microbatches'"},
      {"\"microbatches\": 4", "\"microbatches\": \"4\"",
       "'options.microbatches'"},
      {"\"options\": {\"microbatches\": 4}", "\"options\": 4", "'options'"},
      {"e5m2", "e3m4", "'slots[1].format'"},
      {"[2, 3]", "[2, -3]", "'states[0].shape'"},
      {"[2, 3]", "[1, 1, 1, 1, 1, 1, 1]", "at most 6"},
      {"[2, 3]", "[4611686018427387904, 4]", "more bytes than any memory"},
      {"[2, 3]", "7", "'states[0].shape'"},
      {"\"dtype\": \"f32\"", "\"dtype\": \"f99\"", "'states[0].dtype'"},
      {"\"kind\": \"uniform\"", "\"kind\": \"magic\"", "'magic'"},
      {"\"low\": -1, ", "", "'states[0].init.low'"},
      {"\"arena_bytes\": 256", "\"arena_bytes\": -1", "arena_bytes"},
      {"\"arena_bytes\": 256", "\"arena_bytes\": 1e99", "arena_bytes"},
      {"{\"name\": \"w\", \"role\": \"state\"}",
       "{\"name\": \"v\", \"role\": \"state\"}", "which is not a state"},
      {"\"role\": \"input\"", "\"role\": \"guest\"", "'guest'"},
      {"\"arena_offset\": 252", "\"arena_offset\": 253",
       "outside of the arena"},
      {"\"arena_offset\": 252", "\"arena_offset\": 9223372036854775807",
       "outside of the arena"},
      {"\"arena_offset\": 252", "\"arena_offset\": -4", "negative"},
      {"\"range\": [0, 9]", "\"range\": [9, 0]", "range"},
      {"\"name\": \"lr\"", "\"name\": \"ids\"", "taken"},
      {"\"dtype\": \"f32\", \"shape\": [], \"default\"",
       "\"dtype\": \"f32\", \"shape\": [1], \"default\"", "scalar"},
      {"\"entries\": [", "\"entries\": [3, ", "'entries[0]'"}};
  for (const Case &one : cases) {
    std::string error = errorWith(one.from, one.to);
    EXPECT_NE(error.find(one.part), std::string::npos)
        << one.from << " -> " << one.to << ": " << error;
  }
}
