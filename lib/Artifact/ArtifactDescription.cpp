// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Artifact/ArtifactDescription.h"

#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Dialect/TE/IR/Measurement.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/IR/TiedNames.h"
#include "te/Dialect/TE/IR/WeightCopy.h"

#include "tert/types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace mlir::te;
namespace json = llvm::json;

/// Name of an element type in descriptions; empty if it has none.
static StringRef dtypeName(Type type) {
  if (type.isF32())
    return "f32";
  if (type.isBF16())
    return "bf16";
  if (isa<Float8E4M3FNType>(type))
    return "f8e4m3";
  if (isa<Float8E5M2Type>(type))
    return "f8e5m2";
  if (isa<Float8E8M0FNUType>(type))
    return "f8e8m0";
  if (type.isInteger(64))
    return "i64";
  if (type.isInteger(32))
    return "i32";
  return {};
}

static FailureOr<json::Array> describeShape(func::FuncOp function,
                                            StringRef name, ShapedType type) {
  if (dtypeName(type.getElementType()).empty())
    return function.emitError()
           << "'" << name << "' has elements of " << type.getElementType()
           << ", and what goes into and comes out of a program is f32, bf16, "
              "i32, i64 or FP8: convert it inside the model";
  // Only tensors at the boundary are limited to the runtime's rank.
  if (type.getRank() > TERT_MAX_RANK)
    return function.emitError()
           << "'" << name << "' has " << type.getRank()
           << " dimensions; what goes into and comes out of a program has at "
              "most "
           << TERT_MAX_RANK << ": reshape it inside the model";
  return json::Array(type.getShape());
}

/// A number of te.init or te.default, which the runtime reads as a double: an
/// integer that is not exact in it is an error. Null for other attributes.
static FailureOr<json::Value> describeNumber(Operation *op, StringRef attribute,
                                             Attribute value) {
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return json::Value(number.getValueAsDouble());
  auto number = dyn_cast_or_null<IntegerAttr>(value);
  if (!number)
    return json::Value(nullptr);
  constexpr int64_t limit = int64_t(1) << std::numeric_limits<double>::digits;
  if (number.getInt() < -limit || number.getInt() > limit)
    return op->emitError() << "has " << attribute << " = " << number
                           << "; integers beyond 2^53 are not held exactly "
                              "there, pass them as data";
  return json::Value(number.getInt());
}

/// The "init" object of a state from its te.init attribute.
static FailureOr<json::Object> describeInit(Operation *op, Attribute init) {
  FailureOr<json::Value> number = describeNumber(op, kInitAttr, init);
  if (failed(number))
    return failure();
  if (number->kind() != json::Value::Null)
    return json::Object{{"kind", "constant"}, {"value", std::move(*number)}};
  auto text = dyn_cast_or_null<StringAttr>(init);
  if (!text)
    return json::Object{{"kind", "data"}};
  auto [kind, arguments] = text.getValue().split(':');
  if (kind == "data" || kind == "derived")
    return json::Object{{"kind", kind.str()}};
  auto [first, second] = arguments.split(',');
  double a, b;
  if ((kind != "normal" && kind != "uniform") || first.getAsDouble(a) ||
      second.getAsDouble(b))
    return op->emitError() << "cannot read te.init = " << text
                           << "; it is \"data\", \"derived\", "
                              "\"normal:MEAN,STD\" or \"uniform:LOW,HIGH\"";
  bool normal = kind == "normal";
  return json::Object{{"kind", kind.str()},
                      {normal ? "mean" : "low", a},
                      {normal ? "std" : "high", b}};
}

/// The names of a set of axes.
static FailureOr<json::Array> describeAxes(Operation *op, int32_t axes,
                                           const std::optional<Mesh> &mesh) {
  json::Array names;
  for (unsigned axis = 0; axes >> axis; ++axis) {
    if (!(axes >> axis & 1))
      continue;
    if (!mesh || axis >= mesh->getAxes().size())
      return op->emitError()
             << "has a state that is sharded along axis " << axis
             << ", which the module's mesh does not have";
    names.push_back(mesh->getAxes()[axis].name);
  }
  return names;
}

