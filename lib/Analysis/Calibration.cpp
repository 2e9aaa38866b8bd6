// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/Calibration.h"

#include "support/Json.h"
#include "te/Support/ReadFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;
namespace json = llvm::json;

/// Some hundreds of bytes a product, of thousands of products.
static constexpr uint64_t kMostBytes = uint64_t(16) << 20;
static constexpr size_t kMostOctaves = 64;
static constexpr double kMost = std::numeric_limits<double>::max();

namespace {
/// An object of the file. Every known field is there, and no other one.
class Object {
public:
  Object(StringRef file, std::string path)
      : file(file), path(std::move(path)) {}

  /// Takes the fields of `value`; `optional` may be missing.
  Error take(const json::Value &value, ArrayRef<StringRef> fields,
             StringRef optional = "") {
    object = value.getAsObject();
    if (!object)
      return error("", "is not an object");
    for (const auto &[key, entry] : *object)
      if (!llvm::is_contained(fields, StringRef(key)) &&
          StringRef(key) != optional)
        return error("", "has a field that is not known, '" +
                             printable(StringRef(key)) + "'; its fields are " +
                             llvm::join(fields, ", "));
    for (StringRef field : fields)
      if (!object->get(field))
        return error(field, "is missing");
    return Error::success();
  }

  bool has(StringRef field) const { return object->get(field) != nullptr; }
  const json::Value &at(StringRef field) const { return *object->get(field); }
  std::string pathOf(StringRef field) const {
    return path.empty() || field.empty() ? path + field.str()
                                         : path + "." + field.str();
  }
  Error error(StringRef field, const Twine &what) const {
    std::string where = pathOf(field);
    return llvm::createStringError(
        file + ": " + (where.empty() ? "it " : "'" + where + "' ") + what);
  }
  /// A number, finite since JSON has no others, in [least, most].
  Error number(StringRef field, double least, double most, double &to) const {
    std::optional<double> value = at(field).getAsNumber();
    if (!value || !(*value >= least && *value <= most))
      return error(field, least <= -kMost
                              ? Twine("is not a finite number")
                              : Twine("is not a number from ") +
                                    shortest(least) + " to " + shortest(most));
    to = *value;
    return Error::success();
  }

  static std::string printable(StringRef text) {
    std::string shown;
    for (char c : text.take_front(60))
      shown += llvm::isPrint(c) ? c : '?';
    return shown;
  }

private:
  static std::string shortest(double number) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%g", number);
    return text;
  }

  StringRef file;
  std::string path;
  const json::Object *object = nullptr;
};
} // namespace

/// {"mean": x, "error": e}
static Error takeEstimate(StringRef file, const Object &parent, StringRef field,
                          double least, double &mean) {
  Object estimate(file, parent.pathOf(field));
  double error;
  if (Error failure = estimate.take(parent.at(field), {"mean", "error"}))
    return failure;
  if (Error failure = estimate.number("mean", least, kMost, mean))
    return failure;
  return estimate.number("error", 0, kMost, error);
}

/// {"amax": x, "flushed": share, "octaves": [share, …]}
static Error takeOperand(StringRef file, const Object &parent, StringRef field,
                         Calibration::Tensor &tensor) {
  Object operand(file, parent.pathOf(field));
  if (Error failure =
          operand.take(parent.at(field), {"amax", "flushed"}, "octaves"))
    return failure;
  if (Error failure = operand.number("amax", 0, kMost, tensor.amax))
    return failure;
  if (Error failure = operand.number("flushed", 0, 1, tensor.flushed))
    return failure;
  if (!operand.has("octaves"))
    return Error::success();
  const json::Array *shares = operand.at("octaves").getAsArray();
  if (!shares || shares->size() > kMostOctaves)
    return operand.error("octaves", "is not an array of at most " +
                                        Twine(kMostOctaves) + " shares");
  for (const json::Value &share : *shares) {
    std::optional<double> value = share.getAsNumber();
    if (!value || !(*value >= 0 && *value <= 1))
      return operand.error("octaves", "has a share that is not from 0 to 1");
    tensor.octaves.push_back(*value);
  }
  return Error::success();
}

