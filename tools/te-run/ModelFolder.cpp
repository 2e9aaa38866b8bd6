// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelFolder.h"

#include "Arguments.h"
#include "ChildProcess.h"
#include "Output.h"
#include "checkpoint/FolderLock.h"
#include "support/File.h"
#include "support/Json.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
namespace fs = std::filesystem;
using nlohmann::json;

void ModelFolder::addTo(CLI::App &command) {
  CLI::Option *folder =
      command
          .add_option("--model", model,
                      "Instead of ARTIFACT: a folder of Hugging Face with a "
                      "causal language model (config.json, safetensors); "
                      "Python exports it and te-compile compiles it, into "
                      "FOLDER/program of --checkpoint")
          ->type_name("FOLDER");
  std::vector<CLI::Option *> flags = {
      command
          .add_option("--adapter", adapter,
                      "LoRA adapters of PEFT, which are trained, while the "
                      "model is frozen; new ones if the folder has "
                      "adapter_config.json alone")
          ->type_name("FOLDER"),
      command.add_option("--batch", batch, "Rows of a batch")
          ->check(positive())
          ->capture_default_str(),
      command
          .add_option("--sequence", sequence,
                      "Tokens of a row; without it 1024, or what the model "
                      "takes if that is less")
          ->check(positive()),
      command.add_flag("--dropout", keepsDropout,
                       "Keep the model's dropout, and that of adapters"),
      command.add_flag("--document-masks", masksDocuments,
                       "Keep attention within documents, which end with "
                       "--document-end, or else where the .idx of Megatron's "
                       "data says, or with the token that the tokenizer ends "
                       "texts with"),
      command
          .add_option("--compile", compileOptions,
                      "An option of te-compile, such as precision=bf16; "
                      "without it the target is that of --device, and the "
                      "entries are those that the other options need; may be "
                      "repeated")
          ->type_name("NAME[=VALUE]"),
      command
          .add_option("--cache", cache,
                      "Where the exported graph and the program are kept, and "
                      "used again while nothing changes; without it and "
                      "without --checkpoint, NAME.program in the current "
                      "folder")
          ->type_name("FOLDER"),
      command
          .add_option("--python", python,
                      "The Python that has temlir_export, torch and "
                      "transformers")
          ->type_name("FILE")
          ->capture_default_str()};
  folder->group("Model of Hugging Face");
  for (CLI::Option *flag : flags) {
    flag->group("Model of Hugging Face");
    flag->needs(folder);
  }
}

bool ModelFolder::gives(const std::string &name) const {
  return std::any_of(compileOptions.begin(), compileOptions.end(),
                     [&](const std::string &option) {
                       return option.substr(0, option.find('=')) == name;
                     });
}

/// A folder's own name, also of "path/" and ".".
static std::string nameOf(const std::string &folder) {
  std::error_code code;
  fs::path path = fs::canonical(folder, code);
  return code || path.filename().empty() ? "model" : path.filename().string();
}

ProgramFolder ProgramFolder::of(const ModelFolder &source,
                                const std::string &checkpoints) {
  if (!source.cache.empty())
    return ProgramFolder(source.cache);
  if (!checkpoints.empty())
    return ProgramFolder((fs::path(checkpoints) / "program").string());
  return ProgramFolder(nameOf(source.model) + ".program");
}

ProgramFolder ProgramFolder::ofCheckpoint(const std::string &checkpoint) {
  std::error_code code;
  const fs::path inside = fs::path(checkpoint) / "program";
  if (fs::is_directory(inside, code))
    return ProgramFolder(inside.string());
  const fs::path own = fs::absolute(checkpoint, code).lexically_normal();
  // Of a sharded checkpoint the name may end in a slash.
  const fs::path path = own.has_filename() ? own : own.parent_path();
  return ProgramFolder((path.parent_path() / "program").string());
}

Expected<ModelSource> run::readSource(const ProgramFolder &folder) {
  Expected<MappedFile> file = MappedFile::open(folder.record());
  if (!file)
    return file.takeError();
  const json record = parseJson({file->data(), file->size()});
  auto text = [&](const char *key) {
    auto it = record.is_object() ? record.find(key) : record.end();
    return it != record.end() && it->is_string() ? it->get<std::string>() : "";
  };
  ModelSource source{text("model"), text("adapter")};
  if (source.model.empty())
    return Error("'" + folder.record() +
                 "' does not say which model the "
                 "program is of");
  return source;
}

/// What tells whether a file has changed.
static json stampOf(const fs::path &path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0)
    return nullptr;
  return json::array({path.filename().string(), status.st_size,
                      static_cast<int64_t>(status.st_mtim.tv_sec),
                      static_cast<int64_t>(status.st_mtim.tv_nsec)});
}

/// Stamps of the files of a folder that an export may read.
static json stampsIn(const std::string &folder) {
  std::vector<json> stamps;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end;
       it.increment(code)) {
    const std::string extension = it->path().extension().string();
    if (extension == ".json" || extension == ".safetensors")
      stamps.push_back(stampOf(it->path()));
  }
  std::sort(stamps.begin(), stamps.end());
  return stamps;
}

namespace {
/// Makes the files of a program, of which the record says what they were made
/// of. A part of it is removed while its file is replaced.
class Preparation {
public:
  Preparation(const ModelFolder &source, const ProgramFolder &folder,
              bool isQuiet)
      : source(source), folder(folder), isQuiet(isQuiet) {}

