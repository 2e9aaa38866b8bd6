// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"

#include "Linalg/StructuredEvaluation.h"
#include "te/Dialect/TE/Transforms/Linalg/ScalarFunctions.h"

#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/Captures.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::te;

ConstantEvaluator::ConstantEvaluator(int64_t mostElements, int64_t mostWork)
    : mostElements(mostElements), mostWork(mostWork) {}
ConstantEvaluator::~ConstantEvaluator() = default;

void ConstantEvaluator::clear() { known.clear(); }

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The type of a tensor, or of rank 0 for a scalar; null if its element type is
/// not supported.
RankedTensorType ConstantEvaluator::getType(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = getElementTypeOrSelf(type);
  bool isInteger = element.isSignlessInteger() || element.isIndex();
  if (!isInteger && !isa<FloatType>(element))
    return {};
  if (!element.isIndex() && element.getIntOrFloatBitWidth() > 64)
    return {};
  if (!tensor)
    return isa<ShapedType>(type) ? RankedTensorType()
                                 : RankedTensorType::get({}, element);
  if (!tensor.hasStaticShape() || tensor.getNumElements() > mostElements)
    return {};
  return tensor;
}

static Number toNumber(const APInt &value, Type type) {
  Number number;
  number.integer = wrapTo(value.getSExtValue(), type);
  return number;
}

static Number toNumber(APFloat value) {
  bool ignored;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &ignored);
  Number number;
  number.real = value.convertToDouble();
  return number;
}

/// The elements of a resource, stored contiguously; booleans may be bits.
/// Returns nullopt if there are too few bytes.
static std::optional<std::vector<Number>>
readResource(DenseResourceElementsAttr resource) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return std::nullopt;
  ArrayRef<char> data = blob->getData();
  int64_t count = resource.getNumElements();
  Type element = resource.getElementType();
  if (element.isIndex())
    return std::nullopt;
  unsigned width = element.getIntOrFloatBitWidth();
  std::vector<Number> numbers(count);
  if (width == 1 && data.size() == llvm::divideCeil(count, 8) && count != 1) {
    for (int64_t i = 0; i < count; ++i)
      numbers[i].integer = (data[i / 8] >> (i % 8)) & 1;
    return numbers;
  }
  int64_t bytes = llvm::divideCeil(width, 8);
  if (int64_t(data.size()) != count * bytes || (width != 1 && width % 8))
    return std::nullopt;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    for (int64_t byte = 0; byte < bytes; ++byte)
      bits |= uint64_t(uint8_t(data[i * bytes + byte])) << (8 * byte);
    if (auto type = dyn_cast<FloatType>(element))
      numbers[i] =
          toNumber(APFloat(type.getFloatSemantics(), APInt(width, bits)));
    else
      numbers[i].integer = wrapTo(int64_t(bits), element);
  }
  return numbers;
}

std::optional<Elements> mlir::te::readElements(Attribute attribute,
                                               RankedTensorType type) {
  Elements elements{type, {}};
  Type element = type.getElementType();
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    elements.numbers.push_back(toNumber(integer.getValue(), element));
  } else if (auto number = dyn_cast<FloatAttr>(attribute)) {
    elements.numbers.push_back(toNumber(number.getValue()));
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    auto numbers = readResource(resource);
    if (!numbers)
      return std::nullopt;
    elements.numbers = std::move(*numbers);
  } else if (auto data = dyn_cast<DenseElementsAttr>(attribute)) {
    bool isFloat = isa<FloatType>(element);
    if (data.isSplat())
      elements.numbers.push_back(
          isFloat ? toNumber(data.getSplatValue<APFloat>())
                  : toNumber(data.getSplatValue<APInt>(), element));
    else if (element.isF32())
      for (float value : data.getValues<float>())
        elements.numbers.emplace_back().real = value;
    else if (isFloat)
      for (const APFloat &value : data.getValues<APFloat>())
        elements.numbers.push_back(toNumber(value));
    else
      for (const APInt &value : data.getValues<APInt>())
        elements.numbers.push_back(toNumber(value, element));
  } else {
    return std::nullopt;
  }
  return elements;
}

