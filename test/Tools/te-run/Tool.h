// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running te-run as a user would.

#ifndef TE_TEST_TOOLS_TERUN_TOOL_H
#define TE_TEST_TOOLS_TERUN_TOOL_H

#include "TestFiles.h"

#include <csignal>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace test {

struct Result {
  int code; ///< The exit code, or minus the signal.
  std::string out, error;
};

/// A started te-run; its streams go to files.
class Tool {
public:
  /// `before` runs in the child, before the program starts.
  Tool(std::string program, const std::vector<std::string> &arguments,
       const std::function<void()> &before = {}) {
    std::vector<char *> pointers;
    pointers.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string &copy : copies)
      pointers.push_back(copy.data());
    pointers.push_back(nullptr);
    std::string out = folder / "out", error = folder / "error";
    child = ::fork();
    if (child == 0) {
      if (!std::freopen(out.c_str(), "w", stdout) ||
          !std::freopen(error.c_str(), "w", stderr))
        ::_exit(120);
      if (before)
        before();
      ::execv(program.c_str(), pointers.data());
      ::_exit(121);
    }
  }

#ifdef TE_RUN
  explicit Tool(const std::vector<std::string> &arguments,
                const std::function<void()> &before = {})
      : Tool(TE_RUN, arguments, before) {}
#endif

  pid_t pid() const { return child; }
  void send(int signal) { ::kill(child, signal); }

  /// Waits until `condition` holds or the program ends; false if that did not
  /// happen within half a minute.
  bool waitFor(const std::function<bool()> &condition) {
    for (int i = 0; i < 3000; ++i) {
      if (condition())
        return true;
      ::usleep(10000);
    }
    return false;
  }

  Result wait() {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
            readText(folder / "out"), readText(folder / "error")};
  }

private:
  TemporaryFolder folder;
  pid_t child = -1;
};

#ifdef TE_RUN
inline Result teRun(const std::vector<std::string> &arguments,
                    const std::function<void()> &before = {}) {
  return Tool(arguments, before).wait();
}
#endif

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos)                              \
      << "looking for: " << (part) << "\nin: " << (text)

#define EXPECT_LACKS(text, part)                                               \
  EXPECT_EQ((text).find(part), std::string::npos) << (text)

/// Exit code 1 and a message on stderr in the usual form, nothing on stdout
/// that looks like success.
#define EXPECT_FAILS(result, part)                                             \
  do {                                                                         \
    const Result &failed = (result);                                           \
    EXPECT_EQ(failed.code, 1) << failed.out << failed.error;                   \
    EXPECT_CONTAINS(failed.error, "te-run: error: ");                          \
    EXPECT_CONTAINS(failed.error, part);                                       \
  } while (false)

/// A safetensors file of named tensors.
struct NamedTensor {
  std::string name, dtype, shape, bytes;
};

inline std::string safetensorsOf(const std::vector<NamedTensor> &tensors) {
  std::string header = "{", payload;
  for (const NamedTensor &tensor : tensors) {
    header += (header.size() > 1 ? ",\"" : "\"") + tensor.name +
              "\":{\"dtype\":\"" + tensor.dtype +
              "\",\"shape\":" + tensor.shape + ",\"data_offsets\":[" +
              std::to_string(payload.size()) + "," +
              std::to_string(payload.size() + tensor.bytes.size()) + "]}";
    payload += tensor.bytes;
  }
  return safetensors(header + "}", payload);
}

/// Text that a model of bytes can learn something of.
inline std::string sampleText() {
  std::string text;
  for (int i = 0; i < 4000; ++i)
    text += static_cast<char>('a' + (i * i + i / 7) % 26);
  return text;
}

/// The name of a step's checkpoint in its folder.
inline std::string checkpointName(uint64_t step) {
  std::string digits = std::to_string(step);
  return "step-" + std::string(8 - digits.size(), '0') + digits +
         ".safetensors";
}

/// Whether a file in the folder of a run is no checkpoint: its lock, settings
/// or metrics, complete or not.
inline bool isRecord(const std::string &name) {
  for (const char *record : {".lock", "run.toml", "metrics.jsonl"})
    if (name.rfind(record, 0) == 0)
      return true;
  return false;
}

/// The tensors of a safetensors file, without its header.
inline std::string payloadOf(const std::string &path) {
  std::string bytes = readText(path);
  uint64_t length = 0;
  if (bytes.size() < sizeof(length))
    return {};
  std::memcpy(&length, bytes.data(), sizeof(length));
  return bytes.substr(sizeof(length) + length);
}

} // namespace test

#endif // TE_TEST_TOOLS_TERUN_TOOL_H
