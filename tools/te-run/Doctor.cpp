// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run doctor: checks whether ranks can communicate, and how fast.

#include "Commands.h"
#include "Job.h"
#include "LinkFile.h"
#include "Output.h"
#include "Timing.h"
#include "support/File.h"
#include "tert/device.h"
#include "tert/ops.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

using namespace tert;
using namespace tert::run;
using namespace tert::session;

namespace {
struct DoctorOptions {
  JobFlags job;
  std::string device;
  std::string links; ///< file for the measurements; empty: none
  int64_t largest = 16;
};

struct Close {
  void operator()(tert_context *context) const { tert_close(context); }
};
using Context = std::unique_ptr<tert_context, Close>;

Expected<Context> openDevice(const std::string &name) {
  tert_context *context = nullptr;
  char message[1024] = "";
  if (tert_open(name.c_str(), nullptr, &context, message, sizeof(message)))
    return Error("cannot open the device '" + name + "': " + message);
  return Context(context);
}

/// Opens the requested device; by default the rank's `gpu`, or the CPU if it
/// has none.
Expected<Context> openDevice(const DoctorOptions &options,
                             const std::string &gpu) {
  if (options.device == "cuda")
    return openDevice(gpu);
  if (!options.device.empty())
    return openDevice(options.device);
  Expected<Context> context = openDevice(gpu);
  return context ? std::move(context) : openDevice("cpu");
}

Error check(const Context &context, tert_status status) {
  return status == TERT_OK ? Error::success()
                           : Error(tert_last_error(context.get()));
}

/// A collective on `bytes` of every rank, in place if allowed.
enum class Collective { AllReduce, AllGather };

class Measurement {
public:
  Measurement(Job &job, const Context &context, int64_t elements)
      : job(job), context(context), elements(elements) {}
  ~Measurement() { tert_release(context.get(), memory); }

  /// Allocates memory for the gathered data of all ranks.
  Error allocate() {
    return check(context,
                 tert_allocate(context.get(), bytes(job.size()), &memory));
  }
  /// Seconds of one collective, the median over calls of the slowest rank.
  Expected<double> time(Collective collective) {
    constexpr int warmup = 2;
    const int calls = elements > (1 << 20) ? 10 : 40;
    std::vector<double> seconds;
    for (int i = 0; i < warmup + calls; ++i) {
      auto began = std::chrono::steady_clock::now();
      if (Error error = run(collective))
        return error;
      std::chrono::duration<double> took =
          std::chrono::steady_clock::now() - began;
      if (i >= warmup)
        seconds.push_back(took.count());
    }
    Expected<std::vector<double>> all = slowest(&job, std::move(seconds));
    if (!all)
      return all.takeError();
    return Times(std::move(*all)).median();
  }
  /// Verifies the data that every rank receives: rank r sends r + 1.
  Error verify(Collective collective) {
    std::vector<float> values(static_cast<size_t>(elements),
                              static_cast<float>(job.rank() + 1));
    if (Error error =
            check(context, tert_copy_to_device(context.get(), memory,
                                               values.data(), bytes(1))))
      return error;
    if (Error error = run(collective))
      return error;
    const int32_t parts = collective == Collective::AllGather ? job.size() : 1;
    values.resize(static_cast<size_t>(elements * parts));
    if (Error error =
            check(context, tert_copy_to_host(context.get(), values.data(),
                                             memory, bytes(parts))))
      return error;
    const auto size = static_cast<float>(job.size());
    for (size_t i = 0; i < values.size(); ++i) {
      auto owner = static_cast<float>(i / static_cast<size_t>(elements) + 1);
      float expected =
          collective == Collective::AllGather ? owner : size * (size + 1) / 2;
      if (values[i] != expected)
        return Error("the collective gave " + std::to_string(values[i]) +
                     " where " + std::to_string(expected) +
                     " was to come: the devices, their libraries or the "
                     "links between them do not work as they should");
    }
    return Error::success();
  }

private:
  size_t bytes(int32_t parts) const {
    return static_cast<size_t>(elements * parts) * sizeof(float);
  }
  Error run(Collective collective) {
    static const tert_site site = {"te-run doctor", "", 0, 0, 0};
    const tert_layout part = {TERT_F32, 1, {elements}, {1}};
    const tert_layout all = {TERT_F32, 1, {elements * job.size()}, {1}};
    tert_tensor x = {memory, &part}, y = {memory, &all};
    tert_status status =
        collective == Collective::AllReduce
            ? tert_collective(context.get(), &site, 0, nullptr, 1, &x,
                              TERT_ALL_REDUCE, /*async=*/0, /*axes=*/1)
            : gather(site, x, y);
    if (status == TERT_OK)
      status = tert_synchronize(context.get());
    return check(context, status);
  }
  /// The shard may be at its position in the full tensor.
  tert_status gather(const tert_site &site, tert_tensor x,
                     const tert_tensor &y) {
    x.data = static_cast<char *>(memory) +
             bytes(1) * static_cast<size_t>(job.rank());
    tert_status status = TERT_OK;
    if (job.rank() > 0 && !moved) {
      std::vector<char> own(bytes(1));
      status = tert_copy_to_host(context.get(), own.data(), memory, own.size());
      if (status == TERT_OK)
        status =
            tert_copy_to_device(context.get(), x.data, own.data(), own.size());
      moved = true;
    }
    return status == TERT_OK
               ? tert_collective(context.get(), &site, 1, &x, 1, &y,
                                 TERT_ALL_GATHER, /*async=*/0, /*axes=*/1)
               : status;
  }

