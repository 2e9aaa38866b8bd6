// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/EntryInterface.h"

#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/ElementTypes.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::te;

StringRef mlir::te::stringifyBoundaryRole(BoundaryRole role) {
  switch (role) {
  case BoundaryRole::Input:
    return "input";
  case BoundaryRole::Scalar:
    return "scalar";
  case BoundaryRole::Param:
    return "param";
  case BoundaryRole::State:
    return "state";
  case BoundaryRole::Output:
    return "output";
  }
  llvm_unreachable("unknown boundary role");
}

const BoundaryValue *EntryInterface::find(BoundaryRole role,
                                          StringRef name) const {
  for (const BoundaryValue &value : values)
    if (value.role == role && value.name == name)
      return &value;
  return nullptr;
}

namespace {

struct RoleAttr {
  StringLiteral attr;
  BoundaryRole role;
};
constexpr RoleAttr kArgumentRoles[] = {{kInputAttr, BoundaryRole::Input},
                                       {kScalarAttr, BoundaryRole::Scalar},
                                       {kParamAttr, BoundaryRole::Param},
                                       {kStateAttr, BoundaryRole::State}};
constexpr RoleAttr kResultRoles[] = {{kOutputAttr, BoundaryRole::Output},
                                     {kParamAttr, BoundaryRole::Param},
                                     {kStateAttr, BoundaryRole::State}};

/// Reads one function; errors are attached to it.
class Reader {
public:
  explicit Reader(FunctionOpInterface function) : function(function) {}

  FailureOr<EntryInterface> read() {
    if (auto entry = function->getAttrOfType<StringAttr>(kEntryAttr))
      interface.entry = entry.str();
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (failed(readArgument(i)))
        return failure();
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
      if (failed(readResult(i)))
        return failure();
    return std::move(interface);
  }

private:
  InFlightDiagnostic error(StringRef what, unsigned index) {
    // Without the function's body, which emitOpError would print.
    return emitError(function->getLoc())
           << "@" << function.getName() << ": " << what << " #" << index << " ";
  }

  /// Finds the one role that `attrs` give, and with it the name.
  FailureOr<BoundaryValue> readRole(StringRef what, unsigned index,
                                    DictionaryAttr attrs, Type type,
                                    ArrayRef<RoleAttr> roles) {
    BoundaryValue value;
    bool found = false;
    for (const RoleAttr &candidate : roles) {
      auto name =
          attrs ? attrs.getAs<StringAttr>(candidate.attr) : StringAttr();
      if (!name)
        continue;
      if (found)
        return error(what, index)
               << "has both '" << attrFor(value.role) << "' and '"
               << candidate.attr << "'; keep one";
      found = true;
      value.name = name.str();
      value.role = candidate.role;
    }
    if (!found) {
      InFlightDiagnostic diag = error(what, index)
                                << "has no role; add one of ";
      llvm::interleaveComma(roles, diag, [&](const RoleAttr &role) {
        diag << "'" << role.attr << "'";
      });
      return diag;
    }
    value.type = dyn_cast<ShapedType>(type);
    if (!value.type || !value.type.hasStaticShape())
      return error(what, index) << "('" << value.name << "') has type " << type
                                << "; entries exchange tensors of static shape";
    if (auto reason = getElementTypeProblem(type))
      return error(what, index)
             << "('" << value.name << "') has type " << type << ": " << *reason;
    return value;
  }

  static StringRef attrFor(BoundaryRole role) {
    for (ArrayRef<RoleAttr> table :
         {ArrayRef<RoleAttr>(kArgumentRoles), ArrayRef<RoleAttr>(kResultRoles)})
      for (const RoleAttr &entry : table)
        if (entry.role == role)
          return entry.attr;
    llvm_unreachable("every role has an attribute");
  }

  LogicalResult readArgument(unsigned index) {
    DictionaryAttr attrs = function.getArgAttrDict(index);
    FailureOr<BoundaryValue> value =
        readRole("argument", index, attrs, function.getArgumentTypes()[index],
                 kArgumentRoles);
    if (failed(value))
      return failure();
    value->argument = index;
    bool stateful = value->role == BoundaryRole::Param ||
                    value->role == BoundaryRole::State;
    if (value->role == BoundaryRole::Scalar && value->type.getRank() != 0)
      return error("argument", index)
             << "('" << value->name << "') is a scalar, but its type is "
             << value->type;
    if (value->role == BoundaryRole::Param)
      value->kind = "parameter";
    if (value->role == BoundaryRole::State) {
      auto kind = attrs.getAs<StringAttr>(kKindAttr);
      if (!kind)
        return error("argument", index)
               << "('" << value->name << "') is a state without 'te.kind'";
      value->kind = kind.str();
    }
    value->init = attrs.get(kInitAttr);
    if (value->init && !stateful)
      return error("argument", index)
             << "('" << value->name
             << "') has 'te.init', which only parameters "
             << "and states take";
    if (attrs.get(kFrozenAttr) && value->role != BoundaryRole::Param)
      return error("argument", index)
             << "('" << value->name << "') has 'te.frozen', which only "
             << "parameters take";
    value->defaultValue = attrs.get(kDefaultAttr);
    if (value->defaultValue && value->role != BoundaryRole::Scalar)
      return error("argument", index)
             << "('" << value->name << "') has 'te.default', which only "
             << "scalars take";
    // Parameters and states share one namespace, and so do inputs and scalars:
    // callers pass both by name.
    auto [it, fresh] =
        (stateful ? states : inputs).try_emplace(value->name, index);
    if (!fresh)
      return error("argument", index) << "has the name '" << value->name
                                      << "' of argument #" << it->second;
    interface.values.push_back(std::move(*value));
    return success();
  }

  LogicalResult readResult(unsigned index) {
    FailureOr<BoundaryValue> value =
        readRole("result", index, function.getResultAttrDict(index),
                 function.getResultTypes()[index], kResultRoles);
    if (failed(value))
      return failure();
    if (value->role == BoundaryRole::Output) {
      auto [it, fresh] = outputs.try_emplace(value->name, index);
      if (!fresh)
        return error("result", index) << "has the name '" << value->name
                                      << "' of result #" << it->second;
      value->result = index;
      interface.values.push_back(std::move(*value));
      return success();
    }
    auto it = states.find(value->name);
    BoundaryValue *twin =
        it == states.end() ? nullptr : &interface.values[it->second];
    if (!twin || twin->role != value->role)
      return error("result", index)
             << "is the new value of " << stringifyBoundaryRole(value->role)
             << " '" << value->name << "', but no argument is that";
    if (twin->type != value->type)
      return error("result", index)
             << "is the new value of '" << value->name << "' and has type "
             << value->type << ", but the argument has " << twin->type;
    if (isFrozen(function, *twin->argument))
      return error("result", index)
             << "is a new value of '" << value->name
             << "', which is frozen (te.frozen); keep one";
    if (twin->result)
      return error("result", index)
             << "is a second new value of '" << value->name << "'";
    twin->result = index;
    return success();
  }

  FunctionOpInterface function;
  EntryInterface interface;
  llvm::StringMap<unsigned> inputs, states, outputs;
};

} // namespace

FailureOr<EntryInterface> EntryInterface::get(FunctionOpInterface function) {
  return Reader(function).read();
}
