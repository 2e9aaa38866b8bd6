// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Safetensors.h"

#include "TestFiles.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace test;

namespace {
constexpr char smallHeader[] =
    R"({"__metadata__":{"a":"b"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"y":{"dtype":"U8","shape":[3],"data_offsets":[8,11]}})";

std::string smallFile() {
  return safetensors(smallHeader, bytesOf<float>({1.5f, -2.0f}) + "abc");
}

std::string errorOf(const std::string &bytes) {
  TemporaryFolder folder;
  writeText(folder / "f.safetensors", bytes);
  Expected<SafetensorsFile> file =
      SafetensorsFile::open(folder / "f.safetensors");
  return file ? "" : file.takeError().message();
}

std::string errorOfHeader(const std::string &header, size_t payload) {
  return errorOf(safetensors(header, std::string(payload, '\0')));
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)
} // namespace

TEST(Safetensors, ReadsTensorsAndMetadata) {
  TemporaryFolder folder;
  writeText(folder / "f", smallFile());
  Expected<SafetensorsFile> file = SafetensorsFile::open(folder / "f");
  ASSERT_TRUE(file) << file.takeError().message();
  EXPECT_EQ(file->metadata().at("a"), "b");
  const TensorView *x = file->find("x");
  ASSERT_TRUE(x);
  EXPECT_EQ(x->dtype, DType::F32);
  EXPECT_EQ(x->shape, Shape{2});
  EXPECT_EQ(readAsDouble(DType::F32, x->data + 4), -2.0);
  EXPECT_EQ(std::string(file->find("y")->data, 3), "abc");
  EXPECT_FALSE(file->find("z"));
}

TEST(Safetensors, ScalarsEmptyTensorsAndPaddedHeaders) {
  EXPECT_EQ(errorOfHeader(
                R"({"s":{"dtype":"F64","shape":[],"data_offsets":[0,8]},)"
                R"("e":{"dtype":"F32","shape":[0,7],"data_offsets":[8,8]}}   )",
                8),
            "");
  EXPECT_EQ(errorOfHeader("{}", 0), "");
}

TEST(Safetensors, EveryTruncationIsAnError) {
  std::string whole = smallFile();
  EXPECT_EQ(errorOf(whole), "");
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(errorOf(whole.substr(0, length)), "") << length;
  EXPECT_CONTAINS(errorOf(whole + "z"), "belong to no tensor");
}

/// A flipped bit may leave a valid file (another name, another size that fits).
/// Whatever opens must have its tensors inside the file.
TEST(Safetensors, FlippedBitsNeverEscapeTheFile) {
  std::string whole = smallFile();
  size_t rejected = 0;
  TemporaryFolder folder;
  for (size_t bit = 0; bit < (whole.size() - 11) * 8; bit += 3) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    writeText(folder / "f", damaged);
    Expected<SafetensorsFile> file = SafetensorsFile::open(folder / "f");
    if (!file) {
      EXPECT_FALSE(file.takeError().message().empty());
      ++rejected;
      continue;
    }
    const char *end = file->payload() + file->payloadSize();
    unsigned sum = 0;
    for (const auto &[name, tensor] : file->tensors()) {
      ASSERT_GE(tensor.data, file->payload()) << bit;
      ASSERT_LE(tensor.data + tensor.bytes, end) << bit;
      for (size_t i = 0; i < tensor.bytes; ++i)
        sum += static_cast<unsigned char>(tensor.data[i]);
    }
    EXPECT_LT(sum, 256u * 11u);
  }
  EXPECT_GT(rejected, whole.size()); // Of 8/3 as many.
}

TEST(Safetensors, LengthsThatOverflow) {
  std::string huge = safetensors(smallHeader, "");
  for (size_t i = 0; i < 8; ++i)
    huge[i] = '\xff';
  EXPECT_CONTAINS(errorOf(huge), "header should have 18446744073709551615");
  EXPECT_CONTAINS(
      errorOfHeader(
          R"({"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})",
          0),
      "more bytes than any memory");
  // 2^62 elements of four bytes are 2^64, which is 0 in 64 bits.
  EXPECT_CONTAINS(
      errorOfHeader(
          R"({"x":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})",
          0),
      "more bytes than any memory");
  EXPECT_CONTAINS(
      errorOfHeader(
          R"({"x":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,0]}})",
          0),
      "more than any memory");
  EXPECT_CONTAINS(
      errorOfHeader(
          R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[18446744073709551615,0]}})",
          1),
      "data_offsets");
  EXPECT_NE(
      errorOfHeader(
          R"({"x":{"dtype":"U8","shape":[99999999999999999999999],"data_offsets":[0,1]}})",
          1),
      "");
}

TEST(Safetensors, OffsetsThatDisagree) {
  EXPECT_CONTAINS(
      errorOfHeader(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,7]}})",
                    7),
      "needs 8 bytes");
  EXPECT_CONTAINS(
      errorOfHeader(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
                    8),
      "needs 8 bytes");
  EXPECT_CONTAINS(
      errorOfHeader(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
                    4),
      "may be truncated");
  EXPECT_CONTAINS(
      errorOfHeader(
          R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"y":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
          6),
      "overlaps");
  EXPECT_CONTAINS(
      errorOfHeader(
          R"({"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"y":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}})",
          6),
      "gap");
}

