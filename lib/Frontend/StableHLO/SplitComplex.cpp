// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SplitComplex.h"
#include "ComplexTyping.h"
#include "HloOp.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include <complex>

using namespace mlir;
using namespace mlir::te::stablehlo_import;

/// Dynamic shapes are rejected: parts may have to be created.
static RankedTensorType getComplexType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto element = tensor && tensor.hasStaticShape()
                     ? dyn_cast<ComplexType>(tensor.getElementType())
                     : ComplexType();
  return element && element.getElementType().isF32() ? tensor
                                                     : RankedTensorType();
}

static bool isComplex(Value value) { return !!getComplexType(value.getType()); }

static bool hasComplex(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return !!getComplexType(type); });
}

static bool hasComplex(Operation *op) {
  return hasComplex(op->getOperandTypes()) || hasComplex(op->getResultTypes());
}

static bool hasOnlyComplex(TypeRange types) {
  return llvm::all_of(types, [](Type type) { return !!getComplexType(type); });
}

/// The type of both parts of a complex tensor; other types stay.
static Type getPartType(Type type) {
  RankedTensorType tensor = getComplexType(type);
  return tensor ? tensor.clone(Float32Type::get(type.getContext())) : type;
}

/// Two types for every complex one.
static SmallVector<Type> getPartTypes(TypeRange types) {
  SmallVector<Type> split;
  for (Type type : types)
    split.append(getComplexType(type) ? 2 : 1, getPartType(type));
  return split;
}

namespace {

/// A null part is zero everywhere.
struct Parts {
  Value re, im;
  Value get(bool imaginary) const { return imaginary ? im : re; }
};

class Splitter {
public:
  explicit Splitter(ModuleOp module);

  void splitFunction(func::FuncOp function);

  ComplexRest rest;

private:
  void splitArguments(Block &block);
  void splitBlock(Block &block);
  /// The split results of an operation on complex numbers; nullopt if it stays.
  std::optional<SmallVector<Parts>> split(Operation *op);

  std::optional<Parts> splitConstant(Operation *op);
  std::optional<Parts> splitConversion(Operation *op);
  std::optional<Parts> splitSum(Operation *op);
  std::optional<Parts> splitProduct(Operation *op);
  std::optional<Parts> splitQuotient(Operation *op);
  std::optional<Parts> splitExponential(Operation *op);
  std::optional<Parts> splitByPart(Operation *op);
  SmallVector<Parts> splitBoundary(Operation *op);

  /// The parts of an operand; of a real tensor, the tensor and zero.
  Parts getParts(Value value);
  /// Notes an operation that stays complex, and joins its operands from parts.
  void refuse(Operation *op);
  Value create(StringRef name, Type type, ValueRange operands,
               ArrayRef<NamedAttribute> attributes = {});
  /// A part as a tensor.
  Value materialize(Value part, Type type);
  /// Clones `op` on these operands, with the part's type instead of complex
  /// ones.
  Value cloneOnPart(Operation *op, ValueRange operands);

  Value negate(Value x) {
    return x ? create("stablehlo.negate", x.getType(), x) : x;
  }
  Value add(Value x, Value y) {
    return x && y ? create("stablehlo.add", x.getType(), {x, y}) : x ? x : y;
  }
  Value subtract(Value x, Value y) {
    if (!x)
      return negate(y);
    return y ? create("stablehlo.subtract", x.getType(), {x, y}) : x;
  }

  OpBuilder builder;
  Location loc = builder.getUnknownLoc();
  /// The parts of every complex value that was split.
  llvm::DenseMap<Value, Parts> parts;
  SmallVector<Operation *> replaced;
  /// Blocks whose arguments were split.
  SmallVector<Block *> blocks;
  /// The operation that took over the regions of the one split last, or null.
  Operation *successor = nullptr;
  /// True if the function is the model: the public one, or of several @main.
  bool isEntry(func::FuncOp function) const {
    return function.isPublic() &&
           (numPublic == 1 || function.getName() == "main");
  }
  int64_t numPublic = 0;
  /// Function types before they were split.
  FunctionTypes functionTypes;
};

} // namespace

Parts Splitter::getParts(Value value) {
  if (!isComplex(value))
    return {value, {}};
  if (auto known = parts.find(value); known != parts.end())
    return known->second;
  // Its producer stays complex and is reported; its reader is not.
  Type type = getPartType(value.getType());
  return {create("stablehlo.real", type, value),
          create("stablehlo.imag", type, value)};
}

