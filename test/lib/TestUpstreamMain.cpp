// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a program of upstream dialects that tests itself: what te-to-linalg
// makes of all functions, and a @main that calls each with random arguments and
// counts the numbers that it returns outside of the bounds around what the
// function is in float64. mlir-opt and mlir-runner compile and run it.

#include "../Fuzz/Comparison.h"
#include "../Fuzz/Values.h"
#include "RangedArguments.h"
#include "TestPasses.h"
#include "te/Analysis/EntryInterface.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <vector>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

/// `number` as an element of a tensor.
static Attribute toElement(Type type, double number) {
  if (isa<IntegerType>(type))
    return IntegerAttr::get(type, int64_t(number));
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  APFloat rounded(number);
  bool loses;
  rounded.convert(semantics, APFloat::rmNearestTiesToEven, &loses);
  return FloatAttr::get(type, rounded);
}

static DenseElementsAttr toElements(RankedTensorType type,
                                    const HostTensor &tensor) {
  return DenseElementsAttr::get(
      type, llvm::map_to_vector(tensor.data, [&](double number) {
        return toElement(type.getElementType(), number);
      }));
}

/// The numbers that a tensor of this type can hold.
static void roundTo(RankedTensorType type, HostTensor &tensor) {
  if (auto element = dyn_cast<FloatType>(type.getElementType()))
    for (double &number : tensor.data)
      number = cast<FloatAttr>(toElement(element, number)).getValueAsDouble();
}

static bool isEntry(func::FuncOp function) {
  return function.getNumArguments() > 0 &&
         (function.getArgAttr(0, kParamAttr) ||
          function.getArgAttr(0, kInputAttr));
}

/// Of a step: states are those behind two others.
static FailureOr<SmallVector<HostTensor>> makeStepArguments(func::FuncOp step) {
  FailureOr<EntryInterface> interface = EntryInterface::get(step);
  FailureOr<SmallVector<HostTensor>> arguments =
      fuzz::Arguments(step).get(step);
  for (int before = 0; before < 2; ++before) {
    if (failed(interface) || failed(arguments))
      return failure();
    FailureOr<SmallVector<HostTensor>> results = evaluate(step, *arguments);
    if (failed(results))
      return failure();
    for (const BoundaryValue &value : interface->values)
      if (value.argument && value.result)
        (*arguments)[*value.argument] = (*results)[*value.result];
  }
  return arguments;
}

static FailureOr<SmallVector<HostTensor>> makeArguments(func::FuncOp function) {
  FailureOr<SmallVector<HostTensor>> arguments =
      isEntry(function) ? makeStepArguments(function)
                        : makeRangedArguments(function);
  if (succeeded(arguments))
    for (auto [type, tensor] :
         llvm::zip_equal(function.getArgumentTypes(), *arguments))
      roundTo(cast<RankedTensorType>(type), tensor);
  return arguments;
}

namespace {
/// A function's arguments, and what its results have to lie between.
struct Expected {
  std::string name;
  SmallVector<HostTensor> arguments;
  /// NaN where anything may be.
  SmallVector<HostTensor> lows, highs;
  int64_t judged = 0;

