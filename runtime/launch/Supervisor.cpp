// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Supervisor.h"

#include "launch/Secret.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace tert::launch;
using namespace std::chrono_literals;

namespace {
/// Time for the other ranks to report their reasons, after one has failed.
constexpr auto grace = 5s;
/// Two signals within this time count as one: some senders signal a process
/// twice.
constexpr auto sameSignal = 500ms;

Error systemError(const char *what) {
  return Error(std::string("cannot ") + what + ": " + std::strerror(errno));
}

class Supervisor {
public:
  explicit Supervisor(int32_t count) : ranks(static_cast<size_t>(count)) {}
  ~Supervisor() {
    if (begun && !isRank)
      ::munmap(begun, sizeof(*begun));
  }

  Expected<Forked> run();

private:
  struct Rank {
    pid_t pid = -1;
    bool running = false;
    Socket errors;    ///< The reading end of its stderr.
    std::string line; ///< An incomplete line.
  };
  Expected<Forked> start();
  void becomeRank(int32_t rank, pid_t parent, Socket errors);
  void watch();
  void forward();
  void reap();
  void noteEnd(size_t rank, int status);
  bool relay(size_t rank);
  void killAll(int signal);
  bool anyRunning() const;

  std::vector<Rank> ranks;
  sigset_t blocked, before;
  Socket signals;
  std::atomic<bool> *begun = nullptr; ///< In shared memory.
  bool isRank = false;
  Clock::time_point signalled;
  int newest = 0; ///< The signal at that time.
  bool ending = false;
  Clock::time_point deadline = Clock::time_point::max();
  Forked result;
};

/// Runs in the child.
void Supervisor::becomeRank(int32_t rank, pid_t parent, Socket errors) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) // The parent ended before that took effect.
    ::_exit(1);
  // Only the supervisor receives the terminal's signals.
  ::setpgid(0, 0);
  std::string name = "te-run rank " + std::to_string(rank);
  ::prctl(PR_SET_NAME, name.c_str());
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  signals.close();
  for (Rank &other : ranks)
    other.errors.close();
  if (rank == 0)
    return;
  int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0) {
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
    ::close(null);
  }
  ::dup2(errors.get(), STDERR_FILENO);
}

Expected<Forked> Supervisor::start() {
  Expected<Socket> listener = Socket::listen({"localhost", 0});
  if (!listener)
    return listener.takeError();
  Placement place;
  place.size = static_cast<int32_t>(ranks.size());
  place.rendezvous = {"localhost", listener->port()};
  place.secret = randomBytes(32);
  place.launcher = "--devices";
  void *shared = ::mmap(nullptr, sizeof(*begun), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return systemError("share memory with the ranks");
  begun = new (shared) std::atomic<bool>(false);
  // Otherwise every rank would write the buffers' contents.
  std::fflush(nullptr);
  pid_t self = ::getpid();
  for (size_t i = 0; i < ranks.size(); ++i) {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return systemError("make a pipe");
    Socket read(ends[0]), write(ends[1]);
    ::fcntl(read.get(), F_SETFL, O_NONBLOCK);
    pid_t pid = ::fork();
    if (pid < 0)
      return systemError("start a process for every rank");
    place.rank = static_cast<int32_t>(i);
    if (pid == 0) {
      read.close();
      becomeRank(place.rank, self, std::move(write));
      Forked rank;
      isRank = true;
      rank.begun = begun;
      place.localRank = place.rank;
      rank.place = place;
      if (i == 0)
        rank.listener = std::move(*listener);
      return rank;
    }
    ranks[i].pid = pid;
    ranks[i].running = true;
    ranks[i].errors = std::move(read);
  }
  return Forked();
}

bool Supervisor::anyRunning() const {
  return std::any_of(ranks.begin(), ranks.end(),
                     [](const Rank &rank) { return rank.running; });
}

void Supervisor::killAll(int signal) {
  for (const Rank &rank : ranks)
    if (rank.running)
      ::kill(rank.pid, signal);
}

void Supervisor::forward() {
  signalfd_siginfo info = {};
  while (::read(signals.get(), &info, sizeof(info)) ==
         static_cast<ssize_t>(sizeof(info))) {
    int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD)
      continue;
    if (signal == SIGTSTP) {
      killAll(SIGSTOP);
      ::raise(SIGSTOP);
      continue;
    }
    auto now = Clock::now();
    if (signal != SIGCONT && signal == newest && now - signalled < sameSignal)
      continue;
    signalled = now;
    newest = signal;
    result.wasSignalled |= signal != SIGCONT;
    killAll(signal);
  }
}

