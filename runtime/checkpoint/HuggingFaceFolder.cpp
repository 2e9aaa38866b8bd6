// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/HuggingFaceFolder.h"

#include "checkpoint/Checkpoint.h"
#include "checkpoint/ExportedStates.h"
#include "support/Json.h"
#include "support/ResultFile.h"
#include "support/Text.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

using namespace tert::session;
namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

namespace {
constexpr char configName[] = "config.json";
constexpr char adapterConfigName[] = "adapter_config.json";
constexpr char adapterWeightsName[] = "adapter_model.safetensors";
constexpr char weightsName[] = "model.safetensors";
constexpr char indexName[] = "model.safetensors.index.json";

/// Files besides weights and the configuration that a folder may have.
constexpr const char *companions[] = {"generation_config.json",
                                      "tokenizer.json",
                                      "tokenizer_config.json",
                                      "special_tokens_map.json",
                                      "added_tokens.json",
                                      "tokenizer.model",
                                      "spiece.model",
                                      "sentencepiece.bpe.model",
                                      "vocab.json",
                                      "vocab.txt",
                                      "merges.txt",
                                      "chat_template.jinja",
                                      "chat_template.json",
                                      "LICENSE",
                                      "LICENSE.txt",
                                      "USE_POLICY.md"};

std::string inside(const std::string &folder, const std::string &name) {
  return (fs::path(folder) / name).string();
}

bool exists(const std::string &path) {
  std::error_code code;
  return fs::exists(path, code);
}

Expected<json> readJson(const std::string &path) {
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  json value = parseJson<json>({file->data(), file->size()});
  if (!value.is_object())
    return Error("'" + path + "' is no JSON object");
  return value;
}

/// The tensors of the original folder.
class Originals {
public:
  /// `index` lists several files, and is empty where there can only be one.
  static Expected<Originals> open(const std::string &folder,
                                  const std::string &single,
                                  const std::string &index) {
    Originals originals;
    std::set<std::string> names;
    const std::string listed = inside(folder, index);
    if (index.empty() || !exists(listed)) {
      names.insert(single);
    } else {
      Expected<json> map = readJson(listed);
      if (!map)
        return map.takeError();
      const json files = map->value("weight_map", json());
      for (const json &name : files) {
        const std::string text =
            name.is_string() ? name.get<std::string>() : "";
        if (text.empty() || fs::path(text).filename() != text || text == "..")
          return Error("'" + listed +
                       "' names a file that is not one of its "
                       "folder: " +
                       name.dump());
        names.insert(text);
      }
      if (names.empty())
        return Error("'" + listed + "' names no file");
    }
    for (const std::string &name : names) {
      Expected<SafetensorsFile> file =
          SafetensorsFile::open(inside(folder, name));
      if (!file)
        return file.takeError();
      for (const auto &[tensor, view] : file->tensors())
        if (!originals.table.emplace(tensor, view).second)
          return Error("two files in '" + folder + "' have a tensor '" +
                       tensor + "'");
      originals.files.push_back(std::move(*file));
    }
    return originals;
  }

  const std::map<std::string, TensorView> &tensors() const { return table; }

private:
  std::vector<SafetensorsFile> files;
  std::map<std::string, TensorView> table;
};

/// What is written: a tensor, its name and type.
struct Output {
  std::string name;
  StoredTensor tensor;
  DType dtype;

