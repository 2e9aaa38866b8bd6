// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters from JSON files.

#include "te/Planning/Cluster.h"

#include "support/InputFile.h"
#include "support/Json.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using tert::session::InputFile;
namespace json = llvm::json;

/// Far more than a description has.
static constexpr size_t kMostBytes = 1 << 20;

namespace {
/// The fields of one object of the file, each read once. Errors name the field
/// by its path from the top of the file.
class Fields {
public:
  /// An optional field, and the function that takes its value.
  struct Field {
    StringRef name;
    std::function<LogicalResult(const json::Value &, const Fields &)> take;
  };

  Fields(StringRef file, StringRef path, Location loc)
      : file(file), path(path), loc(loc) {}

  InFlightDiagnostic error() const {
    return emitError(loc) << "'" << file << "' describes no cluster: ";
  }
  std::string nameOf(StringRef field) const {
    return path.empty() ? field.str() : path + "." + field.str();
  }

  LogicalResult read(const json::Value &value, ArrayRef<Field> known) const {
    const json::Object *object = value.getAsObject();
    if (!object)
      return error() << (path.empty() ? "it" : "'" + path + "'")
                     << " is not a JSON object";
    for (const auto &[key, entry] : *object) {
      StringRef name(key);
      auto field = llvm::find_if(
          known, [&](const Field &field) { return field.name == name; });
      if (field == known.end()) {
        auto names = llvm::map_range(
            known, [](const Field &field) { return field.name; });
        return error() << "there is no field '" << nameOf(printable(name))
                       << "'; the fields there are " << llvm::join(names, ", ");
      }
      if (failed(field->take(entry, Fields(file, nameOf(name), loc))))
        return failure();
    }
    return success();
  }

  /// A finite number in [least, most], times `unit`.
  LogicalResult readNumber(const json::Value &value, double least, double most,
                           double unit, double &to) const {
    std::optional<double> number = value.getAsNumber();
    if (!number || !(*number >= least && *number <= most))
      return error() << "'" << path << "' must be a number from "
                     << shortest(least) << " to " << shortest(most);
    to = *number * unit;
    return success();
  }
  LogicalResult readText(const json::Value &value, std::string &to) const {
    std::optional<StringRef> text = value.getAsString();
    if (!text || text->empty() || text->size() > 200 ||
        !llvm::all_of(*text, llvm::isPrint))
      return error() << "'" << path
                     << "' must be a text of 1 to 200 printable characters";
    to = text->str();
    return success();
  }

private:
  /// "0.001"
  static std::string shortest(double number) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%g", number);
    return text;
  }
  /// A printable, shortened form for messages.
  static std::string printable(StringRef text) {
    std::string shown;
    for (char c : text.take_front(40))
      shown += llvm::isPrint(c) ? c : '?';
    return shown;
  }

  StringRef file;
  std::string path;
  Location loc;
};
} // namespace

static Fields::Field number(StringRef name, double least, double most,
                            double unit, double &to) {
  return {name, [=, &to](const json::Value &value, const Fields &fields) {
            return fields.readNumber(value, least, most, unit, to);
          }};
}

static Fields::Field text(StringRef name, std::string &to) {
  return {name, [&to](const json::Value &value, const Fields &fields) {
            return fields.readText(value, to);
          }};
}

// Limits allow times to be computed, and are far beyond any machine.
static Fields::Field link(StringRef name, Link &to) {
  return {name, [&to](const json::Value &value, const Fields &fields) {
            auto bandwidth = [](StringRef name, double &to) {
              return number(name, 1e-3, 1e6, 1e9, to);
            };
            return fields.read(
                value,
                {number("hop_us", 0, 1e6, 1e-6, to.hopSeconds),
                 bandwidth("all_reduce_gbytes_per_s", to.allReduce),
                 bandwidth("all_gather_gbytes_per_s", to.allGather),
                 bandwidth("reduce_scatter_gbytes_per_s", to.reduceScatter)});
          }};
}

