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
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TENAMELAYERS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-name-layers"

using namespace mlir;
using namespace mlir::te;

MatmulRole mlir::te::getProduct(Fp8OpInterface op) {
  bool hasGradient = false, hasWeight = false;
  SmallVector<Fp8Operand> operands = op.getFp8Operands();
  if (operands.empty())
    return MatmulRole::Other;
  for (const Fp8Operand &operand : operands) {
    hasGradient |= operand.role == TensorRole::GradOutput;
    hasWeight |= operand.role == TensorRole::Weight;
  }
  return !hasGradient ? MatmulRole::Fprop
         : hasWeight  ? MatmulRole::Dgrad
                      : MatmulRole::Wgrad;
}

/// The value of an operand of that role, in whatever type it is read; null
/// when there is none.
static Value getSource(Fp8OpInterface op, TensorRole role) {
  for (const Fp8Operand &operand : op.getFp8Operands()) {
    if (operand.role != role)
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
  Value input, weight;
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
  SmallVector<StringAttr> findLayers(Function &function,
                                     Fp8OpInterface gradient);
  LogicalResult nameGradients(Function &function);
  StringAttr makeName(StringRef base);
  void setName(Fp8OpInterface op, StringAttr name) {
    LDBG() << name << " for " << op;
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
    if (getProduct(op) == MatmulRole::Other)
      return;
    Function &function = functions[op->getParentOfType<func::FuncOp>()];
    if (StringAttr layer = getName(op))
      names.insert(layer.getValue());
    if (getProduct(op) == MatmulRole::Fprop)
      function.forwards.push_back({op, getPath(op),
                                   getSource(op, TensorRole::Input),
                                   getSource(op, TensorRole::Weight)});
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

/// The layers whose gradient this can be: of the forward products that read its
/// weight (dgrad) or its input (wgrad).
SmallVector<StringAttr> Namer::findLayers(Function &function,
                                          Fp8OpInterface gradient) {
  bool isDgrad = getProduct(gradient) == MatmulRole::Dgrad;
  Value read =
      getSource(gradient, isDgrad ? TensorRole::Weight : TensorRole::Input);
  auto getShape = [](Value value) {
    auto type = value ? dyn_cast<RankedTensorType>(value.getType())
                      : RankedTensorType();
    return type ? type.getShape() : ArrayRef<int64_t>();
  };
  StringAttr ambiguous = getName(gradient);
  SmallVector<StringAttr> layers;
  for (Forward &forward : function.forwards) {
    StringAttr layer = forward.op.getLayerAttr();
    if (read != (isDgrad ? forward.weight : forward.input))
      continue;
    if (!isDgrad &&
        getShape(forward.weight) != getShape(gradient->getResult(0)))
      continue;
    if (ambiguous && getLayerModule(layer.getValue()) !=
                         getLayerModule(ambiguous.getValue()))
      continue;
    layers.push_back(layer);
  }
  return layers;
}

LogicalResult Namer::nameGradients(Function &function) {
  auto result = success();
  for (Fp8OpInterface gradient : function.gradients) {
    StringAttr name = getName(gradient);
    if (name && !function.ambiguous.contains(name.getValue()))
      continue;
    SmallVector<StringAttr> candidates = findLayers(function, gradient);
    if (candidates.size() == 1) {
      setName(gradient, candidates.front());
      continue;
    }
    result = gradient->emitOpError()
             << "is a gradient product of "
             << (candidates.empty() ? "no" : "more than one")
             << " forward product in its function: set 'layer' on it and on "
                "the forward product it belongs to";
  }
  return result;
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
  auto result = success();
  for (auto &[func, function] : functions)
    if (failed(nameGradients(function)))
      result = failure();
  if (failed(result))
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
