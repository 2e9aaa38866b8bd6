// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Graph.h"

#include "Values.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

static constexpr int64_t kMaxElements = 2048;

GraphBuilder::GraphBuilder(ModuleOp module, Choices &choices)
    : choices(choices), builder(module.getContext()),
      current(builder.getUnknownLoc()) {
  builder.setInsertionPointToEnd(module.getBody());
  function = func::FuncOp::create(builder, loc(), "forward",
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
}

void GraphBuilder::chooseLocation() {
  current = builder.getUnknownLoc();
  if (!choices.once(4))
    return;
  // Half of the names are used twice.
  bool isNew = !choices.once(2) || numNames == 0;
  unsigned name = isNew ? numNames++ : numNames - 1;
  current = NameLoc::get(
      builder.getStringAttr(llvm::formatv("layers.{0}.part", name).str()));
}

int64_t GraphBuilder::dim() {
  if (isEmpty())
    return 0;
  if (sizes == Sizes::ManyOnes && choices.once(2))
    return 1;
  static constexpr int64_t kDims[] = {2, 1, 3, 4, 8, 16, 17, 32, 5, 16, 33, 48};
  return choices.among<int64_t>(kDims);
}

int64_t GraphBuilder::size(uint32_t most) {
  if (isEmpty())
    return 0;
  if (sizes == Sizes::ManyOnes && choices.once(2))
    return 1;
  return 1 + choices.below(most);
}

bool GraphBuilder::isSmall(ArrayRef<int64_t> shape) {
  int64_t size = 1;
  for (int64_t dim : shape)
    size *= dim;
  return size <= kMaxElements;
}

Value GraphBuilder::pick(function_ref<bool(RankedTensorType)> accepts) {
  SmallVector<Value> accepted;
  // Recent values first, so that graphs become deep.
  for (Value value : llvm::reverse(values))
    if (accepts(cast<RankedTensorType>(value.getType())))
      accepted.push_back(value);
  if (accepted.empty() || choices.once(6))
    return {};
  if (accepted.size() > 1 && !choices.once(3))
    return accepted[choices.below(std::min<size_t>(accepted.size(), 2))];
  return choices.among<Value>(accepted);
}

Value GraphBuilder::argument(RankedTensorType type) {
  unsigned number = numArguments++;
  std::string values;
  switch (choices.below(12)) {
  default:
    values = llvm::formatv("uniform 1 {0}", number);
    break;
  case 8:
    values = llvm::formatv("uniform 8 {0}", number);
    break;
  case 9:
    values = llvm::formatv("uniform 0.01 {0}", number);
    break;
  case 10:
    values = choices.once(2) ? "same 0" : "same 1";
    break;
  case 11:
    // Huge values leave little to compare; a tenth of all graphs has some.
    values = choices.once(2) ? llvm::formatv("extreme {0}", number).str()
                             : llvm::formatv("uniform 3 {0}", number).str();
    break;
  }
  // Parameters come in all types that inputs do.
  StringRef role = choices.once(2) ? kInputAttr : kParamAttr;
  std::string name =
      llvm::formatv("{0}{1}", role == kInputAttr ? "x" : "w", number);
  DictionaryAttr attributes = builder.getDictionaryAttr(
      {builder.getNamedAttr(role, builder.getStringAttr(name)),
       builder.getNamedAttr(kValuesAttr, builder.getStringAttr(values))});
  unsigned at = function.getNumArguments();
  (void)function.insertArgument(at, type, attributes, builder.getUnknownLoc());
  Value value = function.getArgument(at);
  if (isa<FloatType>(type.getElementType()))
    add(value);
  return value;
}

Value GraphBuilder::integers(RankedTensorType type, int64_t classes,
                             bool areLabels) {
  unsigned number = numArguments++;
  std::string values =
      areLabels ? llvm::formatv("labels {0} -100 {1}", classes, number).str()
                : llvm::formatv("ids 0 {0} {1}", classes, number).str();
  SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr(
          kInputAttr,
          builder.getStringAttr(llvm::formatv("ids{0}", number).str())),
      builder.getNamedAttr(kValuesAttr, builder.getStringAttr(values))};
  if (!areLabels)
    attributes.push_back(builder.getNamedAttr(
        kRangeAttr, builder.getDenseI64ArrayAttr({0, classes})));
  unsigned at = function.getNumArguments();
  (void)function.insertArgument(at, type, builder.getDictionaryAttr(attributes),
                                builder.getUnknownLoc());
  return function.getArgument(at);
}