DenseElementsAttr mlir::te::toAttribute(const Elements &elements) {
  RankedTensorType type = elements.type;
  Type element = type.getElementType();
  if (auto floats = dyn_cast<FloatType>(element)) {
    if (element.isF32()) {
      std::vector<float> values;
      for (const Number &number : elements.numbers)
        values.push_back(float(number.real));
      return DenseElementsAttr::get(type, ArrayRef<float>(values));
    }
    SmallVector<APFloat> values;
    for (const Number &number : elements.numbers) {
      APFloat value(number.real);
      bool ignored;
      value.convert(floats.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &ignored);
      values.push_back(value);
    }
    return DenseElementsAttr::get(type, values);
  }
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  SmallVector<APInt> values;
  for (const Number &number : elements.numbers)
    values.push_back(APInt(width, uint64_t(number.integer), /*isSigned=*/true,
                           /*implicitTrunc=*/true));
  return DenseElementsAttr::get(type, values);
}

DenseElementsAttr ConstantEvaluator::get(Value value) {
  Known elements = getElements(value);
  return elements ? toAttribute(*elements) : DenseElementsAttr();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool ConstantEvaluator::getSources(Operation *op,
                                   SmallVectorImpl<Value> &sources) const {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (!structured.hasPureTensorSemantics())
      return false;
    for (OpOperand *input : structured.getDpsInputOperands())
      sources.push_back(input->get());
    for (OpOperand &init : structured.getDpsInitsMutable())
      if (structured.payloadUsesValueFromOperand(&init))
        sources.push_back(init.get());
  } else {
    if (!isMemoryEffectFree(op))
      return false;
    sources.assign(op->operand_begin(), op->operand_end());
  }
  llvm::append_range(sources, getCapturedValues(op));
  return true;
}

ConstantEvaluator::Known ConstantEvaluator::getElements(Value root) {
  // A chain of ops may exceed the stack's depth.
  SmallVector<std::pair<Value, bool>> pending{{root, false}};
  while (!pending.empty()) {
    auto [value, hasSources] = pending.back();
    if (known.count(value)) {
      pending.pop_back();
      continue;
    }
    auto result = dyn_cast<OpResult>(value);
    if (!result || !getType(value.getType())) {
      known[value] = {};
      continue;
    }
    SmallVector<Value> sources;
    if (!getSources(result.getOwner(), sources)) {
      known[value] = {};
      continue;
    }
    bool isVariable = false, isReady = true;
    for (Value source : sources) {
      auto it = known.find(source);
      isReady &= it != known.end();
      isVariable |= it != known.end() && !it->second;
    }
    if (isVariable) {
      known[value] = {};
    } else if (isReady) {
      Known elements = compute(result);
      known[value] = elements;
    } else if (hasSources) {
      // A graph region whose ops read each other.
      known[value] = {};
    } else {
      pending.back().second = true;
      for (Value source : sources)
        pending.push_back({source, false});
    }
  }
  return known[root];
}

