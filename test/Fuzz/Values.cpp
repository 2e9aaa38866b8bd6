// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Values.h"

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cfloat>
#include <cmath>
#include <optional>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;
using test::counterUniform;
using test::HostTensor;

/// No function has so many arguments that streams of two seeds meet.
static constexpr uint64_t kStreamsPerSeed = 1 << 20;

static double roundTo(Type element, double value) {
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return value;
  if (type.isF32() && std::abs(value) <= FLT_MAX)
    return static_cast<double>(static_cast<float>(value));
  APFloat number(value);
  bool loses;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &loses);
  if (number.isInfinity())
    number = APFloat::getLargest(type.getFloatSemantics(), value < 0);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

static double extremeValue(uint64_t stream, int64_t i) {
  static constexpr double kExtremes[] = {0.0,   -0.0, 1e-30,   -1e-30,  88.0,
                                         -88.0, 89.0, -89.,    100.,    -100.,
                                         1e4,   -1e4, FLT_MAX, -FLT_MAX};
  double random = (counterUniform(stream, 2 * i) + 1) / 2;
  // Half of the elements are ordinary.
  if (random < 0.5)
    return counterUniform(stream, 2 * i + 1);
  // Streams differ in how far they go.
  size_t count = stream % 3 == 0 ? 14 : stream % 3 == 1 ? 12 : 8;
  return kExtremes[static_cast<size_t>((random - 0.5) * 2 * double(count))];
}

static double integerValue(int64_t low, int64_t high, uint64_t stream,
                           int64_t i) {
  // The ends come first.
  if (i < 2)
    return static_cast<double>(i == 0 ? high - 1 : low);
  double random = (counterUniform(stream, i) + 1) / 2;
  return static_cast<double>(low) +
         std::floor(random * static_cast<double>(high - low));
}

HostTensor fuzz::makeValues(StringRef text, ShapedType type) {
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, false);
  auto number = [&](size_t i, double otherwise) {
    double value;
    return i < words.size() && !words[i].getAsDouble(value) ? value : otherwise;
  };
  StringRef kind = words.empty() ? "uniform" : words[0];
  HostTensor tensor(type.getShape());
  Type element = type.getElementType();
  for (int64_t i = 0, e = tensor.size(); i < e; ++i) {
    double value;
    if (kind == "extreme")
      value = extremeValue(uint64_t(number(1, 0)), i);
    else if (kind == "same")
      value = number(1, 0);
    else if (kind == "ids")
      value = integerValue(int64_t(number(1, 0)), int64_t(number(2, 2)),
                           uint64_t(number(3, 0)), i);
    else if (kind == "labels")
      value = i % 4 == 3 ? number(2, -100)
                         : integerValue(0, int64_t(number(1, 2)),
                                        uint64_t(number(3, 0)), i);
    else
      value = number(1, 1) * counterUniform(uint64_t(number(2, 0)), i);
    tensor[i] = roundTo(element, value);
  }
  return tensor;
}

static std::string keyOf(const BoundaryValue &value) {
  return (stringifyBoundaryRole(value.role) + "." + value.name).str();
}

static bool isMatrix(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() > 1 &&
         isa<FloatType>(tensor.getElementType());
}

std::string fuzz::getLogits(func::FuncOp forward) {
  bool hasParameter = llvm::any_of(
      llvm::seq<unsigned>(forward.getNumArguments()), [&](unsigned i) {
        return forward.getArgAttr(i, kParamAttr) &&
               isa<FloatType>(
                   getElementTypeOrSelf(forward.getArgument(i).getType()));
      });
  for (unsigned i = forward.getNumResults(); hasParameter && i-- > 0;)
    if (auto name = forward.getResultAttrOfType<StringAttr>(i, kOutputAttr);
        name && isMatrix(forward.getResultTypes()[i]))
      return name.str();
  return "";
}

