// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-name-layers: the identity of linear layers, as an attribute of their
// products.

#include "Precision/Layers.h"
#include "te/Dialect/TE/IR/LayerName.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::te {
#define GEN_PASS_DEF_TENAMELAYERS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

MatmulRole mlir::te::getProduct(Fp8OpInterface op) {
  bool hasGradient = false, hasWeight = false;
  for (const Fp8Operand &operand : op.getFp8Operands()) {
    hasGradient |= operand.role == TensorRole::GradOutput;
    hasWeight |= operand.role == TensorRole::Weight;
  }
  return !hasGradient ? MatmulRole::Fprop
         : hasWeight  ? MatmulRole::Dgrad
                      : MatmulRole::Wgrad;
}

/// The weight of a forward product, in whatever type it is read; null when
/// there is none.
static Value getWeight(Fp8OpInterface op) {
  for (const Fp8Operand &operand : op.getFp8Operands()) {
    if (operand.role != TensorRole::Weight)
      continue;
    Value value = op->getOperand(operand.operandNumber);
    while (auto cast = value.getDefiningOp<CastOpInterface>()) {
      if (cast->getNumOperands() != 1)
        break;
      value = cast->getOperand(0);
    }
    return value;
  }
  return {};
}

/// The name of an op's layer; null when it has none.
static StringAttr getName(Fp8OpInterface op) {
  StringAttr layer = op.getLayerAttr();
  return layer && !layer.empty() ? layer : StringAttr();
}

/// The module path of an op, fit for a name; of an op that stands for several
/// modules, their joined path.
static std::string getPath(Operation *op) {
  SmallVector<std::string> paths = llvm::map_to_vector(
      getModulePaths(op), [](StringRef path) { return makeLayerPath(path); });
  return joinLayers(SmallVector<StringRef>(paths.begin(), paths.end()));
}

namespace {
/// A forward product of a function.
struct Forward {
  Fp8OpInterface op;
  std::string path;
  Value weight;
};

class Namer {
public:
  explicit Namer(ModuleOp module);
  FailureOr<unsigned> run();

private:
  struct Function {
    SmallVector<Forward> forwards;
    SmallVector<Fp8OpInterface> gradients;
    /// Names that several forward products had.
    llvm::StringSet<> ambiguous;
  };

  void nameForwards(func::FuncOp func, Function &function);
  LogicalResult checkGradients(const Function &function);
  StringAttr makeName(StringRef base);
  void setName(Fp8OpInterface op, StringAttr name) {
    op.setLayerAttr(name);
    ++numNamed;
  }

  MLIRContext *context;
  unsigned numNamed = 0;
  llvm::StringSet<> names;
  /// By function; products outside of functions under null.
  llvm::MapVector<Operation *, Function> functions;
  /// The layers of a parameter at a module path, in program order.
  llvm::StringMap<SmallVector<StringAttr>> layersOfModules;
};
} // namespace

Namer::Namer(ModuleOp module) : context(module.getContext()) {
  module.walk<WalkOrder::PreOrder>([&](Fp8OpInterface op) {
    Function &function = functions[op->getParentOfType<func::FuncOp>()];
    if (StringAttr layer = getName(op))
      names.insert(layer.getValue());
    if (getProduct(op) == MatmulRole::Fprop)
      function.forwards.push_back({op, getPath(op), getWeight(op)});
    else
      function.gradients.push_back(op);
  });
}

StringAttr Namer::makeName(StringRef base) {
  std::string name = base.str();
  for (unsigned i = 1; !names.insert(name).second; ++i)
    name = base.str() + ":" + std::to_string(i);
  return StringAttr::get(context, name);
}

void Namer::nameForwards(func::FuncOp func, Function &function) {
  std::optional<ParameterValues> parameters;
  if (func)
    parameters.emplace(func);
  llvm::StringSet<> taken;
  for (Forward &forward : function.forwards)
    if (StringAttr layer = getName(forward.op);
        layer && !taken.insert(layer.getValue()).second)
      function.ambiguous.insert(layer.getValue());
  taken.clear();
  llvm::StringMap<unsigned> uses;
  for (Forward &forward : function.forwards) {
    StringRef param =
        parameters ? parameters->getParam(forward.weight) : StringRef();
    // The n-th use of a parameter by a module is the same layer everywhere.
    SmallVector<StringAttr> *known = nullptr;
    unsigned use = 0;
    if (!param.empty() && !forward.path.empty()) {
      std::string key = forward.path + '\n' + param.str();
      known = &layersOfModules[key];
      use = uses[key]++;
    }
    StringAttr layer = getName(forward.op);
    if (!layer || taken.contains(layer.getValue())) {
      if (!layer && known && use < known->size() &&
          !taken.contains((*known)[use].getValue())) {
        layer = (*known)[use];
      } else {
        param.consume_back(".weight");
        layer = makeName(layer ? getLayerModule(layer.getValue()).str()
                         : !forward.path.empty() ? forward.path
                         : !param.empty()
                             ? makeLayerPath(param)
                             : forward.op->getName().stripDialect().str());
      }
      setName(forward.op, layer);
    }
    taken.insert(layer.getValue());
    if (known && known->size() == use)
      known->push_back(layer);
  }
}

/// Gradients have the layer of their forward product from the pass that made
/// them: which it is, nothing else tells for certain.
LogicalResult Namer::checkGradients(const Function &function) {
  bool hasFailed = false;
  for (Fp8OpInterface gradient : function.gradients) {
    StringAttr layer = getName(gradient);
    if (layer && !function.ambiguous.contains(layer.getValue()))
      continue;
    hasFailed = true;
    InFlightDiagnostic diagnostic =
        gradient->emitOpError()
        << "is the " << stringifyMatmulRole(getProduct(gradient)) << " of ";
    if (layer)
      diagnostic << "the layer '" << layer.getValue()
                 << "', but two forward products of its function have that "
                    "name; give each of them, and their gradients, a layer of "
                    "its own";
    else
      diagnostic << "a layer without a name; give it the attribute 'layer' of "
                    "its forward product, as te-add-gradients does";
  }
  return failure(hasFailed);
}

FailureOr<unsigned> Namer::run() {
  // Names that are there decide about those to come.
  auto isNamed = [](const Forward &forward) {
    return bool(getName(forward.op));
  };
  SmallVector<std::pair<Operation *, Function *>> order;
  for (bool named : {true, false})
    for (auto &[func, function] : functions)
      if (llvm::any_of(function.forwards, isNamed) == named)
        order.push_back({func, &function});
  for (auto [func, function] : order)
    nameForwards(cast_or_null<func::FuncOp>(func), *function);
  bool hasFailed = false;
  for (auto &[func, function] : functions)
    hasFailed |= failed(checkGradients(function));
  if (hasFailed)
    return failure();
  return numNamed;
}

FailureOr<unsigned> mlir::te::nameLayers(ModuleOp module) {
  WalkResult result = module.walk([](Fp8OpInterface op) {
    StringAttr layer = getName(op);
    if (!layer || isLayerName(layer.getValue()))
      return WalkResult::advance();
    op->emitOpError() << "has the layer '" << layer.getValue()
                      << "', which policies and reports cannot name: '{', '}' "
                         "and ',' stand only around and between the parts of a "
                         "joined layer, as in 'attn.{q,k}'";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  return Namer(module).run();
}

namespace {
struct NameLayersPass : public te::impl::TENameLayersBase<NameLayersPass> {
  using Base::Base;
  void runOnOperation() override {
    FailureOr<unsigned> named = nameLayers(getOperation());
    if (failed(named))
      return signalPassFailure();
    numNamed += *named;
  }
};
} // namespace
