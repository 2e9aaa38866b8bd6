// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/LaunchEnvironment.h"

#include "support/Hash.h"

#include <charconv>
#include <cstdlib>

using namespace tert::launch;

namespace {
/// The environment variables of a launcher.
struct Launcher {
  const char *name;
  const char *rank, *size, *localRank, *localSize;
};

constexpr Launcher torchrun = {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK",
                               "LOCAL_WORLD_SIZE"};
constexpr Launcher openMpi = {
    "Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
    "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"};
constexpr Launcher pmi = {"PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID",
                          "MPI_LOCALNRANKS"};
/// Only within a step of srun: a batch script also has SLURM_PROCID, but is a
/// single process.
constexpr Launcher slurm = {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS",
                            "SLURM_LOCALID", nullptr};

/// Reads variables and keeps the first error.
class Reader {
public:
  explicit Reader(const Lookup &lookUp) : lookUp(lookUp) {}

  std::optional<std::string> text(const char *name) const {
    return lookUp(name);
  }
  std::string textOr(const char *name, const char *otherwise) const {
    return lookUp(name).value_or(otherwise);
  }
  std::optional<int32_t> number(const char *name, int32_t least) {
    std::optional<std::string> value = lookUp(name);
    if (!value)
      return std::nullopt;
    int32_t number = 0;
    const char *end = value->data() + value->size();
    auto [last, code] = std::from_chars(value->data(), end, number);
    if (code == std::errc() && last == end && number >= least)
      return number;
    fail("the environment variable " + std::string(name) + " is '" + *value +
         "', which is no number from " + std::to_string(least) + " on");
    return std::nullopt;
  }
  /// The placement given by a launcher, if it launched this process.
  std::optional<Placement> place(const Launcher &launcher) {
    std::optional<int32_t> rank = number(launcher.rank, 0);
    std::optional<int32_t> size = number(launcher.size, 1);
    if (!failure.empty() || (!rank && !size))
      return std::nullopt;
    if (!rank || !size) {
      const char *there = rank ? launcher.rank : launcher.size;
      fail("the environment variable " + std::string(there) + " is " +
           *lookUp(there) + ", but " + (rank ? launcher.size : launcher.rank) +
           " is not set; " + launcher.name +
           " sets both. Unset the one, or give --rank, --world-size and "
           "--rendezvous");
      return std::nullopt;
    }
    if (*rank >= *size)
      fail("the environment variable " + std::string(launcher.rank) + " is " +
           std::to_string(*rank) + ", and " + launcher.size + " is " +
           std::to_string(*size) + ": ranks go from 0 to " +
           std::to_string(*size - 1));
    Placement place;
    place.rank = *rank;
    place.size = *size;
    place.localRank = number(launcher.localRank, 0);
    place.launcher = launcher.name;
    return place;
  }
  void fail(const std::string &what) {
    if (failure.empty())
      failure = what;
  }
  const std::string &error() const { return failure; }

private:
  const Lookup &lookUp;
  std::string failure;
};

/// A default port that all ranks of a job derive alike: above the usual
/// services, below the ports that hosts assign.
uint16_t portOf(const std::string &job) {
  return static_cast<uint16_t>(20000 + tert::fnv1a(job) % 10000);
}

/// Two launchers that both claim this process must agree.
void compare(Reader &reader, const Launcher &one, const Placement &first,
             const Launcher &two) {
  std::optional<Placement> second = reader.place(two);
  if (!second || (second->rank == first.rank && second->size == first.size))
    return;
  auto say = [](const Launcher &launcher, const Placement &place) {
    return std::string(launcher.rank) + "=" + std::to_string(place.rank) +
           ", " + launcher.size + "=" + std::to_string(place.size);
  };
  reader.fail("the environment is contradictory: " + say(one, first) + " (" +
              one.name + ") and " + say(two, *second) + " (" + two.name +
              "). Unset one of the two, or give --rank, --world-size and "
              "--rendezvous");
}

std::string jobOf(const Placement &place, const Reader &reader) {
  if (place.launcher == torchrun.name)
    return reader.textOr("TORCHELASTIC_RUN_ID", "none") + ":" +
           reader.textOr("MASTER_PORT", "");
  if (place.launcher == openMpi.name)
    return reader.textOr("PMIX_NAMESPACE",
                         reader.textOr("OMPI_MCA_ess_base_jobid", "").c_str());
  if (place.launcher == slurm.name)
    return reader.textOr("SLURM_JOB_ID", "") + "." +
           reader.textOr("SLURM_STEP_ID", "");
  return reader.textOr("PMI_JOBID", "");
}

/// Returns whether all ranks of the job are on this host.
bool isOneHost(Reader &reader, const Launcher &launcher, int32_t size) {
  return launcher.localSize && reader.number(launcher.localSize, 1) == size;
}

void findRendezvous(Reader &reader, const Launcher &launcher,
                    Placement &place) {
  place.job = jobOf(place, reader);
  std::optional<std::string> host = reader.text("MASTER_ADDR");
  std::optional<int32_t> port = reader.number("MASTER_PORT", 1);
  if (place.launcher == torchrun.name && (!host || !port)) {
    reader.fail(std::string("RANK and WORLD_SIZE are set, but ") +
                (host ? "MASTER_PORT" : "MASTER_ADDR") +
                " is not: set it as torchrun does, or give --rendezvous "
                "HOST:PORT with the host of rank 0 and a free port there");
    return;
  }
  if (port && *port > 65535)
    reader.fail("the environment variable MASTER_PORT is " +
                std::to_string(*port) + ", which is no port");
  // MASTER_PORT itself is used by torchrun's agent.
  place.rendezvous.port =
      port ? static_cast<uint16_t>(*port < 65535 ? *port + 1 : *port - 1)
           : portOf(place.job);
  if (host) {
    place.rendezvous.host = *host;
  } else if (place.launcher == slurm.name) {
    std::string list = reader.textOr(
        "SLURM_STEP_NODELIST", reader.textOr("SLURM_JOB_NODELIST", "").c_str());
    place.rendezvous.host = firstHost(list);
    if (place.rendezvous.host.empty())
      reader.fail("Slurm's list of nodes, '" + list +
                  "', names no first one; give --rendezvous HOST:PORT with "
                  "the host of rank 0");
  } else if (isOneHost(reader, launcher, place.size)) {
    place.rendezvous.host = "localhost";
  } else {
    reader.fail(place.launcher +
                " does not say on which host rank 0 is; give --rendezvous "
                "HOST:PORT with that host and a free port there");
  }
}
} // namespace

