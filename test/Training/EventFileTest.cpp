// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/EventFile.h"
#include "TestFiles.h"

#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>

using namespace tert::session;
using namespace tert::training;
using namespace test;
using namespace std::string_literals;

// Appendix B.4 of RFC 3720, and the check value of the catalogue of CRCs.
TEST(EventFile, ChecksumsAreCrc32c) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc32c(""), 0u);
}

namespace {
template <typename T> T at(const std::string &bytes, size_t offset) {
  T value{};
  if (offset + sizeof(T) <= bytes.size())
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// As TensorFlow masks the checksums that stand beside what they check.
uint32_t masked(const std::string &bytes) {
  const uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

/// The events of a file, whose checksums are right.
std::vector<std::string> eventsOf(const std::string &file) {
  const std::string bytes = readText(file);
  std::vector<std::string> events;
  for (size_t offset = 0; offset < bytes.size();) {
    const auto length = at<uint64_t>(bytes, offset);
    EXPECT_EQ(at<uint32_t>(bytes, offset + 8), masked(bytes.substr(offset, 8)));
    events.push_back(bytes.substr(offset + 12, length));
    EXPECT_EQ(at<uint32_t>(bytes, offset + 12 + length), masked(events.back()));
    offset += 16 + length;
  }
  return events;
}
} // namespace

TEST(EventFile, EventsAreProtocolBuffers) {
  TemporaryFolder folder;
  {
    auto file = EventFile::create(folder / "events");
    ASSERT_TRUE(file) << file.takeError().message();
    EXPECT_FALSE(file->add(300, 1.5, {{"loss", 2.5f}, {"eval/loss", -1.0f}}));
    // Another one at the same time has a name of its own.
    EXPECT_TRUE(EventFile::create(folder / "events"));
  }
  std::vector<std::string> names;
  for (const auto &entry :
       std::filesystem::directory_iterator(folder / "events"))
    names.push_back(entry.path().string());
  ASSERT_EQ(names.size(), 2u);
  std::vector<std::string> one = eventsOf(names[0]), two = eventsOf(names[1]);
  if (one.size() < two.size())
    one.swap(two);
  ASSERT_EQ(one.size(), 2u);
  ASSERT_EQ(two.size(), 1u);
  // Field 1: a double; 3: a text of 13 bytes.
  EXPECT_EQ(one[0].substr(0, 1), "\x09");
  EXPECT_EQ(one[0].substr(9), "\x1a\x0d"s + "brain.Event:2");
  // Field 2: a varint of 300; 5: a summary of two values (1), each with a tag
  // (1) and a float (2).
  EXPECT_EQ(one[1], "\x09\0\0\0\0\0\0\xf8\x3f"
                    "\x10\xac\x02"
                    "\x2a\x1f"
                    "\x0a\x0b\x0a\x04loss\x15\0\0\x20\x40"
                    "\x0a\x10\x0a\x09"s +
                        "eval/loss\x15\0\0\x80\xbf"s);
}

TEST(EventFile, AFolderThatCannotBeMade) {
  TemporaryFolder folder;
  writeText(folder / "file", "mine");
  auto file = EventFile::create(folder / "file");
  ASSERT_FALSE(file);
  EXPECT_NE(file.takeError().message().find("cannot"), std::string::npos);
}
