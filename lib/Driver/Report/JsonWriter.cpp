// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/ReportWriter.h"

#include "te/Analysis/CostModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir::te;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kReportFormat = "te-report";

namespace {
class JsonWriter : public ReportWriter {
public:
  void write(llvm::raw_ostream &os, const ReportData &data) const override;
  bool hasWritten(llvm::StringRef text) const override {
    if (!text.ltrim().starts_with("{"))
      return false;
    llvm::Expected<json::Value> value = json::parse(text);
    if (!value) {
      llvm::consumeError(value.takeError());
      return false;
    }
    const json::Object *object = value->getAsObject();
    return object && object->getString("format") == kReportFormat;
  }
};
} // namespace

/// A text of a model, which need not be valid.
static json::Value makeText(llvm::StringRef text) {
  return json::fixUTF8(text);
}

template <typename Number>
static json::Value makeNumber(const std::optional<Number> &number) {
  return number ? json::Value(*number) : json::Value(nullptr);
}

template <typename Range, typename Function>
static json::Array makeArray(const Range &range, Function function) {
  json::Array array;
  for (const auto &element : range)
    array.push_back(function(element));
  return array;
}

/// "64x128, 256x128" as arrays.
static json::Array makeShapes(llvm::StringRef text) {
  return makeArray(llvm::split(text, ", "), [](llvm::StringRef shape) {
    return makeArray(llvm::split(shape, "x"), [](llvm::StringRef size) {
      int64_t number = 0;
      size.getAsInteger(10, number);
      return number;
    });
  });
}

/// What products have in common, in decisions and in graphs.
template <typename Product>
static json::Object makeProduct(const Product &product) {
  auto [operands, result] = llvm::StringRef(product.shape).split(" -> ");
  json::Array results = makeShapes(result);
  return json::Object{{"product", product.product},
                      {"precision", product.isFp8 ? "fp8" : "high"},
                      {"operands", makeShapes(operands)},
                      {"result", std::move(results.front())},
                      {"formats", product.formats},
                      {"flops", product.flops},
                      {"seconds", makeNumber(product.seconds)}};
}

static json::Object makeArguments(
    const std::vector<std::pair<std::string, std::string>> &arguments) {
  json::Object object;
  for (const auto &[key, value] : arguments)
    object[json::fixUTF8(key)] = makeText(value);
  return object;
}

static json::Object toReportJson(const ReportProduct &product) {
  json::Object object = makeProduct(product);
  object["entry"] = makeText(product.entry);
  object["layer"] = makeText(product.layer);
  object["decision"] = makeText(product.decision);
  object["reason"] = makeText(product.reason);
  object["suggestion"] = makeText(product.suggestion);
  object["arguments"] = makeArguments(product.arguments);
  return object;
}

static json::Object toReportJson(const ReportSensitivity &layer) {
  static constexpr llvm::StringLiteral products[] = {"fprop", "dgrad", "wgrad"};
  static constexpr llvm::StringLiteral tensors[] = {"input", "weight",
                                                    "grad_output"};
  json::Object errors, operands;
  for (auto [name, product] : llvm::zip_equal(products, layer.products))
    if (product)
      errors[name] = product->relativeError;
  for (auto [name, tensor] : llvm::zip_equal(tensors, layer.tensors))
    if (tensor)
      operands[name] = json::Object{{"amax", tensor->amax},
                                    {"flushed", tensor->flushed},
                                    {"octaves", json::Array(tensor->octaves)}};
  return json::Object{{"layer", makeText(layer.layer)},
                      {"precision", layer.isFp8 ? "fp8" : "high"},
                      {"adds_to_loss", layer.getAddsToLoss()},
                      {"quality", layer.quality.empty()
                                      ? json::Value(nullptr)
                                      : json::Value(layer.quality)},
                      {"relative_error", std::move(errors)},
                      {"tensors", std::move(operands)}};
}

