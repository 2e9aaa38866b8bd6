// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Inputs.h"

#include <vector>

using namespace tert::training;
using namespace tert::session;

const TensorView *tert::training::findInput(const SafetensorsFile &file,
                                            const std::string &argument,
                                            const NameMap &names) {
  if (auto it = names.find(argument); it != names.end())
    return file.find(it->second);
  if (const TensorView *tensor = file.find(argument))
    return tensor;
  return file.find("input." + argument);
}

static std::string describe(const TensorView &tensor) {
  return std::string(nameOf(tensor.dtype)) + " " + toString(tensor.shape);
}

/// "expected: … / the file has: …", for an error.
static std::string bothSides(const EntryDescription &entry,
                             const SafetensorsFile &file) {
  constexpr size_t shown = 30;
  std::string text = "\nThe entry '" + entry.name + "' takes:";
  for (const ArgumentDescription &argument : entry.arguments)
    if (argument.role == ArgumentDescription::Role::Input)
      text += "\n  " + argument.name + ": " + toString(argument.type);
  text += "\nThe file has:";
  size_t count = 0;
  for (const auto &[name, tensor] : file.tensors()) {
    if (++count > shown) {
      text += "\n  … and " + std::to_string(file.tensors().size() - shown) +
              " more";
      break;
    }
    text += "\n  " + name + ": " + describe(tensor);
  }
  if (file.tensors().empty())
    text += " nothing";
  return text;
}

Error tert::training::setInputs(EntryCall &call, const SafetensorsFile &file,
                                const NameMap &names) {
  using Role = ArgumentDescription::Role;
  const EntryDescription &entry = call.description();
  std::string problems;
  auto complain = [&](const std::string &name, const std::string &what) {
    problems += "\n  " + name + ": " + what;
  };
  for (const auto &[argument, tensor] : names) {
    if (!entry.find(Role::Input, argument) &&
        !entry.find(Role::Scalar, argument))
      complain(argument, "named by --input, but no input of this entry");
  }
  std::vector<char> bytes;
  for (const ArgumentDescription &argument : entry.arguments) {
    bool scalar = argument.role == Role::Scalar;
    if (argument.role != Role::Input && !scalar)
      continue;
    const TensorView *tensor = findInput(file, argument.name, names);
    if (!tensor) {
      auto it = names.find(argument.name);
      if (it != names.end())
        complain(argument.name, "the file has no '" + it->second + "'");
      else if (!scalar || !argument.defaultValue)
        complain(argument.name, "missing");
      continue;
    }
    if (tensor->shape != argument.type.shape) {
      complain(argument.name, "has shape " + toString(tensor->shape) +
                                  ", expected " +
                                  toString(argument.type.shape));
      continue;
    }
    bytes.resize(argument.type.bytes());
    if (Error error = convertRounded(tensor->dtype, tensor->data,
                                     toFileDType(argument.type.dtype),
                                     bytes.data(), argument.type.elements())) {
      complain(argument.name, error.message());
      continue;
    }
    if (Error error = call.setInput(argument, bytes.data()))
      return error;
  }
  if (problems.empty())
    return Error::success();
  return Error("the inputs in '" + file.path() + "' do not fit:" + problems +
               bothSides(entry, file) +
               "\nRename the tensors, or map the names with --input "
               "NAME=TENSOR");
}