/// The "shard" object of a state from its te.shard attribute.
static FailureOr<json::Object> describeShard(Operation *op, ShardAttr shard,
                                             const std::optional<Mesh> &mesh) {
  FailureOr<json::Array> dimAxes = describeAxes(op, shard.getDimAxes(), mesh);
  FailureOr<json::Array> flatAxes = describeAxes(op, shard.getFlatAxes(), mesh);
  if (failed(dimAxes) || failed(flatAxes))
    return failure();
  return json::Object{{"shape", json::Array(shard.getShape())},
                      {"dim", shard.getDim()},
                      {"dim_axes", std::move(*dimAxes)},
                      {"blocks", json::Array(shard.getBlocks())},
                      {"flat_axes", std::move(*flatAxes)}};
}

namespace {
/// The properties of a state in earlier entries.
struct KnownState {
  StringRef kind;
  Type type;
  ShardAttr shard;
  bool isFrozen;
};

/// Collects entries and the states they share.
class Describer {
public:
  explicit Describer(std::optional<Mesh> mesh) : mesh(std::move(mesh)) {}

  LogicalResult add(func::FuncOp function);
  json::Array takeStates();
  json::Array takeEntries() { return std::move(entries); }

private:
  FailureOr<json::Object> describeArgument(func::FuncOp function,
                                           unsigned index);
  LogicalResult addState(func::FuncOp function, unsigned index, StringRef name,
                         StringRef kind);

  std::optional<Mesh> mesh;
  json::Array states, entries;
  /// Every state seen, by name.
  llvm::StringMap<KnownState> known;
  /// The states of entries that are run more than once for loaded ones.
  llvm::StringSet<> used;
};
} // namespace

/// Parameters of which only FP8 copies are used need no memory of the device.
json::Array Describer::takeStates() {
  for (json::Value &value : states) {
    json::Object &state = *value.getAsObject();
    if (state.getString("kind") == "parameter" &&
        !used.contains(*state.getString("name")))
      state["memory"] = "host";
  }
  return std::move(states);
}

LogicalResult Describer::addState(func::FuncOp function, unsigned index,
                                  StringRef name, StringRef kind) {
  auto type = cast<MemRefType>(function.getArgument(index).getType());
  Attribute init = function.getArgAttr(index, kInitAttr);
  auto shard = function.getArgAttrOfType<ShardAttr>(index, kShardAttr);
  const bool isFrozen = te::isFrozen(function, index);
  auto [entry, inserted] =
      known.try_emplace(name, KnownState{kind, type, shard, isFrozen});
  if (!inserted) {
    if (entry->second.kind != kind)
      return function.emitError()
             << "'" << name << "' is a state of the kind " << kind
             << " and one of the kind " << entry->second.kind
             << "; rename the parameter in the model";
    if (entry->second.type != type)
      return function.emitError()
             << "state '" << name << "' is " << type << " here and "
             << entry->second.type << " in another entry";
    if (entry->second.shard != shard)
      return function.emitError()
             << "state '" << name
             << "' is another shard of a tensor here than in another entry";
    if (entry->second.isFrozen != isFrozen)
      return function.emitError() << "parameter '" << name << "' is "
                                  << (isFrozen ? "frozen here and trained"
                                               : "trained here and frozen")
                                  << " in another entry";
    return success();
  }
  FailureOr<json::Object> initObject = describeInit(function, init);
  if (failed(initObject))
    return failure();
  FailureOr<json::Array> shape = describeShape(function, name, type);
  if (failed(shape))
    return failure();
  json::Object state{{"name", name},
                     {"kind", kind},
                     {"dtype", dtypeName(type.getElementType())},
                     {"shape", std::move(*shape)},
                     {"init", std::move(*initObject)}};
  if (auto parameter =
          function.getArgAttrOfType<StringAttr>(index, kCopyOfAttr))
    state["copy_of"] = parameter.str();
  if (isFrozen)
    state["frozen"] = true;
  if (shard) {
    FailureOr<json::Object> part = describeShard(function, shard, mesh);
    if (failed(part))
      return failure();
    state["shard"] = std::move(*part);
  }
  states.push_back(std::move(state));
  return success();
}

