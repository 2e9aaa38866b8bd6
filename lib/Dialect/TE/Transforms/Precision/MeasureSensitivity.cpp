// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-measure-sensitivity: computes the products of an entry a second time in
// FP8, and returns how much that changes them and the loss.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "Precision/Layers.h"
#include "Precision/QuantizeStates.h"
#include "Training/EntryEditor.h"
#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/Measurement.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/MapVector.h"

#include <cmath>
#include <limits>

namespace mlir::te {
#define GEN_PASS_DEF_TEMEASURESENSITIVITY
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// The columns; te-run knows them by these names. Those of a tensor that a
/// product does not read are 0.
static constexpr StringLiteral kFigures[] = {
    "error_dot",           "error_dot_squares", "error_squares",
    "result_squares",      "input_amax",        "input_flushed",
    "input_nonzero",       "weight_amax",       "weight_flushed",
    "weight_nonzero",      "grad_output_amax",  "grad_output_flushed",
    "grad_output_nonzero",
};
static constexpr unsigned kNumFigures = std::size(kFigures);
/// Behind these, for each tensor: how many of its values are in the octaves 2k
/// and 2k + 1 below its amax, or, of the last k, in those and all below;
/// "input_octaves_0". Of some rows, at equal distances: enough for a picture.
static constexpr unsigned kNumBins = 16, kMostRows = 256;
static constexpr StringLiteral kTensors[] = {"input", "weight", "grad_output"};
static constexpr unsigned kNumColumns =
    kNumFigures + std::size(kTensors) * kNumBins;
/// The first column of a tensor's figures: amax, flushed, nonzero.
static unsigned getFirstColumn(TensorRole role) {
  constexpr unsigned kOfProduct = 4, kOfTensor = 3;
  return kOfProduct + kOfTensor * static_cast<unsigned>(role);
}

namespace {
/// The products of a layer, in program order.
using Layer = SmallVector<Fp8OpInterface>;

/// A tensor in the format of its role, and its figures (tensor<f32> each).
struct MeasuredTensor {
  Value source;
  TensorRole role;
  bool rowwise = false, columnwise = false;
  QuantizedValue rowwiseCopy, columnwiseCopy;
  SmallVector<Value> figures;
  Value histogram; ///< tensor<kNumBins x f32>
};

/// Measures the products of one layer behind the last of them, where operands
/// and output gradient are in memory anyway.
class LayerMeasurement {
public:
  LayerMeasurement(OpBuilder &builder, Location loc, RecipeAttrInterface recipe)
      : builder(builder), formula(builder, loc), loc(loc), recipe(recipe) {}

  /// Makes the FP8 copies that `products` read, and measures the tensors.
  void quantize(ArrayRef<Fp8OpInterface> products);
  /// The row of a product's figures. `gradient` is that of its result, null for
  /// a product of the backward pass.
  Value measure(Fp8OpInterface product, Value gradient);

private:
  MeasuredTensor &find(Fp8OpInterface product, const Fp8Operand &operand);
  void quantize(MeasuredTensor &tensor);
  Value countOctaves(Value source, Value scale, double largest);
  std::pair<Value, Value> compute(Fp8OpInterface product, bool computesExact);