  Error run() {
    std::error_code code;
    const std::string model = fs::canonical(source.model, code).string();
    if (code || !fs::is_directory(model, code))
      return Error("'" + source.model +
                   "' is no folder; 'hf download NAME --local-dir FOLDER' "
                   "fetches one from the Hugging Face Hub");
    std::string adapter;
    if (!source.adapter.empty()) {
      adapter = fs::canonical(source.adapter, code).string();
      if (code || !fs::is_directory(adapter, code))
        return Error("--adapter: '" + source.adapter + "' is no folder");
    }
    fs::create_directories(folder.path, code);
    if (code)
      return Error("cannot make the folder '" + folder.path +
                   "': " + code.message());
    Expected<FolderLock> lock = FolderLock::wait(folder.path, [&] {
      if (!isQuiet)
        std::fprintf(stderr, "waiting for another process that makes '%s'\n",
                     folder.program().c_str());
    });
    if (!lock)
      return lock.takeError();
    if (Expected<MappedFile> file = MappedFile::open(folder.record()))
      record = parseJson({file->data(), file->size()});
    if (!record.is_object())
      record = json::object();
    const json exported = {
        {"version", TE_RUN_VERSION},
        {"batch", source.batch},
        {"sequence", source.sequence},
        {"dropout", source.keepsDropout},
        {"document_masks", source.masksDocuments},
        {"files", stampsIn(model)},
        {"adapter_files", adapter.empty() ? json() : stampsIn(adapter)}};
    const bool isSame = has("exported", exported, folder.graph()) &&
                        record.value("model", json()) == model &&
                        record.value("adapter", json()) == adapter;
    if (!isSame) {
      record = {{"model", model}, {"adapter", adapter}};
      if (Error error = make("exported", exported,
                             [&] { return exportModel(model, adapter); }))
        return error;
    }
    const std::string compiler = compilerPath();
    const json compiled = {{"options", source.compileOptions},
                           {"compiler", stampOf(compiler)}};
    if (!has("compiled", compiled, folder.program()))
      return make("compiled", compiled, [&] { return compile(compiler); });
    return Error::success();
  }

private:
  bool has(const char *part, const json &key, const std::string &file) const {
    std::error_code code;
    return record.value(part, json()) == key && fs::exists(file, code);
  }

  Error write() { return writeFile(folder.record(), record.dump(1) + "\n"); }

  template <typename Maker>
  Error make(const char *part, const json &key, Maker maker) {
    record.erase(part);
    if (Error error = write())
      return error;
    if (Error error = maker())
      return error;
    record[part] = key;
    return write();
  }

  Error exportModel(const std::string &model, const std::string &adapter) {
    if (!isQuiet)
      std::printf("exporting %s\n", source.model.c_str());
    std::vector<std::string> arguments = {
        "hugging-face", model,     "-o",
        folder.graph(), "--batch", std::to_string(source.batch)};
    if (source.sequence)
      arguments.insert(arguments.end(),
                       {"--sequence", std::to_string(source.sequence)});
    if (!adapter.empty())
      arguments.insert(arguments.end(), {"--adapter", adapter});
    if (source.keepsDropout)
      arguments.push_back("--dropout");
    if (source.masksDocuments)
      arguments.push_back("--document-masks");
    Expected<int> code =
        runPython(source.python, "temlir_export", arguments, isQuiet);
    if (!code)
      return code.takeError();
    std::error_code ignored;
    if (*code != 0 || !fs::exists(folder.graph(), ignored))
      return Error("'" + source.model + "' was not exported (exit code " +
                   std::to_string(*code) + " of '" + source.python + "')");
    return Error::success();
  }

  Error compile(const std::string &compiler) {
    if (!isQuiet)
      std::printf("compiling %s\n", folder.graph().c_str());
    std::vector<std::string> command = {compiler, folder.graph()};
    for (const std::string &option : source.compileOptions)
      command.push_back("--" + option);
    command.insert(command.end(), {"-o", folder.program()});
    Expected<int> code = runChild(command, isQuiet);
    if (!code)
      return code.takeError();
    if (*code != 0)
      return Error("'" + folder.graph() + "' was not compiled (exit code " +
                   std::to_string(*code) + " of te-compile)");
    return Error::success();
  }

  const ModelFolder &source;
  const ProgramFolder &folder;
  const bool isQuiet;
  json record;
};
} // namespace

Expected<uint64_t> run::endOfTexts(const std::string &folder) {
  const fs::path files[] = {fs::path(folder) / "tokenizer_config.json",
                            fs::path(folder) / "tokenizer.json"};
  json contents[2];
  for (size_t i = 0; i < 2; ++i) {
    Expected<MappedFile> file = MappedFile::open(files[i].string());
    if (!file)
      return file.takeError();
    contents[i] = parseJson({file->data(), file->size()});
    if (!contents[i].is_object())
      return Error("'" + files[i].string() + "' is no JSON object");
  }
  json end = contents[0].value("eos_token", json());
  if (end.is_object())
    end = end.value("content", json());
  const json added = contents[1].value("added_tokens", json());
  if (end.is_string() && added.is_array())
    for (const json &token : added)
      if (token.is_object() && token.value("content", json()) == end)
        if (json id = token.value("id", json()); id.is_number_unsigned())
          return id.get<uint64_t>();
  return Error("the tokenizer in '" + folder +
               "' does not say which token ends a text (eos_token, one of its "
               "added_tokens); give its number with --document-end");
}

Expected<std::string> run::prepareProgram(const ModelFolder &source,
                                          const ProgramFolder &folder,
                                          bool isQuiet) {
  if (Error error = Preparation(source, folder, isQuiet).run())
    return error;
  return folder.program();
}
