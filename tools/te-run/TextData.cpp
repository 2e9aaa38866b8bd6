// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextData.h"

#include "ChildProcess.h"
#include "Output.h"
#include "checkpoint/FolderLock.h"
#include "support/Digest.h"

#include <algorithm>
#include <filesystem>
#include <glob.h>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::training;
namespace fs = std::filesystem;

/// The files of a folder, of a glob, or the file itself.
static std::vector<fs::path> namesIn(const std::string &name) {
  std::vector<fs::path> files;
  std::error_code code;
  if (fs::is_directory(name, code)) {
    for (fs::recursive_directory_iterator it(name, code), end;
         !code && it != end; it.increment(code))
      files.push_back(it->path());
  } else if (fs::exists(name, code)) {
    files.push_back(name);
  } else {
    glob_t found = {};
    if (::glob(name.c_str(), 0, nullptr, &found) == 0)
      files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
  }
  std::sort(files.begin(), files.end());
  return files;
}

static bool areTexts(const std::vector<fs::path> &files) {
  return std::none_of(files.begin(), files.end(), [](const fs::path &file) {
    const std::string extension = file.extension().string();
    return extension == ".bin" || extension == ".safetensors";
  });
}

/// A digest of files' names, sizes and times.
static std::string digestOfNames(const std::vector<fs::path> &files) {
  Digest digest;
  for (const fs::path &file : files) {
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
    std::string name = given;
    std::optional<double> weight;
    if (Error error = takeWeight(name).moveTo(weight))
      return error;
    std::vector<fs::path> files = namesIn(name);
    // What is not there is an error of the data.
    if (files.empty() || !areTexts(files))
      continue;
    files.push_back(fs::path(source.model) / "tokenizer.json");
    files.push_back(fs::path(source.model) / "tokenizer_config.json");
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
    const std::string share = given.substr(name.size()); // ":0.7"
    given = tokens + (weight ? share : "");
  }
  return Error::success();
}
