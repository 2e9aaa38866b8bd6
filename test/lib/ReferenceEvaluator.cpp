// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceEvaluator.h"

#include "Fp8.h"
#include "ScalarEvaluator.h"

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>
#include <memory>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

HostTensor::HostTensor(ArrayRef<int64_t> shape, double value)
    : shape(shape.begin(), shape.end()) {
  int64_t size = 1;
  for (int64_t dim : shape)
    size *= dim;
  data.assign(size, value);
}

double mlir::te::test::counterUniform(uint64_t stream, uint64_t index) {
  // Steele, Lea and Flood's SplitMix64, keyed by both numbers.
  uint64_t z = stream * 0xd1342543de82ef95ull + index * 0x9e3779b97f4a7c15ull +
               0x9e3779b97f4a7c15ull;
  for (int round = 0; round < 2; ++round) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
  }
  return static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
}

namespace {

//===----------------------------------------------------------------------===//
// Pointwise functions
//===----------------------------------------------------------------------===//

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
constexpr double kSqrt2 = 1.41421356237309504880;
constexpr double kSqrt2OverPi = 0.79788456080286535588;
constexpr double kInvSqrt2Pi = 0.39894228040143267794;

double activate(ActivationKind kind, double x) {
  switch (kind) {
  case ActivationKind::GeluErf:
    return 0.5 * x * (1 + std::erf(x / kSqrt2));
  case ActivationKind::GeluTanh:
    return 0.5 * x * (1 + std::tanh(kSqrt2OverPi * (x + 0.044715 * x * x * x)));
  case ActivationKind::QuickGelu:
    return x * sigmoid(1.702 * x);
  case ActivationKind::Relu:
    return x > 0 ? x : 0;
  case ActivationKind::SquaredRelu:
    return x > 0 ? x * x : 0;
  case ActivationKind::Silu:
    return x * sigmoid(x);
  case ActivationKind::Sigmoid:
    return sigmoid(x);
  case ActivationKind::Tanh:
    return std::tanh(x);
  }
  llvm_unreachable("unknown activation");
}

double activateDerivative(ActivationKind kind, double x) {
  switch (kind) {
  case ActivationKind::GeluErf:
    return 0.5 * (1 + std::erf(x / kSqrt2)) +
           x * kInvSqrt2Pi * std::exp(-0.5 * x * x);
  case ActivationKind::GeluTanh: {
    double t = std::tanh(kSqrt2OverPi * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) +
           0.5 * x * (1 - t * t) * kSqrt2OverPi * (1 + 3 * 0.044715 * x * x);
  }
  case ActivationKind::QuickGelu: {
    double s = sigmoid(1.702 * x);
    return s + 1.702 * x * s * (1 - s);
  }
  case ActivationKind::Relu:
    return x > 0 ? 1 : 0;
  case ActivationKind::SquaredRelu:
    return x > 0 ? 2 * x : 0;
  case ActivationKind::Silu: {
    double s = sigmoid(x);
    return s + x * s * (1 - s);
  }
  case ActivationKind::Sigmoid: {
    double s = sigmoid(x);
    return s * (1 - s);
  }
  case ActivationKind::Tanh: {
    double t = std::tanh(x);
    return 1 - t * t;
  }
  }
  llvm_unreachable("unknown activation");
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

/// Calls `body(index, linear)` for every index of `shape`, in row-major order.
template <typename Body> void forEachIndex(ArrayRef<int64_t> shape, Body body) {
  SmallVector<int64_t> index(shape.size(), 0);
  HostTensor counter(shape);
  for (int64_t linear = 0, e = counter.size(); linear < e; ++linear) {
    body(ArrayRef<int64_t>(index), linear);
    for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}

/// Batch, sequence, heads and head dimension of an attention operand.
struct HeadView {
  HeadView(const HostTensor &tensor, AttentionLayout layout) {
    SmallVector<int64_t> strides = stridesOf(tensor.shape);
    // Positions of batch, sequence and heads among the dimensions.
    SmallVector<int, 3> at;
    switch (layout) {
    case AttentionLayout::BSHD:
      at = {0, 1, 2};
      break;
    case AttentionLayout::BHSD:
      at = {0, 2, 1};
      break;
    case AttentionLayout::SBHD:
      at = {1, 0, 2};
      break;
    }
    batch = tensor.shape[at[0]], sequence = tensor.shape[at[1]],
    heads = tensor.shape[at[2]], dim = tensor.shape[3];
    strideB = strides[at[0]], strideS = strides[at[1]],
    strideH = strides[at[2]];
  }
  int64_t at(int64_t b, int64_t s, int64_t h, int64_t d) const {
    return b * strideB + s * strideS + h * strideH + d;
  }
  int64_t batch, sequence, heads, dim;
  int64_t strideB, strideS, strideH;
};

//===----------------------------------------------------------------------===//
// The evaluator
//===----------------------------------------------------------------------===//

class Evaluator {
public:
  Evaluator(func::FuncOp function, Rounding &rounding)
      : function(function), round(rounding) {}

  FailureOr<SmallVector<HostTensor>> run(ArrayRef<HostTensor> arguments) {
    for (auto [argument, value] :
         llvm::zip_equal(function.getArguments(), arguments)) {
      values[argument] = std::make_unique<HostTensor>(value);
      roundValue(argument);
    }
    Block &body = function.getBody().front();
    if (failed(visit(body)))
      return failure();
    return llvm::map_to_vector(body.getTerminator()->getOperands(),
                               [&](Value value) { return get(value); });
  }

private:
  const HostTensor &get(Value value) { return *values.find(value)->second; }
  HostTensor &make(Value value, double fill = 0) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    values[value] = std::make_unique<HostTensor>(
        type ? type.getShape() : ArrayRef<int64_t>(), fill);
    return *values[value];
  }
  double scalar(Value value) { return get(value)[0]; }

  void roundValue(Value value) {
    Type type = getElementTypeOrSelf(value.getType());
    if (round.relative == 0 && !round.toFloat)
      return;
    // FP8 is exact here, and so is what integers hold.
    if (!isa<FloatType>(type) || type.getIntOrFloatBitWidth() == 8)
      return;
    double coarseness = type.isBF16() ? Rounding::kBF16 : 1;
    for (double &element : values[value]->data)
      element = round(element, coarseness);
  }

  LogicalResult visit(Block &block) {
    for (Operation &op : block.without_terminator())
      if (failed(visit(&op)))
        return failure();
    return success();
  }

  LogicalResult visit(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<MatmulOp, LayerNormOp, LayerNormGradOp, ActivationOp,
              ActivationGradOp, AttentionOp, AttentionGradOp, EmbeddingOp,
              EmbeddingGradOp, ShiftLabelsOp, CountLabelsOp, CrossEntropyOp,
              CrossEntropyGradOp, CrossEntropyWithGradOp, AddOp, ColumnSumOp,
              GlobalNormOp, ClipCoefficientOp, AdvanceStepOp, AdamWOp,
              ScaledMatmulOp, DequantizeOp, AmaxOp>([&](auto typed) {
          execute(typed);
          for (Value result : op->getResults())
            roundValue(result);
          return success();
        })
        .Case<QuantizeOp, ComputeScaleOp, UpdateScalesOp, SplitOp,
              tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
              tensor::ExtractOp, linalg::TransposeOp, arith::ConstantOp>(
            [&](auto typed) {
              execute(typed);
              return success();
            })
        .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp, arith::ExtFOp,
              arith::TruncFOp, tensor::CastOp>([&](Operation *copy) {
          make(copy->getResult(0)).data = get(copy->getOperand(0)).data;
          if (isa<arith::TruncFOp>(copy))
            roundValue(copy->getResult(0));
          return success();
        })
        .Case<tensor::EmptyOp>([&](tensor::EmptyOp empty) {
          make(empty, std::numeric_limits<double>::quiet_NaN());
          return success();
        })
        .Case<linalg::LinalgOp>([&](linalg::LinalgOp linalgOp) {
          return executeStructured(linalgOp);
        })
        .Case<func::CallOp>([&](func::CallOp call) { return execute(call); })
        .Case<RegionOp>([&](RegionOp region) {
          Block &body = region.getBody().front();
          if (failed(visit(body)))
            return failure();
          for (auto [result, value] : llvm::zip(
                   region.getResults(), body.getTerminator()->getOperands()))
            make(result).data = get(value).data;
          return success();
        })
        .Default([&](Operation *other) { return executeElementwise(other); });
  }

  /// Ops of arith and math, on tensors or numbers.
  LogicalResult executeElementwise(Operation *op) {
    ScalarFunction function =
        op->getNumResults() == 1 && op->getNumOperands() <= 3
            ? getScalarFunction(op)
            : nullptr;
    if (!function)
      return op->emitOpError() << "is unknown to the reference evaluator";
    HostTensor &y = make(op->getResult(0));
    SmallVector<const HostTensor *> operands;
    for (Value operand : op->getOperands())
      operands.push_back(&get(operand));
    double in[3] = {};
    for (int64_t i = 0, e = y.size(); i < e; ++i) {
      for (auto [n, operand] : llvm::enumerate(operands))
        in[n] = (*operand)[operand->size() == 1 ? 0 : i];
      y[i] = function(in);
    }
    roundValue(op->getResult(0));
    return success();
  }

  LogicalResult execute(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || callee.isExternal())
      return call.emitOpError() << "calls a function that has no body";
    SmallVector<HostTensor> arguments = llvm::map_to_vector(
        call.getOperands(), [&](Value value) { return get(value); });
    FailureOr<SmallVector<HostTensor>> results =
        Evaluator(callee, round).run(arguments);
    if (failed(results))
      return failure();
    for (auto [result, value] : llvm::zip(call.getResults(), *results))
      make(result) = value;
    return success();
  }

  /// What a sum of float32 numbers sees of one of them: no error of its own,
  /// but no number that float32 cannot hold either.
  double hold(double value) const {
    return round.toFloat ? static_cast<double>(static_cast<float>(value))
                         : value;
  }

  //===--------------------------------------------------------------------===//
  // FP8
  //===--------------------------------------------------------------------===//

  /// Copies of `x`, which may be padded, and its amax; any may be null.
  void quantizeTo(const HostTensor &x, double scale, Value rowwise,
                  Value columnwise, Value amax) {
    int64_t rows = x.shape[0], columns = x.shape[1];
    if (rowwise) {
      HostTensor &copy = make(rowwise);
      Type format = getElementTypeOrSelf(rowwise);
      for (int64_t i = 0; i < x.size(); ++i)
        copy[i / columns * copy.shape[1] + i % columns] =
            quantize(format, x[i], scale);
    }
    if (columnwise) {
      HostTensor &copy = make(columnwise);
      Type format = getElementTypeOrSelf(columnwise);
      for (int64_t i = 0; i < rows * columns; ++i)
        copy[i % columns * copy.shape[1] + i / columns] =
            quantize(format, x[i], scale);
    }
    if (amax)
      make(amax)[0] = amaxOf(x);
  }

  static double amaxOf(const HostTensor &x) {
    double most = 0;
    for (double value : x.data)
      most = std::isnan(value) || std::isnan(most)
                 ? std::numeric_limits<double>::quiet_NaN()
                 : std::max(most, std::abs(value));
    return most;
  }

  /// The result of a producer, itself where it is wanted and quantized where
  /// that is: its float32 value, not the rounded one.
  template <typename Op> void handOut(Op op, HostTensor &value, Value result) {
    if (op.getScale()) {
      for (double &element : value.data)
        element = round(element);
      quantizeTo(value, scalar(op.getScale()), op.getRowwise(),
                 op.getColumnwise(), op.getAmax());
    }
    if (result)
      make(result).data = value.data;
  }

  void execute(QuantizeOp op) {
    const HostTensor &x = get(op.getX());
    quantizeTo(x, scalar(op.getScale()), op.getRowwise(), op.getColumnwise(),
               op.getAmax());
    if (!op.getDbias())
      return;
    HostTensor &dbias = make(op.getDbias());
    for (int64_t i = 0; i < x.size(); ++i)
      dbias[i % x.shape[1]] += x[i];
  }

  void execute(DequantizeOp op) {
    HostTensor &y = make(op.getY());
    const HostTensor &x = get(op.getX());
    for (int64_t i = 0; i < x.size(); ++i)
      y[i] = x[i] * scalar(op.getScaleInv());
  }

  void execute(AmaxOp op) { make(op.getAmax())[0] = amaxOf(get(op.getX())); }

  void execute(ComputeScaleOp op) {
    float scale = scaleOf(op.getFormat(), float(scalar(op.getAmax())),
                          int(op.getMargin()));
    make(op.getScale())[0] = scale;
    make(op.getScaleInv())[0] = 1.0f / scale;
  }

  void execute(UpdateScalesOp op) {
    HostTensor &scales = make(op.getNewScales()),
               &inverses = make(op.getNewScaleInvs()),
               &history = make(op.getNewHistory()),
               &nonfinite = make(op.getNewNonfinite());
    scales = get(op.getScales()), inverses = get(op.getScaleInvs());
    history = get(op.getHistory()), nonfinite = get(op.getNonfinite());
    DelayedScalingAttr recipe = op.getRecipe();
    int64_t length = history.shape[0], slots = history.shape[1];
    for (auto [slot, amax] : llvm::enumerate(op.getAmaxes())) {
      double last = scalar(amax);
      if (last == 0)
        continue;
      if (!std::isfinite(last)) {
        nonfinite[slot] += 1;
        continue;
      }
      // Row 0 stays zero; the window's other rows move towards it.
      double most = last;
      for (int64_t row = 1; row < length; ++row) {
        double &entry = history[row * slots + slot];
        most = std::max(most, entry);
        entry = row + 1 < length ? history[(row + 1) * slots + slot] : last;
      }
      if (recipe.getAlgo() == AmaxAlgo::MostRecent)
        most = last;
      Type format = cast<TypeAttr>(op.getFormats()[slot]).getValue();
      float scale = scaleOf(format, float(most), recipe.getMargin());
      scales[slot] = scale;
      inverses[slot] = 1.0f / scale;
    }
  }

  void execute(ScaledMatmulOp op) {
    HostTensor &d = make(op.getD());
    const HostTensor &a = get(op.getA()), &b = get(op.getB());
    double scale = scalar(op.getAScaleInv()) * scalar(op.getBScaleInv());
    int64_t k = a.shape[1], n = d.shape[1];
    for (int64_t i = 0; i < d.size(); ++i) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += a[i / n * k + l] * b[i % n * k + l];
      d[i] = hold(sum * scale) + (op.getBias() ? get(op.getBias())[i % n] : 0);
    }
  }

