// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ResultFile.h"

#include "support/File.h"
#include "support/Safetensors.h"

#include <filesystem>

using namespace tert;
using namespace tert::session;

static constexpr char writerKey[] = "written_by";
static constexpr char writer[] = "te-run";

std::map<std::string, std::string> session::resultMetadata() {
  return {{writerKey, writer}};
}

Error session::checkOverwrite(
    const std::string &path, const std::vector<std::string> &inputs,
    const std::string &option,
    const std::function<bool(const std::string &)> &isOwn) {
  OutputTarget place = findOutputTarget(path);
  std::error_code code;
  // Files that cannot be written are refused when they are opened.
  if (place.kind != OutputKind::File ||
      !std::filesystem::exists(place.path, code))
    return Error::success();
  for (const std::string &input : inputs)
    if (!input.empty() && std::filesystem::equivalent(input, place.path, code))
      return Error("'" + path +
                   "' is read by this command and would be overwritten; choose "
                   "another name with " +
                   option + ", or insist with --force");
  if (std::filesystem::file_size(place.path, code) == 0 || isOwn(place.path))
    return Error::success();
  return Error("'" + path + "' is in the way of " + option +
               ": te-run did not write it and does not replace it; choose "
               "another name, or insist with --force");
}

Error session::checkResultOverwrite(const std::string &path,
                                    const std::vector<std::string> &inputs,
                                    const std::string &option) {
  return checkOverwrite(path, inputs, option, [](const std::string &place) {
    Expected<SafetensorsFile> file = SafetensorsFile::open(place);
    if (!file)
      return false;
    auto found = file->metadata().find(writerKey);
    return found != file->metadata().end() && found->second == writer;
  });
}