void Splitter::refuse(Operation *op) {
  // Readers of a rejected operation's results are not reported.
  bool isFirst = llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isComplex(operand) || parts.contains(operand);
  });
  if (isFirst)
    rest.refused[op] = getTypingError(op, functionTypes);
  for (OpOperand &operand : op->getOpOperands()) {
    auto known = parts.find(operand.get());
    if (known == parts.end())
      continue;
    Type type = operand.get().getType(), partType = getPartType(type);
    operand.set(create("stablehlo.complex", type,
                       {materialize(known->second.re, partType),
                        materialize(known->second.im, partType)}));
    rest.joined.insert(operand.get().getDefiningOp());
  }
}

Value Splitter::create(StringRef name, Type type, ValueRange operands,
                       ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, name, operands, type, attributes);
  return builder.create(state)->getResult(0);
}

Value Splitter::materialize(Value part, Type type) {
  if (part)
    return part;
  auto zero = DenseElementsAttr::get(cast<ShapedType>(type),
                                     builder.getF32FloatAttr(0));
  return create("stablehlo.constant", type, {},
                builder.getNamedAttr("value", zero));
}

Value Splitter::cloneOnPart(Operation *op, ValueRange operands) {
  // An operand that occurs twice may have another part in each position.
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  clone->getResult(0).setType(getPartType(op->getResult(0).getType()));
  clone->walk([](Block *block) {
    for (BlockArgument argument : block->getArguments())
      argument.setType(getPartType(argument.getType()));
    for (Operation &inner : *block)
      for (Value result : inner.getResults())
        result.setType(getPartType(result.getType()));
  });
  return clone->getResult(0);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Splits constants.
std::optional<Parts> Splitter::splitConstant(Operation *op) {
  auto value = dyn_cast_or_null<DenseElementsAttr>(
      HloOp(op, op->getLoc()).getAttr("value"));
  if (!value || value.getType() != op->getResult(0).getType())
    return std::nullopt;
  auto type = cast<ShapedType>(getPartType(value.getType()));
  auto makePart = [&](bool imaginary) -> Value {
    auto getPart = [&](std::complex<float> number) {
      return imaginary ? number.imag() : number.real();
    };
    DenseElementsAttr part;
    if (value.isSplat()) {
      part = DenseElementsAttr::get(
          type, getPart(value.getSplatValue<std::complex<float>>()));
    } else {
      auto numbers =
          llvm::map_to_vector(value.getValues<std::complex<float>>(), getPart);
      part = DenseElementsAttr::get(type, ArrayRef<float>(numbers));
    }
    if (llvm::all_of(part.getValues<float>(), [](float x) { return x == 0; }))
      return {};
    return create("stablehlo.constant", type, {},
                  builder.getNamedAttr("value", part));
  };
  return Parts{makePart(false), makePart(true)};
}

/// Splits conversions from real numbers to complex ones.
std::optional<Parts> Splitter::splitConversion(Operation *op) {
  Value x = op->getOperand(0);
  if (x.getType() == op->getResult(0).getType())
    return getParts(x);
  if (isComplex(x))
    return std::nullopt;
  Type type = getPartType(op->getResult(0).getType());
  return Parts{x.getType() == type ? x : create("stablehlo.convert", type, x),
               {}};
}

std::optional<Parts> Splitter::splitSum(Operation *op) {
  Parts a = getParts(op->getOperand(0)), b = getParts(op->getOperand(1));
  if (op->getName().getStringRef() == "stablehlo.add")
    return Parts{add(a.re, b.re), add(a.im, b.im)};
  return Parts{subtract(a.re, b.re), subtract(a.im, b.im)};
}

/// (a + bi) (c + di) = ac - bd + (ad + bc) i, of elements or of matrices.
std::optional<Parts> Splitter::splitProduct(Operation *op) {
  Parts a = getParts(op->getOperand(0)), b = getParts(op->getOperand(1));
  auto multiply = [&](Value x, Value y) {
    return x && y ? cloneOnPart(op, {x, y}) : Value();
  };
  return Parts{subtract(multiply(a.re, b.re), multiply(a.im, b.im)),
               add(multiply(a.re, b.im), multiply(a.im, b.re))};
}

/// Splits divisions by real numbers.
std::optional<Parts> Splitter::splitQuotient(Operation *op) {
  Parts a = getParts(op->getOperand(0)), b = getParts(op->getOperand(1));
  if (b.im || !b.re)
    return std::nullopt;
  auto divide = [&](Value x) {
    return x ? cloneOnPart(op, {x, b.re}) : Value();
  };
  return Parts{divide(a.re), divide(a.im)};
}

/// exp(a + bi) = exp(a) (cos b + i sin b).
std::optional<Parts> Splitter::splitExponential(Operation *op) {
  Parts z = getParts(op->getOperand(0));
  Type type = getPartType(op->getResult(0).getType());
  if (!z.im)
    return Parts{cloneOnPart(op, materialize(z.re, type)), {}};
  Value re = create("stablehlo.cosine", type, z.im);
  Value im = create("stablehlo.sine", type, z.im);
  if (!z.re)
    return Parts{re, im};
  Value length = cloneOnPart(op, z.re);
  return Parts{create("stablehlo.multiply", type, {length, re}),
               create("stablehlo.multiply", type, {length, im})};
}

/// Applies the operation to each part by itself.
std::optional<Parts> Splitter::splitByPart(Operation *op) {
  SmallVector<Parts> split;
  for (Value operand : op->getOperands())
    split.push_back(getParts(operand));
  auto computePart = [&](bool imaginary) -> Value {
    SmallVector<Value> operands;
    bool isZero = true;
    for (auto [operand, part] : llvm::zip(op->getOperands(), split)) {
      if (!isComplex(operand)) {
        operands.push_back(operand);
        continue;
      }
      isZero &= !part.get(imaginary);
      operands.push_back(
          materialize(part.get(imaginary), getPartType(operand.getType())));
    }
    return isZero ? Value() : cloneOnPart(op, operands);
  };
  return Parts{computePart(false), computePart(true)};
}

/// Splits operations that pass values on: two replace every complex one.
SmallVector<Parts> Splitter::splitBoundary(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Type type = getPartType(operand.getType());
    Parts split = getParts(operand);
    operands.push_back(materialize(split.re, type));
    if (isComplex(operand))
      operands.push_back(materialize(split.im, type));
  }
  OperationState state(loc, op->getName());
  state.addOperands(operands);
  state.addTypes(getPartTypes(op->getResultTypes()));
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *made = builder.create(state);
  successor = made;
  for (Region &region : made->getRegions())
    for (Block &block : region)
      splitArguments(block);

  SmallVector<Parts> results;
  unsigned next = 0;
  for (Value result : op->getResults()) {
    Parts &split = results.emplace_back(Parts{made->getResult(next++), {}});
    if (isComplex(result))
      split.im = made->getResult(next++);
  }
  return results;
}