Value GraphBuilder::get(RankedTensorType type) {
  Value value = pick([&](RankedTensorType other) { return other == type; });
  return value ? value : argument(type);
}

Value GraphBuilder::matrix(std::optional<int64_t> rows,
                           std::optional<int64_t> columns) {
  Value value = pick([&](RankedTensorType type) {
    return type.getRank() == 2 && (!rows || type.getDimSize(0) == *rows) &&
           (!columns || type.getDimSize(1) == *columns);
  });
  if (value)
    return value;
  int64_t m = rows ? *rows : dim();
  int64_t n = columns ? *columns : dim();
  Type element = choices.once(10) ? builder.getBF16Type() : f32();
  return argument(tensor({m, n}, element));
}

Value GraphBuilder::matrix() { return matrix(std::nullopt, std::nullopt); }

Value GraphBuilder::anyTensor() {
  if (Value value =
          pick([](RankedTensorType type) { return type.getRank() > 0; }))
    return value;
  SmallVector<int64_t> shape = {dim()};
  for (unsigned rank = 1 + choices.below(3); shape.size() < rank;)
    shape.push_back(isSmall(shape) && shape[0] < 32 ? size(6) : 2);
  return argument(tensor(shape, f32()));
}

/// Returns some results; what nobody reads comes first.
static void returnValues(GraphBuilder &graph) {
  SmallVector<Value> unused, used;
  for (Value value : graph.values)
    if (value.getDefiningOp())
      (value.use_empty() ? unused : used).push_back(value);
  std::reverse(unused.begin(), unused.end());
  SmallVector<Value> outputs(
      ArrayRef(unused).take_front(1 + graph.choices.below(4)));
  if (!used.empty() && (outputs.empty() || graph.choices.once(6)))
    outputs.push_back(graph.choices.among<Value>(used));
  // The simplest of all: an argument goes through.
  if (outputs.empty())
    outputs.push_back(graph.get(graph.tensor({2, 2}, graph.f32())));
  SmallVector<Type> types = llvm::to_vector(ValueRange(outputs).getTypes());
  func::ReturnOp::create(graph.builder, graph.loc(), outputs);
  graph.function.setFunctionType(
      graph.builder.getFunctionType(graph.function.getArgumentTypes(), types));
  for (unsigned i = 0; i < outputs.size(); ++i)
    graph.function.setResultAttr(
        i, kOutputAttr, graph.builder.getStringAttr("y" + std::to_string(i)));
}

/// What te-differentiate expects first, and erases what nothing reads.
static void dropUnusedArguments(func::FuncOp function) {
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  (void)function.eraseArguments(unused);
}

OwningOpRef<ModuleOp> fuzz::generateGraph(MLIRContext *context,
                                          Choices &choices) {
  context->loadDialect<TEDialect, arith::ArithDialect, func::FuncDialect,
                       linalg::LinalgDialect, math::MathDialect,
                       scf::SCFDialect, tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  GraphBuilder graph(*module, choices);
  static constexpr Sizes kSizes[] = {
      Sizes::Any,      Sizes::Any,      Sizes::Any,      Sizes::Any,
      Sizes::ManyOnes, Sizes::ManyOnes, Sizes::ManyOnes, Sizes::SomeZeros};
  graph.sizes = choices.among<Sizes>(kSizes);
  SmallVector<WeightedMaker> makers;
  llvm::append_range(makers, getLayerMakers());
  llvm::append_range(makers, getTensorMakers());
  if (choices.once(4))
    llvm::append_range(makers, getImageMakers());
  if (choices.once(20))
    llvm::append_range(makers, getStructureMakers());
  unsigned total = 0;
  for (const WeightedMaker &maker : makers)
    total += maker.weight;
  for (unsigned ops = 0; ops < 14; ++ops) {
    choices.beginSpan();
    bool goesOn = choices.below(8) != 0;
    if (goesOn) {
      unsigned at = choices.below(total);
      for (const WeightedMaker &maker : makers) {
        if (at < maker.weight) {
          graph.chooseLocation();
          maker.make(graph);
          break;
        }
        at -= maker.weight;
      }
    }
    choices.endSpan();
    if (!goesOn)
      break;
  }
  returnValues(graph);
  dropUnusedArguments(graph.function);
  return module;
}