FailureOr<json::Object> Describer::describeArgument(func::FuncOp function,
                                                    unsigned index) {
  auto name = [&](StringRef attr) {
    return function.getArgAttrOfType<StringAttr>(index, attr);
  };
  if (StringAttr param = name(kParamAttr)) {
    if (failed(addState(function, index, param, "parameter")))
      return failure();
    return json::Object{{"name", param.getValue()}, {"role", "state"}};
  }
  if (StringAttr state = name(kStateAttr)) {
    StringAttr kind = name(kKindAttr);
    if (failed(addState(function, index, state,
                        kind ? kind.getValue() : StringRef("optimizer"))))
      return failure();
    return json::Object{{"name", state.getValue()}, {"role", "state"}};
  }
  for (auto [attr, role] :
       {std::pair<StringRef, StringRef>{kInputAttr, "input"},
        {kScalarAttr, "scalar"},
        {kOutputAttr, "output"}}) {
    StringAttr value = name(attr);
    if (!value)
      continue;
    auto type = cast<MemRefType>(function.getArgument(index).getType());
    FailureOr<json::Array> shape = describeShape(function, value, type);
    if (failed(shape))
      return failure();
    json::Object argument{{"name", value.getValue()},
                          {"role", role},
                          {"dtype", dtypeName(type.getElementType())},
                          {"shape", std::move(*shape)}};
    FailureOr<json::Value> defaultValue = describeNumber(
        function, kDefaultAttr, function.getArgAttr(index, kDefaultAttr));
    if (failed(defaultValue))
      return failure();
    if (defaultValue->kind() != json::Value::Null) {
      bool isWhole = isa<IntegerAttr>(function.getArgAttr(index, kDefaultAttr));
      if (!type.getElementType().isF32() &&
          !(type.getElementType().isInteger(64) && isWhole))
        return function->emitError()
               << "has a scalar '" << value.getValue() << "' of type "
               << type.getElementType() << " with " << kDefaultAttr
               << "; scalars of float32 take one, and of i64 an integer";
      argument["default"] = std::move(*defaultValue);
    }
    if (auto range =
            function.getArgAttrOfType<DenseI64ArrayAttr>(index, kRangeAttr))
      argument["range"] = json::Array(range.asArrayRef());
    if (auto offset =
            function.getArgAttrOfType<IntegerAttr>(index, kArenaOffsetAttr))
      argument["arena_offset"] = offset.getInt();
    return argument;
  }
  return function.emitError()
         << "argument " << index
         << " has no te.input, te.scalar, te.param, te.state or te.output";
}

/// Programs take inputs, scalars and states by name. Outputs may have the same
/// names.
static LogicalResult checkNames(func::FuncOp function,
                                const json::Array &arguments) {
  llvm::StringMap<StringRef> roles;
  for (const json::Value &value : arguments) {
    StringRef name = *value.getAsObject()->getString("name"),
              role = *value.getAsObject()->getString("role");
    auto [other, isNew] = roles.try_emplace(
        ((role == "output" ? "output " : "") + name).str(), role);
    if (isNew)
      continue;
    InFlightDiagnostic diagnostic = function.emitError()
                                    << "has two arguments of the name '" << name
                                    << "', ";
    if (other->second == role)
      diagnostic << "both of the role " << role;
    else
      diagnostic << "of the roles " << other->second << " and " << role;
    return diagnostic << "; rename what the model calls so, as '" << name
                      << "_' for example";
  }
  return success();
}

