// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModuleImporter.h"
#include "TreePath.h"

#include "te/Support/DeadOps.h"
#include "te/Support/ElementTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

/// Most operations of a model with its loops unrolled. A model of a hundred
/// layers has some ten thousand.
static constexpr int64_t kMaxOperations = int64_t(1) << 22;
/// Nesting of calls and regions; JAX's are a dozen deep.
static constexpr size_t kMaxDepth = 200;

HandlerTable mlir::te::stablehlo_import::getHandlerTable() {
  HandlerTable handlers;
  populateElementwiseHandlers(handlers);
  populateSelectionHandlers(handlers);
  populateShapeHandlers(handlers);
  populateReductionHandlers(handlers);
  populateContractionHandlers(handlers);
  populateLookupHandlers(handlers);
  populateScatterHandlers(handlers);
  populateControlHandlers(handlers);
  populateOrderHandlers(handlers);
  return handlers;
}

ModuleImporter::ModuleImporter(ModuleOp source, ComplexRest complex,
                               Location fileLoc, const ImportOptions &options)
    : TensorBuilder(source.getContext(), options.maxConstantBytes),
      source(source), complex(std::move(complex)), fileLoc(fileLoc),
      handlers(getHandlerTable()), budget(kMaxOperations) {}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

LogicalResult ModuleImporter::unsupported(const HloOp &op,
                                          const Twine &reason) {
  if (noted.insert(op.get()).second)
    problems.add(op.getName(), reason.str(), getModulePath(op.getLoc()),
                 op.getLoc());
  return failure();
}

const Definition &ModuleImporter::getDefinition(Value value) const {
  static const Definition poison = Poison();
  auto it = definitions.find(value);
  return it == definitions.end() ? poison : it->second;
}

Value ModuleImporter::getValue(const HloOp &op, unsigned operand) {
  if (operand >= op->getNumOperands()) {
    (void)unsupported(op, "operand " + Twine(operand) + " is missing");
    return {};
  }
  const Definition &definition = getDefinition(op->getOperand(operand));
  if (auto *value = std::get_if<Value>(&definition))
    return *value;
  if (auto *constant = std::get_if<ConstantTensor>(&definition)) {
    auto type = op.getOperandType(operand);
    if (Value value =
            materialize(op.getLoc(), *constant, type.getElementType()))
      return value;
  }
  (void)unsupported(op, "operand " + Twine(operand) +
                            " is a constant that computation cannot use");
  return {};
}

const ConstantTensor *ModuleImporter::getConstant(const HloOp &op,
                                                  unsigned operand) const {
  if (operand >= op->getNumOperands())
    return nullptr;
  return std::get_if<ConstantTensor>(&getDefinition(op->getOperand(operand)));
}

bool ModuleImporter::areConstants(const HloOp &op) const {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return std::holds_alternative<ConstantTensor>(getDefinition(operand));
  });
}

LogicalResult ModuleImporter::defineConstant(const HloOp &op,
                                             const ScalarFunction &function) {
  SmallVector<const ConstantTensor *> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(getConstant(op, i));
  auto result =
      evaluate(function, operands, op.getShape(),
               ConstantTensor::getKind(op.getType().getElementType()));
  if (!result)
    return unsupported(op, "it divides by zero");
  return define(op, std::move(*result));
}

bool ModuleImporter::isConstantSize(ArrayRef<int64_t> shape) const {
  std::optional<int64_t> count = countElements(shape);
  return count && *count <= maxConstantBytes / int64_t(sizeof(int64_t));
}

StringRef ModuleImporter::getParameterName(Value value) const {
  return frontend::getParameterName(value, function);
}

bool ModuleImporter::isInput(Value value) const {
  BlockArgument argument = getViewedArgument(value, body);
  return argument && const_cast<func::FuncOp &>(function).getArgAttr(
                         argument.getArgNumber(), kInputAttr);
}

