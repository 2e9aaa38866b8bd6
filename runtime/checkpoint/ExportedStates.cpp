// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/ExportedStates.h"

#include <algorithm>
#include <charconv>
#include <set>

using namespace tert::session;

/// Number of elements that are read at a time.
static constexpr int64_t piece = int64_t(1) << 20;

/// The parameters among the file's tensors, with all their names.
static Expected<std::vector<Names>> namesOf(const TensorFiles &file,
                                            const Description *program) {
  const std::string note = file.note("parameters");
  if (!program && note.empty())
    return Error("'" + file.path() +
                 "' does not say which of its tensors are parameters, because "
                 "an older te-run wrote it; name the program that it is of "
                 "with --program");
  std::optional<std::vector<Names>> names =
      parseParameterNames(program ? parameterNames(*program) : note);
  if (!names || names->empty())
    return Error("'" + (program ? program->source : file.path()) +
                 "' has no parameters");
  for (const Names &parameter : *names)
    if (!file.find(parameter.front()))
      return Error("'" + file.path() + "' has no parameter '" +
                   parameter.front() +
                   "', so it is of another model than the program");
  return std::move(*names);
}

Expected<ExportedStates>
tert::session::findExportedStates(const TensorFiles &file,
                                  const Description *program, bool averages) {
  Expected<std::vector<Names>> parameters = namesOf(file, program);
  if (!parameters)
    return parameters.takeError();
  const std::vector<std::string> names =
      program ? frozenParameters(*program) : parseNames(file.note("frozen"));
  const std::set<std::string> frozen(names.begin(), names.end());
  ExportedStates states;
  bool hasAverage = false;
  for (Names &of : *parameters) {
    const StoredTensor *average =
        averages ? file.find("ema." + of.front()) : nullptr;
    hasAverage |= average != nullptr;
    const StoredTensor *tensor = average ? average : file.find(of.front());
    const bool isFrozen = frozen.count(of.front()) != 0;
    states.parameters.push_back({std::move(of), tensor, isFrozen});
  }
  if (averages && !hasAverage)
    return Error("'" + file.path() +
                 "' has no averages of parameters (--ema); te-compile --ema "
                 "keeps them");
  states.buffers =
      parseNames(program ? bufferNames(*program) : file.note("buffers"));
  for (const std::string &name : states.buffers)
    if (!file.find(name))
      return Error("'" + file.path() + "' has no buffer '" + name + "'");
  const std::string step = file.note("step");
  std::from_chars(step.data(), step.data() + step.size(), states.step);
  return states;
}

Error tert::session::appendConverted(SafetensorsWriter &writer,
                                     const std::string &name,
                                     const StoredTensor &tensor, DType dtype) {
  std::vector<char> converted;
  const int64_t count = tensor.elements();
  for (int64_t first = 0; first < count; first += piece) {
    const int64_t size = std::min(piece, count - first);
    converted.resize(static_cast<size_t>(size) * sizeOf(dtype));
    if (Error error = tensor.readAs(dtype, first, size, converted.data()))
      return Error("parameter '" + name + "': " + error.message());
    if (Error error = writer.append(converted.data(), converted.size()))
      return error;
  }
  return Error::success();
}
