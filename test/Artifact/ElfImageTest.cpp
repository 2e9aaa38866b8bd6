// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/ElfImage.h"

#include "TestFiles.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <random>

using namespace tert::session;
using namespace test;

namespace {
/// Sets a field of a file's header.
template <typename T>
std::string with(std::string image, size_t offset, T value) {
  std::memcpy(image.data() + offset, &value, sizeof(value));
  return image;
}
} // namespace

TEST(ElfImage, FindsSections) {
  std::string image = readText(toyPath("toy"));
  std::optional<std::string_view> text =
      findSection(image, ".tert.description");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->substr(0, 1), "{");
  EXPECT_FALSE(findSection(image, ".tert"));
  EXPECT_FALSE(findSection(image, "tert.description"));
  // Sections without bytes in the file.
  EXPECT_FALSE(findSection(image, ".bss"));
  EXPECT_EQ(findImageProblem(image), "");
}

TEST(ElfImage, OffsetsThatLeadOutsideOrOverflow) {
  std::string image = readText(toyPath("toy"));
  for (uint64_t offset : {uint64_t(image.size()), uint64_t(image.size() - 1),
                          ~uint64_t(0), ~uint64_t(0) - 63, uint64_t(1) << 63}) {
    std::string sections = with(image, offsetof(Elf64_Ehdr, e_shoff), offset);
    EXPECT_FALSE(findSection(sections, ".tert.description")) << offset;
    std::string segments = with(image, offsetof(Elf64_Ehdr, e_phoff), offset);
    EXPECT_EQ(findImageProblem(segments), "it is truncated") << offset;
  }
  EXPECT_FALSE(findSection(
      with(image, offsetof(Elf64_Ehdr, e_shstrndx), uint16_t(0xffff)),
      ".tert.description"));
  EXPECT_EQ(findImageProblem(
                with(image, offsetof(Elf64_Ehdr, e_phnum), uint16_t(0xffff))),
            "it is truncated");
  EXPECT_EQ(findImageProblem(""), "it is not a shared library");
  EXPECT_EQ(findImageProblem(image.substr(0, 63)),
            "it is not a shared library");
}

// With asan, reading outside of the file ends the test.
TEST(ElfImage, HeadersOfRandomBytes) {
  const std::string whole = readText(toyPath("toy"));
  Elf64_Ehdr header;
  std::memcpy(&header, whole.data(), sizeof(header));
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string image = whole;
    // Eight bytes of the header or of the sections' table, which is the end.
    size_t begin = i % 2 ? 0 : size_t(header.e_shoff);
    size_t end = i % 2 ? sizeof(header) : image.size();
    size_t at = begin + random() % (end - begin - 8);
    uint64_t value = (uint64_t(random()) << 32 | random()) >> random() % 64;
    std::memcpy(image.data() + at, &value, sizeof(value));
    if (auto text = findSection(image, ".tert.description")) {
      EXPECT_GE(text->data(), image.data());
      EXPECT_LE(text->data() + text->size(), image.data() + image.size());
    }
    findImageProblem(image);
  }
}