LogicalResult Describer::add(func::FuncOp function) {
  json::Array arguments;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (function.getArgAttr(i, kArenaAttr))
      continue;
    FailureOr<json::Object> argument = describeArgument(function, i);
    if (failed(argument))
      return failure();
    arguments.push_back(std::move(*argument));
  }
  if (failed(checkNames(function, arguments)))
    return failure();
  auto bytes = function->getAttrOfType<IntegerAttr>(kArenaBytesAttr);
  StringRef name = function->getAttrOfType<StringAttr>(kEntryAttr).getValue();
  for (const json::Value &argument : arguments)
    if (const json::Object &object = *argument.getAsObject();
        name != "init" && name != kPrepareEntry &&
        object.getString("role") == "state")
      used.insert(*object.getString("name"));
  entries.push_back(json::Object{{"name", name},
                                 {"symbol", ("tert_entry_" + name).str()},
                                 {"arena_bytes", bytes ? bytes.getInt() : 0},
                                 {"arguments", std::move(arguments)}});
  return success();
}

static json::Array describeSlots(ModuleOp module) {
  json::Array slots;
  auto names = module->getAttrOfType<ArrayAttr>(kSlotsAttr);
  auto formats = module->getAttrOfType<ArrayAttr>(kSlotFormatsAttr);
  if (!names || !formats)
    return slots;
  for (auto [name, format] : llvm::zip_equal(names, formats)) {
    bool e4m3 = isa<Float8E4M3FNType>(cast<TypeAttr>(format).getValue());
    slots.push_back(json::Object{{"name", cast<StringAttr>(name).getValue()},
                                 {"format", e4m3 ? "e4m3" : "e5m2"}});
  }
  return slots;
}

/// What the rows and columns of the entry `calibrate` are; empty without it.
static json::Object describeSensitivity(ModuleOp module) {
  auto products = module->getAttrOfType<ArrayAttr>(kMeasuredProductsAttr);
  auto figures = module->getAttrOfType<ArrayAttr>(kMeasuredFiguresAttr);
  if (!products || !figures)
    return {};
  json::Array rows, columns;
  for (auto name : products.getAsRange<StringAttr>()) {
    auto [layer, product] = name.getValue().rsplit('/');
    rows.push_back(json::Object{{"layer", layer}, {"product", product}});
  }
  for (auto name : figures.getAsRange<StringAttr>())
    columns.push_back(name.getValue());
  return json::Object{{"products", std::move(rows)},
                      {"figures", std::move(columns)}};
}

/// A setting of a loss, an optimizer or a recipe, as JSON.
static json::Value describeSetting(Attribute setting) {
  if (auto flag = dyn_cast<BoolAttr>(setting))
    return flag.getValue();
  if (auto number = dyn_cast<IntegerAttr>(setting))
    return number.getInt();
  if (auto number = dyn_cast<FloatAttr>(setting))
    return number.getValueAsDouble();
  if (auto text = dyn_cast<StringAttr>(setting))
    return text.getValue();
  return nullptr;
}

static json::Object withSettings(json::Object description,
                                 DictionaryAttr settings) {
  for (NamedAttribute setting : settings)
    description[setting.getName().getValue()] =
        describeSetting(setting.getValue());
  return description;
}

static json::Object describeOptimizer(OptimizerAttrInterface optimizer) {
  json::Object scalars;
  for (const OptimizerScalar &scalar : optimizer.getScalars())
    scalars[scalar.name] = scalar.defaultValue;
  return json::Object{{"name", optimizer.getOptimizerName()},
                      {"scalars", std::move(scalars)},
                      {"settings", withSettings({}, optimizer.getSettings())}};
}