void Supervisor::noteEnd(size_t index, int status) {
  Rank &rank = ranks[index];
  rank.running = false;
  bool killed = WIFSIGNALED(status);
  int code = killed ? 1 : WEXITSTATUS(status);
  // Ranks that end because another was killed may be found first.
  bool first = result.failure.empty() || (killed && !result.diedOfSignal);
  if (code == 0 || ending || !first)
    return;
  result.diedOfSignal = killed;
  result.exitCode = code;
  result.failure =
      "rank " + std::to_string(index) + " (pid " + std::to_string(rank.pid) +
      ") " +
      (killed ? "was killed by signal " + std::to_string(WTERMSIG(status)) +
                    " (" + ::strsignal(WTERMSIG(status)) + ")"
              : "ended with exit code " + std::to_string(code));
  deadline = std::min(deadline, Clock::now() + grace);
}

void Supervisor::reap() {
  for (size_t i = 0; i < ranks.size(); ++i) {
    int status = 0;
    if (ranks[i].running && ::waitpid(ranks[i].pid, &status, WNOHANG) > 0)
      noteEnd(i, status);
  }
}

/// Relays full lines, so that those of several ranks do not mix, in bounded
/// amounts, so that no rank starves others. Returns whether more may be
/// available.
bool Supervisor::relay(size_t index) {
  constexpr size_t longest = 65536;
  Rank &rank = ranks[index];
  char buffer[4096];
  ssize_t count = 0;
  while (rank.errors && rank.line.size() < longest &&
         (count = ::read(rank.errors.get(), buffer, sizeof(buffer))) > 0)
    rank.line.append(buffer, static_cast<size_t>(count));
  const bool hasMore = rank.errors && count > 0;
  if (rank.errors && count == 0)
    rank.errors.close();
  while (true) {
    size_t end = rank.line.find('\n');
    if (end == std::string::npos &&
        (rank.line.empty() || (rank.errors && rank.line.size() < longest)))
      return hasMore;
    std::string line = rank.line.substr(0, end);
    rank.line.erase(0, end == std::string::npos ? end : end + 1);
    if (!line.empty())
      std::fprintf(stderr, "[rank %zu] %s\n", index, line.c_str());
  }
}

void Supervisor::watch() {
  while (anyRunning()) {
    std::vector<pollfd> polled = {{signals.get(), POLLIN, 0}};
    for (const Rank &rank : ranks)
      polled.push_back({rank.errors.get(), POLLIN, 0}); // poll() ignores -1.
    ::poll(polled.data(), polled.size(), 200);
    forward();
    // Their last output precedes the message about their end.
    for (size_t i = 0; i < ranks.size(); ++i)
      relay(i);
    reap();
    if (!ending && Clock::now() > deadline) {
      killAll(SIGKILL);
      ending = true;
    }
  }
  // A pipe holds at most a mebibyte; orphaned processes of a rank may keep
  // writing.
  for (size_t i = 0; i < ranks.size(); ++i)
    for (int visits = 0; visits < 17 && relay(i); ++visits)
      continue;
}

Expected<Forked> Supervisor::run() {
  sigemptyset(&blocked);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGCHLD})
    sigaddset(&blocked, signal);
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  signals = Socket(::signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK));
  Expected<Forked> started =
      signals ? start() : systemError("wait for signals");
  if (started && started->place)
    return started;
  if (!started)
    killAll(SIGKILL);
  watch();
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (!started)
    return started;
  result.hasBegun = *begun;
  return std::move(result);
}
} // namespace

Expected<Forked> tert::launch::forkRanks(int32_t count) {
  return Supervisor(count).run();
}