ConstantEvaluator::Known ConstantEvaluator::compute(OpResult result) {
  Operation *op = result.getOwner();
  Attribute constant;
  if (op->hasTrait<OpTrait::ConstantLike>()) {
    auto elements = matchPattern(op, m_Constant(&constant))
                        ? readElements(constant, getType(result.getType()))
                        : std::nullopt;
    return elements ? std::make_shared<const Elements>(std::move(*elements))
                    : Known();
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return computeStructured(structured, result.getResultNumber());
  if (isa_and_present<tensor::TensorDialect>(op->getDialect()))
    return computeMovement(result);
  if (isa<LinalgFormOpInterface>(op))
    return computeLowered(result);
  return computeElementwise(result);
}

ConstantEvaluator::Known
ConstantEvaluator::computeElementwise(OpResult result) {
  Operation *op = result.getOwner();
  ScalarFunction function = getScalarFunction(op);
  if (!function)
    return {};
  Elements elements{getType(result.getType()), {}};
  SmallVector<Known, 3> operands;
  bool isSplat = true;
  for (Value operand : op->getOperands()) {
    operands.push_back(known.lookup(operand));
    isSplat &= operands.back()->isSplat();
  }
  int64_t count = elements.type.getNumElements();
  elements.numbers.resize(isSplat && count > 0 ? 1 : count);
  SmallVector<Number, 3> numbers(operands.size());
  for (size_t i = 0; i < elements.numbers.size(); ++i) {
    for (auto [number, operand] : llvm::zip_equal(numbers, operands))
      number = operand->at(i);
    if (!function(numbers.data(), elements.numbers[i]))
      return {};
  }
  return std::make_shared<const Elements>(std::move(elements));
}

/// The elements at `offset` plus the sum of a position times `strides`.
static Elements moved(const Elements &source, RankedTensorType type,
                      int64_t offset, ArrayRef<int64_t> strides) {
  Elements elements{type, {}};
  if (source.isSplat()) {
    elements.numbers = source.numbers;
    return elements;
  }
  elements.numbers.reserve(type.getNumElements());
  forEachPosition(type.getShape(), [&](ArrayRef<int64_t> position) {
    int64_t at = offset;
    for (auto [index, stride] : llvm::zip_equal(position, strides))
      at += index * stride;
    elements.numbers.push_back(source.numbers[at]);
  });
  return elements;
}

ConstantEvaluator::Known ConstantEvaluator::computeMovement(OpResult result) {
  Operation *op = result.getOwner();
  RankedTensorType type = getType(result.getType());
  auto share = [](Elements elements) -> Known {
    return std::make_shared<const Elements>(std::move(elements));
  };
  if (op->getNumOperands() == 0)
    return {};
  Known source = known.lookup(op->getOperand(0));
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
          tensor::SplatOp>(op))
    return share(Elements{type, source->numbers});
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<int64_t> position;
    for (Value index : extract.getIndices())
      position.push_back(known.lookup(index)->at(0).integer);
    std::optional<int64_t> at = placeOf(position, source->type.getShape());
    return at ? share(Elements{type, {source->at(*at)}}) : Known();
  }
  if (isa<tensor::FromElementsOp>(op)) {
    Elements elements{type, {}};
    for (Value operand : op->getOperands())
      elements.numbers.push_back(known.lookup(operand)->at(0));
    return share(std::move(elements));
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!slice.getOffsets().empty() || !slice.getSizes().empty() ||
        !slice.getStrides().empty())
      return {};
    SmallVector<int64_t> own = computeStrides(source->type.getShape()), strides;
    int64_t offset = 0;
    auto dropped = slice.getDroppedDims();
    for (auto [dim, stride] : llvm::enumerate(own)) {
      offset += slice.getStaticOffsets()[dim] * stride;
      if (!dropped.test(dim))
        strides.push_back(slice.getStaticStrides()[dim] * stride);
    }
    return share(moved(*source, type, offset, strides));
  }
  auto concat = dyn_cast<tensor::ConcatOp>(op);
  if (!concat)
    return {};
  // Rows after the dimension are joined whole.
  int64_t rows = 1;
  for (int64_t size : type.getShape().take_front(concat.getDim()))
    rows *= size;
  Elements elements{type, {}};
  elements.numbers.reserve(type.getNumElements());
  for (int64_t row = 0; row < rows; ++row)
    for (Value input : concat.getInputs()) {
      Known piece = known.lookup(input);
      int64_t count = piece->type.getNumElements() / rows;
      for (int64_t i = 0; i < count; ++i)
        elements.numbers.push_back(piece->at(row * count + i));
    }
  return share(std::move(elements));
}

ConstantEvaluator::Known
ConstantEvaluator::computeStructured(linalg::LinalgOp op, unsigned number) {
  std::optional<SmallVector<Elements>> results = evaluateStructured(
      op, [&](Value value) { return known.lookup(value).get(); }, mostWork);
  if (!results)
    return {};
  for (auto [result, elements] : llvm::zip_equal(op->getResults(), *results))
    if (getType(result.getType()))
      known[result] = std::make_shared<const Elements>(std::move(elements));
  return known[op->getResult(number)];
}

ConstantEvaluator::Known ConstantEvaluator::computeLowered(OpResult result) {
  Operation *op = result.getOwner();
  OpBuilder builder(op->getContext());
  // Unused results are not lowered.
  builder.setInsertionPointAfter(op);
  Operation *reader = UnrealizedConversionCastOp::create(
      builder, op->getLoc(), result.getType(), ValueRange(result));
  Operation *before = op->getPrevNode();
  builder.setInsertionPoint(op);
  LinalgForm form(builder, op);
  cast<LinalgFormOpInterface>(op).buildLinalgForm(form);
  Value value = form.take()[result.getResultNumber()];
  Known elements = value ? getElements(value) : Known();
  reader->erase();
  while (op->getPrevNode() != before) {
    Operation *last = op->getPrevNode();
    for (Value made : last->getResults())
      known.erase(made);
    last->erase();
  }
  return elements;
}
