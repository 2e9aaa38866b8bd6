// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextData.h"

#include "ChildProcess.h"
#include "Output.h"
#include "checkpoint/FolderLock.h"
#include "support/Digest.h"
#include "training/Data.h"

#include <algorithm>
#include <filesystem>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;
namespace fs = std::filesystem;

static bool areTexts(const std::vector<std::string> &files) {
  return std::all_of(files.begin(), files.end(), [](const fs::path &file) {
    const std::string extension = file.extension().string();
    std::error_code code;
    return extension != ".bin" && extension != ".safetensors" &&
           fs::exists(file, code);
  });
}

/// A digest of files' names, sizes and times.
static std::string digestOfNames(const std::vector<std::string> &files) {
  Digest digest;
  for (const fs::path file : files) {
    std::error_code code;
    const std::string stamp =
        fs::absolute(file, code).string() + '\0' +
        std::to_string(
            fs::is_regular_file(file, code) ? fs::file_size(file, code) : 0) +
        '\0' +
        std::to_string(
            fs::last_write_time(file, code).time_since_epoch().count());
    digest.add(stamp.data(), stamp.size() + 1);
  }
  return digest.text().substr(0, 16);
}

Error run::tokenizeTexts(const ModelFolder &source, const ProgramFolder &folder,
                         DataNames &names, bool isQuiet) {
  for (std::string &given : names) {
    Expected<std::vector<DataSource>> found =
        findData(DataNames(given), DataFormat::Bytes);
    // What is not there is an error of the data.
    if (!found || !areTexts(found->front().files))
      continue;
    const std::string &name = found->front().name;
    std::vector<std::string> files = found->front().files;
    for (const char *own : {"tokenizer.json", "tokenizer_config.json"})
      files.push_back((fs::path(source.model) / own).string());
    const std::string tokens = folder.tokens() + "/" + digestOfNames(files);
    std::error_code code;
    fs::create_directories(folder.tokens(), code);
    if (code)
      return Error("cannot make the folder '" + folder.tokens() +
                   "': " + code.message());
    Expected<FolderLock> lock = FolderLock::wait(folder.tokens(), [] {});
    if (!lock)
      return lock.takeError();
    if (!fs::exists(tokens, code)) {
      const std::string draft = tokens + ".tmp";
      fs::remove_all(draft, code);
      if (!isQuiet)
        std::printf("tokenizing %s\n", name.c_str());
      Expected<int> exit = runPython(
          source.python, "temlir_data",
          {"tokenize", name, "--tokenizer", source.model, "-o", draft + "/"},
          /*isQuiet=*/true);
      if (!exit)
        return exit.takeError();
      if (*exit == 0)
        fs::rename(draft, tokens, code);
      if (*exit != 0 || code) {
        fs::remove_all(draft, code);
        return Error("the text '" + name +
                     "' was not made to tokens (exit code " +
                     std::to_string(*exit) + " of '" + source.python +
                     "'); --tokens bytes takes its bytes for tokens");
      }
    }
    const std::string share = given.substr(name.size()); // ":0.7", or nothing
    given = tokens + share;
  }
  return Error::success();
}