static Error takeProduct(StringRef file, const json::Value &value,
                         std::string path,
                         llvm::StringMap<Calibration::Layer> &layers) {
  Object object(file, std::move(path));
  if (!value.getAsObject())
    return object.error("", "is not an object");
  const json::Value *name = value.getAsObject()->get("product");
  if (!name)
    return object.error("product", "is missing");
  std::optional<MatmulRole> role =
      symbolizeMatmulRole(name->getAsString().value_or(""));
  SmallVector<StringRef> fields = {"layer", "product", "relative_error"};
  SmallVector<StringRef> operands;
  if (role == MatmulRole::Fprop) {
    fields.append({"second_order", "first_order"});
    operands = {"input", "weight"};
  } else if (role == MatmulRole::Dgrad) {
    fields.push_back("bias");
    operands = {"grad_output", "weight"};
  } else if (role == MatmulRole::Wgrad) {
    fields.push_back("bias");
    operands = {"grad_output", "input"};
  } else {
    return object.error("product", "is not fprop, dgrad or wgrad");
  }
  llvm::append_range(fields, operands);
  if (Error failure = object.take(value, fields))
    return failure;
  std::optional<StringRef> layer = object.at("layer").getAsString();
  if (!layer || layer->empty())
    return object.error("layer", "is not the name of a layer");
  Calibration::Layer &known = layers[*layer];
  std::optional<Calibration::Product> &slot =
      known.products[static_cast<unsigned>(*role)];
  if (slot)
    return object.error("", "is a second " + stringifyMatmulRole(*role) +
                                " of the layer '" + Object::printable(*layer) +
                                "'");
  Calibration::Product &product = slot.emplace();
  if (Error failure =
          object.number("relative_error", 0, kMost, product.relativeError))
    return failure;
  // All products of a layer say the same of a tensor.
  static constexpr StringRef kTensors[] = {"input", "weight", "grad_output"};
  for (StringRef operand : operands) {
    const auto place = llvm::find(kTensors, operand) - std::begin(kTensors);
    if (Error failure =
            takeOperand(file, object, operand, known.tensors[place].emplace()))
      return failure;
  }
  if (role != MatmulRole::Fprop)
    return object.number("bias", -kMost, kMost, product.bias);
  double firstOrder;
  if (Error failure =
          takeEstimate(file, object, "first_order", -kMost, firstOrder))
    return failure;
  return takeEstimate(file, object, "second_order", 0, product.lossIncrease);
}

const Calibration::Product *Calibration::Layer::find(MatmulRole role) const {
  auto index = static_cast<unsigned>(role);
  return index < products.size() && products[index] ? &*products[index]
                                                    : nullptr;
}

const Calibration::Layer *Calibration::find(StringRef layer) const {
  auto found = layers.find(layer);
  return found == layers.end() ? nullptr : &found->second;
}

Expected<Calibration> Calibration::parse(StringRef text, StringRef name) {
  if (!tert::session::isShallowJson({text.data(), text.size()}))
    return llvm::createStringError(name + ": its JSON is nested too deep");
  Expected<json::Value> root = json::parse(text);
  if (!root)
    return llvm::createStringError(
        name + ": it is not JSON: " + llvm::toString(root.takeError()));
  const json::Object *fields = root->getAsObject();
  if (!fields || fields->getString("format") != StringRef("te-calibration"))
    return llvm::createStringError(
        name + ": it is not a file of 'te-run calibrate': its 'format' is not "
               "'te-calibration'");
  if (fields->getInteger("version") != 1)
    return llvm::createStringError(name +
                                   ": its 'version' is not 1, which this "
                                   "compiler reads; run 'te-run calibrate' of "
                                   "the same release");
  Object object(name, "");
  if (Error failure = object.take(*root, {"format", "version", "model",
                                          "source", "checkpoint", "steps",
                                          "labels", "loss", "products"}))
    return std::move(failure);
  Calibration calibration;
  double count;
  for (StringRef field : {"steps", "labels"})
    if (Error failure = object.number(field, 1, kMost, count))
      return std::move(failure);
  for (StringRef field : {"model", "source"})
    if (!object.at(field).getAsString())
      return object.error(field, "is not a text");
  if (Error failure =
          takeEstimate(name, object, "loss", -kMost, calibration.loss))
    return std::move(failure);
  if (!(calibration.loss > 0))
    return object.error("loss.mean", "is not above 0, so that nothing can be "
                                     "said relative to it");
  const json::Array *products = object.at("products").getAsArray();
  if (!products || products->empty())
    return object.error("products", "is not an array of at least one product");
  for (auto [i, product] : llvm::enumerate(*products))
    if (Error failure =
            takeProduct(name, product, "products[" + std::to_string(i) + "]",
                        calibration.layers))
      return std::move(failure);
  return calibration;
}

Expected<Calibration> Calibration::read(StringRef path) {
  auto buffer = readFile(path, kMostBytes);
  if (!buffer)
    return llvm::createStringError("calibration: " +
                                   llvm::toString(buffer.takeError()));
  return parse((*buffer)->getBuffer(), path);
}

std::string mlir::te::formatQuality(double share) {
  double percent = 100 * share;
  if (percent > 0) {
    const double unit = std::pow(10, std::floor(std::log10(percent)) - 2);
    percent = std::ceil(percent / unit) * unit;
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g%%", percent);
  return text;
}

Expected<double> mlir::te::parseQuality(StringRef text) {
  StringRef number = text.trim();
  const bool isPercent = number.consume_back("%");
  double share;
  if (number.rtrim().getAsDouble(share) || !std::isfinite(share) || share < 0 ||
      share > (isPercent ? 100 : 1))
    return llvm::createStringError(
        "the quality '" + Object::printable(text) +
        "' is not what FP8 may add to the loss, such as 0.1% or 0.001");
  return isPercent ? share / 100 : share;
}