static json::Object toReportJson(const ReportDecision &decision) {
  return json::Object{{"pass", makeText(decision.pass)},
                      {"where", makeText(decision.where)},
                      {"what", makeText(decision.what)},
                      {"done", decision.isDone},
                      {"text", makeText(decision.text)},
                      {"suggestion", makeText(decision.suggestion)},
                      {"arguments", makeArguments(decision.arguments)}};
}

static json::Object toReportJson(const ReportOp &op) {
  static constexpr llvm::StringLiteral phases[] = {"forward", "backward",
                                                   "update"};
  json::Object object;
  if (!op.product.empty())
    object = makeProduct(op);
  else
    object["seconds"] = makeNumber(op.seconds);
  object["kernel"] = makeText(op.kernel);
  object["path"] = makeText(op.path);
  object["phase"] = phases[int(op.phase)];
  return object;
}

static json::Object toReportJson(const ReportGraph &graph) {
  return json::Object{{"entry", makeText(graph.entry)},
                      {"ops", makeArray(graph.ops, [](const ReportOp &op) {
                         return toReportJson(op);
                       })}};
}

static json::Object toReportJson(const EntryCosts &entry) {
  return json::Object{
      {"entry", makeText(entry.entry)},
      {"kernels", makeArray(entry.kernels, [](const KernelCosts &kernel) {
         return json::Object{{"kernel", makeText(kernel.kernel)},
                             {"calls", kernel.calls},
                             {"seconds", kernel.cost.seconds},
                             {"floor_seconds", kernel.floorSeconds},
                             {"unknown_calls", kernel.unknownCalls},
                             {"figures", getSourceName(kernel.cost)}};
       })}};
}

static json::Object toReportJson(const ReportData::Entry &entry) {
  return json::Object{{"entry", makeText(entry.name)},
                      {"products", entry.products},
                      {"fp8_products", entry.fp8Products},
                      {"flops", entry.flops},
                      {"fp8_flops", entry.fp8Flops},
                      {"seconds", makeNumber(entry.seconds)},
                      {"arena_bytes", makeNumber(entry.arena)}};
}

static json::Object toReportJson(const ReportParameters &parameters) {
  return json::Object{
      {"trained", parameters.trained},
      {"trained_elements", parameters.trainedElements},
      {"frozen_elements", parameters.frozenElements},
      {"frozen", makeArray(parameters.frozen, [](const auto &parameter) {
         return json::Object{
             {"name", makeText(parameter.name)},
             {"shape", std::move(makeShapes(parameter.sizes).front())}};
       })}};
}

static json::Object toReportJson(const ReportSlot &slot) {
  return json::Object{{"name", makeText(slot.name)}, {"format", slot.format}};
}

void JsonWriter::write(llvm::raw_ostream &os, const ReportData &data) const {
  auto make = [](const auto &value) { return toReportJson(value); };
  json::Object report{{"format", kReportFormat},
                      {"version", 1},
                      {"compiler", "te-compile " + data.version},
                      {"model", makeText(data.source)},
                      {"target", makeText(data.target)},
                      {"device", data.device.empty() ? json::Value(nullptr)
                                                     : makeText(data.device)},
                      {"entries", makeArray(data.getEntries(), make)},
                      {"products", makeArray(data.products, make)},
                      {"decisions", makeArray(data.decisions, make)},
                      {"sensitivity", makeArray(data.sensitivity, make)},
                      {"graphs", makeArray(data.graphs, make)},
                      {"costs", makeArray(data.costs, make)},
                      {"parameters", toReportJson(data.parameters)},
                      {"slots", makeArray(data.slots, make)},
                      {"plan", data.plan ? json::Value(toJson(*data.plan))
                                         : json::Value(nullptr)}};
  os << llvm::formatv("{0:2}\n", json::Value(std::move(report)));
}

const ReportWriter &mlir::te::getJsonWriter() {
  static const JsonWriter writer;
  return writer;
}
