// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Data.h"

#include "training/DataSources.h"
#include "training/Loss.h"

using namespace tert::training;
using namespace tert::session;
using Role = ArgumentDescription::Role;

bool tert::training::isInteger(const ArgumentDescription &argument) {
  return !isFloat(toFileDType(argument.type.dtype));
}

DataFormat tert::training::resolveFormat(const std::string &path,
                                         DataFormat format) {
  if (format != DataFormat::Auto)
    return format;
  auto endsWith = [&](const std::string &suffix) {
    return path.size() >= suffix.size() &&
           path.compare(path.size() - suffix.size(), suffix.size(), suffix) ==
               0;
  };
  if (endsWith(".safetensors"))
    return DataFormat::Safetensors;
  return endsWith(".bin") ? DataFormat::U16 : DataFormat::Bytes;
}

Expected<std::unique_ptr<BatchSource>>
tert::training::openData(const DataNames &names, DataFormat format,
                         uint64_t seed, const EntryCall &call,
                         DataOrder order) {
  const EntryDescription &entry = call.description();
  bool guessed = format == DataFormat::Auto;
  Expected<std::vector<DataSource>> sources = findData(names, format);
  if (!sources)
    return sources.takeError();
  std::vector<std::string> tensors;
  for (const DataSource &source : *sources) {
    if (order == DataOrder::Epochs && source.weight)
      return Error("--order epochs reads every window as often as all others, "
                   "so '" +
                   source.name + "' cannot have a weight");
    for (const std::string &file : source.files)
      if (resolveFormat(file, format) == DataFormat::Safetensors)
        tensors.push_back(file);
  }
  const std::string &path = sources->front().files.front();
  format = resolveFormat(path, format);
  if (format == DataFormat::Safetensors)
    return openTensorBatches(tensors, entry, Loss::of(call.program()));
  if (!tensors.empty())
    return Error("'" + tensors.front() + "' has batches, and '" + path +
                 "' is a stream of tokens; give one kind of data");
  return openTokenWindows(names, format, guessed, seed, order, entry,
                          Loss::of(call.program()));
}

int64_t tert::training::tokensPerCall(const EntryDescription &entry) {
  const ArgumentDescription *first = nullptr;
  for (const ArgumentDescription &argument : entry.arguments) {
    if (argument.role != Role::Input)
      continue;
    if (isInteger(argument))
      return argument.type.elements();
    if (!first)
      first = &argument;
  }
  if (!first || first->type.shape.empty() || first->type.shape.back() == 0)
    return 1;
  return first->type.elements() / first->type.shape.back();
}

Workload tert::training::workloadOf(const EntryDescription &entry) {
  const ArgumentDescription *first = nullptr;
  for (const ArgumentDescription &argument : entry.arguments) {
    if (argument.role != Role::Input || argument.name == "labels")
      continue;
    if (isInteger(argument) && argument.type.shape.size() >= 2)
      return {argument.type.elements(), "tokens"};
    if (!first)
      first = &argument;
  }
  if (!first)
    return {1, "samples"};
  const Shape &shape = first->type.shape;
  if (shape.size() == 3)
    return {shape[0] * shape[1], "tokens"};
  return {shape.empty() ? 1 : shape[0],
          shape.size() > 3 ? "images" : "samples"};
}
