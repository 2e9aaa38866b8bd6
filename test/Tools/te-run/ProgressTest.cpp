// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a terminal shows of a run, however wide it is.

#include "Tool.h"

#include <fcntl.h>
#include <sstream>
#include <sys/ioctl.h>

using namespace test;

namespace {
/// What te-run writes to a terminal of so many columns.
std::string onTerminal(const std::vector<std::string> &arguments,
                       unsigned short columns,
                       const std::vector<const char *> &environment = {}) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_EQ(::grantpt(terminal), 0);
  EXPECT_EQ(::unlockpt(terminal), 0);
  winsize size = {24, columns, 0, 0};
  const std::string name = ::ptsname(terminal);
  const int slave = ::open(name.c_str(), O_RDWR | O_NOCTTY);
  EXPECT_EQ(::ioctl(slave, TIOCSWINSZ, &size), 0);
  Tool tool(arguments, [&] {
    ::dup2(slave, STDERR_FILENO);
    ::setenv("TERM", "xterm", 1);
    for (const char *variable : environment)
      ::setenv(variable, "1", 1);
  });
  ::close(slave);
  std::string shown;
  char buffer[4096];
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof(buffer))) > 0;)
    shown.append(buffer, static_cast<size_t>(got));
  ::close(terminal);
  EXPECT_EQ(tool.wait().code, 0);
  return shown;
}

/// The lines that were drawn over each other, without colours.
std::vector<std::string> drawn(std::string shown) {
  std::vector<std::string> lines;
  const std::string again = "\r\033[K";
  for (size_t at = shown.find(again); at != shown.npos;) {
    const size_t next = shown.find(again, at + again.size());
    std::string line =
        shown.substr(at + again.size(), next - at - again.size());
    for (size_t code; (code = line.find('\033')) != line.npos;)
      line.erase(code, line.find('m', code) + 1 - code);
    lines.push_back(line.substr(0, line.find_first_of("\r\n")));
    at = next;
  }
  return lines;
}

class OnTerminal : public ::testing::Test {
protected:
  OnTerminal() {
    std::string text(5000, ' ');
    for (size_t i = 0; i < text.size(); ++i)
      text[i] = static_cast<char>('a' + i * i % 26);
    writeText(folder / "text", text);
    command = {"train",   toyPath("toy"), "--data", folder / "text",
               "--steps", "1000",         "--lr",   "0.01"};
  }
  TemporaryFolder folder;
  std::vector<std::string> command;
};
} // namespace

TEST_F(OnTerminal, ProgressFitsAnyWidth) {
  for (unsigned short columns : {20, 40, 60, 80, 100, 200}) {
    std::vector<std::string> lines = drawn(onTerminal(command, columns));
    ASSERT_GE(lines.size(), 2u);
    for (const std::string &line : lines) {
      // Characters of UTF-8 have one column each here.
      size_t width = 0;
      for (char c : line)
        width += (c & 0xc0) != 0x80;
      EXPECT_LT(width, columns) << line;
    }
    // The end of the run, drawn before it was taken away.
    std::string last;
    for (const std::string &line : lines)
      if (line.find("1000/1000") != line.npos)
        last = line;
    EXPECT_CONTAINS(last, "100%");
    EXPECT_EQ(last.find("loss ") != last.npos, columns >= 40) << last;
    EXPECT_EQ(last.find("0:00 left") != last.npos, columns >= 40) << last;
    EXPECT_EQ(last.find("tokens/s") != last.npos, columns >= 60) << last;
    EXPECT_EQ(last.find("(mean ") != last.npos, columns >= 80) << last;
    EXPECT_EQ(last.find("grad norm") != last.npos, columns >= 100) << last;
  }
}

TEST_F(OnTerminal, LinesOfAFileFit80Columns) {
  const Result result = teRun(command);
  std::istringstream lines(result.error);
  size_t count = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("step ", 0) == 0) {
      ++count;
      EXPECT_LE(line.size(), 80u);
      for (const char *part : {"loss ", "tokens/s", " left"})
        EXPECT_CONTAINS(line, part);
    }
  EXPECT_GE(count, 2u);
}

TEST_F(OnTerminal, ColoursUnlessUnwanted) {
  EXPECT_CONTAINS(onTerminal(command, 200), "\033[32m");
  EXPECT_LACKS(onTerminal(command, 200, {"NO_COLOR"}), "\033[32m");
}

TEST_F(OnTerminal, QuietShowsNoProgress) {
  command.push_back("--quiet");
  EXPECT_EQ(onTerminal(command, 80), "");
  Result result = teRun(command);
  EXPECT_EQ(result.error, "");
  EXPECT_LACKS(result.out, "windows of 16");
  EXPECT_CONTAINS(result.out, "steps 1 to 1000 in");
}
