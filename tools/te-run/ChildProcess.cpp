// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChildProcess.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tert;
using namespace tert::session;

Expected<int> run::runChild(const std::vector<std::string> &command,
                            bool isQuiet) {
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (isQuiet)
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                       O_WRONLY, 0);
  std::fflush(stdout);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr,
                                    arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return Error("cannot run '" + command[0] + "': " + std::strerror(failed));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return Error("cannot wait for '" + command[0] +
                   "': " + std::strerror(errno));
  if (WIFSIGNALED(status))
    return Error("'" + command[0] + "' was ended by signal " +
                 std::to_string(WTERMSIG(status)) + " (" +
                 ::strsignal(WTERMSIG(status)) + ")");
  return WEXITSTATUS(status);
}

std::string run::compilerPath() {
  std::error_code code;
  const std::filesystem::path own =
      std::filesystem::read_symlink("/proc/self/exe", code);
  const std::filesystem::path beside = own.parent_path() / "te-compile";
  return !code && ::access(beside.c_str(), X_OK) == 0 ? beside.string()
                                                      : "te-compile";
}

/// Exit code for a package that is not there; Python itself uses 1, 2 and 120.
static constexpr int noPackage = 93;

/// The first entry of the path is the current folder, where a file of a model
/// could have the name of a module; the variable is for processes that Python
/// starts.
static const char launcher[] = R"(
import sys
sys.path[:] = [folder for folder in sys.path if folder]
import importlib, os
os.environ["PYTHONSAFEPATH"] = "1"
package = sys.argv[1]
try:
    main = importlib.import_module(package + ".__main__").main
except ModuleNotFoundError as error:
    if error.name != package:
        raise
    sys.exit(int(sys.argv[2]))
sys.exit(main(sys.argv[3:]))
)";

Expected<int> run::runPython(const std::string &python,
                             const std::string &package,
                             const std::vector<std::string> &arguments,
                             bool isQuiet) {
  // Without byte code in folders that may be those of the sources.
  std::vector<std::string> command = {
      python, "-B", "-c", launcher, package, std::to_string(noPackage)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Expected<int> code = runChild(command, isQuiet);
  if (!code)
    return Error(code.takeError().message() +
                 "; --python says which Python to use");
  if (*code == noPackage)
    return Error("'" + python + "' has no package " + package + ": run '" +
                 python +
                 " -m pip install ./python transformers' in TE-MLIR's sources, "
                 "or name a Python that has it with --python");
  return code;
}
