// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/Export.h"

#include "checkpoint/Checkpoint.h"
#include "checkpoint/ParameterNames.h"
#include "support/ResultFile.h"

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

/// Keeps the trained parameters; fails if none is left.
static Error keepTrained(std::vector<Names> &parameters,
                         const TensorFiles &file, const Description *program) {
  std::vector<std::string> frozen =
      program ? frozenParameters(*program) : parseNames(file.note("frozen"));
  const std::set<std::string> names(frozen.begin(), frozen.end());
  parameters.erase(std::remove_if(parameters.begin(), parameters.end(),
                                  [&](const Names &of) {
                                    return names.count(of.front()) != 0;
                                  }),
                   parameters.end());
  return parameters.empty()
             ? Error("'" + file.path() + "' has no parameter that was trained")
             : Error::success();
}

/// A name without the text; nothing if it does not contain it.
static std::optional<std::string> without(const std::string &name,
                                          const std::string &text) {
  const size_t at = name.find(text);
  if (at == std::string::npos)
    return std::nullopt;
  return name.substr(0, at) + name.substr(at + text.size());
}

/// Removes a text from names, which must remain distinct.
static Error shortenNames(std::vector<Names> &parameters,
                          const std::string &text) {
  std::set<std::string> taken;
  bool isUsed = false;
  for (Names &names : parameters)
    for (std::string &name : names) {
      if (std::optional<std::string> shorter = without(name, text)) {
        name = std::move(*shorter);
        isUsed = true;
      }
      if (name.empty() || !taken.insert(name).second)
        return Error("without '" + text + "' two parameters are called '" +
                     name + "'; give --remove another text");
    }
  return isUsed ? Error::success()
                : Error("no name of a parameter has '" + text +
                        "' in it; give --remove another text, or leave it out");
}

Expected<ExportSummary>
tert::session::exportParameters(const ExportOptions &options,
                                const Description *program) {
  Expected<TensorFiles> file = openCheckpoint(options.checkpoint);
  if (!file)
    return file.takeError();
  Expected<std::vector<Names>> parameters = namesOf(*file, program);
  if (!parameters)
    return parameters.takeError();

  ExportSummary summary;
  const std::string step = file->note("step");
  std::from_chars(step.data(), step.data() + step.size(), summary.step);
  if (options.trainedOnly)
    if (Error error = keepTrained(*parameters, *file, program))
      return error;
  std::vector<std::string> buffers;
  if (!options.trainedOnly)
    buffers =
        parseNames(program ? bufferNames(*program) : file->note("buffers"));
  std::vector<const StoredTensor *> sources;
  bool hasAverage = false;
  for (const Names &names : *parameters) {
    const StoredTensor *average =
        options.averages ? file->find("ema." + names.front()) : nullptr;
    hasAverage |= average != nullptr;
    sources.push_back(average ? average : file->find(names.front()));
  }
  if (options.averages && !hasAverage)
    return Error("'" + file->path() +
                 "' has no averages of parameters (--ema); te-compile --ema "
                 "keeps them");
  if (!options.removed.empty())
    if (Error error = shortenNames(*parameters, options.removed))
      return error;
  summary.parameters = parameters->size();
  std::vector<SafetensorsWriter::Entry> entries;
  std::vector<const StoredTensor *> tensors;
  for (size_t i = 0; i < parameters->size(); ++i) {
    const Names &names = (*parameters)[i];
    const StoredTensor *tensor = sources[i];
    for (const std::string &name : names) {
      entries.push_back(
          {name, options.dtype.value_or(tensor->dtype()), tensor->shape()});
      tensors.push_back(tensor);
    }
    summary.names += names.size();
  }
  for (const std::string &name : buffers) {
    const StoredTensor *tensor = file->find(name);
    if (!tensor)
      return Error("'" + file->path() + "' has no buffer '" + name + "'");
    entries.push_back({name, tensor->dtype(), tensor->shape()});
    tensors.push_back(tensor);
    ++summary.buffers;
  }
  std::map<std::string, std::string> notes = resultMetadata();
  notes["format"] = "pt";
  notes[SafetensorsWriter::checksumKey] = Digest::placeholder();
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(options.output, entries, notes);
  if (!writer)
    return writer.takeError();
  std::vector<char> converted;
  for (size_t index : writer->order()) {
    const StoredTensor &tensor = *tensors[index];
    const SafetensorsWriter::Entry &entry = entries[index];
    const int64_t count = tensor.elements();
    for (int64_t first = 0; first < count; first += piece) {
      const int64_t size = std::min(piece, count - first);
      const size_t bytes = static_cast<size_t>(size) * sizeOf(entry.dtype);
      converted.resize(bytes);
      if (Error error =
              tensor.readAs(entry.dtype, first, size, converted.data()))
        return Error("parameter '" + entry.name + "': " + error.message());
      if (Error error = writer->append(converted.data(), bytes))
        return error;
      summary.bytes += bytes;
    }
  }
  if (Error error = writer->commit())
    return error;
  return summary;
}