std::optional<std::string> tert::launch::lookUpInProcess(const char *name) {
  const char *value = std::getenv(name);
  if (!value || !*value)
    return std::nullopt;
  return value;
}

std::string tert::launch::firstHost(const std::string &list) {
  size_t end = list.find_first_of(",[");
  std::string host = list.substr(0, end);
  if (end == std::string::npos || list[end] == ',')
    return host;
  size_t close = list.find(']', end);
  size_t stop = list.find_first_of("-,]", end + 1);
  if (close == std::string::npos || stop == end + 1)
    return {};
  host += list.substr(end + 1, stop - end - 1);
  // Text after the brackets belongs to the name: "rack[1-2]node3".
  size_t next = list.find_first_of(",[", close);
  std::string rest =
      list.substr(close + 1, next == std::string::npos ? std::string::npos
                                                       : next - close - 1);
  bool hasNextBrackets = next != std::string::npos && list[next] == '[';
  return hasNextBrackets ? host + firstHost(list.substr(close + 1))
                         : host + rest;
}

Expected<std::optional<Placement>>
tert::launch::findPlacement(const LaunchFlags &flags, const Lookup &lookUp) {
  if (flags.rank || flags.size) {
    if (!flags.rank || !flags.size || flags.rendezvous.empty())
      return Error(
          "--rank, --world-size and --rendezvous belong together: give "
          "all three");
    if (*flags.rank >= *flags.size)
      return Error("--rank is " + std::to_string(*flags.rank) +
                   ", and --world-size is " + std::to_string(*flags.size) +
                   ": ranks go from 0 to " + std::to_string(*flags.size - 1));
    Expected<Endpoint> endpoint = parseEndpoint(flags.rendezvous);
    if (!endpoint)
      return Error("--rendezvous: " + endpoint.takeError().message());
    Placement place;
    place.rank = *flags.rank;
    place.size = *flags.size;
    place.rendezvous = *endpoint;
    place.launcher = "--rank";
    return std::optional<Placement>(place);
  }

  Reader reader(lookUp);
  const Launcher *launcher = nullptr;
  std::optional<Placement> place;
  for (const Launcher *candidate : {&torchrun, &openMpi, &pmi, &slurm}) {
    if (candidate == &slurm && !reader.text(slurm.size))
      continue;
    place = reader.place(*candidate);
    launcher = candidate;
    if (place || !reader.error().empty())
      break;
  }
  // srun may set PMI variables, too, but its own say more about hosts. mpiexec
  // within a Slurm job starts its daemons by srun, whose ranks are not ours.
  if (place && launcher == &pmi && reader.text(slurm.size)) {
    std::optional<Placement> step = reader.place(slurm);
    if (step && step->rank == place->rank && step->size == place->size) {
      place = step;
      launcher = &slurm;
    }
  }
  if (place && launcher == &torchrun && !reader.text("TORCHELASTIC_RUN_ID"))
    compare(reader, torchrun, *place, openMpi);
  if (place && launcher == &openMpi) {
    std::optional<int32_t> pmix = reader.number("PMIX_RANK", 0);
    if (pmix && *pmix != place->rank)
      reader.fail("the environment is contradictory: OMPI_COMM_WORLD_RANK=" +
                  std::to_string(place->rank) +
                  " and PMIX_RANK=" + std::to_string(*pmix) +
                  "; give --rank, --world-size and --rendezvous");
  }
  if (place && reader.error().empty() && place->size > 1) {
    if (flags.rendezvous.empty()) {
      findRendezvous(reader, *launcher, *place);
    } else {
      Expected<Endpoint> endpoint = parseEndpoint(flags.rendezvous);
      if (!endpoint)
        return Error("--rendezvous: " + endpoint.takeError().message());
      place->rendezvous = *endpoint;
      place->job = jobOf(*place, reader);
    }
  }
  if (!reader.error().empty())
    return Error(reader.error());
  if (!place && !flags.rendezvous.empty())
    return Error("--rendezvous is given, but the rank of this process is "
                 "unknown: start it with torchrun, mpirun or srun, or give "
                 "--rank and --world-size, too");
  return place;
}
