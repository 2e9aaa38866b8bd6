// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-update-parameters: makes entries return new parameters instead of their
// gradients, by an optimizer that is an attribute.

#include "Training/EntryEditor.h"
#include "Training/ParameterRoles.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/IR/TiedNames.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/Glob.h"
#include "te/Support/Signature.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEUPDATEPARAMETERS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {

/// A state of an optimizer, and a parameter with its states.
struct State {
  OptimizerState description;
  Value value;
  Value updated;
};
struct Parameter {
  StringRef name;
  Value value;
  Value gradient;
  OptimizedParameter description;
  SmallVector<State> states;
  Value updated;
  /// The name of its group; empty: that of all others.
  StringRef group;
  OptimizerAttrInterface rule;
  /// The shard that a rank holds (te.shard), if not all; its states of the same
  /// shape are sharded alike.
  Attribute shard;

  /// The shard of a state of this type: with the parameter's elements, or with
  /// a scale for many of each row.
  Attribute getShardOf(Type type) const {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape(),
                      own = description.type.getShape();
    if (shape == own || !shard)
      return shape == own ? shard : Attribute();
    auto part = cast<ShardAttr>(shard);
    if (shape != getStateScaleType(description.type).getShape() ||
        part.getDim() + 1 == int64_t(own.size()))
      return {};
    SmallVector<int64_t> whole(part.getShape());
    whole.back() = shape.back();
    return ShardAttr::get(part.getContext(), whole, part.getDimAxes(),
                          part.getDim(), part.getBlocks(), part.getFlatAxes());
  }
};

class TEUpdateParameters
    : public mlir::te::impl::TEUpdateParametersBase<TEUpdateParameters> {
public:
  using TEUpdateParametersBase::TEUpdateParametersBase;

  void runOnOperation() override {
    rule = parseOptimizer(optimizer, getOperation().getLoc());
    FailureOr<SmallVector<func::FuncOp>> functions =
        findEntries(getOperation(), entries,
                    [](const EntryKind &kind) { return kind.hasUpdates; });
    if (!rule || failed(functions) || failed(parseGroups()))
      return signalPassFailure();
    for (func::FuncOp function : *functions)
      if (failed(update(function)))
        return signalPassFailure();
  }

private:
  /// Parameters with scalars of their own.
  struct Group {
    StringRef name;
    llvm::GlobPattern glob;
    /// Its optimizer, if that is another one.
    OptimizerAttrInterface rule;
    bool isUsed = false;
  };

  LogicalResult parseGroups();
  const Group *findGroup(StringRef parameter);
  LogicalResult checkGroupsAreUsed();
  SmallVector<Value> addScalars(EntryEditor &entry, const Group &group,
                                ArrayRef<Value> common);
  LogicalResult update(func::FuncOp function);
  FailureOr<SmallVector<Parameter>> findParameters(EntryEditor &entry);
  void addStates(EntryEditor &entry, SignatureExtension &extension,
                 Parameter &parameter);
  void buildUpdate(EntryEditor &entry, Parameter &parameter, ValueRange scalars,
                   Value coefficient, Value step);
  void returnUpdates(EntryEditor &entry, ArrayRef<Parameter> parameters,
                     std::optional<unsigned> coefficient, Value step);

  OptimizerAttrInterface rule;
  SmallVector<Group> parsed;
};

} // namespace

/// The scalars that a group has factors of.
static bool hasFactor(StringRef scalar) {
  return scalar == "learning_rate" || scalar == "weight_decay";
}

LogicalResult TEUpdateParameters::parseGroups() {
  for (const std::string &text : groups) {
    auto error = [&] {
      return getOperation().emitError() << "the group '" << text << "' ";
    };
    auto [name, rest] = StringRef(text).split('=');
    auto [pattern, optimizer] = rest.rsplit(':');
    if (name.empty() || pattern.empty() || !llvm::all_of(name, [](char c) {
          return llvm::isAlnum(c) || c == '_';
        }))
      return error() << "is no NAME=GLOB or NAME=GLOB:OPTIMIZER with a name of "
                        "letters, digits and _";
    auto glob = createGlob(pattern);
    if (!glob)
      return error() << "has no glob: " << llvm::toString(glob.takeError());
    OptimizerAttrInterface own;
    if (!optimizer.empty()) {
      own = parseOptimizer(optimizer, getOperation().getLoc());
      if (!own)
        return failure();
    }
    for (const Group &other : parsed)
      if (other.name == name && other.rule != own)
        return error() << "has another optimizer than the one before it of "
                          "that name";
    parsed.push_back({name, std::move(*glob), own});
  }
  return success();
}