Location ModuleImporter::getLayerLoc(const HloOp &op, Value weight) const {
  StringRef layer = getParameterName(weight).rsplit('.').first;
  if (layer.empty())
    return op.getLoc();
  Location position = op.getLoc();
  if (auto named = dyn_cast<NameLoc>(position))
    position = named.getChildLoc();
  return NameLoc::get(StringAttr::get(weight.getContext(), layer), position);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The operation's module scopes and source position; missing ones are those of
/// the call that it is reached by.
Location ModuleImporter::getLoc(Operation *op) const {
  Location outer = calls.empty() ? fileLoc : calls.back().second;
  LocationAttr position = getPosition(op->getLoc());
  std::string scopes = getModuleScopes(op->getLoc());
  StringRef name = scopes.empty() ? getModulePath(outer) : StringRef(scopes);
  if (!position)
    position = getSourcePosition(outer);
  if (name.empty())
    return position;
  return NameLoc::get(StringAttr::get(op->getContext(), name),
                      Location(position));
}

/// The reason that a type is not supported; empty if it is.
static std::string getTypeProblem(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    os << "its type " << type << " is not a tensor of known rank";
    return text;
  }
  if (!tensor.hasStaticShape()) {
    os << "its type " << type
       << " has dynamic dimensions; export with arguments of the batch size "
          "and sequence length to train with";
    return text;
  }
  if (!countElements(tensor.getShape())) {
    os << "its type " << type << " is too large";
    return text;
  }
  Type element = tensor.getElementType();
  if (element.isF32() || element.isBF16() || element.isInteger(1) ||
      element.isSignlessInteger(32) || element.isSignlessInteger(64))
    return text;
  if (auto reason = getElementTypeProblem(element))
    return *reason;
  if (isa<ComplexType>(element)) {
    os << "complex numbers can be added, multiplied, divided by real ones, "
          "exponentiated and moved; compute with real and imaginary parts";
    return text;
  }
  os << "element type " << element << " is not supported";
  if (element.isUnsignedInteger())
    os << "; JAX computes random numbers with it: export the model as it is "
          "without dropout (deterministic=True)";
  return text;
}

std::string ModuleImporter::getTypesProblem(Operation *op) const {
  auto refused = complex.refused.find(op);
  if (refused != complex.refused.end() && !refused->second.empty())
    return refused->second;
  std::string problem;
  for (Type type : op->getResultTypes())
    if (problem.empty())
      problem = getTypeProblem(type);
  for (Type type : op->getOperandTypes())
    if (problem.empty() && isa<ComplexType>(getElementTypeOrSelf(type)))
      problem = getTypeProblem(type);
  return problem;
}

/// True for operations whose regions are imported and track their own
/// dependencies. Text gives any operation regions.
static bool importsOthers(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return isa<func::CallOp>(op) || name == "stablehlo.while" ||
         name == "stablehlo.case" || name == "stablehlo.if";
}

void ModuleImporter::poisonResults(Operation *op) {
  for (Value value : op->getResults())
    definitions[value] = Poison();
}

void ModuleImporter::foldResults(const HloOp &op) {
  ConstantEvaluator evaluator(maxConstantBytes / sizeof(Number));
  for (Value result : op->getResults())
    if (auto *value = std::get_if<Value>(&definitions[result]))
      if (auto elements = evaluator.getElements(*value))
        definitions[result] = ConstantTensor(*elements);
}

LogicalResult ModuleImporter::importOperation(Operation *op) {
  HloOp hlo(op, getLoc(op));
  if (budget-- <= 0)
    return unsupported(hlo, "with its loops unrolled and its functions inlined "
                            "the model has more than " +
                                Twine(kMaxOperations) + " operations");
  if (complex.joined.contains(op)) {
    // Its readers are reported instead.
    poisonResults(op);
    return success();
  }
  Handler handler = handlers.lookup(op->getName().getStringRef());
  LogicalResult imported = failure();
  if (!handler) {
    imported = unsupported(hlo, "");
  } else {
    std::string problem =
        op->getNumResults() == 0 ? "it has no results" : getTypesProblem(op);
    bool poisoned =
        !complex.refused.contains(op) &&
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return std::holds_alternative<Poison>(getDefinition(operand));
        });
    // An operation that depends on one which could not be imported is not
    // reported again, but an unknown one always is.
    if (poisoned && !importsOthers(op)) {
      poisonResults(op);
      return success();
    }
    if (problem.empty() && !importsOthers(op) && op->getNumResults() == 1 &&
        hlo.getType().getNumElements() == 0) {
      // A result without elements needs no computation.
      return define(hlo, ConstantTensor(ConstantTensor::getKind(
                                            hlo.getType().getElementType()),
                                        {}, hlo.getShape()));
    }
    imported =
        problem.empty() ? handler(*this, hlo) : unsupported(hlo, problem);
  }
  if (failed(imported))
    poisonResults(op);
  else if (op->getNumOperands() > 0 && areConstants(hlo))
    foldResults(hlo);
  return success(budget >= 0);
}