/// True if operands and result are of one type.
static bool isOnElements(Operation *op, unsigned numOperands) {
  return op->getNumOperands() == numOperands &&
         llvm::all_of(op->getOperandTypes(), [&](Type type) {
           return type == op->getResult(0).getType();
         });
}

/// True if every region adds its arguments.
static bool addsArguments(Operation *op) {
  return llvm::all_of(op->getRegions(), [](Region &region) {
    if (!region.hasOneBlock() ||
        !llvm::hasNItems(region.front().begin(), region.front().end(), 2))
      return false;
    Block &body = region.front();
    return hasOnlyComplex(body.getArgumentTypes()) &&
           body.front().getName().getStringRef() == "stablehlo.add" &&
           llvm::equal(body.front().getOperands(), body.getArguments()) &&
           llvm::equal(body.back().getOperands(), body.front().getResults());
  });
}

/// Operations that pass values on.
static constexpr StringLiteral passes[] = {
    "func.call",           "func.return",      "stablehlo.case",
    "stablehlo.if",        "stablehlo.return", "stablehlo.optimization_barrier",
    "stablehlo.composite", "stablehlo.while",  "sdy.sharding_constraint"};

std::optional<SmallVector<Parts>> Splitter::split(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name != "stablehlo.complex" && !getTypingError(op, functionTypes).empty())
    return std::nullopt;
  if (llvm::is_contained(passes, name)) {
    auto function = dyn_cast<func::FuncOp>(op->getParentOp());
    if (name == "func.return" && (!function || isEntry(function)))
      return std::nullopt;
    return splitBoundary(op);
  }
  if (op->getNumResults() != 1)
    return std::nullopt;
  Type type = op->getResult(0).getType(), partType = getPartType(type);
  unsigned numOperands = op->getNumOperands();
  std::optional<Parts> result;
  if (type == partType) {
    if ((name == "stablehlo.real" || name == "stablehlo.imag") &&
        numOperands == 1 && getPartType(op->getOperand(0).getType()) == type &&
        parts.contains(op->getOperand(0)))
      result = Parts{
          materialize(getParts(op->getOperand(0)).get(name == "stablehlo.imag"),
                      type),
          {}};
  } else if (name == "stablehlo.complex") {
    if (numOperands == 2 && op->getOperand(0).getType() == partType &&
        op->getOperand(1).getType() == partType)
      result = Parts{op->getOperand(0), op->getOperand(1)};
  } else if (name == "stablehlo.constant") {
    result = splitConstant(op);
  } else if (name == "stablehlo.convert" && numOperands == 1) {
    result = splitConversion(op);
  } else if ((name == "stablehlo.add" || name == "stablehlo.subtract") &&
             isOnElements(op, 2)) {
    result = splitSum(op);
  } else if ((name == "stablehlo.multiply" && isOnElements(op, 2)) ||
             (name == "stablehlo.dot_general" && numOperands == 2)) {
    result = splitProduct(op);
  } else if (name == "stablehlo.divide" && isOnElements(op, 2)) {
    result = splitQuotient(op);
  } else if (name == "stablehlo.exponential" && isOnElements(op, 1)) {
    result = splitExponential(op);
  } else if (movesElements(name) && addsArguments(op)) {
    result = splitByPart(op);
  }
  if (!result)
    return std::nullopt;
  return SmallVector<Parts>{*result};
}