/// By any of the parameter's names in the model; the last group holds.
const TEUpdateParameters::Group *
TEUpdateParameters::findGroup(StringRef parameter) {
  SmallVector<StringRef> names = {parameter};
  if (auto tied = getOperation()->getAttrOfType<DictionaryAttr>(kTiedAttr))
    if (auto others = tied.getAs<ArrayAttr>(parameter))
      for (auto other : others.getAsRange<StringAttr>())
        names.push_back(other.getValue());
  const Group *found = nullptr;
  for (Group &group : parsed)
    if (llvm::any_of(names,
                     [&](StringRef name) { return group.glob.match(name); })) {
      group.isUsed = true;
      found = &group;
    }
  return found;
}

LogicalResult TEUpdateParameters::checkGroupsAreUsed() {
  for (auto [i, group] : llvm::enumerate(parsed))
    if (!group.isUsed)
      return getOperation().emitError()
             << "the group '" << groups[i]
             << "' matches no parameter that is trained";
  return success();
}

/// The scalars of a group's updates: those of all, two of them times a factor.
/// Those of an optimizer of its own have the group's name behind theirs, but
/// for the two, whose factors make their defaults of those of all.
SmallVector<Value> TEUpdateParameters::addScalars(EntryEditor &entry,
                                                  const Group &group,
                                                  ArrayRef<Value> common) {
  const StringRef behind[] = {kInputAttr, kScalarAttr};
  SmallVector<OptimizerScalar> all = rule.getScalars();
  SmallVector<Value> scalars;
  for (const OptimizerScalar &scalar :
       (group.rule ? group.rule : rule).getScalars()) {
    auto shared = llvm::find_if(all, [&](const OptimizerScalar &other) {
      return other.name == scalar.name;
    });
    const bool isShared =
        shared != all.end() && (!group.rule || shared->defaultValue != 0);
    if (isShared && hasFactor(scalar.name)) {
      const double factor =
          group.rule ? scalar.defaultValue / shared->defaultValue : 1;
      Value of = common[shared - all.begin()];
      scalars.push_back(arith::MulFOp::create(
          entry.getBuilder(), of.getLoc(), of,
          entry.addScalar(scalar.name + "_factor." + group.name.str(), factor,
                          behind)));
    } else if (!group.rule) {
      scalars.push_back(common[shared - all.begin()]);
    } else {
      scalars.push_back(entry.addScalar(scalar.name + "." + group.name.str(),
                                        scalar.defaultValue, behind));
    }
  }
  return scalars;
}