static bool isDerived(const BoundaryValue &value) {
  auto init = dyn_cast_or_null<StringAttr>(value.init);
  return init && init.getValue() == "derived";
}

HostTensor Arguments::makeDefault(func::FuncOp function, unsigned i) const {
  auto type = cast<ShapedType>(function.getArgument(i).getType());
  if (auto text = function.getArgAttrOfType<StringAttr>(i, kValuesAttr))
    return makeValues(text.getValue(), type);
  uint64_t stream = kStreamsPerSeed * seed + i;
  if (isa<FloatType>(type.getElementType()))
    return makeValues(llvm::formatv("uniform 1 {0}", stream).str(), type);
  auto range = function.getArgAttrOfType<DenseI64ArrayAttr>(i, kRangeAttr);
  bool hasRange = range && range.size() == 2;
  return makeValues(llvm::formatv("ids {0} {1} {2}", hasRange ? range[0] : 0,
                                  hasRange ? range[1] : 2, stream)
                        .str(),
                    type);
}

void Arguments::add(func::FuncOp model) {
  for (unsigned i = 0; i < model.getNumArguments(); ++i) {
    auto type = dyn_cast<ShapedType>(model.getArgument(i).getType());
    if (!type || !type.hasStaticShape())
      continue;
    if (auto name = model.getArgAttrOfType<StringAttr>(i, kInputAttr))
      values["input." + name.str()] = makeDefault(model, i);
    else if (auto name = model.getArgAttrOfType<StringAttr>(i, kParamAttr))
      values["param." + name.str()] = makeDefault(model, i);
  }
  for (Type type : model.getResultTypes())
    if (isMatrix(type))
      classes = cast<RankedTensorType>(type).getShape().back();
}

/// The number that an attribute is; nothing for others, and for none.
static std::optional<double> getNumber(Attribute attr) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attr))
    return number.getValueAsDouble();
  if (auto number = dyn_cast_or_null<IntegerAttr>(attr))
    return double(number.getInt());
  return std::nullopt;
}

FailureOr<SmallVector<HostTensor>> Arguments::get(func::FuncOp function) {
  FailureOr<EntryInterface> interface = EntryInterface::get(function);
  if (failed(interface))
    return failure();
  SmallVector<HostTensor> result;
  bool hasNewDerived = false;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    const BoundaryValue &value = interface->getArgument(i);
    auto [it, isNew] = values.try_emplace(keyOf(value));
    HostTensor &tensor = it->second;
    std::optional<double> number =
        getNumber(value.defaultValue ? value.defaultValue : value.init);
    if (isNew && number)
      tensor = HostTensor(value.type.getShape(), *number);
    else if (isNew && isDerived(value)) {
      tensor = HostTensor(value.type.getShape());
      hasNewDerived = true;
    } else if (isNew && isa<IntegerType>(value.type.getElementType()))
      tensor = makeValues(llvm::formatv("labels {0} -100 {1}", classes,
                                        kStreamsPerSeed * seed + 7)
                              .str(),
                          value.type);
    else if (isNew)
      tensor = makeValues(
          llvm::formatv("uniform 1 {0}", kStreamsPerSeed * seed + 1000 + i)
              .str(),
          value.type);
    result.push_back(tensor);
  }
  if (!hasNewDerived)
    return result;
  if (failed(derive(function)))
    return failure();
  return get(function);
}

LogicalResult Arguments::derive(func::FuncOp function) {
  auto init =
      function->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>("init");
  if (!init || init == function)
    return success();
  FailureOr<EntryInterface> interface = EntryInterface::get(init);
  FailureOr<SmallVector<HostTensor>> arguments = get(init);
  if (failed(interface) || failed(arguments))
    return failure();
  FailureOr<SmallVector<HostTensor>> results = test::evaluate(init, *arguments);
  if (failed(results))
    return failure();
  for (const BoundaryValue &value : interface->values)
    if (value.result)
      values[keyOf(value)] = (*results)[*value.result];
  return success();
}