  Job &job;
  const Context &context;
  int64_t elements;
  void *memory = nullptr;
  bool moved = false;
};

/// Prints every rank's own description.
Error describeRanks(Job &job, const Context &context) {
  tert_device_info info = {};
  if (Error error = check(context, tert_device_read_info(context.get(), &info)))
    return error;
  Expected<std::vector<std::string>> devices = job.gather("device", info.name);
  if (!devices)
    return devices.takeError();
  if (job.rank() != 0)
    return Error::success();
  Table table({{"rank"}, {"host"}, {"device"}});
  for (int32_t rank = 0; rank < job.size(); ++rank)
    table.add({std::to_string(rank), job.hosts()[static_cast<size_t>(rank)],
               (*devices)[static_cast<size_t>(rank)]});
  std::printf("%d ranks of te-run " TE_RUN_VERSION " see each other\n",
              job.size());
  table.print(stdout);
  for (const std::string &device : *devices)
    if (device != devices->front()) {
      std::fflush(stdout);
      reportWarning("the devices are not alike; every step takes as long as "
                    "the slowest of them");
      break;
    }
  return Error::success();
}

Error writeLinks(const std::string &path, const std::vector<std::string> &hosts,
                 const LinkTimes &allReduce, const LinkTimes &allGather) {
  Expected<nlohmann::ordered_json> links =
      describeLinks(hosts, allReduce, allGather);
  return links ? writeFile(path, links->dump(2) + "\n") : links.takeError();
}

Error examine(const DoctorOptions &options, const std::string &gpu, Job &job) {
  Expected<Context> context = openDevice(options, gpu);
  if (!context)
    return context.takeError();
  if (Error error = describeRanks(job, *context))
    return error;
  Mesh mesh;
  mesh.axes.push_back({dataAxis, job.size()});
  Expected<JobConnection> connection =
      JobConnection::open(&job, context->get(), mesh);
  if (!connection)
    return connection.takeError();
  Table table({{"bytes of a rank", Table::Align::Right},
               {"all_reduce", Table::Align::Right},
               {"bus GB/s", Table::Align::Right},
               {"all_gather", Table::Align::Right},
               {"bus GB/s", Table::Align::Right}});
  const double others = job.size() - 1;
  LinkTimes links[2]; // all_reduce, all_gather
  for (int64_t bytes :
       {int64_t(4) << 10, int64_t(1) << 20, options.largest << 20}) {
    std::vector<std::string> row = {formatBytes(static_cast<double>(bytes))};
    for (Collective collective :
         {Collective::AllReduce, Collective::AllGather}) {
      Measurement measurement(job, *context, bytes / 4);
      if (Error error = measurement.allocate())
        return error;
      if (Error error = measurement.verify(collective))
        return error;
      Expected<double> seconds = measurement.time(collective);
      if (!seconds)
        return seconds.takeError();
      // Bytes that each rank's link must transfer, whatever the algorithm.
      double carried =
          static_cast<double>(bytes) * others *
          (collective == Collective::AllReduce ? 2.0 / job.size() : 1);
      LinkTimes &times = links[collective == Collective::AllGather];
      if (times.smallSeconds == 0)
        times.smallSeconds = *seconds;
      times.largeSeconds = *seconds;
      times.sentBytes = carried;
      row.push_back(format("%.1f us", *seconds * 1e6));
      row.push_back(format("%.2f", carried / *seconds / 1e9));
    }
    table.add(std::move(row));
  }
  if (job.rank() == 0) {
    std::printf("collectives give correct results, and take (median of calls, "
                "the slowest rank)\n");
    table.print(stdout);
  }
  return options.links.empty() || job.rank() != 0
             ? Error::success()
             : writeLinks(options.links, job.hosts(), links[0], links[1]);
}
} // namespace

void run::addDoctor(CLI::App &app, Run &run) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App *command = app.add_subcommand(
      "doctor", "Check communication between ranks, and its speed");
  options->job.addTo(*command);
  command
      ->add_option("--device", options->device,
                   "cpu, or cuda for the GPU of each rank; without it the "
                   "GPU where there is one")
      ->type_name("DEVICE");
  command
      ->add_option("--largest", options->largest,
                   "MiB of the largest collective that is timed")
      ->check(CLI::Range(2, 4096))
      ->capture_default_str();
  command->add_option("--links", options->links,
                      "JSON file for what the link between the ranks attains, "
                      "for te-compile --plan --cluster NAME,FILE");
  command->footer("Started as a training is.\nExamples:\n"
                  "  te-run doctor --devices 4\n"
                  "  torchrun --nproc-per-node 8 --no-python te-run doctor");
  command->callback([options, &run] {
    run = [options] {
      return runInJob(options->job, Setup(),
                      [&](const Setup &setup, Job *job, std::string &failure) {
                        Error error =
                            job ? examine(*options, setup.device.device, *job)
                                : Error("there is one rank only; start several "
                                        "with --devices, torchrun, mpirun or "
                                        "srun");
                        return error ? fail(error, failure) : 0;
                      });
    };
  });
}