  OpBuilder &builder;
  Formula formula;
  Location loc;
  RecipeAttrInterface recipe;
  SmallVector<MeasuredTensor> tensors;
};

struct MeasureSensitivityPass
    : public te::impl::TEMeasureSensitivityBase<MeasureSensitivityPass> {
  using Base::Base;
  LogicalResult initialize(MLIRContext *context) override {
    recipeAttribute = parseRecipe(recipe, UnknownLoc::get(context));
    return success(bool(recipeAttribute));
  }
  void runOnOperation() override;

private:
  LogicalResult measure(func::FuncOp func);

  RecipeAttrInterface recipeAttribute;
};
} // namespace

bool mlir::te::isMeasurement(func::FuncOp func) {
  const EntryKind *kind = getEntryKind(func);
  return kind && kind->measures;
}

//===----------------------------------------------------------------------===//
// A layer
//===----------------------------------------------------------------------===//

MeasuredTensor &LayerMeasurement::find(Fp8OpInterface product,
                                       const Fp8Operand &operand) {
  Value source = getQuantizedSource(product->getOperand(operand.operandNumber),
                                    operand.role);
  MeasuredTensor *found =
      llvm::find_if(tensors, [&](const MeasuredTensor &tensor) {
        return tensor.source == source && tensor.role == operand.role;
      });
  if (found != tensors.end())
    return *found;
  MeasuredTensor &tensor = tensors.emplace_back();
  tensor.source = source;
  tensor.role = operand.role;
  return tensor;
}

void LayerMeasurement::quantize(ArrayRef<Fp8OpInterface> products) {
  for (Fp8OpInterface product : products)
    for (const Fp8Operand &operand : product.getFp8Operands()) {
      MeasuredTensor &tensor = find(product, operand);
      (operand.columnwise ? tensor.columnwise : tensor.rowwise) = true;
    }
  for (MeasuredTensor &tensor : tensors)
    quantize(tensor);
}

/// One scale, made of the tensor's own amax.
void LayerMeasurement::quantize(MeasuredTensor &tensor) {
  FloatType format = recipe.getElementType(tensor.role);
  Type type = tensor.source.getType();
  Value amax = AmaxOp::create(builder, loc, getScalarType(builder.getContext()),
                              tensor.source);
  auto scale = ComputeScaleOp::create(builder, loc, amax, format);
  auto copies = QuantizeOp::create(
      builder, loc, tensor.rowwise ? getCopyType(type, format, false) : Type(),
      tensor.columnwise ? getCopyType(type, format, true) : Type(),
      /*amax=*/Type(), /*dbias=*/Type(), tensor.source, scale.getScale());
  tensor.rowwiseCopy = {copies.getRowwise(), scale.getScaleInv()};
  tensor.columnwiseCopy = {copies.getColumnwise(), scale.getScaleInv()};

  // Half of the smallest number is rounded to even, which is 0.
  const double flushed =
      APFloat::getSmallest(format.getFloatSemantics()).convertToDouble() / 2;
  auto add = [](Scalars &, ValueRange x) { return llvm::to_vector(x); };
  SmallVector<Value> ofRows = formula.sumMany(
      "m", 2, {{tensor.source, "mn"}, {scale.getScale(), ""}},
      [&](Scalars &s, ValueRange x) -> SmallVector<Value> {
        Value one = s.number(1), zero = s.number(0);
        Value size = s.call<math::AbsFOp>(x[0]);
        Value isNonzero = s.compare(arith::CmpFPredicate::OGT, size, zero);
        Value isSmall = s.compare(arith::CmpFPredicate::OLE, s.mul(size, x[1]),
                                  s.number(flushed));
        return {s.select(s.both(isNonzero, isSmall), one, zero),
                s.select(isNonzero, one, zero)};
      });
  tensor.figures = {amax};
  llvm::append_range(
      tensor.figures,
      formula.sumMany("", 2, {{ofRows[0], "m"}, {ofRows[1], "m"}}, add));
  tensor.histogram = countOctaves(
      tensor.source, scale.getScale(),
      APFloat::getLargest(format.getFloatSemantics()).convertToDouble());
}

/// `largest` is what the scale makes of the amax.
Value LayerMeasurement::countOctaves(Value source, Value scale,
                                     double largest) {
  const int64_t rows = cast<RankedTensorType>(source.getType()).getDimSize(0);
  const int64_t columns =
      cast<RankedTensorType>(source.getType()).getDimSize(1);
  const int64_t stride = llvm::divideCeil(rows, int64_t(kMostRows));
  if (stride > 1) {
    auto index = [&](int64_t value) -> OpFoldResult {
      return builder.getIndexAttr(value);
    };
    source = tensor::ExtractSliceOp::create(
        builder, loc, source, ArrayRef<OpFoldResult>{index(0), index(0)},
        ArrayRef<OpFoldResult>{index(llvm::divideCeil(rows, stride)),
                               index(columns)},
        ArrayRef<OpFoldResult>{index(stride), index(1)});
  }
  SmallVector<float> from, to;
  for (unsigned bin = 0; bin < kNumBins; ++bin) {
    to.push_back(std::ldexp(largest, -2 * int(bin)));
    from.push_back(bin + 1 < kNumBins ? to.back() / 4 : 0);
  }
  // A product by the scale may be rounded to more than the largest number.
  to.front() = std::numeric_limits<float>::max();
  auto type = RankedTensorType::get({kNumBins}, builder.getF32Type());
  Value lower = formula.constant(type, from),
        upper = formula.constant(type, to);
  Value ofRows = formula.sum(
      "rb", {{source, "rn"}, {scale, ""}, {lower, "b"}, {upper, "b"}},
      [](Scalars &s, ValueRange x) {
        Value size = s.mul(s.call<math::AbsFOp>(x[0]), x[1]);
        return s.select(
            s.both(s.compare(arith::CmpFPredicate::OGT, size, x[2]),
                   s.compare(arith::CmpFPredicate::OLE, size, x[3])),
            s.number(1), s.number(0));
      });
  return formula.sum("b", {{ofRows, "rb"}},
                     [](Scalars &, ValueRange x) { return x[0]; });
}

/// The product as it is, and in FP8. With `computesExact` it is computed
/// again, so that the result of the forward pass is not kept for this: of no
/// layer, so that it is not taken for that product, without a bias, which FP8
/// does not change, and in float32.
std::pair<Value, Value> LayerMeasurement::compute(Fp8OpInterface product,
                                                  bool computesExact) {
  SmallVector<QuantizedValue> operands;
  for (const Fp8Operand &operand : product.getFp8Operands()) {
    MeasuredTensor &tensor = find(product, operand);
    operands.push_back(operand.columnwise ? tensor.columnwiseCopy
                                          : tensor.rowwiseCopy);
  }
  auto matmul = dyn_cast<MatmulOp>(product.getOperation());
  if (!matmul)
    return {product->getResult(0), product.buildFp8Form(builder, operands)};
  auto bare = cast<MatmulOp>(builder.clone(*matmul));
  bare.getBiasMutable().clear();
  bare.getD().setType(matmul.getD().getType().clone(builder.getF32Type()));
  Value inFp8 =
      cast<Fp8OpInterface>(bare.getOperation()).buildFp8Form(builder, operands);
  if (!computesExact) {
    bare.erase();
    return {matmul.getD(), inFp8};
  }
  bare.setRole(MatmulRole::Other);
  bare.removeLayerAttr();
  return {bare.getD(), inFp8};
}

Value LayerMeasurement::measure(Fp8OpInterface product, Value gradient) {
  auto [exact, inFp8] = compute(product, /*computesExact=*/bool(gradient));
  SmallVector<Term> terms = {{exact, "mn"}, {inFp8, "mn"}};
  if (gradient)
    terms.push_back({gradient, "mn"});
  // Of a product of the backward pass: of the error and the result.
  SmallVector<Value> ofRows = formula.sumMany(
      "m", 3, terms, [&](Scalars &s, ValueRange x) -> SmallVector<Value> {
        Value error = s.sub(x[1], x[0]);
        return {s.mul(x[gradient ? 2 : 0], error), s.mul(error, error),
                s.mul(x[0], x[0])};
      });
  SmallVector<Value> figures(kNumFigures);
  SmallVector<Value> sums = formula.sumMany(
      "", 4, {{ofRows[0], "m"}, {ofRows[1], "m"}, {ofRows[2], "m"}},
      [&](Scalars &s, ValueRange x) -> SmallVector<Value> {
        return {x[0], s.mul(x[0], x[0]), x[1], x[2]};
      });
  llvm::copy(sums, figures.begin());
  for (const Fp8Operand &operand : product.getFp8Operands()) {
    const MeasuredTensor &tensor = find(product, operand);
    llvm::copy(tensor.figures, figures.begin() + getFirstColumn(tensor.role));
  }

  // One vector of all scalars, and the histograms behind it.
  SmallVector<Term> scalars;
  SmallVector<unsigned> columns;
  for (auto [column, figure] : llvm::enumerate(figures))
    if (figure) {
      scalars.push_back({figure, ""});
      columns.push_back(column);
    }
  formula.setSize('f', kNumFigures);
  Value vector = formula.map(
      "f", builder.getF32Type(), scalars, [&](Scalars &s, ValueRange x) {
        Value value = s.number(0), position = s.at('f');
        for (auto [column, figure] : llvm::zip_equal(columns, x)) {
          Value here = arith::ConstantIndexOp::create(s.builder, s.loc, column);
          value =
              s.select(s.compareInts(arith::CmpIPredicate::eq, position, here),
                       figure, value);
        }
        return value;
      });
  Value row = formula.constant(
      RankedTensorType::get({kNumColumns}, builder.getF32Type()),
      SmallVector<float>(kNumColumns, 0.0f));
  auto insert = [&](Value part, unsigned column, unsigned size) {
    OpFoldResult one = builder.getIndexAttr(1);
    row = tensor::InsertSliceOp::create(
        builder, loc, part, row,
        ArrayRef<OpFoldResult>{builder.getIndexAttr(column)},
        ArrayRef<OpFoldResult>{builder.getIndexAttr(size)},
        ArrayRef<OpFoldResult>{one});
  };
  insert(vector, 0, kNumFigures);
  for (const Fp8Operand &operand : product.getFp8Operands())
    insert(find(product, operand).histogram,
           kNumFigures + kNumBins * static_cast<unsigned>(operand.role),
           kNumBins);
  return row;
}

//===----------------------------------------------------------------------===//
// An entry
//===----------------------------------------------------------------------===//

/// The gradient of a layer's result, which its backward products read; null if
/// none does, or another value than the gradient of the whole result.
static Value findGradient(Fp8OpInterface forward, const Layer &layer) {
  auto shape =
      cast<RankedTensorType>(forward->getResult(0).getType()).getShape();
  for (Fp8OpInterface product : layer)
    for (const Fp8Operand &operand : product.getFp8Operands()) {
      Value value = product->getOperand(operand.operandNumber);
      if (operand.role == TensorRole::GradOutput &&
          cast<RankedTensorType>(value.getType()).getShape() == shape)
        return value;
    }
  return {};
}

LogicalResult MeasureSensitivityPass::measure(func::FuncOp func) {
  FailureOr<EntryEditor> entry = EntryEditor::get(func);
  if (failed(entry))
    return failure();
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(getOperation());
  if (failed(mesh))
    return failure();
  if (*mesh)
    return entry->error() << "is for a mesh, and sensitivity is measured on "
                             "one rank; build the entry without a mesh";
  llvm::MapVector<StringAttr, Layer> layers;
  for (auto product : entry->getBody().getOps<Fp8OpInterface>())
    if (product.getLayerAttr() && getProduct(product) != MatmulRole::Other)
      layers[product.getLayerAttr()].push_back(product);

  const ParameterValues parameters(func);
  OpBuilder &builder = entry->getBuilder();
  SmallVector<Attribute> names;
  SmallVector<Value> rows;
  for (auto &[name, layer] : layers) {
    Layer eligible = llvm::filter_to_vector(layer, [&](Fp8OpInterface product) {
      return !parameters.checkRoles(product) && !product.getFp8Refusal() &&
             !checkScales(product, recipeAttribute);
    });
    auto forward = llvm::find_if(eligible, [](Fp8OpInterface product) {
      return getProduct(product) == MatmulRole::Fprop;
    });
    Value gradient =
        forward == eligible.end() ? Value() : findGradient(*forward, layer);
    if (!gradient) {
      ++numSkipped;
      continue;
    }
    builder.setInsertionPointAfter(layer.back());
    LayerMeasurement measurement(builder, forward->getLoc(), recipeAttribute);
    measurement.quantize(eligible);
    for (Fp8OpInterface product : eligible) {
      MatmulRole role = getProduct(product);
      rows.push_back(measurement.measure(
          product, role == MatmulRole::Fprop ? gradient : Value()));
      names.push_back(builder.getStringAttr(name.getValue() + "/" +
                                            stringifyMatmulRole(role)));
      ++numMeasured;
    }
  }
  if (rows.empty())
    return entry->error() << "has no product to measure: none that FP8 could "
                             "compute has a gradient; leave the entry '"
                          << getEntryName(func) << "' out";

  builder.setInsertionPoint(entry->getBody().getTerminator());
  Location loc = entry->getLoc();
  const int64_t numRows = rows.size();
  Value matrix = tensor::EmptyOp::create(
      builder, loc, ArrayRef<int64_t>{numRows, kNumColumns},
      builder.getF32Type());
  for (auto [i, row] : llvm::enumerate(rows))
    matrix = tensor::InsertSliceOp::create(
        builder, loc, row, matrix,
        ArrayRef<OpFoldResult>{builder.getIndexAttr(i),
                               builder.getIndexAttr(0)},
        ArrayRef<OpFoldResult>{builder.getIndexAttr(1),
                               builder.getIndexAttr(kNumColumns)},
        SmallVector<OpFoldResult>(2, builder.getIndexAttr(1)));
  entry->eraseResults([&](unsigned result) {
    return bool(func.getResultAttr(result, kGradientAttr));
  });
  entry->addResult(matrix, {entry->attr(kOutputAttr, kSensitivityOutput)});
  SmallVector<std::string> columns(std::begin(kFigures), std::end(kFigures));
  for (StringRef tensor : kTensors)
    for (unsigned bin = 0; bin < kNumBins; ++bin)
      columns.push_back((tensor + "_octaves_" + Twine(bin)).str());
  SmallVector<StringRef> figures(columns.begin(), columns.end());
  getOperation()->setAttr(kMeasuredProductsAttr, builder.getArrayAttr(names));
  getOperation()->setAttr(kMeasuredFiguresAttr,
                          builder.getStrArrayAttr(figures));
  return entry->finish();
}

void MeasureSensitivityPass::runOnOperation() {
  ModuleOp module = getOperation();
  FailureOr<SmallVector<func::FuncOp>> entries = findEntries(
      module, {}, [](const EntryKind &kind) { return kind.measures; });
  if (failed(entries))
    return signalPassFailure();
  if (entries->empty())
    return;
  if (failed(nameLayers(module)))
    return signalPassFailure();
  for (func::FuncOp func : *entries)
    if (failed(measure(func)))
      return signalPassFailure();
}
