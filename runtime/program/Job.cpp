// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Job.h"

#include "program/Backend.h"
#include "program/Check.h"
#include "program/Context.h"
#include "program/Library.h"

#include <algorithm>

using namespace tert;

//===-- Mesh --------------------------------------------------------------===//

/// A set of axes is the bits of a non-negative int32_t.
static constexpr int32_t maxAxes = 31;

Mesh::Mesh(int32_t rank, int32_t numAxes, const int32_t *axisSizes)
    : rank(rank) {
  if (numAxes < 0 || numAxes > maxAxes)
    invalidArgument("the mesh has " + std::to_string(numAxes) +
                    " axes, but must have between 0 and " +
                    std::to_string(maxAxes));
  if (numAxes > 0 && !axisSizes)
    invalidArgument("the mesh's 'sizes' are null");
  sizes.assign(axisSizes, axisSizes + numAxes);
  int32_t product = 1;
  for (int32_t size : sizes)
    if (size < 1 || __builtin_mul_overflow(product, size, &product))
      invalidArgument("a mesh of " + describe() +
                      " ranks: every axis must have at least one, and all "
                      "together fewer than 2^31");
  if (rank < 0 || rank >= product)
    invalidArgument("rank " + std::to_string(rank) + " is not one of the " +
                    std::to_string(product) + " ranks of a mesh of " +
                    describe());
}

int32_t Mesh::size() const {
  int32_t product = 1;
  for (int32_t size : sizes)
    product *= size;
  return product;
}

std::string Mesh::describe() const {
  std::string text;
  for (int32_t size : sizes)
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text.empty() ? "1" : text;
}

int32_t Mesh::normalize(int32_t axes) const {
  if (axes < 0)
    invalidArgument("'axes' is negative, and no set of the mesh's axes");
  const auto numAxes = static_cast<int32_t>(sizes.size());
  int32_t kept = 0;
  for (int32_t axis = 0; axis < maxAxes; ++axis) {
    if (!(axes >> axis & 1))
      continue;
    if (axis >= numAxes)
      invalidArgument("collectives along axis " + std::to_string(axis) +
                      ", but the job's mesh, " + describe() + ", has " +
                      std::to_string(numAxes) +
                      " axes, counted from 0: start the job with the mesh that "
                      "the program was compiled for");
    if (sizes[axis] > 1)
      kept |= int32_t(1) << axis;
  }
  return kept;
}

static std::string describeAxes(int32_t axes) {
  std::string text;
  int32_t count = 0;
  for (int32_t axis = 0; axis < maxAxes; ++axis)
    if (axes >> axis & 1)
      text += (count++ ? ", " : "") + std::to_string(axis);
  if (count == 0)
    return "no axis of the mesh";
  return (count == 1 ? "axis " : "axes ") + text + " of the mesh";
}

Group Mesh::groupAlong(int32_t axes) const {
  Group group;
  group.axes = describeAxes(axes);
  group.members = {0};
  int32_t stride = 1, base = 0;
  // From the fastest axis on: members along slower axes come later.
  for (auto axis = static_cast<int32_t>(sizes.size()) - 1; axis >= 0; --axis) {
    const int32_t place = rank / stride % sizes[axis];
    if (axes >> axis & 1) {
      const std::vector<int32_t> inner = std::move(group.members);
      group.members.clear();
      for (int32_t i = 0; i < sizes[axis]; ++i)
        for (int32_t member : inner)
          group.members.push_back(i * stride + member);
    } else {
      base += place * stride;
    }
    stride *= sizes[axis];
  }
  for (int32_t &member : group.members)
    member += base;
  group.rank = static_cast<int32_t>(
      std::find(group.members.begin(), group.members.end(), rank) -
      group.members.begin());
  // All ranks together use the same key, whatever mesh each of them has.
  group.key = group.size() == size()
                  ? "all"
                  : std::to_string(axes) + "." + std::to_string(base);
  return group;
}

Group tert::groupWithoutJob() {
  Group alone;
  alone.axes = "no mesh: the context is no rank of a job";
  alone.members = {0};
  return alone;
}

//===-- Job ---------------------------------------------------------------===//

static int64_t nowInMilliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The name of a library is part of a file name.
static std::string checkLibrary(const char *library) {
  const std::string name = library ? library : "";
  auto isPlain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (!std::all_of(name.begin(), name.end(), isPlain))
    invalidArgument("'" + name +
                    "' is no name of a library of communicators, "
                    "such as tcp or nccl");
  return name;
}

static const tert_store &checkStore(const tert_store &store) {
  if (!store.set || !store.get)
    invalidArgument("the job's store has no 'set' or no 'get'");
  return store;
}

static std::string checkSecret(const void *secret, size_t bytes) {
  if (bytes != 0 && !secret)
    invalidArgument("'secret' is null, but has " + std::to_string(bytes) +
                    " bytes");
  return bytes == 0 ? std::string()
                    : std::string(static_cast<const char *>(secret), bytes);
}

static std::chrono::seconds checkTimeout(int32_t seconds) {
  if (seconds < 0)
    invalidArgument("'timeout_seconds' is " + std::to_string(seconds) +
                    ", but must not be negative");
  return std::chrono::seconds(seconds ? seconds : 60);
}

