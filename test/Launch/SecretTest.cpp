// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Secret.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <vector>

using namespace tert::launch;
namespace fs = std::filesystem;

namespace {
std::string hex(const Key &key) {
  std::string text;
  for (unsigned char byte : key) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", byte);
    text += digits;
  }
  return text;
}

class SecretFiles : public ::testing::Test {
protected:
  SecretFiles() {
    std::string name = (fs::temp_directory_path() / "secret-XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }
  ~SecretFiles() override {
    std::error_code code;
    fs::remove_all(folder, code);
  }
  std::string write(const std::string &text, mode_t mode) {
    const std::string path = (folder / "file").string();
    fs::remove(path);
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return path;
  }
  std::string failure(const std::string &text, mode_t mode) {
    return readSecret(write(text, mode)).takeError().message();
  }
  fs::path folder;
};
} // namespace

/// Test cases 1, 2 and 6 of RFC 4231.
TEST(Secret, KeysAreHmacSha256) {
  EXPECT_EQ(hex(keyOf(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hex(keyOf("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(
      hex(keyOf(std::string(131, '\xaa'),
                "Test Using Larger Than Block-Size Key - Hash Key First")),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Secret, RandomBytesDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i)
    seen.insert(randomBytes(16));
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_EQ(seen.begin()->size(), 16u);
}

TEST_F(SecretFiles, AreTheirOwnersAlone) {
  const std::string good(32, 's');
  Expected<std::string> read = readSecret(write(good, 0600));
  ASSERT_TRUE(read) << read.takeError().message();
  EXPECT_EQ(*read, good);
  EXPECT_TRUE(readSecret(write(good, 0400)));
  for (mode_t mode : {0640, 0604, 0620, 0602})
    EXPECT_NE(failure(good, mode).find("open to others"), std::string::npos)
        << failure(good, mode);
  EXPECT_NE(failure("short", 0600).find("5 bytes"), std::string::npos);
  EXPECT_NE(failure(std::string(5000, 'x'), 0600).find("more than 4096"),
            std::string::npos);
  EXPECT_NE(readSecret(folder.string())
                .takeError()
                .message()
                .find("not a regular file"),
            std::string::npos);
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(readSecret(pipe));
  EXPECT_FALSE(readSecret((folder / "none").string()));
}

TEST_F(SecretFiles, AreMadeOnceForAll) {
  std::vector<std::string> secrets(8);
  std::vector<std::thread> threads;
  for (std::string &secret : secrets)
    threads.emplace_back([&] {
      Expected<std::string> made = secretIn(folder.string());
      ASSERT_TRUE(made) << made.takeError().message();
      secret = *made;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &secret : secrets)
    EXPECT_EQ(secret, secrets[0]);
  EXPECT_GE(secrets[0].size(), 64u);
  // Nothing else is left, and nobody else may look.
  int files = 0;
  for (const auto &entry : fs::directory_iterator(folder / ".te-run")) {
    ++files;
    EXPECT_EQ(entry.path().filename(), "secret");
  }
  EXPECT_EQ(files, 1);
  EXPECT_EQ(fs::status(folder / ".te-run/secret").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  Expected<std::string> again = secretIn(folder.string());
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, secrets[0]);
  // A home that takes no file.
  const std::string why =
      secretIn((folder / "none").string()).takeError().message();
  EXPECT_NE(why.find("--secret FILE"), std::string::npos) << why;
}