  void execute(MatmulOp op) {
    HostTensor &d = make(op.getD());
    const HostTensor &a = get(op.getA()), &b = get(op.getB());
    int64_t m = op.getM(), n = op.getN(), k = op.getK();
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = op.getBias() ? get(op.getBias())[j] : 0;
        if (op.getAddend())
          sum += get(op.getAddend())[i * n + j];
        for (int64_t l = 0; l < k; ++l)
          sum += hold(a[op.getTransposeA() ? l * m + i : i * k + l] *
                      b[op.getTransposeB() ? j * k + l : l * n + j]);
        d[i * n + j] = sum;
      }
  }

  void execute(LayerNormOp op) {
    HostTensor &mean = make(op.getMean()), &rstd = make(op.getRstd());
    const HostTensor &x = get(op.getX()), &gamma = get(op.getGamma()),
                     &beta = get(op.getBeta());
    int64_t rows = x.shape[0], n = x.shape[1];
    HostTensor y(x.shape);
    double offset = op.getZeroCentered() ? 1 : 0;
    for (int64_t i = 0; i < rows; ++i) {
      double sum = 0, squares = 0;
      for (int64_t j = 0; j < n; ++j)
        sum += x[i * n + j];
      mean[i] = sum / n;
      for (int64_t j = 0; j < n; ++j)
        squares += hold(std::pow(x[i * n + j] - mean[i], 2));
      rstd[i] = 1 / std::sqrt(squares / n + op.getEps().convertToDouble());
      for (int64_t j = 0; j < n; ++j)
        y[i * n + j] =
            (x[i * n + j] - mean[i]) * rstd[i] * (gamma[j] + offset) + beta[j];
    }
    handOut(op, y, op.getY());
  }

  void execute(LayerNormGradOp op) {
    HostTensor &dx = make(op.getDx()), &dgamma = make(op.getDgamma()),
               &dbeta = make(op.getDbeta());
    const HostTensor &dy = get(op.getDy()), &x = get(op.getX()),
                     &gamma = get(op.getGamma()), &mean = get(op.getMean()),
                     &rstd = get(op.getRstd());
    int64_t rows = x.shape[0], n = x.shape[1];
    double offset = op.getZeroCentered() ? 1 : 0;
    for (int64_t i = 0; i < rows; ++i) {
      auto normalized = [&](int64_t j) {
        return (x[i * n + j] - mean[i]) * rstd[i];
      };
      auto c = [&](int64_t j) { return dy[i * n + j] * (gamma[j] + offset); };
      double meanC = 0, meanCN = 0;
      for (int64_t j = 0; j < n; ++j) {
        meanC += c(j) / n;
        meanCN += c(j) * normalized(j) / n;
        dgamma[j] += dy[i * n + j] * normalized(j);
        dbeta[j] += dy[i * n + j];
      }
      for (int64_t j = 0; j < n; ++j)
        dx[i * n + j] =
            rstd[i] * (c(j) - meanC - normalized(j) * meanCN) +
            (op.getResidual() ? get(op.getResidual())[i * n + j] : 0);
    }
  }

  void execute(ActivationOp op) {
    const HostTensor &x = get(op.getX());
    HostTensor y(x.shape);
    for (int64_t i = 0, e = x.size(); i < e; ++i)
      y[i] = activate(op.getKind(), x[i]);
    handOut(op, y, op.getY());
  }

  void execute(ActivationGradOp op) {
    const HostTensor &dy = get(op.getDy()), &x = get(op.getX());
    HostTensor dx(x.shape);
    for (int64_t i = 0, e = x.size(); i < e; ++i)
      dx[i] = dy[i] * activateDerivative(op.getKind(), x[i]);
    handOut(op, dx, op.getDx());
    if (!op.getDbias())
      return;
    HostTensor &dbias = make(op.getDbias());
    for (int64_t i = 0, e = x.size(); i < e; ++i)
      dbias[i % x.shape[1]] += dx[i];
  }

  /// Score of query i and key j; minus infinity where the mask hides the key.
  static double score(const HostTensor &q, const HostTensor &k,
                      const HeadView &qv, const HeadView &kv, int64_t b,
                      int64_t h, int64_t i, int64_t j, double scale,
                      bool causal) {
    if (causal && j > i + kv.sequence - qv.sequence)
      return -std::numeric_limits<double>::infinity();
    int64_t hk = h / (qv.heads / kv.heads);
    double sum = 0;
    for (int64_t d = 0; d < qv.dim; ++d)
      sum += q[qv.at(b, i, h, d)] * k[kv.at(b, j, hk, d)];
    return sum * scale;
  }

  void execute(AttentionOp op) {
    HostTensor &o = make(op.getO()), &lse = make(op.getLse());
    const HostTensor &q = get(op.getQ()), &k = get(op.getK()),
                     &v = get(op.getV());
    HeadView qv(q, op.getLayout()), kv(k, op.getLayout());
    double scale = op.getScale().convertToDouble();
    std::vector<double> scores(kv.sequence);
    for (int64_t b = 0; b < qv.batch; ++b)
      for (int64_t h = 0; h < qv.heads; ++h)
        for (int64_t i = 0; i < qv.sequence; ++i) {
          double highest = -std::numeric_limits<double>::infinity(), sum = 0;
          for (int64_t j = 0; j < kv.sequence; ++j) {
            scores[j] = score(q, k, qv, kv, b, h, i, j, scale, op.getCausal());
            highest = std::max(highest, scores[j]);
          }
          for (double s : scores)
            sum += std::exp(s - highest);
          double logSum = highest + std::log(sum);
          lse[(b * qv.heads + h) * qv.sequence + i] = logSum;
          int64_t hk = h / (qv.heads / kv.heads);
          for (int64_t d = 0; d < qv.dim; ++d) {
            double value = 0;
            for (int64_t j = 0; j < kv.sequence; ++j)
              value += std::exp(scores[j] - logSum) * v[kv.at(b, j, hk, d)];
            o[qv.at(b, i, h, d)] = value;
          }
        }
  }

  void execute(AttentionGradOp op) {
    HostTensor &dq = make(op.getDq()), &dk = make(op.getDk()),
               &dv = make(op.getDv());
    const HostTensor &dO = get(op.getDO()), &q = get(op.getQ()),
                     &k = get(op.getK()), &v = get(op.getV()),
                     &o = get(op.getO()), &lse = get(op.getLse());
    HeadView qv(q, op.getLayout()), kv(k, op.getLayout());
    double scale = op.getScale().convertToDouble();
    for (int64_t b = 0; b < qv.batch; ++b)
      for (int64_t h = 0; h < qv.heads; ++h)
        for (int64_t i = 0; i < qv.sequence; ++i) {
          int64_t hk = h / (qv.heads / kv.heads);
          double delta = 0;
          for (int64_t d = 0; d < qv.dim; ++d)
            delta += dO[qv.at(b, i, h, d)] * o[qv.at(b, i, h, d)];
          for (int64_t j = 0; j < kv.sequence; ++j) {
            double p = std::exp(
                score(q, k, qv, kv, b, h, i, j, scale, op.getCausal()) -
                lse[(b * qv.heads + h) * qv.sequence + i]);
            double dp = 0;
            for (int64_t d = 0; d < qv.dim; ++d)
              dp += dO[qv.at(b, i, h, d)] * v[kv.at(b, j, hk, d)];
            double ds = p * (dp - delta) * scale;
            for (int64_t d = 0; d < qv.dim; ++d) {
              dq[qv.at(b, i, h, d)] += ds * k[kv.at(b, j, hk, d)];
              dk[kv.at(b, j, hk, d)] += ds * q[qv.at(b, i, h, d)];
              dv[kv.at(b, j, hk, d)] += p * dO[qv.at(b, i, h, d)];
            }
          }
        }
  }

  void execute(EmbeddingOp op) {
    HostTensor &y = make(op.getY());
    const HostTensor &ids = get(op.getIds()), &table = get(op.getTable());
    int64_t n = table.shape[1];
    for (int64_t i = 0, e = ids.size(); i < e; ++i)
      for (int64_t j = 0; j < n; ++j)
        y[i * n + j] = table[static_cast<int64_t>(ids[i]) * n + j];
  }

  void execute(EmbeddingGradOp op) {
    HostTensor &dtable = make(op.getDtable());
    const HostTensor &ids = get(op.getIds()), &dy = get(op.getDy());
    int64_t n = dy.shape[1];
    for (int64_t i = 0, e = ids.size(); i < e; ++i)
      for (int64_t j = 0; j < n; ++j)
        dtable[static_cast<int64_t>(ids[i]) * n + j] += dy[i * n + j];
  }

  void execute(ShiftLabelsOp op) {
    HostTensor &labels = make(op.getLabels());
    const HostTensor &ids = get(op.getIds());
    int64_t columns = ids.shape[1];
    for (int64_t i = 0, e = ids.size(); i < e; ++i)
      labels[i] =
          i % columns + 1 < columns
              ? ids[i + 1]
              : static_cast<double>(static_cast<int64_t>(op.getIgnoreIndex()));
  }

  void execute(CountLabelsOp op) {
    HostTensor &count = make(op.getCount());
    for (double label : get(op.getLabels()).data)
      count[0] += static_cast<int64_t>(label) !=
                  static_cast<int64_t>(op.getIgnoreIndex());
  }

  void execute(CrossEntropyWithGradOp op) {
    HostTensor &dlogits = make(op.getDlogits()), &loss = make(op.getNewLoss());
    const HostTensor &logits = get(op.getLogits()),
                     &labels = get(op.getLabels());
    double divisor =
        op.getReduction() == Reduction::Mean ? scalar(op.getCount()) : 1;
    int64_t rows = logits.shape[0], classes = logits.shape[1];
    loss[0] = scalar(op.getLoss());
    for (int64_t i = 0; i < rows; ++i) {
      int64_t label = static_cast<int64_t>(labels[i]);
      if (label == static_cast<int64_t>(op.getIgnoreIndex()))
        continue;
      double lse = logSumExp(logits.data.data() + i * classes, classes);
      loss[0] += (lse - logits[i * classes + label]) / divisor;
      for (int64_t j = 0; j < classes; ++j)
        dlogits[i * classes + j] =
            scalar(op.getDloss()) / divisor *
            (std::exp(logits[i * classes + j] - lse) - (j == label ? 1 : 0));
    }
  }

  static double logSumExp(const double *x, int64_t n) {
    double highest = *std::max_element(x, x + n), sum = 0;
    for (int64_t j = 0; j < n; ++j)
      sum += std::exp(x[j] - highest);
    return highest + std::log(sum);
  }

  void execute(CrossEntropyOp op) {
    HostTensor &loss = make(op.getLoss()), &lse = make(op.getLse()),
               &count = make(op.getCount());
    const HostTensor &logits = get(op.getLogits()),
                     &labels = get(op.getLabels());
    int64_t rows = logits.shape[0], classes = logits.shape[1];
    for (int64_t i = 0; i < rows; ++i) {
      lse[i] = logSumExp(logits.data.data() + i * classes, classes);
      int64_t label = static_cast<int64_t>(labels[i]);
      if (label == static_cast<int64_t>(op.getIgnoreIndex()))
        continue;
      loss[0] += lse[i] - logits[i * classes + label];
      count[0] += 1;
    }
    if (op.getReduction() == Reduction::Mean && count[0] > 0)
      loss[0] /= count[0];
  }

  void execute(CrossEntropyGradOp op) {
    HostTensor &dlogits = make(op.getDlogits());
    const HostTensor &logits = get(op.getLogits()),
                     &labels = get(op.getLabels()), &lse = get(op.getLse());
    double factor = scalar(op.getDloss());
    if (op.getReduction() == Reduction::Mean)
      factor /= scalar(op.getCount());
    int64_t rows = logits.shape[0], classes = logits.shape[1];
    for (int64_t i = 0; i < rows; ++i) {
      int64_t label = static_cast<int64_t>(labels[i]);
      if (label == static_cast<int64_t>(op.getIgnoreIndex()))
        continue;
      for (int64_t j = 0; j < classes; ++j)
        dlogits[i * classes + j] =
            factor *
            (std::exp(logits[i * classes + j] - lse[i]) - (j == label ? 1 : 0));
    }
  }

  void execute(AddOp op) {
    HostTensor &y = make(op.getY());
    const HostTensor &a = get(op.getA()), &b = get(op.getB());
    for (int64_t i = 0, e = a.size(); i < e; ++i)
      y[i] = a[i] + b[i % b.size()];
  }

  /// Copies between a tensor and a piece of it that starts at `offset` along
  /// `axis`.
  template <typename Copy>
  static void forPiece(ArrayRef<int64_t> whole, ArrayRef<int64_t> piece,
                       int64_t axis, int64_t offset, Copy copy) {
    SmallVector<int64_t> strides = stridesOf(whole);
    forEachIndex(piece, [&](ArrayRef<int64_t> index, int64_t linear) {
      int64_t at = offset * strides[axis];
      for (auto [i, s] : llvm::zip_equal(index, strides))
        at += i * s;
      copy(at, linear);
    });
  }

  void execute(SplitOp op) {
    int64_t offset = 0, axis = op.getAxis();
    for (Value piece : op.getPieces()) {
      HostTensor &out = make(piece);
      const HostTensor &x = get(op.getX());
      forPiece(x.shape, out.shape, axis, offset,
               [&](int64_t at, int64_t linear) { out[linear] = x[at]; });
      offset += out.shape[axis];
    }
  }

  void execute(tensor::ConcatOp op) {
    HostTensor &y = make(op.getResult());
    int64_t offset = 0, axis = op.getDim();
    for (Value input : op.getInputs()) {
      const HostTensor &x = get(input);
      forPiece(y.shape, x.shape, axis, offset,
               [&](int64_t at, int64_t linear) { y[at] = x[linear]; });
      offset += x.shape[axis];
    }
  }

  /// Calls `copy(index in the whole, index in the slice)`.
  template <typename Op, typename Copy>
  static void forSlice(Op op, ArrayRef<int64_t> whole, Copy copy) {
    SmallVector<int64_t> strides = stridesOf(whole);
    forEachIndex(op.getStaticSizes(), [&](ArrayRef<int64_t> index,
                                          int64_t linear) {
      int64_t at = 0;
      for (size_t d = 0; d < index.size(); ++d)
        at += (op.getStaticOffsets()[d] + index[d] * op.getStaticStrides()[d]) *
              strides[d];
      copy(at, linear);
    });
  }

  void execute(tensor::ExtractSliceOp op) {
    HostTensor &y = make(op.getResult());
    const HostTensor &x = get(op.getSource());
    forSlice(op, x.shape,
             [&](int64_t at, int64_t linear) { y[linear] = x[at]; });
  }

  void execute(tensor::InsertSliceOp op) {
    HostTensor &y = make(op.getResult());
    y.data = get(op.getDest()).data;
    const HostTensor &x = get(op.getSource());
    forSlice(op, y.shape,
             [&](int64_t at, int64_t linear) { y[at] = x[linear]; });
  }

  void execute(linalg::TransposeOp op) {
    HostTensor &y = make(op->getResult(0));
    const HostTensor &x = get(op.getInput());
    SmallVector<int64_t> strides = stridesOf(x.shape);
    forEachIndex(y.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
      int64_t at = 0;
      for (auto [d, from] : llvm::enumerate(op.getPermutation()))
        at += index[d] * strides[from];
      y[linear] = x[at];
    });
  }

  void execute(tensor::ExtractOp op) {
    const HostTensor &x = get(op.getTensor());
    int64_t at = 0;
    for (auto [index, stride] : llvm::zip(op.getIndices(), stridesOf(x.shape)))
      at += stride * static_cast<int64_t>(scalar(index));
    make(op.getResult())[0] = x[at];
  }

  static int64_t evaluateIndex(AffineExpr expr, ArrayRef<int64_t> counters) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return counters[dim.getPosition()];
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue();
    auto binary = cast<AffineBinaryOpExpr>(expr);
    int64_t lhs = evaluateIndex(binary.getLHS(), counters);
    int64_t rhs = evaluateIndex(binary.getRHS(), counters);
    switch (binary.getKind()) {
    case AffineExprKind::Add:
      return lhs + rhs;
    case AffineExprKind::Mul:
      return lhs * rhs;
    case AffineExprKind::Mod:
      return lhs % rhs;
    case AffineExprKind::FloorDiv:
      return lhs / rhs;
    default:
      llvm_unreachable("no such index map in the tests");
    }
  }

  LogicalResult executeStructured(linalg::LinalgOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<SmallVector<int64_t>> strides;
    for (Value operand : op->getOperands())
      strides.push_back(stridesOf(get(operand).shape));
    // The element of a tensor that an iteration reads or writes.
    auto locate = [&](unsigned operand, ArrayRef<int64_t> counters) {
      int64_t at = 0;
      for (auto [expr, stride] :
           llvm::zip(maps[operand].getResults(), strides[operand]))
        at += stride * evaluateIndex(expr, counters);
      return at;
    };
    FailureOr<ScalarProgram> program = ScalarProgram::create(
        *op.getBlock(), [&](Value value) -> std::optional<double> {
          auto it = values.find(value);
          if (it == values.end() || it->second->size() != 1)
            return std::nullopt;
          return (*it->second)[0];
        });
    if (failed(program))
      return failure();
    unsigned numInputs = op.getNumDpsInputs();
    SmallVector<HostTensor *> outputs;
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      outputs.push_back(&make(result));
      outputs.back()->data = get(op.getDpsInits()[i]).data;
    }
    SmallVector<const HostTensor *> operands;
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      operands.push_back(i < numInputs ? &get(op->getOperand(i))
                                       : outputs[i - numInputs]);
    SmallVector<double> arguments(operands.size());
    forEachIndex(
        op.getStaticLoopRanges(), [&](ArrayRef<int64_t> counters, int64_t) {
          for (auto [i, operand] : llvm::enumerate(operands))
            arguments[i] = (*operand)[locate(i, counters)];
          ArrayRef<double> results = program->run(arguments, counters, round);
          for (auto [i, result] : llvm::enumerate(results))
            (*outputs[i])[locate(numInputs + i, counters)] = result;
        });
    return success();
  }

  void execute(arith::ConstantOp op) {
    HostTensor &y = make(op.getResult());
    auto number = [](const APInt &value) {
      return value.getBitWidth() == 1 ? double(value.getBoolValue())
                                      : value.signedRoundToDouble();
    };
    if (auto single = dyn_cast<FloatAttr>(op.getValue()))
      y[0] = single.getValueAsDouble();
    else if (auto single = dyn_cast<IntegerAttr>(op.getValue()))
      y[0] = number(single.getValue());
    else if (auto elements = cast<DenseElementsAttr>(op.getValue());
             isa<FloatType>(elements.getElementType()))
      for (auto [i, value] : llvm::enumerate(elements.getValues<APFloat>())) {
        // Of any format; conversions to wider ones are exact.
        APFloat wide = value;
        bool loses;
        wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &loses);
        y[i] = wide.convertToDouble();
      }
    else
      for (auto [i, value] : llvm::enumerate(elements.getValues<APInt>()))
        y[i] = number(value);
  }

  void execute(ColumnSumOp op) {
    HostTensor &y = make(op.getY());
    const HostTensor &x = get(op.getX());
    for (int64_t i = 0, e = x.size(); i < e; ++i)
      y[i % x.shape[1]] += x[i];
  }

  void execute(GlobalNormOp op) {
    double sum = 0;
    for (Value gradient : op.getGradients())
      for (double g : get(gradient).data)
        sum += g * g;
    make(op.getNorm())[0] = std::sqrt(sum);
  }

  void execute(ClipCoefficientOp op) {
    double norm = scalar(op.getNorm()), maxNorm = scalar(op.getMaxNorm());
    double coefficient = 1;
    bool finite = std::isfinite(norm);
    for (Value amax : op.getAmaxes())
      finite &= std::isfinite(scalar(amax));
    if (!finite)
      coefficient = std::numeric_limits<double>::quiet_NaN();
    else if (maxNorm > 0)
      coefficient = std::min(1.0, maxNorm / (norm + 1e-6));
    make(op.getCoefficient())[0] = coefficient;
  }

  void execute(AdvanceStepOp op) {
    double step = scalar(op.getStep());
    make(op.getNewStep())[0] =
        std::isnan(scalar(op.getCoefficient())) ? step : step + 1;
  }

  void execute(AdamWOp op) {
    HostTensor &newParam = make(op.getNewParam()), &m = make(op.getNewExpAvg()),
               &v = make(op.getNewExpAvgSq());
    const HostTensor &param = get(op.getParam()), &m0 = get(op.getExpAvg()),
                     &v0 = get(op.getExpAvgSq()), &g0 = get(op.getGradient());
    double coefficient = scalar(op.getCoefficient()), lr = scalar(op.getLr());
    double beta1 = scalar(op.getBeta1()), beta2 = scalar(op.getBeta2());
    double eps = scalar(op.getEps()), step = scalar(op.getStep());
    double decay = op.getDecay() ? 1 - lr * scalar(op.getWeightDecay()) : 1;
    for (int64_t i = 0, e = param.size(); i < e; ++i) {
      if (std::isnan(coefficient)) {
        newParam[i] = param[i], m[i] = m0[i], v[i] = v0[i];
        continue;
      }
      double g = g0[i] * coefficient;
      m[i] = beta1 * m0[i] + (1 - beta1) * g;
      v[i] = beta2 * v0[i] + (1 - beta2) * g * g;
      double mHat = m[i] / (1 - std::pow(beta1, step));
      double vHat = v[i] / (1 - std::pow(beta2, step));
      newParam[i] = param[i] * decay - lr * mHat / (std::sqrt(vHat) + eps);
    }
    if (op.getScale())
      handOut(op, newParam, Value());
  }

  func::FuncOp function;
  Rounding &round;
  llvm::DenseMap<Value, std::unique_ptr<HostTensor>> values;
};

} // namespace

FailureOr<SmallVector<HostTensor>>
mlir::te::test::evaluate(func::FuncOp function, ArrayRef<HostTensor> arguments,
                         Rounding rounding) {
  return Evaluator(function, rounding).run(arguments);
}
