// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Metrics.h"

#include "session/File.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

using namespace tert::run;
using namespace tert::session;
using nlohmann::ordered_json;

namespace {
/// JSON has no NaN and no infinity.
ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

double numberAt(const ordered_json &object, const char *key) {
  auto it = object.find(key);
  return it != object.end() && it->is_number() ? it->get<double>()
                                               : std::nan("");
}

/// A line of the file; false if it is none of ours.
bool parseLine(std::string_view line, const std::vector<std::string> &slots,
               StepMetrics &metrics) {
  ordered_json object =
      ordered_json::parse(line.begin(), line.end(), nullptr, false);
  if (!object.is_object() || !object.contains("step") ||
      !object["step"].is_number_unsigned())
    return false;
  metrics.step = object["step"].get<uint64_t>();
  metrics.loss = numberAt(object, "loss");
  metrics.gradNorm = numberAt(object, "grad_norm");
  metrics.learningRate = numberAt(object, "lr");
  metrics.tokensPerSecond = numberAt(object, "tokens_per_second");
  metrics.seconds = numberAt(object, "seconds");
  if (auto amaxes = object.find("amax");
      amaxes != object.end() && amaxes->is_object())
    for (const std::string &slot : slots)
      metrics.amaxes.push_back(
          static_cast<float>(numberAt(*amaxes, slot.c_str())));
  return true;
}
} // namespace

Error Metrics::open(const std::string &name, uint64_t resumeStep) {
  path = name;
  std::string kept;
  if (resumeStep) {
    Expected<MappedFile> old = MappedFile::open(path);
    std::string_view rest =
        old ? std::string_view(old->data(), old->size()) : std::string_view();
    while (!rest.empty()) {
      size_t end = rest.find('\n');
      if (end == std::string_view::npos)
        break; // Cut off by a kill.
      StepMetrics metrics;
      if (parseLine(rest.substr(0, end), slots, metrics) &&
          metrics.step <= resumeStep) {
        kept += rest.substr(0, end + 1);
        history.push_back(std::move(metrics));
      }
      rest.remove_prefix(end + 1);
    }
  }
  if (Error error = writeFile(path, kept))
    return error;
  file.reset(std::fopen(path.c_str(), "ae"));
  return file ? Error::success()
              : Error("cannot write '" + path + "': " + std::strerror(errno));
}

Error Metrics::add(StepMetrics metrics) {
  if (file) {
    ordered_json line = {{"step", metrics.step},
                         {"loss", number(metrics.loss)},
                         {"grad_norm", number(metrics.gradNorm)},
                         {"lr", number(metrics.learningRate)},
                         {"tokens_per_second", number(metrics.tokensPerSecond)},
                         {"seconds", number(metrics.seconds)}};
    for (size_t i = 0; i < metrics.amaxes.size(); ++i)
      line["amax"][slots[i]] = number(metrics.amaxes[i]);
    std::string text =
        line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) +
        "\n";
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
        std::fflush(file.get()) != 0) {
      Error error("cannot write '" + path + "': " + std::strerror(errno) +
                  "; metrics end here");
      file.reset();
      history.push_back(std::move(metrics));
      return error;
    }
  }
  history.push_back(std::move(metrics));
  return Error::success();
}
