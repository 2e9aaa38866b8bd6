// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestTensor.h"

using namespace tert_test;

/// The address sanitizer ends the program where operator new would throw,
/// unless told otherwise.
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}

TEST(ContextTest, OpenRefusesUnknownDevice) {
  tert_context *context = nullptr;
  char message[256];
  EXPECT_EQ(tert_open("abacus", nullptr, &context, message, sizeof(message)),
            TERT_UNSUPPORTED);
  EXPECT_EQ(context, nullptr);
  EXPECT_NE(std::string(message).find("'abacus'"), std::string::npos);
  EXPECT_NE(std::string(message).find("cpu"), std::string::npos);
}

TEST(ContextTest, OpenCutsTheMessage) {
  tert_context *context = nullptr;
  char message[8] = "xxxxxxx";
  EXPECT_EQ(tert_open("abacus", nullptr, &context, message, sizeof(message)),
            TERT_UNSUPPORTED);
  EXPECT_STREQ(message, "tert_op");
  EXPECT_EQ(tert_open("abacus", nullptr, &context, nullptr, 0),
            TERT_UNSUPPORTED);
}

TEST(ContextTest, OpenRefusesBadThreadCount) {
  tert_context *context = nullptr;
  tert_options options = {-1, 0};
  EXPECT_EQ(tert_open("cpu", &options, &context, nullptr, 0),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_open(nullptr, nullptr, &context, nullptr, 0),
            TERT_INVALID_ARGUMENT);
}

TEST(ContextTest, MemoryIsAlignedAndCopied) {
  Context context;
  void *memory = nullptr;
  ASSERT_EQ(tert_allocate(context, 1000, &memory), TERT_OK);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 256, 0u);
  std::vector<char> out(1000, 7), back(1000, 0);
  EXPECT_EQ(tert_copy_to_device(context, memory, out.data(), 1000), TERT_OK);
  EXPECT_EQ(tert_synchronize(context), TERT_OK);
  EXPECT_EQ(tert_copy_to_host(context, back.data(), memory, 1000), TERT_OK);
  EXPECT_EQ(out, back);
  tert_release(context, memory);
  tert_release(context, nullptr);
}

TEST(ContextTest, TooMuchMemoryIsAStatus) {
  Context context;
  void *memory = &context;
  EXPECT_EQ(tert_allocate(context, size_t(1) << 62, &memory),
            TERT_OUT_OF_MEMORY);
  EXPECT_EQ(memory, nullptr);
  EXPECT_NE(context.error().find("4611686018427387904 bytes"),
            std::string::npos);
}

TEST(ContextTest, TheCpuHasNoStreams) {
  Context context;
  EXPECT_EQ(tert_set_stream(context, nullptr), TERT_OK);
  EXPECT_EQ(tert_set_stream(nullptr, nullptr), TERT_INVALID_ARGUMENT);
}

TEST(ContextTest, TheCpuHasNoNotices) {
  Context context;
  const char *notice = "untouched";
  EXPECT_EQ(tert_read_notice(context, 0, &notice), TERT_OK);
  EXPECT_EQ(notice, nullptr);
  EXPECT_EQ(tert_read_notice(context, 0, nullptr), TERT_INVALID_ARGUMENT);
}

TEST(ContextTest, NullContextIsAStatus) {
  EXPECT_EQ(tert_fill(nullptr, nullptr, nullptr, 0), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_synchronize(nullptr), TERT_INVALID_ARGUMENT);
  tert_close(nullptr);
}