//===----------------------------------------------------------------------===//
// Blocks and functions
//===----------------------------------------------------------------------===//

void Splitter::splitArguments(Block &block) {
  blocks.push_back(&block);
  for (unsigned i = 0; i < block.getNumArguments(); ++i) {
    BlockArgument whole = block.getArgument(i);
    if (!isComplex(whole))
      continue;
    Type type = getPartType(whole.getType());
    Location loc = whole.getLoc();
    Value re = block.insertArgument(i + 1, type, loc);
    Value im = block.insertArgument(i + 2, type, loc);
    parts[whole] = {re, im};
    i += 2;
  }
}

/// Removes the complex arguments, which their parts replace.
static void dropArguments(Block &block) {
  block.eraseArguments(
      [](BlockArgument argument) { return isComplex(argument); });
}

void Splitter::splitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    builder.setInsertionPoint(&op);
    loc = op.getLoc();
    Operation *holder = &op;
    if (hasComplex(&op)) {
      successor = nullptr;
      if (std::optional<SmallVector<Parts>> results = split(&op)) {
        for (auto [result, split] :
             llvm::zip_equal(op.getResults(), *results)) {
          if (isComplex(result))
            parts[result] = split;
          else
            result.replaceAllUsesWith(split.re);
        }
        replaced.push_back(&op);
        holder = successor;
      } else {
        refuse(&op);
      }
    }
    if (!holder)
      continue;
    for (Region &region : holder->getRegions())
      for (Block &inner : region)
        splitBlock(inner);
  }
}

/// True if all values come before their readers, which is not guaranteed in
/// regions of unknown operations.
static bool isInOrder(func::FuncOp function) {
  llvm::DenseSet<Value> seen;
  auto isOrdered = [&](auto &isOrdered, Operation *op) -> bool {
    for (Value operand : op->getOperands())
      if (!seen.contains(operand))
        return false;
    for (Region &region : op->getRegions()) {
      if (!region.empty() && !region.hasOneBlock())
        return false;
      for (Block &block : region) {
        seen.insert(block.args_begin(), block.args_end());
        for (Operation &inner : block)
          if (!isOrdered(isOrdered, &inner))
            return false;
      }
    }
    seen.insert(op->result_begin(), op->result_end());
    return true;
  };
  return isOrdered(isOrdered, function);
}

void Splitter::splitFunction(func::FuncOp function) {
  bool hasAny = hasComplex(function.getArgumentTypes());
  function.walk([&](Operation *op) { hasAny |= hasComplex(op); });
  if (function.isDeclaration() || !hasAny)
    return;
  if (!isInOrder(function)) {
    function.walk([&](Operation *op) {
      if (hasComplex(op))
        rest.refused[op] = "'" + function.getName().str() +
                           "' reads values before they are computed, or has "
                           "regions of several blocks";
    });
    return;
  }
  Block &body = function.front();
  bool changesType =
      !isEntry(function) && (hasComplex(function.getArgumentTypes()) ||
                             hasComplex(function.getResultTypes()));
  if (changesType)
    splitArguments(body);
  splitBlock(body);
  // Only later split operations read the results of split ones.
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  replaced.clear();
  for (Block *block : blocks)
    dropArguments(*block);
  blocks.clear();
  parts.clear();
  if (!changesType)
    return;
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  function.setFunctionType(builder.getFunctionType(
      body.getArgumentTypes(), getPartTypes(function.getResultTypes())));
}

Splitter::Splitter(ModuleOp module) : builder(module.getContext()) {
  for (auto function : module.getOps<func::FuncOp>()) {
    functionTypes[function.getNameAttr()] = function.getFunctionType();
    numPublic += function.isPublic() && !function.isDeclaration();
  }
}

ComplexRest mlir::te::stablehlo_import::splitComplex(ModuleOp module) {
  Splitter splitter(module);
  for (auto function : module.getOps<func::FuncOp>())
    splitter.splitFunction(function);
  return std::move(splitter.rest);
}
