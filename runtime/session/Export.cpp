// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Export.h"

#include "session/Checkpoint.h"
#include "session/ParameterNames.h"
#include "session/ResultFile.h"

#include <charconv>

using namespace tert::session;

/// Which tensors of the file are parameters, with all their names.
static Expected<std::vector<Names>> namesOf(const SafetensorsFile &file,
                                            const Description *program) {
  auto note = file.metadata().find("parameters");
  if (!program && note == file.metadata().end())
    return Error("'" + file.path() +
                 "' does not say which of its tensors are parameters, because "
                 "an older te-run wrote it; name the program that it is of "
                 "with --program");
  std::optional<std::vector<Names>> names =
      parseParameterNames(program ? parameterNames(*program) : note->second);
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
  Expected<SafetensorsFile> file = openCheckpoint(options.checkpoint);
  if (!file)
    return file.takeError();
  Expected<std::vector<Names>> parameters = namesOf(*file, program);
  if (!parameters)
    return parameters.takeError();

  ExportSummary summary;
  const std::string &step = file->metadata().at("step");
  std::from_chars(step.data(), step.data() + step.size(), summary.step);
  summary.parameters = parameters->size();
  std::vector<SafetensorsWriter::Entry> entries;
  std::vector<const TensorView *> tensors;
  for (const Names &names : *parameters) {
    const TensorView *tensor = file->find(names.front());
    for (const std::string &name : names) {
      entries.push_back(
          {name, options.dtype.value_or(tensor->dtype), tensor->shape});
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
    const TensorView &tensor = *tensors[index];
    const SafetensorsWriter::Entry &entry = entries[index];
    int64_t count = *elementCount(tensor.shape);
    converted.resize(static_cast<size_t>(*byteCount(entry.dtype, entry.shape)));
    if (Error error = convertRounded(tensor.dtype, tensor.data, entry.dtype,
                                     converted.data(), count))
      return Error("parameter '" + entry.name + "': " + error.message());
    if (Error error = writer->append(converted.data(), converted.size()))
      return error;
    summary.bytes += converted.size();
  }
  if (Error error = writer->commit())
    return error;
  return summary;
}
