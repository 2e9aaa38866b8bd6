// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Worker.h"

#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::te;
using namespace mlir::te::fuzz;

namespace {
struct Child {
  size_t number;
  pid_t pid;
  int pipe;
  std::string output;
};
} // namespace

static Child start(size_t number, unsigned seconds,
                   llvm::function_ref<std::string(size_t)> work) {
  int ends[2];
  if (pipe(ends) != 0)
    return {number, -1, -1, ""};
  pid_t pid = fork();
  if (pid != 0) {
    close(ends[1]);
    return {number, pid, ends[0], ""};
  }
  close(ends[0]);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit limit = {seconds, seconds + 5};
  setrlimit(RLIMIT_CPU, &limit);
  rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  // MLIR's and LLVM's handlers would print; the parent tells what happened.
  for (int one : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXCPU})
    signal(one, SIG_DFL);
  std::string output = work(number);
  for (size_t at = 0; at < output.size();) {
    ssize_t written = write(ends[1], output.data() + at, output.size() - at);
    if (written <= 0)
      break;
    at += size_t(written);
  }
  _exit(0);
}

static ChildEnd finish(Child &child) {
  close(child.pipe);
  int status = 0;
  waitpid(child.pid, &status, 0);
  ChildEnd end;
  end.output = std::move(child.output);
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else if (WEXITSTATUS(status) != 0)
    end.signal = SIGABRT;
  return end;
}

void fuzz::runInChildren(
    size_t count, unsigned jobs, unsigned seconds,
    llvm::function_ref<std::string(size_t)> work,
    llvm::function_ref<void(size_t, const ChildEnd &)> ended) {
  std::vector<Child> running;
  size_t next = 0;
  while (next < count || !running.empty()) {
    while (next < count && running.size() < std::max(jobs, 1u)) {
      running.push_back(start(next, seconds, work));
      ++next;
    }
    std::vector<pollfd> waits;
    for (const Child &child : running)
      waits.push_back({child.pipe, POLLIN, 0});
    poll(waits.data(), waits.size(), -1);
    for (size_t i = running.size(); i-- > 0;) {
      if (!waits[i].revents)
        continue;
      char buffer[4096];
      ssize_t got = read(running[i].pipe, buffer, sizeof(buffer));
      if (got > 0) {
        running[i].output.append(buffer, size_t(got));
        continue;
      }
      Child child = std::move(running[i]);
      running.erase(running.begin() + ptrdiff_t(i));
      ended(child.number, finish(child));
    }
  }
}

ChildEnd fuzz::runInChild(unsigned seconds,
                          llvm::function_ref<std::string()> work) {
  ChildEnd result;
  runInChildren(
      1, 1, seconds, [&](size_t) { return work(); },
      [&](size_t, const ChildEnd &end) { result = end; });
  return result;
}

std::string fuzz::describeSignal(int signal) {
  if (signal == SIGXCPU || signal == SIGKILL)
    return "does not end";
  return "stopped by signal " + std::to_string(signal) + " (" +
         strsignal(signal) + ")";
}
