// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables are those that torchrun 2.x, Open MPI 4 and 5, MPICH's Hydra
// and Slurm's srun set, by their documentation.

#include "launch/LaunchEnvironment.h"

#include <gtest/gtest.h>
#include <map>

using namespace tert::launch;

namespace {
using Variables = std::map<std::string, std::string>;

Expected<std::optional<Placement>> find(const Variables &variables,
                                        const LaunchFlags &flags = {}) {
  return findPlacement(flags, [&](const char *name) {
    auto it = variables.find(name);
    return it == variables.end() || it->second.empty()
               ? std::nullopt
               : std::optional<std::string>(it->second);
  });
}

Placement placed(const Variables &variables, const LaunchFlags &flags = {}) {
  Expected<std::optional<Placement>> place = find(variables, flags);
  EXPECT_TRUE(place) << place.takeError().message();
  EXPECT_TRUE(place && place->has_value());
  return place && *place ? **place : Placement();
}

std::string failure(const Variables &variables, const LaunchFlags &flags = {}) {
  Expected<std::optional<Placement>> place = find(variables, flags);
  EXPECT_FALSE(place);
  return place.takeError().message();
}

void expectAll(const std::string &text, std::vector<std::string> parts) {
  for (const std::string &part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

const Variables torchrun = {
    {"RANK", "5"},         {"WORLD_SIZE", "16"},
    {"LOCAL_RANK", "1"},   {"LOCAL_WORLD_SIZE", "4"},
    {"MASTER_ADDR", "n0"}, {"MASTER_PORT", "29500"},
    {"GROUP_RANK", "1"},   {"TORCHELASTIC_RUN_ID", "abc"}};

const Variables openMpi = {{"OMPI_COMM_WORLD_RANK", "2"},
                           {"OMPI_COMM_WORLD_SIZE", "4"},
                           {"OMPI_COMM_WORLD_LOCAL_RANK", "2"},
                           {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                           {"OMPI_MCA_ess_base_jobid", "1234567"}};

const Variables srun = {{"SLURM_PROCID", "3"},
                        {"SLURM_STEP_NUM_TASKS", "8"},
                        {"SLURM_NTASKS", "8"},
                        {"SLURM_LOCALID", "1"},
                        {"SLURM_JOB_ID", "77"},
                        {"SLURM_STEP_ID", "0"},
                        {"SLURM_STEP_NODELIST", "gpu[07-10]"}};

Variables with(Variables variables, const Variables &more) {
  for (const auto &[name, value] : more)
    variables[name] = value;
  return variables;
}
} // namespace

TEST(LaunchEnvironment, NobodyLaunchedIt) {
  Expected<std::optional<Placement>> place = find({{"HOME", "/root"}});
  ASSERT_TRUE(place);
  EXPECT_FALSE(place->has_value());
  // In a batch script of Slurm, or a shell of salloc.
  place = find({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}});
  ASSERT_TRUE(place);
  EXPECT_FALSE(place->has_value());
}

TEST(LaunchEnvironment, Torchrun) {
  Placement place = placed(torchrun);
  EXPECT_EQ(place.rank, 5);
  EXPECT_EQ(place.size, 16);
  EXPECT_EQ(place.localRank, 1);
  // 29500 is the agent's.
  EXPECT_EQ(place.rendezvous.text(), "n0:29501");
  EXPECT_EQ(place.launcher, "torchrun");
  EXPECT_EQ(placed(with(torchrun, {{"MASTER_PORT", "65535"}})).rendezvous.port,
            65534);
  EXPECT_NE(place.job,
            placed(with(torchrun, {{"TORCHELASTIC_RUN_ID", "b"}})).job);
  // Its agents may have been started by another launcher.
  EXPECT_EQ(placed(with(torchrun, srun)).rank, 5);
  EXPECT_EQ(placed(with(torchrun, openMpi)).rank, 5);
}

TEST(LaunchEnvironment, OpenMpi) {
  Placement place = placed(openMpi);
  EXPECT_EQ(place.rank, 2);
  EXPECT_EQ(place.size, 4);
  EXPECT_EQ(place.localRank, 2);
  EXPECT_EQ(place.rendezvous.host, "localhost");
  EXPECT_GE(place.rendezvous.port, 20000);
  EXPECT_LT(place.rendezvous.port, 30000);
  // All ranks of a job derive the same port, and other jobs another one.
  EXPECT_EQ(
      placed(with(openMpi, {{"OMPI_COMM_WORLD_RANK", "0"}})).rendezvous.port,
      place.rendezvous.port);
  EXPECT_NE(
      placed(with(openMpi, {{"OMPI_MCA_ess_base_jobid", "9"}})).rendezvous.port,
      place.rendezvous.port);
  // Its daemons are a step of Slurm of their own.
  EXPECT_EQ(placed(with(srun, openMpi)).rank, 2);
  // Over several hosts nothing says where rank 0 is.
  Variables hosts = with(openMpi, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  expectAll(failure(hosts), {"Open MPI", "--rendezvous HOST:PORT"});
  EXPECT_EQ(placed(with(hosts, {{"MASTER_ADDR", "n1"}})).rendezvous.host, "n1");
  LaunchFlags flags;
  flags.rendezvous = "[fe80::1]:7000";
  EXPECT_EQ(placed(hosts, flags).rendezvous.text(), "[fe80::1]:7000");
  expectAll(failure(with(openMpi, {{"PMIX_RANK", "1"}})),
            {"OMPI_COMM_WORLD_RANK=2", "PMIX_RANK=1"});
}

TEST(LaunchEnvironment, SlurmAndPmi) {
  Placement place = placed(srun);
  EXPECT_EQ(place.rank, 3);
  EXPECT_EQ(place.size, 8);
  EXPECT_EQ(place.localRank, 1);
  EXPECT_EQ(place.rendezvous.host, "gpu07");
  Variables pmi = {{"PMI_RANK", "3"}, {"PMI_SIZE", "8"}};
  // srun --mpi=pmi2 says both.
  EXPECT_EQ(placed(with(srun, pmi)).rendezvous.host, "gpu07");
  // mpiexec within a job of Slurm: the step is that of its daemons.
  EXPECT_EQ(placed(with(with(srun, pmi), {{"SLURM_STEP_NUM_TASKS", "2"},
                                          {"SLURM_PROCID", "1"},
                                          {"MPI_LOCALNRANKS", "8"}}))
                .rank,
            3);
  EXPECT_EQ(placed(with(pmi, {{"MPI_LOCALNRANKS", "8"}})).rendezvous.host,
            "localhost");
  expectAll(failure(with(srun, {{"SLURM_STEP_NODELIST", "["}})),
            {"list of nodes", "--rendezvous"});
}

TEST(LaunchEnvironment, FirstHosts) {
  EXPECT_EQ(firstHost("node1"), "node1");
  EXPECT_EQ(firstHost("node1,node2"), "node1");
  EXPECT_EQ(firstHost("node[01-04,7],other"), "node01");
  EXPECT_EQ(firstHost("node[3,5]"), "node3");
  EXPECT_EQ(firstHost("r[1-2]n[04-05]"), "r1n04");
  EXPECT_EQ(firstHost("n[1-2].cluster,m"), "n1.cluster");
  EXPECT_EQ(firstHost("n[1"), "");
  EXPECT_EQ(firstHost("n[]"), "");
  EXPECT_EQ(firstHost(""), "");
}

TEST(LaunchEnvironment, WhatIsWrongIsNamed) {
  expectAll(failure({{"RANK", "1"}}), {"RANK is 1", "WORLD_SIZE is not set"});
  expectAll(failure({{"WORLD_SIZE", "2"}}), {"WORLD_SIZE is 2", "RANK"});
  expectAll(failure(with(torchrun, {{"RANK", "x"}})), {"RANK is 'x'"});
  expectAll(failure(with(torchrun, {{"RANK", "-1"}})), {"RANK is '-1'"});
  expectAll(failure(with(torchrun, {{"RANK", "16"}})),
            {"RANK is 16", "WORLD_SIZE is 16"});
  expectAll(failure(with(torchrun, {{"MASTER_PORT", "70000"}})), {"70000"});
  expectAll(failure(with(torchrun, {{"MASTER_ADDR", ""}})), {"MASTER_ADDR"});
  // Variables of a shell against those of a launcher.
  expectAll(failure(with(openMpi, {{"RANK", "0"}, {"WORLD_SIZE", "1"}})),
            {"RANK=0", "WORLD_SIZE=1", "OMPI_COMM_WORLD_RANK=2",
             "OMPI_COMM_WORLD_SIZE=4"});
}

TEST(LaunchEnvironment, FlagsWin) {
  LaunchFlags flags;
  flags.rank = 1;
  expectAll(failure(torchrun, flags), {"--world-size", "--rendezvous"});
  flags.size = 2;
  flags.rendezvous = "host:1";
  Placement place = placed(torchrun, flags);
  EXPECT_EQ(place.rank, 1);
  EXPECT_EQ(place.size, 2);
  EXPECT_EQ(place.rendezvous.text(), "host:1");
  EXPECT_FALSE(place.localRank);
  flags.rank = 2;
  expectAll(failure({}, flags), {"--rank is 2", "--world-size is 2"});
  for (const char *bad : {"host", "host:", ":1", "host:0", "host:65536",
                          "host:1x", "::1:5", "[::1]", "[]:1"}) {
    flags.rank = 0;
    flags.rendezvous = bad;
    expectAll(failure({}, flags), {bad, "HOST:PORT"});
  }
  LaunchFlags alone;
  alone.rendezvous = "host:1";
  expectAll(failure({}, alone), {"the rank of this process is unknown"});
}