TEST(Safetensors, HeadersThatAreNotOurs) {
  const std::pair<const char *, const char *> cases[] = {
      {R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})",
       "negative size -1"},
      {R"({"x":{"dtype":"Q7","shape":[1],"data_offsets":[0,4]}})",
       "dtype 'Q7'"},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}})",
       "not two"},
      {R"({"x":{"dtype":"F32","shape":[1]}})", "without"},
      {R"({"x":{"dtype":"F32","data_offsets":[0,4]}})", "without"},
      {R"({"x":{"shape":[1],"data_offsets":[0,4]}})", "without"},
      {R"({"x":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", "1.5"},
      {R"({"x":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})",
       "array where none"},
      {R"({"x":{"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]}})",
       "array where none"},
      {R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
       "'x' twice"},
      {R"({"__metadata__":{"a":1}})", "number where none"},
      {R"({"__metadata__":{"a":"1","a":"2"}})", "'a' twice"},
      {R"({"__metadata__":{},"__metadata__":{}})", "__metadata__ twice"},
      {R"({"x":7})", "number where none"},
      {R"({"x":null})", "null"},
      {R"({"x":{"dtype":true}})", "boolean"},
      {R"({"x":{"dtype":"F32","shape":{}}})", "object where none"},
      {R"({"x")", "not valid JSON"},
      {R"([])", "does not start with '{'"},
      {R"({} {})", "not valid JSON"}};
  for (const auto &[header, part] : cases)
    EXPECT_CONTAINS(errorOfHeader(header, 4), part);
  EXPECT_NE(errorOfHeader("{" + std::string(100000, '['), 0), "");
  EXPECT_NE(errorOfHeader("{\"\xff\xfe\":1}", 0), "");
}

TEST(Safetensors, FilesThatAreNoFiles) {
  EXPECT_CONTAINS(SafetensorsFile::open("/nowhere/x").takeError().message(),
                  "No such file");
  EXPECT_CONTAINS(SafetensorsFile::open("/tmp").takeError().message(),
                  "folder");
  EXPECT_CONTAINS(SafetensorsFile::open("/dev/zero").takeError().message(),
                  "not a regular file");
}

TEST(Safetensors, WritesWhatItReads) {
  TemporaryFolder folder;
  std::string path = folder / "out.safetensors";
  std::string name = "a \"quoted\"\n\\ näme";
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(path,
                                {{"bytes", DType::U8, {3}},
                                 {name, DType::I64, {2, 1}},
                                 {"scalar", DType::F32, {}}},
                                {{"key", "0000"}});
  ASSERT_TRUE(writer) << writer.takeError().message();
  // Widest first.
  EXPECT_EQ(writer->order(), (std::vector<size_t>{1, 2, 0}));
  EXPECT_FALSE(std::filesystem::exists(path));
  int64_t wide[] = {-5, 1 << 30};
  float scalar = 2.5f;
  EXPECT_FALSE(writer->append(wide, 16));
  EXPECT_FALSE(writer->append(&scalar, 4));
  EXPECT_FALSE(writer->append("xy", 2));
  EXPECT_TRUE(writer->append("zzzz", 4)) << "more than announced";
  EXPECT_FALSE(writer->append("z", 1));
  EXPECT_FALSE(writer->patchMetadata("key", "1234"));
  EXPECT_TRUE(writer->patchMetadata("key", "12345")) << "another length";
  EXPECT_TRUE(writer->patchMetadata("absent", "1234"));
  EXPECT_FALSE(writer->commit());

  Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  ASSERT_TRUE(file) << file.takeError().message();
  EXPECT_EQ(file->metadata().at("key"), "1234");
  ASSERT_TRUE(file->find(name));
  EXPECT_EQ(readAsDouble(DType::I64, file->find(name)->data), -5.0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file->find(name)->data) % 8, 0u);
  EXPECT_EQ(readAsDouble(DType::F32, file->find("scalar")->data), 2.5);
  EXPECT_EQ(std::string(file->find("bytes")->data, 3), "xyz");
}

TEST(Safetensors, AnUnfinishedWriterLeavesNothing) {
  TemporaryFolder folder;
  std::string path = folder / "out.safetensors";
  writeText(path, "before");
  {
    Expected<SafetensorsWriter> writer =
        SafetensorsWriter::create(path, {{"x", DType::F32, {4}}}, {});
    ASSERT_TRUE(writer);
    EXPECT_FALSE(writer->append("1234", 4));
    EXPECT_TRUE(writer->commit()) << "12 bytes are missing";
  }
  EXPECT_EQ(readText(path), "before");
  EXPECT_EQ(folder.count(), 1u);
}

// The digest covers header and tensors, in whatever pieces they are written.
TEST(Safetensors, AChecksumNoticesEveryBit) {
  TemporaryFolder folder;
  std::string path = folder / "out.safetensors";
  {
    Expected<SafetensorsWriter> writer = SafetensorsWriter::create(
        path, {{"x", DType::F32, {4}}},
        {{"a", "\"checksum\":\""},
         {SafetensorsWriter::checksumKey, Digest::placeholder()}});
    ASSERT_TRUE(writer);
    EXPECT_FALSE(writer->append("1234567", 7));
    EXPECT_FALSE(writer->append("812345678", 9));
    EXPECT_FALSE(writer->commit());
  }
  const std::string whole = readText(path);
  {
    Expected<SafetensorsFile> file = SafetensorsFile::open(path);
    ASSERT_TRUE(file) << file.takeError().message();
    EXPECT_EQ(file->storedChecksum().size(), Digest::textLength);
    EXPECT_NE(file->storedChecksum(), Digest::placeholder());
    EXPECT_TRUE(file->matchesChecksum());
  }
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    writeText(path, flipped);
    Expected<SafetensorsFile> file = SafetensorsFile::open(path);
    // A file whose checksum has another name or length has none.
    EXPECT_TRUE(!file || !file->matchesChecksum() ||
                file->storedChecksum().empty())
        << "bit " << bit;
  }
}