  uint64_t bytes() const {
    return static_cast<uint64_t>(tensor.elements()) * sizeOf(dtype);
  }
};

DType typeOf(const FolderExportOptions &options, DType own) {
  return options.dtype && isFloat(own) ? *options.dtype : own;
}

/// The name of a parameter of PEFT in its file: without that of the adapter.
std::string peftName(std::string name) {
  for (const char *part : {".modules_to_save", ".default"})
    if (const size_t at = name.find(part); at != name.npos)
      name.erase(at, std::string_view(part).size());
  // The magnitudes of DoRA are modules in memory, and tensors in a file.
  const std::string magnitude = "lora_magnitude_vector.weight";
  if (name.size() > magnitude.size() &&
      name.compare(name.size() - magnitude.size(), name.npos, magnitude) == 0)
    name.erase(name.rfind('.'));
  return name;
}

Error wrongShape(const std::string &name, const StoredTensor &tensor,
                 const std::string &folder, const Shape &shape) {
  return Error("'" + name + "' is " + toString(tensor.shape()) +
               " in the checkpoint and " + toString(shape) + " in '" + folder +
               "', which is not the folder that the model is from");
}

Expected<std::vector<Output>> chooseAdapters(const FolderExportOptions &options,
                                             const ExportedStates &states) {
  Expected<Originals> originals{Originals()};
  if (exists(inside(options.adapter, adapterWeightsName)))
    originals = Originals::open(options.adapter, adapterWeightsName, "");
  if (!originals)
    return originals.takeError();
  std::vector<Output> outputs;
  for (const ExportedParameter &parameter : states.parameters) {
    const std::string &own = parameter.names.front();
    if (parameter.isFrozen && own.find(".default") == own.npos)
      continue;
    const std::string name = peftName(own);
    DType dtype = parameter.tensor->dtype();
    if (auto it = originals->tensors().find(name);
        it != originals->tensors().end()) {
      if (it->second.shape != parameter.tensor->shape())
        return wrongShape(name, *parameter.tensor, options.adapter,
                          it->second.shape);
      dtype = it->second.dtype;
    }
    outputs.push_back({name, *parameter.tensor, typeOf(options, dtype)});
  }
  for (const auto &[name, view] : originals->tensors())
    if (std::none_of(outputs.begin(), outputs.end(),
                     [&name = name](const Output &output) {
                       return output.name == name;
                     }))
      return Error("the checkpoint has no parameter for '" + name + "' of '" +
                   options.adapter +
                   "', which is not the folder that the adapters are from");
  return outputs;
}

/// A name without its first part: of "transformer.wte.weight", which a file may
/// call "wte.weight".
std::string withoutBase(const std::string &name) {
  return name.substr(name.find('.') + 1);
}

/// The most frequent type of floats.
DType usualType(const Originals &originals) {
  std::map<DType, int64_t> elements;
  for (const auto &[name, view] : originals.tensors())
    if (isFloat(view.dtype))
      elements[view.dtype] += elementCount(view.shape).value_or(0);
  auto most = std::max_element(
      elements.begin(), elements.end(),
      [](const auto &a, const auto &b) { return a.second < b.second; });
  return most == elements.end() ? DType::F32 : most->first;
}

Expected<std::vector<Output>> chooseTensors(const FolderExportOptions &options,
                                            const TensorFiles &file,
                                            const ExportedStates &states,
                                            const Originals &originals,
                                            std::string &warning) {
  std::map<std::string, const ExportedParameter *> byName, byShortName;
  for (const ExportedParameter &parameter : states.parameters)
    for (const std::string &name : parameter.names) {
      byName[name] = &parameter;
      byShortName[withoutBase(name)] = &parameter;
    }
  auto find = [&](const std::string &name) -> const ExportedParameter * {
    for (const auto *names : {&byName, &byShortName})
      if (auto it = names->find(name); it != names->end())
        return it->second;
    return nullptr;
  };
  const std::set<std::string> buffers(states.buffers.begin(),
                                      states.buffers.end());
  std::vector<Output> outputs, others;
  std::set<const ExportedParameter *> found;
  for (const auto &[name, view] : originals.tensors()) {
    const ExportedParameter *parameter = find(name);
    if (!parameter && !buffers.count(name)) {
      others.push_back({name, view, view.dtype});
      continue;
    }
    const StoredTensor &tensor =
        parameter ? *parameter->tensor : *file.find(name);
    if (tensor.shape() != view.shape)
      return wrongShape(name, tensor, options.model, view.shape);
    outputs.push_back({name, tensor, typeOf(options, view.dtype)});
    if (parameter)
      found.insert(parameter);
  }
  if (found.empty())
    return Error("'" + options.model + "' has none of the parameters of '" +
                 options.checkpoint +
                 "', so it is not the folder that the model is from");
  std::vector<const ExportedParameter *> missing;
  for (const ExportedParameter &parameter : states.parameters)
    if (!found.count(&parameter))
      missing.push_back(&parameter);
  if (missing.empty()) {
    for (Output &other : others)
      outputs.push_back(std::move(other));
    return outputs;
  }
  // The other tensors would be their old values.
  const DType dtype = typeOf(options, usualType(originals));
  for (const ExportedParameter *parameter : missing)
    for (const std::string &name : parameter->names)
      outputs.push_back({name, *parameter->tensor, dtype});
  warning = std::to_string(missing.size()) + " parameters, '" +
            missing.front()->names.front() + "' among them, are not in '" +
            options.model +
            "' under these names, which transformers has for them in memory; "
            "they are written under these, and what the folder has instead (" +
            std::to_string(others.size()) + " tensors) is left out";
  return outputs;
}

/// The tensors of each file.
std::vector<std::vector<const Output *>>
split(const std::vector<Output> &outputs, uint64_t most) {
  std::vector<std::vector<const Output *>> files(1);
  uint64_t bytes = 0;
  for (const Output &output : outputs) {
    if (bytes + output.bytes() > most && !files.back().empty()) {
      files.emplace_back();
      bytes = 0;
    }
    files.back().push_back(&output);
    bytes += output.bytes();
  }
  return files;
}

Error writeTensors(const std::string &path,
                   const std::vector<const Output *> &outputs) {
  std::vector<SafetensorsWriter::Entry> entries;
  for (const Output *output : outputs)
    entries.push_back({output->name, output->dtype, output->tensor.shape()});
  std::map<std::string, std::string> notes = resultMetadata();
  notes["format"] = "pt";
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(path, entries, notes);
  if (!writer)
    return writer.takeError();
  for (size_t index : writer->order())
    if (Error error =
            appendConverted(*writer, outputs[index]->name,
                            outputs[index]->tensor, outputs[index]->dtype))
      return error;
  return writer->commit();
}

bool isWeights(const std::string &name) {
  const std::string suffix = safetensorsSuffix;
  return name == adapterWeightsName ||
         (name.rfind("model", 0) == 0 && name.size() > suffix.size() &&
          name.compare(name.size() - suffix.size(), name.npos, suffix) == 0);
}

/// Checks the folder to write to; `old` receives its files of weights.
Error checkOutput(const FolderExportOptions &options,
                  std::set<std::string> &old) {
  std::error_code code;
  for (const std::string &original : {options.model, options.adapter})
    if (!original.empty() && fs::equivalent(original, options.output, code))
      return Error("'" + options.output +
                   "' is the folder that the model is from, and would be "
                   "overwritten; choose another one with --output");
  if (!fs::exists(options.output, code))
    return Error::success();
  bool hasOthers = false;
  fs::directory_iterator it(options.output, code), end;
  if (code)
    return Error("'" + options.output +
                 "' is in the way of --output: it is no "
                 "folder, or cannot be read");
  for (; !code && it != end; it.increment(code)) {
    const std::string name = it->path().filename().string();
    if (!isWeights(name)) {
      hasOthers = true;
      continue;
    }
    old.insert(name);
    if (!options.replaceOthers)
      if (Error error =
              checkResultOverwrite(it->path().string(), {}, "--output"))
        return error;
  }
  if (hasOthers && old.empty() && !options.replaceOthers)
    return Error("'" + options.output +
                 "' has files that te-run did not write; choose another folder "
                 "with --output, or insist with --force");
  return Error::success();
}

/// Copies a file; does nothing if there is none.
Error copyFile(const std::string &from, const std::string &to,
               const std::string &name) {
  if (!exists(inside(from, name)))
    return Error::success();
  Expected<MappedFile> file = MappedFile::open(inside(from, name));
  if (!file)
    return file.takeError();
  return writeFile(inside(to, name), {file->data(), file->size()});
}

/// The configuration of the model, with the type of what is written.
Error writeConfig(const FolderExportOptions &options) {
  Expected<json> config = readJson(inside(options.model, configName));
  if (!config)
    return config.takeError();
  if (!options.dtype)
    return copyFile(options.model, options.output, configName);
  const char *type = *options.dtype == DType::BF16 ? "bfloat16" : "float32";
  // Its name before transformers 4.56.
  const bool isOld = config->contains("torch_dtype");
  (*config)[isOld ? "torch_dtype" : "dtype"] = type;
  return writeFile(inside(options.output, configName), config->dump(2) + "\n");
}

/// That of the adapters, which names their model.
Error writeAdapterConfig(const FolderExportOptions &options) {
  Expected<json> config = readJson(inside(options.adapter, adapterConfigName));
  if (!config)
    return config.takeError();
  json &base = (*config)["base_model_name_or_path"];
  if (!base.is_string() || base.get<std::string>().empty())
    base = options.model;
  (*config)["inference_mode"] = true;
  return writeFile(inside(options.output, adapterConfigName),
                   config->dump(2) + "\n");
}
} // namespace

