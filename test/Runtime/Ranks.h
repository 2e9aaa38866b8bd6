// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs for tests: every rank is a process of its own, forked before anything
// has made a thread or opened a device.
#ifndef TERT_TEST_RUNTIME_RANKS_H
#define TERT_TEST_RUNTIME_RANKS_H

#include "tert/context.h"
#include "tert/job.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace tert_test {

/// A store whose values are files of a folder.
class FileStore {
public:
  /// Waits `seconds` for a value.
  explicit FileStore(int seconds = 20) : seconds(seconds) {
    char name[] = "/tmp/tert-ranks-XXXXXX";
    EXPECT_NE(mkdtemp(name), nullptr);
    folder = name;
  }
  ~FileStore() { std::filesystem::remove_all(folder); }
  FileStore(const FileStore &) = delete;
  FileStore &operator=(const FileStore &) = delete;

  operator tert_store() { return {this, &set, &get}; }

private:
  static tert_status set(void *data, const char *key, const void *value,
                         size_t bytes, char *, size_t) {
    const std::string path = static_cast<FileStore *>(data)->pathOf(key);
    // Whole or not at all.
    const std::string part = path + ".part" + std::to_string(getpid());
    std::ofstream(part, std::ios::binary)
        .write(static_cast<const char *>(value), std::streamsize(bytes));
    std::filesystem::rename(part, path);
    return TERT_OK;
  }
  static tert_status get(void *data, const char *key, void *value,
                         size_t capacity, size_t *bytes, char *message,
                         size_t message_size) {
    auto *store = static_cast<FileStore *>(data);
    const std::string path = store->pathOf(key);
    for (int tries = store->seconds * 200; !std::filesystem::exists(path);) {
      if (--tries < 0) {
        std::snprintf(message, message_size, "nobody has set it in %d s",
                      store->seconds);
        return TERT_PEER_ERROR;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    std::memcpy(value, text.data(), std::min(capacity, text.size()));
    *bytes = text.size();
    return TERT_OK;
  }
  std::string pathOf(std::string key) const {
    for (char &c : key)
      if (c == '/')
        c = '@';
    return folder + "/" + key;
  }

  const int seconds;
  std::string folder;
};

/// One rank, in its process.
struct Rank {
  int32_t rank;
  tert_context *context;
  tert_status joined;

  std::string error() const { return tert_last_error(context); }
};

struct JobOptions {
  std::vector<int32_t> mesh;
  int32_t timeoutSeconds = 20;
  std::string device = "cpu"; ///< to "cuda:" a number is appended
  int32_t numDevices = 1;     ///< which ranks take in turn, behind "cuda:"
  /// What a rank asks for besides or instead; changes its tert_job.
  std::function<void(int32_t rank, tert_job &job)> change = {};
  /// Ranks that are never started.
  std::vector<int32_t> missing = {};
};

/// Calls body(Rank &) in every rank of a mesh, as a process that has joined the
/// job, and expects each to end well: with 0, without failed expectations. The
/// status of every process is returned; a rank that a signal ends is no
/// failure.
template <typename Body>
std::vector<int> runRanks(const JobOptions &options, const Body &body) {
  int32_t count = 1;
  for (int32_t size : options.mesh)
    count *= size;
  FileStore store(options.timeoutSeconds);
  std::vector<pid_t> processes(count, -1);
  std::fflush(nullptr);
  for (int32_t rank = 0; rank < count; ++rank) {
    if (std::count(options.missing.begin(), options.missing.end(), rank))
      continue;
    processes[rank] = fork();
    if (processes[rank] != 0)
      continue;
    // A rank that hangs ends nevertheless, as a failure.
    alarm(120);
    std::string device = options.device;
    if (device.back() == ':')
      device += std::to_string(rank % options.numDevices);
    tert_options threads = {1, 0};
    tert_job job = {};
    job.rank = rank;
    job.num_axes = int32_t(options.mesh.size());
    job.sizes = options.mesh.data();
    job.timeout_seconds = options.timeoutSeconds;
    job.store = store;
    if (options.change)
      options.change(rank, job);
    char message[512] = "";
    Rank own = {rank, nullptr, TERT_OK};
    EXPECT_EQ(tert_open(device.c_str(), &threads, &own.context, message,
                        sizeof(message)),
              TERT_OK)
        << message;
    if (own.context) {
      own.joined = tert_join(own.context, &job);
      body(own);
      tert_close(own.context);
    }
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  std::vector<int> statuses(count, 0);
  for (int32_t rank = 0; rank < count; ++rank) {
    if (processes[rank] < 0)
      continue;
    EXPECT_EQ(waitpid(processes[rank], &statuses[rank], 0), processes[rank]);
    if (WIFSIGNALED(statuses[rank]))
      EXPECT_EQ(WTERMSIG(statuses[rank]), SIGKILL) << "rank " << rank;
    else
      EXPECT_EQ(WEXITSTATUS(statuses[rank]), 0) << "rank " << rank;
  }
  return statuses;
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_RANKS_H
