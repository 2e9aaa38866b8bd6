// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Job.h"

#include "Arguments.h"
#include "Output.h"
#include "launch/Supervisor.h"
#include "support/Digest.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <set>
#include <thread>
#include <unistd.h>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::launch;

void JobFlags::addTo(CLI::App &command) {
  std::vector<CLI::Option *> flags = {
      command
          .add_option("--devices", devices,
                      "Start a rank for each of so many devices of this host "
                      "(4), or for each of these GPUs (0,1; 0,0 shares one), "
                      "and watch over them; the program is compiled with "
                      "te-compile --mesh for as many")
          ->type_name("DEVICES"),
      command
          .add_option("--rank", launch.rank,
                      "Which rank of a job this process is, where torchrun, "
                      "mpirun or srun do not say so")
          ->check(notNegative()),
      command
          .add_option("--world-size", launch.size, "How many ranks the job has")
          ->check(positive()),
      command
          .add_option("--rendezvous", launch.rendezvous,
                      "Rendezvous address: the host of rank 0, and a free "
                      "port there; by default the launcher's")
          ->type_name("HOST:PORT"),
      command
          .add_option("--secret", secret,
                      "A file that only you can read, the same for all ranks, "
                      "by which they know each other; without it "
                      ".te-run/secret in your home, made when it is missing. "
                      "Those of --devices need none")
          ->type_name("FILE"),
      command
          .add_option("--timeout", timeout,
                      "Seconds after which a rank that is silent, missing or "
                      "waited for ends the job")
          ->check(CLI::Range(1, 86400))
          ->capture_default_str()};
  for (CLI::Option *flag : flags)
    flag->group("Many ranks");
}

int run::fail(const Error &error, std::string &failure) {
  failure = error.message();
  return reportError(error);
}

void Job::note(Doing doing, uint64_t step) {
  switch (doing) {
  case Doing::Data:
    return member.note(Phase::Data, step);
  case Doing::Step:
    if (begun)
      *begun = true;
    return member.note(Phase::Step, step);
  case Doing::Saving:
    return member.note(Phase::Saving, step);
  case Doing::Evaluating:
    return member.note(Phase::Evaluating, step);
  }
}

Error Job::connect(tert_context *opened, const Mesh &mesh) {
  // However long the other ranks' devices take to open.
  if (Error error = member.gather("devices", {}).takeError())
    return error;
  std::vector<int32_t> sizes;
  for (const MeshAxis &axis : mesh.axes)
    sizes.push_back(axis.size);
  tert_job job = {};
  job.rank = rank();
  job.num_axes = static_cast<int32_t>(sizes.size());
  job.sizes = sizes.data();
  job.timeout_seconds = static_cast<int32_t>(timeout);
  job.store = member.store();
  job.secret = member.transportKey().data();
  job.secret_bytes = member.transportKey().size();
  if (tert_join(opened, &job) != TERT_OK)
    return Error("cannot join the other ranks: " +
                 std::string(tert_last_error(opened)));
  context = opened;
  member.watch([this] { return collectiveFailure(); });
  return Error::success();
}

std::string Job::collectiveFailure() const {
  char message[1024] = "";
  return tert_check_job(context, message, sizeof(message)) == TERT_OK
             ? std::string()
             : message;
}

void Job::disconnect() {
  if (!context)
    return;
  member.watch({});
  collectiveFailed = !collectiveFailure().empty();
  context = nullptr;
}

/// The measurements of every rank, in order; without a job, the arguments.
static Expected<std::vector<std::vector<double>>>
gatherTimes(Job *job, std::vector<double> seconds) {
  std::vector<std::vector<double>> ranks;
  if (!job) {
    ranks.push_back(std::move(seconds));
    return ranks;
  }
  const size_t bytes = seconds.size() * sizeof(double);
  Expected<std::vector<std::string>> all = job->gather(
      "times",
      std::string(reinterpret_cast<const char *>(seconds.data()), bytes));
  if (!all)
    return all.takeError();
  for (const std::string &times : *all) {
    if (times.size() != bytes)
      return Error("a rank measured another number of calls than this one");
    std::memcpy(ranks.emplace_back(seconds.size()).data(), times.data(), bytes);
  }
  return ranks;
}

Expected<std::vector<double>> run::slowest(Job *job,
                                           std::vector<double> seconds) {
  auto ranks = gatherTimes(job, std::move(seconds));
  if (!ranks)
    return ranks.takeError();
  std::vector<double> longest = ranks->front();
  for (const std::vector<double> &rank : *ranks)
    std::transform(rank.begin(), rank.end(), longest.begin(), longest.begin(),
                   [](double a, double b) { return std::max(a, b); });
  return longest;
}

Expected<std::vector<double>> run::ofSlowestRank(Job *job,
                                                 std::vector<double> seconds) {
  auto ranks = gatherTimes(job, std::move(seconds));
  if (!ranks)
    return ranks.takeError();
  auto total = [](const std::vector<double> &rank) {
    return std::accumulate(rank.begin(), rank.end(), 0.0);
  };
  return *std::max_element(
      ranks->begin(), ranks->end(),
      [&](const auto &a, const auto &b) { return total(a) < total(b); });
}