Expected<FolderExportSummary>
tert::session::exportFolder(const FolderExportOptions &options,
                            const Description *program) {
  const bool isAdapter = !options.adapter.empty();
  std::set<std::string> old;
  if (Error error = checkOutput(options, old))
    return error;
  Expected<TensorFiles> file = openCheckpoint(options.checkpoint);
  if (!file)
    return file.takeError();
  Expected<ExportedStates> states =
      findExportedStates(*file, program, options.averages);
  if (!states)
    return states.takeError();
  FolderExportSummary summary;
  summary.step = states->step;
  Expected<Originals> originals{Originals()};
  if (!isAdapter)
    originals = Originals::open(options.model, weightsName, indexName);
  if (!originals)
    return originals.takeError();
  Expected<std::vector<Output>> outputs =
      isAdapter
          ? chooseAdapters(options, *states)
          : chooseTensors(options, *file, *states, *originals, summary.warning);
  if (!outputs)
    return outputs.takeError();
  if (outputs->empty())
    return Error("'" + file->path() + "' has no parameter of an adapter");
  // Before anything is written.
  Expected<json> config =
      readJson(isAdapter ? inside(options.adapter, adapterConfigName)
                         : inside(options.model, configName));
  if (!config)
    return config.takeError();

  std::error_code code;
  fs::create_directories(options.output, code);
  if (code)
    return Error("cannot make the folder '" + options.output +
                 "': " + code.message());
  const auto files =
      split(*outputs, isAdapter ? UINT64_MAX : options.shardBytes);
  json map = json::object();
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string name =
        isAdapter ? adapterWeightsName
        : files.size() == 1
            ? weightsName
            : format("model-%05zu-of-%05zu.safetensors", i + 1, files.size());
    if (Error error = writeTensors(inside(options.output, name), files[i]))
      return error;
    old.erase(name);
    for (const Output *output : files[i]) {
      map[output->name] = name;
      summary.bytes += output->bytes();
    }
  }
  summary.parameters = states->parameters.size();
  summary.tensors = outputs->size();
  summary.files = files.size();
  const std::string index = inside(options.output, indexName);
  if (files.size() > 1) {
    const json content = {{"metadata", {{"total_size", summary.bytes}}},
                          {"weight_map", map}};
    if (Error error = writeFile(index, content.dump(2) + "\n"))
      return error;
  } else {
    fs::remove(index, code);
  }
  for (const std::string &name : old)
    fs::remove(inside(options.output, name), code);
  const std::string &source = isAdapter ? options.adapter : options.model;
  for (const char *name : companions)
    if (Error error = copyFile(source, options.output, name))
      return error;
  if (Error error =
          isAdapter ? writeAdapterConfig(options) : writeConfig(options))
    return error;
  return summary;
}
