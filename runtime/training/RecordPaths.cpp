// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/RecordPaths.h"

#include "support/File.h"
#include "support/Json.h"
#include "support/ResultFile.h"
#include "training/Plot.h"
#include "training/RunPage.h"
#include "training/TrainingOptions.h"

using namespace tert;
using namespace tert::session;
using namespace tert::training;

/// The first line of a file; empty if it cannot be read.
static std::string firstLine(const std::string &path) {
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return {};
  std::string_view text(file->data(), file->size());
  return std::string(text.substr(0, text.find('\n')));
}

/// True for a line of metrics, even if truncated by a kill.
static bool isMetrics(const std::string &path) {
  const std::string line = firstLine(path);
  auto object = parseJson(line);
  return line.rfind("{\"step\":", 0) == 0 &&
         (object.is_discarded() || object.contains("loss"));
}

static bool isOurPlot(const std::string &path) {
  return isPlot(firstLine(path));
}

Error training::checkRecordOverwrite(const TrainingOptions &options,
                                     const std::string &program) {
  const std::string &metrics = options.metrics, &plot = options.plot;
  if (!metrics.empty() && !plot.empty()) {
    OutputTarget one = findOutputTarget(metrics),
                 other = findOutputTarget(plot);
    if (one.kind == OutputKind::File && one.path == other.path)
      return Error("'" + plot +
                   "' would be both --metrics and --plot; choose another name "
                   "for one of them");
  }
  if (options.replaceOthers)
    return Error::success();
  std::vector<std::string> inputs = {options.initialization.weights, program};
  for (const DataNames *names :
       {&options.data, &options.evaluation.data, &options.probe.data})
    if (Expected<std::vector<std::string>> files =
            filesOf(*names, options.format))
      inputs.insert(inputs.end(), files->begin(), files->end());
  if (!metrics.empty())
    if (Error error = checkOverwrite(metrics, inputs, "--metrics", isMetrics))
      return error;
  if (!plot.empty())
    if (Error error = checkOverwrite(plot, inputs, "--plot", isOurPlot))
      return error;
  if (!options.page.empty())
    return checkOverwrite(
        options.page, inputs, "--page",
        [](const std::string &path) { return isRunPage(firstLine(path)); });
  return Error::success();
}