Expected<JobConnection> JobConnection::open(Job *job, Session &session) {
  return open(job, session.context(), session.description().mesh);
}

Expected<JobConnection> JobConnection::open(Job *job, tert_context *context,
                                            const Mesh &mesh) {
  if (job)
    if (Error error = job->connect(context, mesh))
      return error;
  return JobConnection(job);
}

namespace {
/// The devices of --devices; empty numbers: as many as `count`, from 0.
struct Devices {
  int32_t count = 0;
  std::vector<int32_t> numbers;

  bool areShared() const {
    return std::set<int32_t>(numbers.begin(), numbers.end()).size() <
           numbers.size();
  }
};

Expected<Devices> parseDevices(const std::string &text) {
  Error malformed("--devices takes how many (4) or which GPUs (0,1), not '" +
                  text + "'");
  Devices devices;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    int32_t number = -1;
    auto [next, code] = std::from_chars(at, end, number);
    if (code != std::errc() || number < 0)
      return malformed;
    devices.numbers.push_back(number);
    if (next == end)
      break;
    if (*next != ',')
      return malformed;
    at = next + 1;
  }
  devices.count = static_cast<int32_t>(devices.numbers.size());
  if (text.find(',') == std::string::npos) {
    devices.count = devices.numbers[0];
    devices.numbers.clear();
    if (devices.count < 1 || devices.count > 4096)
      return malformed;
  }
  return devices;
}

std::string ranksText(int32_t count) {
  return std::to_string(count) + (count == 1 ? " rank" : " ranks");
}

/// Checks that the program is for `size` ranks; `who` starts or has them.
/// Without a program any number is valid.
Error checkSize(const ArtifactFile &artifact, int32_t size,
                const std::string &who) {
  const Mesh &mesh = artifact.description.mesh;
  if (artifact.path.empty())
    return Error::success();
  if (mesh.ranks() == size)
    return Error::success();
  std::string needed = "'" + artifact.path + "' is for " +
                       ranksText(mesh.ranks()) +
                       (mesh.axes.empty() ? " (it was compiled without --mesh)"
                                          : " (" + mesh.text() + ")");
  if (size == 1)
    return Error(needed + ", and this process is alone. Add --devices " +
                 std::to_string(mesh.ranks()) +
                 ", start it with torchrun, mpirun or srun, or compile it "
                 "without --mesh");
  return Error(needed + ", and " + who + " " + ranksText(size) +
               (mesh.ranks() == 1 ? "" : ": start as many ranks, or") +
               (mesh.ranks() == 1 ? ": compile it" : " compile it") +
               " with te-compile --mesh dp=" + std::to_string(size));
}

/// The GPU of a rank.
std::string gpuOf(const Member &member, const Devices &devices) {
  auto local = static_cast<size_t>(member.localRank());
  if (local < devices.numbers.size())
    return "cuda:" + std::to_string(devices.numbers[local]);
  // Launchers may make one GPU visible to each rank.
  std::string visible = lookUpInProcess("CUDA_VISIBLE_DEVICES").value_or(",");
  if (visible.find(',') == std::string::npos)
    local = 0;
  return "cuda:" + std::to_string(local);
}

/// The default device of a rank, unless the user sets one; without a program,
/// its GPU if it has one.
Setup placed(Setup setup, const ArtifactFile &artifact, const Member &member,
             const Devices &devices) {
  setup.device.rank = member.rank();
  if (artifact.path.empty() || artifact.description.target != "cpu") {
    if (setup.device.device.empty())
      setup.device.device = gpuOf(member, devices);
  } else if (setup.device.numThreads == 0) {
    setup.device.numThreads =
        std::max(1, static_cast<int32_t>(std::thread::hardware_concurrency()) /
                        member.localSize());
  }
  return setup;
}

/// Checks that all ranks run the same file, at whatever path.
Error comparePrograms(Job &job, const ArtifactFile &artifact) {
  Digest digest;
  digest.add(artifact.text.data(), artifact.text.size());
  digest.add(artifact.seal.data(), artifact.seal.size());
  Expected<std::vector<std::string>> all = job.gather("program", digest.text());
  if (!all)
    return all.takeError();
  for (size_t rank = 1; rank < all->size(); ++rank)
    if ((*all)[rank] != all->front())
      return Error(
          "rank " + std::to_string(rank) + " on " + job.hosts()[rank] +
          " has another program than rank 0 on " + job.hosts().front() +
          "; copy the same file to all hosts: '" + artifact.path + "' here");
  return Error::success();
}

