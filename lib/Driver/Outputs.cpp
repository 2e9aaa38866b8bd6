// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Outputs.h"

#include "Report/ReportWriter.h"
#include "Weights.h"
#include "te/Driver/Compilation.h"

#include "artifact/ArtifactSeal.h"
#include "support/File.h"
#include "support/Safetensors.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::te;
using ::tert::session::findOutputTarget;
using ::tert::session::isProgramImage;
using ::tert::session::MappedFile;
using ::tert::session::OutputKind;
using ::tert::session::OutputTarget;
using ::tert::session::SafetensorsFile;

const llvm::StringLiteral mlir::te::kTextMark = "// Written by te-compile";

bool mlir::te::isOwnWeights(const std::string &path) {
  ::tert::session::Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return false;
  auto format = file->metadata().find("format");
  return format != file->metadata().end() && format->second == kWeightsFormat;
}

bool mlir::te::mayReplace(StringRef path) {
  OutputTarget place = findOutputTarget(path.str());
  if (place.kind != OutputKind::File)
    return place.kind == OutputKind::Stream;
  if (!llvm::sys::fs::exists(place.path))
    return true;
  ::tert::session::Expected<MappedFile> file = MappedFile::open(place.path);
  if (!file)
    return false;
  StringRef text(file->data(), file->size());
  return text.empty() || text.starts_with(kTextMark) || isReport(text) ||
         isProgramImage({text.data(), text.size()}) || isOwnWeights(place.path);
}

void Outputs::addInput(StringRef path, StringRef what) {
  if (!path.empty() && path != "-")
    inputs.push_back({path.str(), what.str(), ""});
}

void Outputs::add(StringRef path, StringRef what, StringRef option) {
  if (!path.empty() && path != "-")
    outputs.push_back({path.str(), what.str(), option.str()});
}

LogicalResult Outputs::check(bool force) const {
  auto error = [&] { return emitError(UnknownLoc::get(&context)); };
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    OutputTarget place = findOutputTarget(output->path);
    if (place.kind == OutputKind::Refused)
      return error() << "cannot write '" << output->path << "': " << place.why
                     << "; choose another name with " << output->option;
    if (place.kind == OutputKind::Stream)
      continue;
    for (auto other = outputs.begin(); other != output; ++other)
      if (place.path == findOutputTarget(other->path).path ||
          isSameFile(output->path, other->path))
        return error() << "'" << output->path << "' would be both "
                       << other->what << " and " << output->what
                       << "; choose another name with " << output->option;
    if (force)
      continue;
    for (const File &input : inputs)
      if (isSameFile(input.path, output->path))
        return error() << "'" << output->path << "' is " << input.what
                       << " and would be overwritten; choose another name "
                          "with "
                       << output->option << ", or insist with --force";
    if (!mayReplace(output->path))
      return error() << "'" << output->path << "' is in the way of "
                     << output->what
                     << ": te-compile did not write it and does not replace "
                        "it; choose another name with "
                     << output->option << ", or insist with --force";
  }
  return success();
}
