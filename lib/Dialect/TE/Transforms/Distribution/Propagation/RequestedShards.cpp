// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Propagation/RequestedShards.h"

#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/IR/TiedNames.h"
#include "te/Support/Glob.h"

using namespace mlir;
using namespace mlir::te;

/// Fails, with an error, unless ranks along `axis` share dimensions of
/// parameters.
static LogicalResult checkAxis(StringRef axis, ArrayRef<MeshAxis> axes,
                               llvm::function_ref<InFlightDiagnostic()> error) {
  if (axis == kDataAxis)
    return error() << "ranks along dp share optimizer states, and parameters, "
                      "element by element; --zero says which, and only tp "
                      "shards a dimension";
  if (axis == kExpertAxis)
    return error() << "ranks along ep share the experts that the compiler "
                      "finds; only tp shards a dimension that is asked for";
  if (axis == kContextAxis)
    return error() << "ranks along cp share sequences, and each has all "
                      "parameters; only tp shards a dimension";
  if (axis != kTensorAxis)
    return error() << "there is no axis '" << axis
                   << "'; tp is the one that shards a dimension";
  if (llvm::none_of(axes,
                    [&](const MeshAxis &known) { return known.name == axis; }))
    return error() << "the mesh has no axis 'tp'; add tp=R to --mesh, or leave "
                      "this out";
  return success();
}

FailureOr<SmallVector<ShardRule>>
mlir::te::parseShardRules(ArrayRef<std::string> texts, StringRef mesh,
                          Location loc) {
  FailureOr<SmallVector<MeshAxis>> axes = SmallVector<MeshAxis>();
  if (!mesh.empty())
    axes = parseMesh(mesh, loc);
  if (failed(axes))
    return failure();
  SmallVector<ShardRule> rules;
  for (const std::string &text : texts) {
    auto error = [&] { return emitError(loc) << "--shard='" << text << "': "; };
    // Names may contain '='; the dimension does not.
    auto [glob, cut] = StringRef(text).rsplit('=');
    auto [dim, axis] = cut.split(':');
    ShardRule rule;
    rule.text = text;
    if (glob.empty() || cut.empty() || (cut != "none" && axis.empty()))
      return error() << "expected GLOB=DIM:AXIS, such as '*.wte.weight=0:tp', "
                        "or GLOB=none for parameters that every rank holds all "
                        "of";
    auto matcher = createGlob(glob);
    if (!matcher)
      return error() << "bad glob '" << glob
                     << "': " << llvm::toString(matcher.takeError());
    rule.glob = std::move(*matcher);
    if (cut == "none") {
      if (failed(checkAxis(kTensorAxis, *axes, error)))
        return failure();
    } else {
      unsigned number;
      if (dim.getAsInteger(10, number))
        return error() << "'" << dim
                       << "' is no dimension; they are counted from 0";
      rule.dim = number;
      if (failed(checkAxis(axis, *axes, error)))
        return failure();
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

/// True if the rule matches a parameter's name or one that is tied to it.
static bool matches(const ShardRule &rule, StringRef name,
                    DictionaryAttr tied) {
  if (rule.glob.match(name))
    return true;
  auto others = tied ? tied.getAs<ArrayAttr>(name) : ArrayAttr();
  return others &&
         llvm::any_of(others.getAsRange<StringAttr>(), [&](StringAttr other) {
           return rule.glob.match(other.getValue());
         });
}

FailureOr<RequestedShards>
RequestedShards::find(func::FuncOp function, MutableArrayRef<ShardRule> rules) {
  RequestedShards cuts;
  auto tied =
      function->getParentOfType<ModuleOp>()->getAttrOfType<DictionaryAttr>(
          kTiedAttr);
  for (BlockArgument argument : function.getArguments()) {
    if (!function.getArgAttr(argument.getArgNumber(), kParamAttr))
      continue;
    StringRef name = getArgumentText(argument, kParamAttr);
    for (ShardRule &rule : rules) {
      if (!matches(rule, name, tied))
        continue;
      rule.isUsed = true;
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (rule.dim && (!type || type.getRank() <= int64_t(*rule.dim)))
        return emitError(function.getLoc())
               << "--shard='" << rule.text << "': '" << name << "' is "
               << argument.getType() << " and has no dimension " << *rule.dim
               << " (they are counted from 0); name another, or parameters "
                  "that have it";
      auto [it, inserted] = cuts.rules.insert({argument, &rule});
      if (!inserted && it->second->dim != rule.dim)
        return emitError(function.getLoc())
               << "--shard='" << rule.text << "' and --shard='"
               << it->second->text << "' say different things about '" << name
               << "'; let globs be about different parameters";
    }
  }
  return cuts;
}

std::optional<std::string>
RequestedShards::findConflict(Operation *op, const OpSharding &sharding) const {
  for (auto [operand, cut] :
       llvm::zip_equal(op->getOperands(), sharding.operands)) {
    const ShardRule *rule = lookup(operand);
    if (!rule || (rule->dim ? cut && cut->dim == *rule->dim : !cut))
      continue;
    return ("--shard='" + rule->text + "' says otherwise about '" +
            getArgumentText(operand, kParamAttr) + "'")
        .str();
  }
  return std::nullopt;
}
