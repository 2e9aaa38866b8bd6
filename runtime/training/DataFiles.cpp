// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/DataFiles.h"

#include "checkpoint/TensorFiles.h"
#include "support/Checksum.h"
#include "support/Text.h"
#include "training/Data.h"
#include "training/MegatronIndex.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <glob.h>

using namespace tert;
using namespace tert::session;
using namespace tert::training;
namespace fs = std::filesystem;

Expected<std::optional<double>> training::takeWeight(std::string &name) {
  std::error_code code;
  const size_t colon = name.rfind(':');
  if (colon == name.npos || fs::exists(name, code))
    return std::optional<double>();
  const std::string text = name.substr(colon + 1);
  double weight = 0;
  auto [end, failed] =
      std::from_chars(text.data(), text.data() + text.size(), weight);
  if (failed != std::errc() || end != text.data() + text.size())
    return std::optional<double>();
  if (!(weight > 0) || !std::isfinite(weight))
    return Error("the weight of '" + name + "' is not a number above 0");
  name.erase(colon);
  return std::optional<double>(weight);
}

static bool isData(const fs::path &file, DataFormat format) {
  const std::string extension = file.extension().string();
  if (format != DataFormat::Auto)
    return extension != ".idx";
  return extension == ".bin" || extension == ".txt" ||
         extension == ".safetensors";
}

static bool isHidden(const fs::path &path) {
  return path.filename().string().rfind('.', 0) == 0;
}

static Expected<std::vector<std::string>> filesIn(const std::string &folder,
                                                  DataFormat format) {
  std::vector<std::string> files;
  std::error_code code;
  for (fs::recursive_directory_iterator it(folder, code), end;
       !code && it != end; it.increment(code)) {
    std::error_code ignored;
    if (isHidden(it->path()) && it->is_directory(ignored))
      it.disable_recursion_pending();
    else if (!isHidden(it->path()) && it->is_regular_file(ignored) &&
             isData(it->path(), format))
      files.push_back(it->path().string());
  }
  if (code)
    return Error("cannot read the folder '" + folder + "': " + code.message());
  if (files.empty())
    return Error(
        "the folder '" + folder + "' has no data in it" +
        (format == DataFormat::Auto
             ? ": no file is called .bin, .txt or .safetensors. --tokens says "
               "how to read files of other names"
             : ""));
  std::sort(files.begin(), files.end());
  return files;
}

static Expected<std::vector<std::string>> matches(const std::string &pattern) {
  glob_t found = {};
  const int status = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv,
                                 found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (status == GLOB_NOMATCH)
    return Error("no file matches '" + pattern + "'");
  if (status != 0)
    return Error("cannot look for '" + pattern + "'");
  return files;
}

Expected<std::vector<DataSource>> training::findData(const DataNames &names,
                                                     DataFormat format) {
  std::vector<DataSource> sources;
  for (std::string name : names) {
    DataSource source;
    if (Error error = takeWeight(name).moveTo(source.weight))
      return error;
    source.name = name;
    std::error_code code;
    if (fs::is_directory(name, code)) {
      if (Error error = filesIn(name, format).moveTo(source.files))
        return error;
    } else if (name.find_first_of("*?[") != name.npos &&
               !fs::exists(name, code)) {
      if (Error error = matches(name).moveTo(source.files))
        return error;
    } else {
      source.files.push_back(name);
    }
    sources.push_back(std::move(source));
  }
  for (const DataSource &source : sources)
    if (source.weight.has_value() != sources.front().weight.has_value())
      return Error("'" + source.name + "' has " + (source.weight ? "a" : "no") +
                   " weight, and '" + sources.front().name + "' has " +
                   (source.weight ? "none" : "one") + "; give all data one (" +
                   source.name +
                   ":0.5), or none, so that all of it is as likely");
  return sources;
}

Expected<std::vector<std::string>> training::filesOf(const DataNames &names,
                                                     DataFormat format) {
  Expected<std::vector<DataSource>> sources = findData(names, format);
  if (!sources)
    return sources.takeError();
  std::vector<std::string> files;
  for (const DataSource &source : *sources)
    files.insert(files.end(), source.files.begin(), source.files.end());
  return files;
}

bool training::haveMegatronIndices(const DataNames &names, DataFormat format) {
  Expected<std::vector<std::string>> files = filesOf(names, format);
  return files && std::all_of(files->begin(), files->end(), hasMegatronIndex);
}

Expected<std::string> training::digestOfData(const DataNames &names,
                                             DataFormat format) {
  Expected<std::vector<DataSource>> sources = findData(names, format);
  if (!sources)
    return sources.takeError();
  if (sources->size() == 1 && sources->front().files.size() == 1)
    return digestOfTensors(sources->front().files.front());
  Checksum all;
  size_t count = 0;
  for (const DataSource &source : *sources) {
    const std::string weight =
        source.weight ? tert::session::format("weight %g;", *source.weight)
                      : "";
    all.add(weight.data(), weight.size());
    for (const std::string &file : source.files) {
      Expected<std::string> digest = digestOfTensors(file);
      if (!digest)
        return digest;
      *digest += ';';
      all.add(digest->data(), digest->size());
      ++count;
    }
  }
  return std::to_string(count) + " files, " + all.finish();
}

uint64_t training::bytesOfData(const DataNames &names, DataFormat format) {
  Expected<std::vector<std::string>> files = filesOf(names, format);
  uint64_t bytes = 0;
  if (files)
    for (const std::string &file : *files) {
      std::error_code code;
      const uint64_t size = fs::file_size(file, code);
      bytes += code ? 0 : size;
    }
  return bytes;
}
