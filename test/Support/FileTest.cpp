// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/File.h"
#include "support/InputFile.h"
#include "support/Json.h"

#include "TestFiles.h"

#include <csignal>
#include <gtest/gtest.h>
#include <set>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tert::session;
using namespace test;

TEST(File, ReplacesWhole) {
  TemporaryFolder folder;
  writeText(folder / "f", "before");
  EXPECT_FALSE(writeFile(folder / "f", "after"));
  EXPECT_EQ(readText(folder / "f"), "after");
  EXPECT_EQ(folder.count(), 1u);
  EXPECT_FALSE(writeFile(folder / "f", ""));
  EXPECT_EQ(readText(folder / "f"), "");
}

TEST(File, WithoutCommitNothingChanges) {
  TemporaryFolder folder;
  writeText(folder / "f", "before");
  {
    Expected<AtomicFile> file = AtomicFile::create(folder / "f");
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->write("half", 4));
  }
  EXPECT_EQ(readText(folder / "f"), "before");
  EXPECT_EQ(folder.count(), 1u);
}

/// In a child, because the limit holds for the whole process. What the child
/// finds wrong is its exit code.
TEST(File, AFullDiskLeavesThePreviousFile) {
  TemporaryFolder folder;
  writeText(folder / "f", "before");
  for (uint64_t announced : {uint64_t(0), uint64_t(1) << 20}) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::signal(SIGXFSZ, SIG_IGN);
      rlimit limit = {65536, 65536};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      std::string big(1 << 20, 'x');
      Expected<AtomicFile> file = AtomicFile::create(folder / "f", announced);
      if (!file) {
        bool clear =
            file.takeError().message().find("unchanged") != std::string::npos;
        ::_exit(announced && clear ? 0 : 1);
      }
      Error error = file->write(big.data(), big.size());
      bool clear = error.message().find("unchanged") != std::string::npos;
      // As a destructor would: the process is not the test's own.
      {
        AtomicFile gone = std::move(*file);
      }
      ::_exit(clear ? 0 : 2);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << announced;
    EXPECT_EQ(readText(folder / "f"), "before");
    EXPECT_EQ(folder.count(), 1u);
  }
}

TEST(File, AKillAtAnyMomentLeavesAWholeFile) {
  TemporaryFolder folder;
  std::string a(1 << 18, 'a'), b(1 << 18, 'b');
  writeText(folder / "f", a);
  for (int round = 0; round < 30; ++round) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (bool turn = true;; turn = !turn)
        if (writeFile(folder / "f", turn ? b : a))
          ::_exit(1);
    }
    ::usleep(static_cast<useconds_t>(200 + round * 331));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    std::string now = readText(folder / "f");
    EXPECT_TRUE(now == a || now == b) << now.size();
  }
  // What a kill left half-written is replaced by the next write.
  EXPECT_FALSE(writeFile(folder / "f", "end"));
  EXPECT_EQ(readText(folder / "f"), "end");
  EXPECT_EQ(folder.count(), 1u);
}

/// Writes `content` to a pair of files at once.
static Error writePair(const std::string &principal,
                       const std::string &companion,
                       const std::string &content) {
  auto first = AtomicFile::create(principal, content.size());
  if (!first)
    return first.takeError();
  auto second = AtomicFile::create(companion, content.size());
  if (!second)
    return second.takeError();
  if (Error error = first->write(content.data(), content.size()))
    return error;
  if (Error error = second->write(content.data(), content.size()))
    return error;
  return AtomicFile::commitTogether(*first, *second);
}

// Two compilations of one output: the last to end wins, and both files are of
// the same one. Some writers are killed, and leave nothing that stays.
TEST(File, ManyMayWriteOnePairAtOnce) {
  TemporaryFolder folder;
  constexpr int writers = 6, rounds = 20;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::string content(1 << 14, static_cast<char>('a' + writer));
      for (int round = 0; round < rounds; ++round)
        if (writePair(folder / "p", folder / "c", content))
          ::_exit(1);
      ::_exit(0);
    }
    children.push_back(child);
  }
  // Those that are killed write as long as they live.
  for (int round = 0; round < rounds; ++round) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::string content(1 << 14, 'k');
      while (!writePair(folder / "p", folder / "c", content))
        ;
      ::_exit(1);
    }
    ::usleep(static_cast<useconds_t>(500 + round * 331));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
  }
  for (pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  ASSERT_FALSE(writePair(folder / "p", folder / "c", "end"));
  EXPECT_EQ(readText(folder / "p"), "end");
  EXPECT_EQ(readText(folder / "c"), "end");
  // The first place is free again; those beside it were used while it was not.
  EXPECT_FALSE(
      std::filesystem::exists(AtomicFile::temporaryName(folder / "p")));
}

