// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Export.h"

#include "session/Checkpoint.h"
#include "session/ParameterNames.h"
#include "session/ResultFile.h"

#include <algorithm>
#include <charconv>

using namespace tert::session;

/// Elements that are read at a time.
static constexpr int64_t piece = int64_t(1) << 20;

/// Which tensors of the file are parameters, with all their names.
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
  summary.parameters = parameters->size();
  std::vector<SafetensorsWriter::Entry> entries;
  std::vector<const StoredTensor *> tensors;
  for (const Names &names : *parameters) {
    const StoredTensor *tensor = file->find(names.front());
    for (const std::string &name : names) {
      entries.push_back(
          {name, options.dtype.value_or(tensor->dtype()), tensor->shape()});
      tensors.push_back(tensor);
    }
    summary.names += names.size();
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