Job::Job(const tert_job &job, Backend &backend)
    : mesh(job.rank, job.num_axes, job.sizes), backend(backend),
      library(checkLibrary(job.library)),
      timeout(checkTimeout(job.timeout_seconds)),
      secret(checkSecret(job.secret, job.secret_bytes)),
      store(Store(checkStore(job.store), "tert/")),
      agreement("a mesh of " + mesh.describe() +
                (library.empty() ? "" : " over " + library) +
                ", runtime of version " + std::to_string(TERT_ABI_VERSION) +
                "." + std::to_string(backendInterfaceVersion)) {
  // Detects missing ranks here rather than in the middle of a step.
  int32_t all = 0;
  for (int32_t axis = 0; axis < job.num_axes; ++axis)
    all |= int32_t(1) << axis;
  along(all);
}

std::unique_ptr<Communicator> Job::connect(const Group &group) {
  if (group.size() == 1)
    return std::make_unique<AloneCommunicator>(group, backend);
  const Store own = store.under(group.key);
  own.set("joined/" + std::to_string(group.rank), agreement);
  for (int32_t place = 0; place < group.size(); ++place) {
    std::string other;
    try {
      other = own.get("joined/" + std::to_string(place));
    } catch (const Error &error) {
      throw Error(error.getStatus(),
                  group.name() + " waited for " + group.name(place) +
                      " to join it along " + group.axes + ": " + error.what());
    }
    if (other != agreement)
      throw Error(TERT_PEER_ERROR, group.name() + " has " + agreement +
                                       ", but " + group.name(place) + " has " +
                                       other +
                                       ": start all ranks of a job alike");
  }
  try {
    return backend.connect(group, {own, library, timeout, secret});
  } catch (const Error &error) {
    if (error.getStatus() != TERT_PEER_ERROR)
      throw;
    throw Error(TERT_PEER_ERROR, group.name() +
                                     " does not reach the others along " +
                                     group.axes + ": " + error.what());
  }
}

void Job::await(const tert_site &site, const TensorList &tensors) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[axes, communicator] : communicators)
    communicator->await(site, tensors);
}

Communicator &Job::along(int32_t axes) {
  axes = mesh.normalize(axes);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = communicators.find(axes);
    if (found != communicators.end())
      return *found->second;
  }
  throwIfAborted();
  std::unique_ptr<Communicator> made = connect(mesh.groupAlong(axes));
  std::lock_guard<std::mutex> lock(mutex);
  if (isAborted)
    made->abort(abortReason);
  return *(communicators[axes] = std::move(made));
}

std::string Job::failure() {
  std::lock_guard<std::mutex> lock(mutex);
  if (isAborted)
    return abortReason;
  for (const auto &[axes, communicator] : communicators)
    if (std::string why = communicator->failure(); !why.empty())
      return why;
  // Queried whether or not this rank waits: a collective counts as unfinished
  // for the time over which it was observed.
  std::string unfinished;
  for (const auto &[axes, communicator] : communicators)
    if (std::string where = communicator->unfinishedFor(timeout);
        !where.empty())
      unfinished = std::move(where);
  const int64_t began = callBegan;
  const std::chrono::milliseconds waited(began ? nowInMilliseconds() - began
                                               : 0);
  if (unfinished.empty() || waited < timeout)
    return {};
  return "rank " + std::to_string(mesh.getRank()) + " has waited " +
         std::to_string(waited.count() / 1000) + " s in " + unfinished;
}

void Job::abort(const std::string &reason) noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  if (isAborted)
    return;
  abortReason = reason;
  isAborted = true;
  for (const auto &[axes, communicator] : communicators)
    communicator->abort(reason);
}

void Job::throwIfAborted() {
  if (!isAborted)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  throw Error(TERT_PEER_ERROR, abortReason);
}

Job::Call::Call(Job *job) : job(job) {
  if (job)
    outer = job->callBegan.exchange(nowInMilliseconds());
}

Job::Call::~Call() {
  if (job)
    job->callBegan = outer;
}

void Job::Call::finish() {
  if (job)
    job->throwIfAborted();
}

//===-- C functions -------------------------------------------------------===//

tert_status tert_join(tert_context *context, const tert_job *job) {
  return callFunction(context, __func__, [&](Backend &backend) {
    checkGiven("job", job);
    if (context->job)
      invalidArgument("the context is a rank of a job already");
    context->job = std::make_unique<Job>(*job, backend);
  });
}

tert_status tert_check_job(tert_context *context, char *message,
                           size_t message_size) {
  writeMessage("", message, message_size);
  if (!context)
    return TERT_INVALID_ARGUMENT;
  try {
    std::string why = context->job ? context->job->failure() : "";
    writeMessage(why, message, message_size);
    return why.empty() ? TERT_OK : TERT_PEER_ERROR;
  } catch (...) {
    return TERT_OUT_OF_MEMORY;
  }
}

tert_status tert_abort_job(tert_context *context, const char *reason) {
  if (!context || !reason)
    return TERT_INVALID_ARGUMENT;
  try {
    if (context->job)
      context->job->abort(reason);
    return TERT_OK;
  } catch (...) {
    return TERT_OUT_OF_MEMORY;
  }
}