/// {"lm_head.weight": ["transformer.wte.weight"]}, of the parameters that the
/// program has.
static json::Object describeTiedNames(ModuleOp module,
                                      const json::Array &states) {
  json::Object tied;
  auto names = module->getAttrOfType<DictionaryAttr>(kTiedAttr);
  for (const json::Value &state : states) {
    std::optional<StringRef> name = state.getAsObject()->getString("name");
    auto others = names && name ? names.getAs<ArrayAttr>(*name) : ArrayAttr();
    if (!others || state.getAsObject()->getString("kind") != "parameter")
      continue;
    json::Array list;
    for (auto other : others.getAsRange<StringAttr>())
      list.push_back(other.getValue());
    tied[*name] = std::move(list);
  }
  return tied;
}

/// A hash of everything that a checkpoint depends on: names, kinds and types of
/// the states, names and formats of the slots. Independent of their order,
/// because a checkpoint finds them by name. Caches and prepared states are in
/// none.
static std::string fingerprint(const json::Object &description) {
  std::vector<std::string> items;
  for (const json::Value &value : *description.getArray("states")) {
    json::Object state = *value.getAsObject();
    if (state.getString("kind") == kCacheKind ||
        state.getString("kind") == kPreparedKind)
      continue;
    state.erase("init");
    state.erase("memory");
    llvm::raw_string_ostream(items.emplace_back())
        << json::Value(std::move(state));
  }
  for (const json::Value &slot : *description.getArray("slots"))
    llvm::raw_string_ostream(items.emplace_back()) << slot;
  llvm::sort(items);
  auto hash =
      llvm::SHA256::hash(llvm::arrayRefFromStringRef(llvm::join(items, "\n")));
  return llvm::toHex(ArrayRef(hash).take_front(16), /*LowerCase=*/true);
}

static json::Array describeMesh(const Mesh &mesh) {
  json::Array axes;
  for (const MeshAxis &axis : mesh.getAxes())
    axes.push_back(json::Object{{"axis", axis.name}, {"size", axis.size}});
  return axes;
}

/// A buffer that is not used in computation is still a state: checkpoints
/// contain it.
static json::Object describeBuffer(StringRef name, RankedTensorType type) {
  const Type element = type.getElementType();
  return json::Object{
      {"name", name.str()},
      {"kind", "buffer"},
      {"dtype", element.isInteger(8) ? "u8" : dtypeName(element)},
      {"shape", json::Array(type.getShape())},
      {"init", json::Object{{"kind", "data"}}}};
}

FailureOr<json::Object> mlir::te::describeArtifact(ModuleOp module,
                                                   CompilationRecord record) {
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(module);
  if (failed(mesh))
    return failure();
  Describer describer(*mesh);
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kEntryAttr) && failed(describer.add(function)))
      return failure();

  json::Array states = describer.takeStates();
  for (const auto &[name, type] : record.buffers)
    states.push_back(describeBuffer(name, type));
  json::Object description{{"format", "tert-artifact"},
                           {"version", 1},
                           {"compiler", "te-mlir " TE_VERSION},
                           {"target", record.target},
                           {"source", record.source},
                           {"options", std::move(record.options)},
                           {"slots", describeSlots(module)},
                           {"states", std::move(states)},
                           {"entries", describer.takeEntries()}};
  if (record.loss)
    description["loss"] =
        withSettings(json::Object{{"kind", record.loss.getLossName()}},
                     record.loss.getSettings());
  if (json::Object sensitivity = describeSensitivity(module);
      !sensitivity.empty())
    description["sensitivity"] = std::move(sensitivity);
  if (*mesh)
    description["mesh"] = describeMesh(**mesh);
  if (RecipeAttrInterface recipe = getRecipe(module))
    description["recipe"] = withSettings(
        json::Object{{"name", recipe.getRecipeName()}}, recipe.getParameters());
  if (record.optimizer)
    description["optimizer"] = describeOptimizer(record.optimizer);

  json::Object tied =
      describeTiedNames(module, *description.getArray("states"));
  if (!tied.empty())
    description["tied"] = std::move(tied);
  description["fingerprint"] = fingerprint(description);
  return description;
}