TEST(File, TwoWritersHaveTheirOwnFiles) {
  TemporaryFolder folder;
  {
    auto first = AtomicFile::create(folder / "f"),
         second = AtomicFile::create(folder / "f"),
         third = AtomicFile::create(folder / "f");
    ASSERT_TRUE(first && second && third);
    EXPECT_EQ(folder.count(), 3u);
    ASSERT_FALSE(second->write("2", 1));
    ASSERT_FALSE(first->write("1", 1));
    ASSERT_FALSE(second->commit());
    EXPECT_EQ(readText(folder / "f"), "2");
    ASSERT_FALSE(first->commit());
    EXPECT_EQ(readText(folder / "f"), "1");
  }
  EXPECT_EQ(folder.count(), 1u);
}

TEST(File, PlacesThatCannotBeWritten) {
  TemporaryFolder folder;
  writeText(folder / "file", "");
  // Root may write anywhere that is a folder; under a file or in /proc nobody.
  EXPECT_NE(
      writeFile(folder / "file/below", "x").message().find("cannot write"),
      std::string::npos);
  EXPECT_TRUE(writeFile("/proc/te-test", "x"));
  EXPECT_TRUE(writeFile(folder / "absent/f", "x"));
}

TEST(File, ALinkInThePlaceOfTheTemporaryFileIsNotFollowed) {
  TemporaryFolder folder;
  writeText(folder / "victim", "precious");
  std::filesystem::create_symlink(folder / "victim",
                                  AtomicFile::temporaryName(folder / "f"));
  EXPECT_FALSE(writeFile(folder / "f", "new"));
  EXPECT_EQ(readText(folder / "victim"), "precious");
  EXPECT_EQ(readText(folder / "f"), "new");
}