/// A file may be incomplete, but the resulting cluster must be complete.
static LogicalResult checkComplete(const Cluster &cluster,
                                   const Fields &fields) {
  auto missing = [&](StringRef field) {
    return fields.error() << "it has no '" << field
                          << "'; add it, or name a predefined cluster before "
                             "the file, as in --cluster="
                          << getReferenceCluster().name << ",FILE";
  };
  if (cluster.target.empty())
    return missing("target");
  if (const auto &device = cluster.device) {
    if (device->peak == 0)
      return missing("device.bf16_tflops");
    if (device->copies == 0)
      return missing("device.copy_gbytes_per_s");
    if (device->memory == 0)
      return missing("device.memory_gib");
  }
  if (const auto &links = cluster.links) {
    std::pair<StringRef, const Link *> both[] = {{"host", &links->host},
                                                 {"network", &links->network}};
    for (auto [name, link] : both)
      for (auto [kind, bandwidth] :
           {std::pair<StringRef, double>{"all_reduce", link->allReduce},
            {"all_gather", link->allGather},
            {"reduce_scatter", link->reduceScatter}})
        if (bandwidth == 0)
          return missing(
              ("links." + name + "." + kind + "_gbytes_per_s").str());
  }
  return success();
}

LogicalResult mlir::te::applyClusterText(Cluster &cluster, StringRef text,
                                         StringRef file, Location loc) {
  Fields fields(file, "", loc);
  if (text.size() > kMostBytes)
    return fields.error() << "it is larger than a MiB";
  if (!tert::session::isShallowJson({text.data(), text.size()}))
    return fields.error() << "its JSON is nested too deep";
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return fields.error() << "it is not JSON: "
                          << llvm::toString(value.takeError());
  auto readDevice = [&](const json::Value &value, const Fields &fields) {
    if (!cluster.device)
      cluster.device.emplace();
    Cluster::Device &device = *cluster.device;
    return fields.read(
        value, {::text("name", device.name),
                number("memory_gib", 1e-3, 1e6, double(1 << 30), device.memory),
                number("bf16_tflops", 1e-3, 1e6, 1e12, device.peak),
                number("copy_gbytes_per_s", 1e-3, 1e6, 1e9, device.copies)});
  };
  auto readLinks = [&](const json::Value &value, const Fields &fields) {
    if (!cluster.links)
      cluster.links.emplace();
    Cluster::Links &links = *cluster.links;
    return fields.read(
        value, {number("start_us", 0, 1e6, 1e-6, links.startSeconds),
                number("interference", 0, 0.99, 1, links.interference),
                link("host", links.host), link("network", links.network)});
  };
  double hostSize = double(cluster.hostSize);
  if (failed(fields.read(*value, {::text("name", cluster.name),
                                  ::text("target", cluster.target),
                                  number("host_size", 1, 1 << 20, 1, hostSize),
                                  {"device", readDevice},
                                  {"links", readLinks}})))
    return failure();
  if (hostSize != std::floor(hostSize))
    return fields.error() << "'host_size' must be an integer";
  cluster.hostSize = int64_t(hostSize);
  return checkComplete(cluster, fields);
}

/// The file's text; too large a file is truncated so that parsing rejects it.
static tert::session::Expected<std::string> readText(StringRef path) {
  auto file = InputFile::open(path.str());
  if (!file)
    return file.takeError();
  std::string text(std::min<uint64_t>(file->size(), kMostBytes + 1), '\0');
  if (tert::session::Error error = file->read(0, text.data(), text.size()))
    return error;
  return text;
}

FailureOr<Cluster> mlir::te::readCluster(StringRef namesAndFiles,
                                         Location loc) {
  Cluster cluster;
  for (StringRef part : llvm::split(namesAndFiles, ',')) {
    if (const Cluster *known = findCluster(part)) {
      cluster = *known;
      continue;
    }
    auto text = readText(part);
    if (!text)
      return emitError(loc)
             << "there is no cluster '" << part
             << "', and no file of that name: " << text.takeError().message()
             << "; the predefined clusters are " << listClusters();
    if (cluster.name.empty())
      cluster.name = part.str();
    if (failed(applyClusterText(cluster, *text, part, loc)))
      return failure();
  }
  return cluster;
}
