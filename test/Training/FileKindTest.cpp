// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/FileKind.h"
#include "TestFiles.h"
#include "training/TokenFile.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace tert::training;
using namespace test;
using namespace std::string_literals;

namespace {
/// The first bytes of files that the programs of these formats wrote, or what
/// their specifications say, and bytes behind them.
struct Sample {
  const char *what;
  std::string begin;
  bool isCertain;
};

const Sample samples[] = {
    // gzip -n, bzip2, xz, zip, tar, zstd, of Python 3.12 and their tools.
    {"gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48"s, true},
    {"bzip2", "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x19\x31"s, true},
    {"xz", "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46"s, true},
    {"zip", "\x50\x4b\x03\x04\x14\x00\x00\x00\x00\x00\xca\x46"s, true},
    {"zstd", "\x28\xb5\x2f\xfd\x24\x06\x31\x00\x00hello"s, true},
    {"tar", "a" + std::string(256, '\0') + "ustar\0" + "00"s, true},
    {"pickle", "\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}"s, false},
    {"pickle", "\x80\x02]q\x00K\x01"s, false},
    // numpy.save of arange(4).
    {"NumPy", "\x93NUMPY\x01\x00v\x00{'descr': '<i8', 'fortran_order': "s,
     true},
    {"Parquet", "PAR1\x15\x04\x15\x10\x15\x14L"s, true},
    {"PDF", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"s, true},
    {"HDF5", "\x89HDF\r\n\x1a\n\x00\x00\x00"s, true},
    {"SQLite", "SQLite format 3\0\x10\x00"s, true},
    {"Megatron", "MMIDIDX\0\0\x01\0\0\0"s, true},
    {"Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:4d"s,
     true},
    {"UTF-16", "\xff\xfeh\0e\0l\0l\0"s, false},
    {"safetensors",
     safetensors("{\"x\":{\"dtype\":\"U8\",\"shape\":[2],"
                 "\"data_offsets\":[0,2]}}",
                 "ab"),
     true},
};

FileKind kindOf(const std::string &path) {
  Expected<InputFile> file = InputFile::open(path);
  EXPECT_TRUE(file);
  Expected<FileKind> kind = recognise(*file);
  EXPECT_TRUE(kind);
  return kind ? *kind : FileKind();
}

std::string refusal(const std::string &path, DataFormat format, bool guessed) {
  Expected<TokenFile> file = TokenFile::open(path, format, guessed);
  return file ? "" : file.takeError().message();
}
} // namespace

TEST(FileKind, BinaryFormatsAreNamed) {
  TemporaryFolder folder;
  const std::string path = folder / "data";
  for (const Sample &sample : samples) {
    writeText(path, sample.begin + std::string(4000, 'x'));
    FileKind kind = kindOf(path);
    EXPECT_NE(kind.what.find(sample.what), std::string::npos)
        << sample.what << " is " << kind.what;
    EXPECT_EQ(kind.isCertain, sample.isCertain) << sample.what;
    EXPECT_FALSE(kind.remedy.empty());
    // As text by its name, and as tokens by the user's word.
    std::string message = refusal(path, DataFormat::Bytes, /*guessed=*/true);
    EXPECT_NE(message.find("'" + path + "' is " + kind.what), message.npos)
        << message;
    EXPECT_NE(message.find("--tokens bytes"), message.npos);
    EXPECT_EQ(refusal(path, DataFormat::U16, false)
                      .find(" no text and no stream of tokens") !=
                  std::string::npos,
              sample.isCertain)
        << sample.what;
    // Whoever asks for the bytes gets them.
    EXPECT_EQ(refusal(path, DataFormat::Bytes, /*guessed=*/false), "");
  }
}

TEST(FileKind, JsonIsNoText) {
  TemporaryFolder folder;
  const std::string path = folder / "data";
  std::string longLine = "{\"text\": \"" + std::string(100000, 'a') + "\"}\n";
  for (const std::string &text :
       {"{\"text\": \"one\"}\n{\"text\": \"two\"}\n"s,
        "{\"text\": \"one\"}\r\n\r\n{\"text\": \"two\"}"s,
        "\xef\xbb\xbf{\"t\":1}\n{\"t\":2}\n"s, "[1, 2]\n[3]\n"s, "[1, 2, 3]"s,
        "[\n  {\n    \"text\": \"one\"\n  }\n]\n"s, "{ \"text\" : \"one\" }\n"s,
        longLine + longLine, "{\"text\": \"one\"}\n" + longLine}) {
    writeText(path, text);
    EXPECT_NE(kindOf(path).what.find("JSON"), std::string::npos)
        << text.substr(0, 60);
    EXPECT_NE(refusal(path, DataFormat::Bytes, true), "");
    EXPECT_EQ(refusal(path, DataFormat::Bytes, false), "");
  }
  for (const std::string &text :
       {"one\n{\"text\": 2}\n"s, "[Footnote 1: see below]\nmore\n"s,
        "{one}\n{two}\n"s, "{\"one\", said the other}\n"s, "1\n2\n3\n"s,
        "\"a\"\n\"b\"\n"s, "{\n  int x;\n}\n"s, ""s, "\n\n"s, "{"s, "[[["s}) {
    writeText(path, text);
    EXPECT_EQ(kindOf(path).what, "") << text.substr(0, 60);
  }
}

TEST(FileKind, StreamsOfTokensAreTaken) {
  TemporaryFolder folder;
  std::vector<uint16_t> narrow;
  std::vector<uint32_t> wide;
  for (uint32_t i = 0; i < 3000; ++i) {
    narrow.push_back(static_cast<uint16_t>(i * i * 7919));
    wide.push_back(i * i * 7919 % 50257);
  }
  writeText(folder / "n.bin", bytesOf(narrow));
  writeText(folder / "w.bin", bytesOf(wide));
  EXPECT_EQ(kindOf(folder / "n.bin").what, "");
  EXPECT_EQ(kindOf(folder / "w.bin").what, "");
}
