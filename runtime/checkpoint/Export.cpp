// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/Export.h"

#include "checkpoint/Checkpoint.h"
#include "checkpoint/ExportedStates.h"
#include "support/ResultFile.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tert::session;

/// A name without the text; nothing if it does not contain it.
static std::optional<std::string> without(const std::string &name,
                                          const std::string &text) {
  const size_t at = name.find(text);
  if (at == std::string::npos)
    return std::nullopt;
  return name.substr(0, at) + name.substr(at + text.size());
}

/// Removes a text from names, which must remain distinct.
static Error shortenNames(std::vector<ExportedParameter> &parameters,
                          const std::string &text) {
  std::set<std::string> taken;
  bool isUsed = false;
  for (ExportedParameter &parameter : parameters)
    for (std::string &name : parameter.names) {
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
  Expected<ExportedStates> states =
      findExportedStates(*file, program, options.averages);
  if (!states)
    return states.takeError();
  if (options.trainedOnly) {
    states->buffers.clear();
    auto &all = states->parameters;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const ExportedParameter &parameter) {
                               return parameter.isFrozen;
                             }),
              all.end());
    if (all.empty())
      return Error("'" + file->path() + "' has no parameter that was trained");
  }
  if (!options.removed.empty())
    if (Error error = shortenNames(states->parameters, options.removed))
      return error;
  ExportSummary summary;
  summary.step = states->step;
  summary.parameters = states->parameters.size();
  summary.buffers = states->buffers.size();
  std::vector<SafetensorsWriter::Entry> entries;
  std::vector<const StoredTensor *> tensors;
  auto add = [&](const std::string &name, const StoredTensor &tensor,
                 DType dtype) {
    entries.push_back({name, dtype, tensor.shape()});
    tensors.push_back(&tensor);
    summary.bytes += static_cast<uint64_t>(tensor.elements()) * sizeOf(dtype);
  };
  for (const ExportedParameter &parameter : states->parameters) {
    for (const std::string &name : parameter.names)
      add(name, *parameter.tensor,
          options.dtype.value_or(parameter.tensor->dtype()));
    summary.names += parameter.names.size();
  }
  for (const std::string &name : states->buffers)
    add(name, *file->find(name), file->find(name)->dtype());
  std::map<std::string, std::string> notes = resultMetadata();
  notes["format"] = "pt";
  notes[SafetensorsWriter::checksumKey] = Digest::placeholder();
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(options.output, entries, notes);
  if (!writer)
    return writer.takeError();
  for (size_t index : writer->order())
    if (Error error = appendConverted(*writer, entries[index].name,
                                      *tensors[index], entries[index].dtype))
      return error;
  if (Error error = writer->commit())
    return error;
  return summary;
}