FailureOr<SmallVector<Parameter>>
TEUpdateParameters::findParameters(EntryEditor &entry) {
  SmallVector<EntryGradient> gradients = entry.getGradients();
  if (gradients.empty())
    return entry.error()
           << "has no gradients to update parameters by; te-add-gradients adds "
              "them";
  for (StringRef pending :
       {StringRef(kLossDivisorAttr), StringRef(kGradientGuardAttr)})
    if (entry.findResult(pending))
      return entry.error()
             << "has a result with '" << pending
             << "', which te-clip-gradients makes part of the coefficient of "
                "its gradients; run that before te-update-parameters";
  SmallVector<EntryValue> params = entry.getValues(BoundaryRole::Param);
  SmallVector<Parameter> parameters;
  for (const EntryGradient &gradient : gradients) {
    auto *param = llvm::find_if(params, [&](const EntryValue &value) {
      return value.name() == gradient.of;
    });
    if (param == params.end())
      return entry.error() << "has a gradient of '" << gradient.of
                           << "', which is not a parameter";
    if (param->boundary.result)
      return entry.error() << "returns a new value of parameter '"
                           << gradient.of << "' already";
    if (!param->type().getElementType().isF32())
      return entry.error()
             << "has parameter '" << gradient.of << "' of type "
             << param->boundary.type
             << "; the optimizer updates float32 parameters (compute in a "
                "narrower type with te-set-compute-type)";
    const Group *group = findGroup(gradient.of);
    Parameter parameter{
        gradient.of,
        param->value,
        gradient.value,
        {param->type(), findParameterRoles(param->value), {}},
        {},
        {},
        group ? group->name : StringRef(),
        group && group->rule ? group->rule : rule,
        entry.getFunction().getArgAttr(*param->boundary.argument, kShardAttr)};
    parameter.description.shard = parameter.shard;
    if (parameter.shard && !parameter.rule.updatesShards(parameter.description))
      return entry.error()
             << "has a shard of parameter '" << gradient.of << "' ("
             << parameter.shard << "), which "
             << parameter.rule.getOptimizerName()
             << " updates as a full matrix; keep it replicated (shard="
             << gradient.of << "=none), or use another optimizer";
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

void TEUpdateParameters::addStates(EntryEditor &entry,
                                   SignatureExtension &extension,
                                   Parameter &parameter) {
  for (OptimizerState &state :
       parameter.rule.getStates(parameter.description)) {
    state.name += ("." + parameter.name).str();
    SmallVector<NamedAttribute> attrs = {entry.attr(kStateAttr, state.name),
                                         entry.attr(kKindAttr, "optimizer"),
                                         entry.attr(kInitAttr, state.init)};
    if (Attribute shard = parameter.getShardOf(state.type))
      attrs.push_back(entry.attr(kShardAttr, shard));
    Value value =
        extension.addArgument(parameter.value.getLoc(), state.type,
                              entry.getBuilder().getDictionaryAttr(attrs));
    parameter.states.push_back({state, value, {}});
  }
}

void TEUpdateParameters::buildUpdate(EntryEditor &entry, Parameter &parameter,
                                     ValueRange scalars, Value coefficient,
                                     Value step) {
  ParameterUpdate update;
  update.type = parameter.description.type;
  update.roles = parameter.description.roles;
  update.param = parameter.value;
  update.gradient = parameter.gradient;
  update.states = llvm::map_to_vector(
      parameter.states, [](const State &state) { return state.value; });
  update.scalars.assign(scalars.begin(), scalars.end());
  update.coefficient = coefficient;
  update.step = step;
  SmallVector<Value> results = parameter.rule.buildUpdate(
      entry.getBuilder(), parameter.value.getLoc(), update);
  parameter.updated = results.front();
  for (auto [state, value] :
       llvm::zip_equal(parameter.states, ArrayRef(results).drop_front()))
    state.updated = value;
  ++numUpdates;
}

void TEUpdateParameters::returnUpdates(EntryEditor &entry,
                                       ArrayRef<Parameter> parameters,
                                       std::optional<unsigned> coefficient,
                                       Value step) {
  func::FuncOp function = entry.getFunction();
  entry.eraseResults([&](unsigned result) {
    return result == coefficient ||
           function.getResultAttr(result, kGradientAttr);
  });
  SignatureExtension extension(function);
  auto addResult = [&](Value value, StringRef role, StringRef name,
                       Attribute shard) {
    SmallVector<NamedAttribute> attrs = {entry.attr(role, name)};
    if (shard)
      attrs.push_back(entry.attr(kShardAttr, shard));
    extension.addResult(value, entry.getBuilder().getDictionaryAttr(attrs));
  };
  for (const Parameter &parameter : parameters)
    addResult(parameter.updated, kParamAttr, parameter.name, parameter.shard);
  for (const Parameter &parameter : parameters)
    for (const State &state : parameter.states)
      addResult(state.updated, kStateAttr, state.description.name,
                parameter.getShardOf(state.updated.getType()));
  addResult(step, kStateAttr, "step", {});
}

LogicalResult TEUpdateParameters::update(func::FuncOp function) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  FailureOr<SmallVector<Parameter>> parameters = findParameters(*entry);
  if (failed(parameters))
    return failure();
  if (failed(checkGroupsAreUsed()))
    return failure();

  // The optimizer's scalars come before those of other stages.
  SmallVector<Value> scalars;
  SmallVector<OptimizerScalar> wanted = rule.getScalars();
  for (const OptimizerScalar &scalar : llvm::reverse(wanted))
    scalars.push_back(entry->addScalar(scalar.name, scalar.defaultValue,
                                       /*behind=*/{kInputAttr}));
  std::reverse(scalars.begin(), scalars.end());
  // By their names; the common ones by none.
  llvm::StringMap<SmallVector<Value>> scalarsOf;
  scalarsOf[""] = scalars;
  for (const Group &group : parsed)
    if (!scalarsOf.count(group.name))
      scalarsOf[group.name] = addScalars(*entry, group, scalars);
  OpBuilder &builder = entry->getBuilder();
  SignatureExtension extension(function);
  for (Parameter &parameter : *parameters)
    addStates(*entry, extension, parameter);
  Value step = extension.addArgument(
      entry->getLoc(), RankedTensorType::get({}, builder.getI64Type()),
      builder.getDictionaryAttr(
          {entry->attr(kStateAttr, "step"), entry->attr(kKindAttr, "counter"),
           entry->attr(kInitAttr, builder.getI64IntegerAttr(0))}));
  extension.commit();

  Location loc =
      NameLoc::get(builder.getStringAttr("optimizer"), entry->getLoc());
  std::optional<unsigned> clipped = entry->findCoefficient();
  Value coefficient;
  if (clipped)
    coefficient = entry->getResult(*clipped);
  else
    coefficient = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(RankedTensorType::get({}, builder.getF32Type()),
                               1.0f));
  Value newStep =
      AdvanceStepOp::create(builder, loc, step.getType(), coefficient, step);
  for (Parameter &parameter : *parameters)
    buildUpdate(*entry, parameter, scalarsOf[parameter.group], coefficient,
                newStep);
  returnUpdates(*entry, *parameters, clipped, newStep);
  return entry->finish();
}