  LogicalResult compute(func::FuncOp function) {
    name = function.getSymName().str();
    FailureOr<SmallVector<HostTensor>> made = makeArguments(function);
    if (failed(made))
      return failure();
    arguments = std::move(*made);
    FailureOr<fuzz::Reference> reference = fuzz::Reference::compute(
        function, arguments, {fuzz::kFloat32Error, 0, /*toFloat=*/true});
    if (failed(reference))
      return failure();
    for (auto [result, type] : llvm::enumerate(function.getResultTypes())) {
      const HostTensor &value = (*reference)[result];
      FailureOr<std::vector<std::optional<double>>> bounds =
          reference->getBounds(result);
      if (failed(bounds))
        return failure();
      lows.push_back(value);
      highs.push_back(value);
      bool isExact =
          isa<IntegerType>(cast<RankedTensorType>(type).getElementType());
      for (int64_t i = 0, e = value.size(); i < e; ++i) {
        std::optional<double> bound = isExact ? 0 : (*bounds)[i];
        lows.back()[i] -= bound.value_or(NAN);
        highs.back()[i] += bound.value_or(NAN);
        judged += bound.has_value();
      }
    }
    if (judged == 0)
      return function.emitError("returns nothing that can be judged");
    return success();
  }
};

struct UpstreamMain : PassWrapper<UpstreamMain, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UpstreamMain)
  UpstreamMain() = default;
  UpstreamMain(const UpstreamMain &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "test-te-upstream-main"; }
  StringRef getDescription() const override {
    return "Make a program of upstream dialects that compares what "
           "te-to-linalg makes of functions with float64";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    createTEToLinalg()->getDependentDialects(registry);
    registry.insert<func::FuncDialect, vector::VectorDialect>();
  }

  Option<bool> namedProducts{*this, "named-products", llvm::cl::init(false),
                             llvm::cl::desc("That option of te-to-linalg")};

  void runOnOperation() override {
    std::vector<Expected> all;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(all.emplace_back().compute(function)))
        return signalPassFailure();
    OpPassManager lower(ModuleOp::getOperationName());
    TEToLinalgOptions options;
    options.namedProducts = namedProducts;
    lower.addPass(createTEToLinalg(options));
    if (failed(runPipeline(lower, getOperation())))
      return signalPassFailure();
    auto builder = ImplicitLocOpBuilder::atBlockEnd(getOperation().getLoc(),
                                                    getOperation().getBody());
    auto main =
        func::FuncOp::create(builder, "main", builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(main.addEntryBlock());
    for (const Expected &expected : all)
      check(builder, expected);
    func::ReturnOp::create(builder);
  }

  void check(ImplicitLocOpBuilder &builder, const Expected &expected) {
    auto function = getOperation().lookupSymbol<func::FuncOp>(expected.name);
    SmallVector<Value> arguments;
    for (auto [type, tensor] :
         llvm::zip_equal(function.getArgumentTypes(), expected.arguments))
      arguments.push_back(arith::ConstantOp::create(
          builder, toElements(cast<RankedTensorType>(type), tensor)));
    auto call = func::CallOp::create(builder, function, arguments);
    Value wrong = arith::ConstantOp::create(
        builder,
        DenseIntElementsAttr::get(
            RankedTensorType::get({}, builder.getI64Type()), int64_t(0)));
    for (auto [result, low, high] :
         llvm::zip_equal(call.getResults(), expected.lows, expected.highs))
      wrong = count(builder, result, low, high, wrong);
    vector::PrintOp::create(builder, expected.name + ": ");
    vector::PrintOp::create(
        builder, tensor::ExtractOp::create(builder, wrong, ValueRange()),
        vector::PrintPunctuation::NoPunctuation);
    vector::PrintOp::create(builder, " of " + std::to_string(expected.judged) +
                                         " numbers are wrong\n");
  }

  /// `wrong` and the number of elements of `got` that do not lie within.
  static Value count(ImplicitLocOpBuilder &builder, Value got,
                     const HostTensor &low, const HostTensor &high,
                     Value wrong) {
    auto type = cast<RankedTensorType>(got.getType());
    bool isInteger = isa<IntegerType>(type.getElementType());
    // Upstream's software floats do not widen to float64.
    auto bound = [&](HostTensor tensor, double away) -> Value {
      Type element = type.getElementType();
      if (!isInteger) {
        element = builder.getF32Type();
        for (double &number : tensor.data)
          number = std::nextafter(static_cast<float>(number),
                                  static_cast<float>(away));
      }
      return arith::ConstantOp::create(builder,
                                       toElements(type.clone(element), tensor));
    };
    unsigned rank = type.getRank();
    SmallVector<AffineMap> maps(3, builder.getMultiDimIdentityMap(rank));
    maps.push_back(AffineMap::get(rank, 0, builder.getContext()));
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::reduction);
    return linalg::GenericOp::create(
               builder, wrong.getType(),
               ValueRange{got, bound(low, -INFINITY), bound(high, INFINITY)},
               wrong, maps, iterators,
               [&](OpBuilder &b, Location loc, ValueRange x) {
                 Value one = arith::ExtUIOp::create(
                     b, loc, b.getI64Type(),
                     isInteger ? isOther(b, loc, x) : isOutside(b, loc, x));
                 linalg::YieldOp::create(
                     b, loc,
                     arith::AddIOp::create(b, loc, x[3], one).getResult());
               })
        .getResult(0);
  }

  static Value isOther(OpBuilder &b, Location loc, ValueRange x) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x[0], x[1]);
  }

  /// Of what is judged, also what is no number.
  static Value isOutside(OpBuilder &b, Location loc, ValueRange x) {
    auto compare = [&](arith::CmpFPredicate predicate, Value a,
                       Value c) -> Value {
      return arith::CmpFOp::create(b, loc, predicate, a, c);
    };
    Value number = x[0];
    if (!number.getType().isF32())
      number = arith::ExtFOp::create(b, loc, b.getF32Type(), number);
    Value isJudged = compare(arith::CmpFPredicate::ORD, x[1], x[2]);
    Value isBelow = compare(arith::CmpFPredicate::ULT, number, x[1]);
    Value isAbove = compare(arith::CmpFPredicate::UGT, number, x[2]);
    return arith::AndIOp::create(
        b, loc, isJudged, arith::OrIOp::create(b, loc, isBelow, isAbove));
  }
};
} // namespace

void mlir::te::test::registerUpstreamMainPass() {
  PassRegistration<UpstreamMain>();
}