bool ModuleImporter::isBlockOf(Region &region, TypeRange arguments) {
  return region.hasOneBlock() && !region.front().empty() &&
         region.getArgumentTypes() == arguments;
}

LogicalResult
ModuleImporter::importRegion(Region &region, ArrayRef<Definition> arguments,
                             SmallVectorImpl<Definition> &results) {
  Block &block = region.front();
  for (auto [argument, definition] :
       llvm::zip_equal(block.getArguments(), arguments))
    definitions[argument] = definition;
  // The last operation returns, whatever its name.
  for (Operation &op : llvm::make_range(block.begin(), std::prev(block.end())))
    if (failed(importOperation(&op)))
      return failure();
  for (Value value : block.back().getOperands())
    results.push_back(getDefinition(value));
  return success();
}

/// True if the only block of a function ends by returning the function's
/// results. Nothing has verified it: any operation may be in place of a return.
static bool returnsResults(func::FuncOp callee) {
  Region &body = callee.getBody();
  return body.hasOneBlock() && !body.front().empty() &&
         body.front().back().getOperandTypes() == callee.getResultTypes();
}

func::FuncOp ModuleImporter::lookup(FlatSymbolRefAttr name) const {
  auto callee = const_cast<ModuleOp &>(source).lookupSymbol<func::FuncOp>(name);
  return callee && !callee.isDeclaration() ? callee : func::FuncOp();
}

LogicalResult ModuleImporter::importCall(const HloOp &call, func::FuncOp callee,
                                         ArrayRef<Definition> arguments,
                                         SmallVectorImpl<Definition> &results) {
  if (calls.size() >= kMaxDepth ||
      llvm::any_of(calls, [&](auto &entry) { return entry.first == callee; }))
    return unsupported(call, "'" + callee.getName() + "' calls itself");
  if (callee.getNumArguments() != arguments.size() ||
      call->getResultTypes() != callee.getResultTypes() ||
      !returnsResults(callee))
    return unsupported(call, "'" + callee.getName() +
                                 "' is not a function of these operands and "
                                 "results");
  calls.emplace_back(callee, call.getLoc());
  llvm::scope_exit leave([&] { calls.pop_back(); });
  return importRegion(callee.getBody(), arguments, results);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

FailureOr<ImportedModel> ModuleImporter::import() {
  func::FuncOp entry;
  int64_t numPublic = 0;
  for (auto candidate : source.getOps<func::FuncOp>()) {
    if (candidate.isDeclaration() || candidate.isPrivate())
      continue;
    ++numPublic;
    if (!entry || candidate.getName() == "main")
      entry = candidate;
  }
  if (!entry || (numPublic > 1 && entry.getName() != "main"))
    return emitError(fileLoc) << "the module has no function @main";
  if (!entry.getBody().hasOneBlock())
    return entry.emitError()
           << "'" << entry.getName() << "' has more blocks than one";
  if (!returnsResults(entry))
    return entry.emitError()
           << "'" << entry.getName() << "' does not end with its results, "
           << entry.getResultTypes();

  result.module = ModuleOp::create(builder, fileLoc);
  builder.setInsertionPointToEnd(result.module->getBody());
  function = func::FuncOp::create(builder, fileLoc, "forward",
                                  builder.getFunctionType({}, {}));
  body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  if (failed(importArguments(entry)))
    return failure();

  SmallVector<Definition> arguments, results;
  for (auto [argument, given] :
       llvm::zip_equal(body->getArguments(), entry.getArguments())) {
    Value value = argument;
    if (getElementTypeOrSelf(given.getType()).isInteger(1))
      value = TensorMath(*this, fileLoc).convert(value, builder.getI1Type());
    arguments.push_back(value);
  }
  calls.emplace_back(entry, fileLoc);
  (void)importRegion(entry.getBody(), arguments, results);
  if (!problems.empty())
    return problems.emit(
        fileLoc, "this model uses operations that are not supported; write "
                 "these parts of the model with those in docs/operators.md, or "
                 "leave them out of the exported function");
  if (failed(importResults(entry, results)))
    return failure();
  eraseDeadOps(*body);
  dropUnusedParameters(function, result.parameters);
  if (failed(verify(*result.module)))
    return failure();
  result.properties.emplace_back("format", "stablehlo");
  return std::move(result);
}