int runAsRank(const JobFlags &flags, const Setup &setup, const Work &work,
              const ArtifactFile &artifact, const Placement &place,
              const Devices &devices, Socket listener,
              std::atomic<bool> *begun = nullptr, int32_t restarts = 0) {
  const std::string name = "rank " + std::to_string(place.rank) + " of " +
                           std::to_string(place.size);
  Expected<std::string> secret = !place.secret.empty() ? place.secret
                                 : flags.secret.empty()
                                     ? secretOfUser()
                                     : readSecret(flags.secret);
  if (!secret)
    return reportError(Error(name + ": " + secret.takeError().message()));
  JobOptions options;
  options.job = place.job;
  options.secret = *secret;
  options.version = TE_RUN_VERSION;
  options.timeout = std::chrono::seconds(flags.timeout);
  options.warn = reportWarning;
  auto onEnd = [name](const std::string &why) {
    // The main thread may wait for a collective that never completes.
    std::fprintf(stderr, "\nte-run: error: %s ends: %s\n", name.c_str(),
                 why.c_str());
    ::_exit(exitFailure);
  };
  Expected<std::unique_ptr<Member>> member =
      Member::join(place, options, onEnd, std::move(listener));
  if (!member)
    return reportError(Error(name + ": " + member.takeError().message()));
  Job job(**member, flags.timeout, begun, restarts);
  std::string failure;
  if (Error error = comparePrograms(job, artifact)) {
    (*member)->fail(error.message());
    return reportError(error);
  }
  int code = work(placed(setup, artifact, **member, devices), &job, failure);
  if (code != exitFailure) {
    Error left = (*member)->leave();
    return left ? reportError(left) : code;
  }
  std::string cause = (*member)->fail(
      failure.empty() ? "its message is on its own stderr" : failure,
      job.failedInCollective());
  // A cause reported by several ranks is printed once.
  if (!cause.empty() && cause.find(failure) == std::string::npos)
    reportError(Error(name + " ends: " + cause));
  return code;
}

int superviseRanks(const JobFlags &flags, const Setup &setup, const Work &work,
                   const ArtifactFile &artifact) {
  Expected<Devices> devices = parseDevices(flags.devices);
  if (!devices)
    return reportUsage(devices.takeError().message(), "");
  if (!devices->numbers.empty() && artifact.description.target == "cpu")
    return reportError(Error("'" + artifact.path +
                             "' is for a CPU: --devices takes how many ranks "
                             "there are to be, not a list of GPUs"));
  if (!setup.device.device.empty() && setup.device.device != "cpu")
    return reportError(Error("--device " + setup.device.device +
                             " would be the device of every rank; --devices "
                             "says which ones there are"));
  if (Error error = checkSize(artifact, devices->count, "--devices asks for"))
    return reportError(error);
  if (devices->areShared())
    reportWarning("--devices " + flags.devices +
                  " gives ranks one GPU, which they take in turns: good for "
                  "trying a mesh, and no measure of its speed");
  for (int32_t restarts = 0;; ++restarts) {
    Expected<Forked> forked = forkRanks(devices->count);
    if (!forked)
      return reportError(forked.takeError());
    if (forked->place)
      return runAsRank(flags, setup, work, artifact, *forked->place, *devices,
                       std::move(forked->listener), forked->begun, restarts);
    // A failure before the first step would recur.
    const bool shouldRestart =
        !forked->wasSignalled &&
        (forked->diedOfSignal ||
         (forked->exitCode == exitFailure && forked->hasBegun));
    if (restarts < flags.maxRestarts && shouldRestart) {
      reportWarning(forked->failure + ": restart " +
                    std::to_string(restarts + 1) + " of " +
                    std::to_string(flags.maxRestarts) +
                    ", from the newest complete checkpoint");
      continue;
    }
    // A rank that exited itself has printed the reason.
    if (forked->diedOfSignal)
      reportError(Error(forked->failure));
    return forked->exitCode;
  }
}
} // namespace

int run::runInJob(const JobFlags &flags, const Setup &setup, const Work &work,
                  Alone mayBeAlone) {
  std::string failure;
  Expected<ArtifactFile> artifact = setup.artifact.empty()
                                        ? ArtifactFile()
                                        : ArtifactFile::read(setup.artifact);
  if (!artifact)
    return reportError(artifact.takeError());
  Expected<std::optional<Placement>> place = findPlacement(flags.launch);
  if (!place)
    return reportError(place.takeError());
  bool alone = !*place || (*place)->size == 1;
  if (!flags.devices.empty()) {
    if (*place && (*place)->size > 1)
      return reportError(Error(
          "--devices starts all ranks, and this process already is one: " +
          (*place)->launcher + " says rank " + std::to_string((*place)->rank) +
          " of " + std::to_string((*place)->size)));
    return superviseRanks(flags, setup, work, *artifact);
  }
  const bool needsAll = !alone || mayBeAlone == Alone::Never ||
                        (mayBeAlone == Alone::UnlessBatchesAreShared &&
                         artifact->description.sharesBatches());
  if (needsAll)
    if (Error error =
            checkSize(*artifact, alone ? 1 : (*place)->size, "the job has"))
      return reportError(error);
  if (alone)
    return work(setup, nullptr, failure);
  return runAsRank(flags, setup, work, *artifact, **place, Devices(), Socket());
}
