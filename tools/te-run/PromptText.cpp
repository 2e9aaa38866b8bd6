// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PromptText.h"

#include "ChildProcess.h"
#include "support/File.h"
#include "support/Json.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::generation;
using nlohmann::json;

namespace {
/// A folder that goes with this object.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code code;
    path =
        (std::filesystem::temp_directory_path(code) / "te-run-XXXXXX").string();
    if (!::mkdtemp(path.data()))
      path.clear();
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code code;
    if (!path.empty())
      std::filesystem::remove_all(path, code);
  }
  Error check() const {
    return path.empty()
               ? Error(std::string("cannot make a temporary folder: ") +
                       std::strerror(errno))
               : Error::success();
  }
  std::string file(const std::string &name) const { return path + "/" + name; }

private:
  std::string path;
};

Error runTokenizer(const Tokenizer &tokenizer,
                   std::vector<std::string> arguments) {
  Expected<int> code = runPython(tokenizer.python, "temlir_data",
                                 std::move(arguments), /*isQuiet=*/false);
  if (!code)
    return code.takeError();
  return *code == 0 ? Error::success()
                    : Error("the tokenizer '" + tokenizer.name +
                            "' failed (exit code " + std::to_string(*code) +
                            " of '" + tokenizer.python + "')");
}
} // namespace

Expected<EncodedPrompts>
run::encodePrompts(const Tokenizer &tokenizer,
                   const std::vector<std::string> &texts) {
  TemporaryFolder folder;
  if (Error error = folder.check())
    return error;
  const std::string path = folder.file("prompts.json");
  std::vector<std::string> arguments = {"encode", "--tokenizer", tokenizer.name,
                                        "-o",     path,          "--"};
  arguments.insert(arguments.end(), texts.begin(), texts.end());
  if (Error error = runTokenizer(tokenizer, std::move(arguments)))
    return error;
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  const json root = parseJson({file->data(), file->size()});
  auto invalid = [&] {
    return Error("'" + tokenizer.python +
                 "' has a package temlir_data of another version: it did not "
                 "write the ids of the prompts");
  };
  if (!root.is_object() || !root.contains("prompts") ||
      !root["prompts"].is_array() || root["prompts"].size() != texts.size())
    return invalid();
  EncodedPrompts encoded;
  for (const json &prompt : root["prompts"]) {
    Tokens &ids = encoded.prompts.emplace_back();
    if (!prompt.is_array())
      return invalid();
    for (const json &id : prompt) {
      if (!id.is_number_unsigned())
        return invalid();
      ids.push_back(id.get<int64_t>());
    }
  }
  if (auto end = root.find("end");
      end != root.end() && end->is_number_unsigned())
    encoded.end = end->get<int64_t>();
  return encoded;
}

Error run::printTexts(const Tokenizer &tokenizer,
                      const std::vector<Tokens> &sequences) {
  TemporaryFolder folder;
  if (Error error = folder.check())
    return error;
  const std::string path = folder.file("sequences.txt");
  std::ofstream file(path);
  for (const Tokens &sequence : sequences) {
    for (size_t i = 0; i < sequence.size(); ++i)
      file << (i ? "," : "") << sequence[i];
    file << '\n';
  }
  file.close();
  if (!file)
    return Error("cannot write '" + path + "'");
  return runTokenizer(tokenizer,
                      {"decode", path, "--tokenizer", tokenizer.name});
}