// What root could replace: pipes and devices by files, links by files.
TEST(File, LinksAreFollowed) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "elsewhere");
  writeText(folder / "elsewhere/f", "before");
  std::filesystem::create_symlink("elsewhere/f", folder / "link");
  std::filesystem::create_symlink("link", folder / "second");
  EXPECT_FALSE(writeFile(folder / "second", "after"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "second"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(readText(folder / "elsewhere/f"), "after");
  // To where nothing is yet.
  std::filesystem::create_symlink("elsewhere/new", folder / "dangling");
  EXPECT_FALSE(writeFile(folder / "dangling", "first"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling"));
  EXPECT_EQ(readText(folder / "elsewhere/new"), "first");
  std::filesystem::create_symlink("circle", folder / "circle");
  EXPECT_NE(writeFile(folder / "circle", "x").message().find("leads nowhere"),
            std::string::npos);
}

TEST(File, PipesAndDevicesAreWrittenThrough) {
  TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/null", folder / "null");
  EXPECT_FALSE(writeFile(folder / "null", "away"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_NE(writeFile("/dev/full", "x").message().find("No space"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));

  std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = readText(pipe); });
  EXPECT_FALSE(writeFile(pipe, "through"));
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(folder.count(), 2u);
}

TEST(File, WhatNoFileCanReplaceIsRefused) {
  TemporaryFolder folder;
  EXPECT_NE(writeFile(folder.path(), "x").message().find("it is a folder"),
            std::string::npos);
  int handle = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket").c_str(),
               sizeof(address.sun_path) - 1);
  ASSERT_EQ(
      ::bind(handle, reinterpret_cast<sockaddr *>(&address), sizeof(address)),
      0);
  EXPECT_NE(writeFile(folder / "socket", "x").message().find("it is a socket"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_socket(folder / "socket"));
  ::close(handle);
}

// Two files that belong together, and a process that is killed at any of the
// calls between: never an old one beside a new one.
TEST(File, TogetherOrNotAtAll) {
  for (int kill = 0; kill < 40; ++kill) {
    TemporaryFolder folder;
    writeText(folder / "program", "old");
    writeText(folder / "weights", "old");
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      ::raise(SIGSTOP);
      Expected<AtomicFile> program = AtomicFile::create(folder / "program");
      Expected<AtomicFile> weights = AtomicFile::create(folder / "weights");
      bool failed = !program || !weights || program->write("new", 3) ||
                    weights->write("new", 3) ||
                    AtomicFile::commitTogether(*program, *weights);
      ::_exit(failed);
    }
    // Ends the child at its system call number `kill`.
    int status = 0;
    ::waitpid(child, &status, 0);
    for (int call = 0; call < 2 * kill && !WIFEXITED(status); ++call) {
      ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
      ::waitpid(child, &status, 0);
    }
    bool ended = WIFEXITED(status);
    if (!ended) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
    }
    std::string program = readText(folder / "program"),
                weights = readText(folder / "weights");
    if (ended)
      EXPECT_EQ(program + weights, "newnew");
    else
      EXPECT_TRUE(program.empty() || program == weights)
          << kill << ": " << program << " beside " << weights;
    EXPECT_FALSE(weights.empty()) << kill;
  }
}

TEST(File, ACompanionOfTheOldOneGoes) {
  TemporaryFolder folder;
  writeText(folder / "weights", "old");
  Expected<AtomicFile> program = AtomicFile::create(folder / "program");
  ASSERT_TRUE(program);
  ASSERT_FALSE(program->write("new", 3));
  EXPECT_FALSE(AtomicFile::commitAlone(*program, folder / "weights"));
  EXPECT_EQ(readText(folder / "program"), "new");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(InputFile, ReadsPiecesAndNoticesACut) {
  TemporaryFolder folder;
  writeText(folder / "f", "0123456789");
  Expected<InputFile> file = InputFile::open(folder / "f");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 10u);
  char piece[4] = {};
  EXPECT_FALSE(file->read(6, piece, 4));
  EXPECT_EQ(std::string(piece, 4), "6789");
  EXPECT_TRUE(file->read(7, piece, 4));
  ASSERT_EQ(::truncate((folder / "f").c_str(), 3), 0);
  std::string message = file->read(2, piece, 4).message();
  EXPECT_EQ(message.find("'" + folder / "f" + "' ends at byte 3, and had 10"),
            0u)
      << message;
  for (const std::string &path : {std::string("/dev/zero"), folder.path()})
    EXPECT_FALSE(InputFile::open(path)) << path;
}

TEST(InputFile, DigestsSeeEveryByteOfAnOrdinaryFile) {
  TemporaryFolder folder;
  std::string bytes(3000000, 'x');
  std::set<std::string> digests;
  auto add = [&] {
    writeText(folder / "f", bytes);
    Expected<std::string> digest = digestOf(folder / "f");
    ASSERT_TRUE(digest);
    EXPECT_TRUE(digests.insert(*digest).second);
  };
  add();
  for (size_t at : {0, 7, 8, 1048575, 1048576, 2999999}) {
    bytes[at] ^= 1;
    add();
  }
  bytes.pop_back();
  add();
}

TEST(Json, DepthHasALimit) {
  auto nested = [](size_t levels, const char *open, const char *close) {
    std::string text;
    for (size_t i = 0; i < levels; ++i)
      text += open;
    text += "1";
    for (size_t i = 0; i < levels; ++i)
      text += close;
    return text;
  };
  EXPECT_FALSE(parseJson(nested(64, "[", "]")).is_discarded());
  EXPECT_TRUE(parseJson(nested(65, "[", "]")).is_discarded());
  EXPECT_FALSE(parseJson(nested(64, "{\"a\":", "}")).is_discarded());
  EXPECT_TRUE(parseJson(nested(65, "{\"a\":", "}")).is_discarded());
  EXPECT_TRUE(parseJson(nested(5000000, "[", "]")).is_discarded());
  EXPECT_TRUE(parseJson(std::string(5000000, '[')).is_discarded());
  // Brackets in strings, and side by side, are not deep.
  EXPECT_FALSE(parseJson("\"" + std::string(1000, '[') + "\"").is_discarded());
  EXPECT_FALSE(
      parseJson("[\"\\\"" + std::string(1000, '{') + "\"]").is_discarded());
  std::string wide = "[";
  for (int i = 0; i < 1000; ++i)
    wide += "[],";
  EXPECT_FALSE(parseJson(wide + "0]").is_discarded());
}
