// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/Description.h"

#include "support/Json.h"
#include "tert/types.h"

#include <algorithm>
#include <set>

using namespace tert::session;
// Ordered, so that output keeps the order of the input.
using json = nlohmann::ordered_json;

namespace {
constexpr int64_t descriptionVersion = 1;

/// Typed access to the fields of one JSON object. The first error is kept in
/// `failure`, with the path of the field; later reads return neutral values.
class Fields {
public:
  Fields(const json &value, std::string where, std::string &failure)
      : value(value), where(std::move(where)), failure(failure) {
    if (!value.is_object())
      fail("", "is not an object");
  }

  bool has(const char *key) const {
    return value.is_object() && value.contains(key);
  }
  const json &at(const char *key) const {
    static const json absent;
    if (has(key))
      return value[key];
    fail(key, "is missing");
    return absent;
  }
  std::string text(const char *key) const {
    const json &field = at(key);
    if (field.is_string())
      return field.get<std::string>();
    fail(key, "is not a text");
    return {};
  }
  std::string optionalText(const char *key) const {
    return has(key) ? text(key) : std::string();
  }
  int64_t integer(const char *key) const {
    const json &field = at(key);
    if (field.is_number_integer() &&
        !(field.is_number_unsigned() &&
          field.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)))
      return field.get<int64_t>();
    fail(key, "is not an integer");
    return 0;
  }
  double number(const char *key) const {
    const json &field = at(key);
    if (field.is_number())
      return field.get<double>();
    fail(key, "is not a number");
    return 0.0;
  }
  /// An array of at most `most` sizes; empty if it is none.
  Shape sizes(const char *key, size_t most) const {
    const json &field = at(key);
    if (!field.is_array() || field.size() > most) {
      fail(key,
           "is not an array of at most " + std::to_string(most) + " sizes");
      return {};
    }
    Shape sizes;
    for (const json &size : field) {
      if (!size.is_number_unsigned() ||
          size.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) {
        fail(key, "holds something other than sizes");
        return {};
      }
      sizes.push_back(size.get<int64_t>());
    }
    return sizes;
  }
  std::string dump(const char *key) const {
    return has(key)
               ? value[key].dump(-1, ' ', false, json::error_handler_t::replace)
               : std::string();
  }
  std::vector<std::string> texts(const char *key) const {
    const json &field = at(key);
    std::vector<std::string> texts;
    for (const json &item : field)
      if (item.is_string())
        texts.push_back(item.get<std::string>());
    if (!field.is_array() || texts.size() != field.size())
      fail(key, "is not an array of texts");
    return texts;
  }
  /// Calls `each(Fields)` for the objects of an array.
  template <typename Function>
  void array(const char *key, Function each) const {
    const json &field = at(key);
    if (!field.is_array())
      return fail(key, "is not an array");
    for (size_t i = 0; i < field.size() && failure.empty(); ++i)
      each(
          Fields(field[i], path(key) + "[" + std::to_string(i) + "]", failure));
  }
  Fields object(const char *key) const {
    return Fields(at(key), path(key), failure);
  }
  void fail(const char *key, const std::string &what) const {
    if (failure.empty())
      failure = "'" + path(key) + "' " + what;
  }

private:
  std::string path(const char *key) const {
    return where.empty() || !*key ? where + key : where + "." + key;
  }
  const json &value;
  std::string where;
  std::string &failure;
};

TensorType parseType(const Fields &fields) {
  TensorType type;
  std::optional<tert_dtype> dtype = parseDescriptionDType(fields.text("dtype"));
  if (dtype)
    type.dtype = *dtype;
  else
    fields.fail("dtype", "is not a known element type");
  type.shape = fields.sizes("shape", TERT_MAX_RANK);
  if (!byteCount(toFileDType(type.dtype), type.shape)) {
    fields.fail("shape", "has more bytes than any memory");
    type.shape.clear();
  }
  return type;
}

StateInit parseInit(const Fields &fields) {
  StateInit init;
  std::string kind = fields.text("kind");
  if (kind == "data") {
    init.kind = StateInit::Kind::Data;
  } else if (kind == "derived") {
    init.kind = StateInit::Kind::Derived;
  } else if (kind == "constant") {
    init.kind = StateInit::Kind::Constant;
    init.first = fields.number("value");
  } else if (kind == "normal") {
    init.kind = StateInit::Kind::Normal;
    init.first = fields.number("mean");
    init.second = fields.number("std");
  } else if (kind == "uniform") {
    init.kind = StateInit::Kind::Uniform;
    init.first = fields.number("low");
    init.second = fields.number("high");
  } else {
    fields.fail("kind", "is '" + kind +
                            "', which is not a known way to "
                            "initialise a state");
  }
  return init;
}

/// The axis names of an optional field; they must be axes of the mesh. `size`
/// is multiplied by the number of ranks along them.
std::vector<std::string> parseAxes(const Fields &fields, const char *key,
                                   const Mesh &mesh, int64_t &size) {
  std::vector<std::string> names;
  if (!fields.has(key))
    return names;
  const json &field = fields.at(key);
  if (!field.is_array())
    fields.fail(key, "is not an array");
  for (const json &item : field) {
    const std::string name =
        item.is_string() ? item.get<std::string>() : std::string();
    if (!mesh.find(name) ||
        std::find(names.begin(), names.end(), name) != names.end()) {
      fields.fail(key, "does not name axes of the mesh, each once");
      break;
    }
    names.push_back(name);
    size *= mesh.sizeOf(name);
  }
  return names;
}

/// Parses this state's sharding.
std::optional<StateShard> parseShard(const Fields &fields,
                                     const StateDescription &state,
                                     const Mesh &mesh) {
  ShardSplit cut;
  cut.shape = fields.sizes("shape", TERT_MAX_RANK);
  if (fields.has("dim"))
    cut.dim = fields.integer("dim");
  if (fields.has("blocks"))
    cut.blocks = fields.sizes("blocks", maxRanks);
  StateShard shard;
  shard.dimAxes = parseAxes(fields, "dim_axes", mesh, cut.dimParts);
  shard.flatAxes = parseAxes(fields, "flat_axes", mesh, cut.flatParts);
  for (const std::string &name : shard.dimAxes)
    if (std::find(shard.flatAxes.begin(), shard.flatAxes.end(), name) !=
        shard.flatAxes.end())
      fields.fail("flat_axes", "names '" + name + "', as dim_axes does");
  if (!byteCount(toFileDType(state.type.dtype), cut.shape))
    fields.fail("shape", "has more bytes than any memory");
  if (state.isPerSlot())
    fields.fail("shape", "is of a state that has an element for every slot, "
                         "of which all ranks hold all");
  Expected<ShardLayout> layout = ShardLayout::create(std::move(cut));
  if (!layout) {
    fields.fail("", layout.takeError().message());
    return std::nullopt;
  }
  if (layout->shardElements() != state.type.elements())
    fields.fail("", "makes shards of " +
                        std::to_string(layout->shardElements()) +
                        " elements, but the state has " +
                        std::to_string(state.type.elements()));
  shard.layout = std::move(*layout);
  return shard;
}

StateDescription parseState(const Fields &fields, const Mesh &mesh) {
  StateDescription state;
  state.name = fields.text("name");
  state.kind = fields.text("kind");
  state.type = parseType(fields);
  state.init = parseInit(fields.object("init"));
  bool random = state.init.kind == StateInit::Kind::Normal ||
                state.init.kind == StateInit::Kind::Uniform;
  if (random && state.type.dtype != TERT_F32 && state.type.dtype != TERT_BF16)
    fields.fail("init", "asks for random values in a state that is neither "
                        "f32 nor bf16");
  if (fields.has("copy_of"))
    state.copyOf = fields.text("copy_of");
  if (fields.has("frozen")) {
    const json &frozen = fields.at("frozen");
    if (!frozen.is_boolean() || state.kind != "parameter")
      fields.fail("frozen", "is not true or false of a parameter");
    else
      state.isFrozen = frozen.get<bool>();
  }
  if (fields.has("memory")) {
    const std::string memory = fields.text("memory");
    state.isOnHost = memory == "host";
    if (!state.isOnHost && memory != "device")
      fields.fail("memory", "is neither 'device' nor 'host'");
  }
  if (fields.has("shard"))
    state.shard = parseShard(fields.object("shard"), state, mesh);
  return state;
}

/// A copy must be one that CheckpointFit can make of a parameter.
void checkCopy(const Fields &fields, const StateDescription &copy,
               const std::vector<StateDescription> &states) {
  const std::string_view name = copy.copiedParameter();
  if (name.empty())
    return fields.fail("name",
                       "is not 'copy.' and the name of a parameter, and "
                       "'copy_of' names none");
  auto of = std::find_if(states.begin(), states.end(), [&](const auto &state) {
    return state.name == name && state.isParameter();
  });
  if (of == states.end())
    return fields.fail("name", "is of a copy of '" + std::string(name) +
                                   "', which is not a parameter");
  const Shape &whole = of->globalShape(), &shape = copy.type.shape;
  const bool isAlike =
      shape.size() == whole.size() && !shape.empty() && !copy.shard &&
      shape.front() >= whole.front() &&
      std::equal(shape.begin() + 1, shape.end(), whole.begin() + 1);
  if (!isAlike || copy.type.dtype != TERT_BF16 || of->type.dtype != TERT_F32)
    fields.fail("shape", "or dtype is not that of a bf16 copy of the f32 "
                         "parameter '" +
                             of->name + "'");
}

ArgumentDescription parseArgument(const Fields &fields,
                                  const std::vector<StateDescription> &states) {
  using Role = ArgumentDescription::Role;
  ArgumentDescription argument;
  argument.name = fields.text("name");
  std::string role = fields.text("role");
  if (role == "state") {
    argument.role = Role::State;
    for (size_t i = 0; i < states.size(); ++i)
      if (states[i].name == argument.name) {
        argument.state = i;
        argument.type = states[i].type;
        return argument;
      }
    fields.fail("name", "is '" + argument.name + "', which is not a state");
    return argument;
  }
  if (role == "input")
    argument.role = Role::Input;
  else if (role == "scalar")
    argument.role = Role::Scalar;
  else if (role == "output")
    argument.role = Role::Output;
  else
    fields.fail("role", "is '" + role + "', which is not a known role");
  argument.type = parseType(fields);
  if (argument.role == Role::Scalar) {
    const bool isInteger = argument.type.dtype == TERT_I64;
    if (!argument.type.shape.empty() ||
        !(isInteger || argument.type.dtype == TERT_F32))
      fields.fail("shape", "or dtype is not that of an f32 or i64 scalar");
    if (fields.has("default"))
      argument.defaultValue =
          isInteger ? static_cast<double>(fields.integer("default"))
                    : fields.number("default");
  }
  if (argument.role == Role::Input && fields.has("range")) {
    const json &range = fields.at("range");
    if (range.is_array() && range.size() == 2 && range[0].is_number_integer() &&
        range[1].is_number_integer() &&
        range[0].get<int64_t>() < range[1].get<int64_t>())
      argument.range = {range[0].get<int64_t>(), range[1].get<int64_t>()};
    else
      fields.fail("range", "is not two integers, the first below the second");
  }
  if (argument.role == Role::Output && fields.has("arena_offset")) {
    int64_t offset = fields.integer("arena_offset");
    if (offset < 0)
      fields.fail("arena_offset", "is negative");
    argument.arenaOffset = static_cast<size_t>(offset);
  }
  return argument;
}

void parseMesh(const Fields &fields, Mesh &mesh) {
  fields.array("mesh", [&](const Fields &axis) {
    MeshAxis parsed = {axis.text("axis"), 1};
    int64_t size = axis.integer("size");
    if (size < 1 || size > maxRanks / mesh.ranks())
      return axis.fail("size", "is not a number of ranks from 1 to " +
                                   std::to_string(maxRanks) + " in all");
    parsed.size = static_cast<int32_t>(size);
    if (parsed.name.empty() || mesh.find(parsed.name))
      axis.fail("axis", "is empty or taken by another axis");
    mesh.axes.push_back(std::move(parsed));
  });
}
} // namespace

std::string tert::session::toString(const TensorType &type) {
  return std::string(descriptionName(type.dtype)) + " " + toString(type.shape);
}

bool StateDescription::isPerSlot() const {
  return !type.shape.empty() &&
         (kind == "fp8_scale" || kind == "fp8_scale_inv" ||
          kind == "fp8_amax_history" || kind == "fp8_nonfinite");
}

bool StateDescription::isTemporary() const {
  return kind == "gradient" || kind == "accumulator" || kind == "guard" ||
         kind == "kv_cache" || isPrepared();
}

std::string_view StateDescription::copiedParameter() const {
  constexpr std::string_view prefix = "copy.";
  if (kind != "weight_copy")
    return {};
  if (!copyOf.empty())
    return copyOf;
  const std::string_view all = name;
  return all.substr(0, prefix.size()) == prefix ? all.substr(prefix.size())
                                                : std::string_view();
}

Error StateDescription::visitRanges(const Mesh &mesh, int32_t rank,
                                    int64_t first, int64_t count,
                                    const RangeVisitor &visit) const {
  if (shard)
    return shard->layout.visit(shard->partOf(mesh, rank), first, count, visit);
  return count ? visit({first, first, count}) : Error::success();
}

const ArgumentDescription *
EntryDescription::find(ArgumentDescription::Role role,
                       std::string_view name) const {
  for (const ArgumentDescription &argument : arguments)
    if (argument.role == role && argument.name == name)
      return &argument;
  return nullptr;
}

const EntryDescription *Description::findEntry(std::string_view name) const {
  for (const EntryDescription &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

const StateDescription *
Description::findStateOfKind(std::string_view kind) const {
  for (const StateDescription &state : states)
    if (state.kind == kind)
      return &state;
  return nullptr;
}

std::string Description::entryNames() const {
  std::string names;
  for (const EntryDescription &entry : entries)
    names += (names.empty() ? "" : ", ") + entry.name;
  return names;
}

bool Description::hasShardedStates() const {
  return std::any_of(states.begin(), states.end(),
                     [](const StateDescription &state) {
                       return !state.isTemporary() && state.shard &&
                              state.shard->layout.parts() > 1;
                     });
}

bool Description::sharesBatches() const {
  return hasShardedStates() || mesh.ranks() != mesh.sizeOf(dataAxis);
}

Expected<Description> tert::session::parseDescription(std::string_view text) {
  json root = parseJson(text);
  if (root.is_discarded())
    return Error("the description is not valid JSON, or nested too deep");

  std::string failure;
  Description result;
  Fields fields(root, "", failure);
  if (fields.text("format") != "tert-artifact")
    fields.fail("format", "is not 'tert-artifact'");
  if (int64_t version = fields.integer("version");
      version != descriptionVersion)
    fields.fail("version", "is " + std::to_string(version) +
                               "; this program reads version " +
                               std::to_string(descriptionVersion));
  if (!failure.empty())
    return Error("the description is not one this program reads: " + failure);

  result.compiler = fields.text("compiler");
  result.target = fields.text("target");
  result.source = fields.optionalText("source");
  result.fingerprint = fields.text("fingerprint");
  result.options = fields.dump("options");
  result.loss = fields.dump("loss");
  result.recipe = fields.dump("recipe");
  result.optimizer = fields.dump("optimizer");
  result.model = fields.optionalText("model");
  if (fields.has("tied"))
    for (const auto &[name, others] : fields.at("tied").items()) {
      if (others.is_array())
        for (const json &other : others)
          if (other.is_string())
            result.tied[name].push_back(other.get<std::string>());
      if (result.tied[name].size() != others.size())
        fields.fail("tied", "is not a map of parameters to lists of names");
    }
  if (fields.has("recipe")) {
    Fields recipe = fields.object("recipe");
    if (recipe.has("margin"))
      result.margin = recipe.integer("margin");
    if (recipe.has("history"))
      result.history = recipe.integer("history");
  }
  if (fields.has("mesh"))
    parseMesh(fields, result.mesh);
  if (fields.has("options")) {
    Fields options = fields.object("options");
    if (options.has("microbatches")) {
      int64_t microbatches = options.integer("microbatches");
      if (microbatches < 1)
        options.fail("microbatches", "is less than 1");
      result.microbatches = static_cast<uint64_t>(microbatches);
    }
  }
  if (fields.has("slots"))
    fields.array("slots", [&](const Fields &slot) {
      std::optional<tert_dtype> format =
          parseDescriptionDType("f8" + slot.text("format"));
      if (!format)
        slot.fail("format", "is neither 'e4m3' nor 'e5m2'");
      result.slots.push_back({slot.text("name"), format.value_or(TERT_F8E4M3)});
    });

  if (fields.has("sensitivity")) {
    const Fields sensitivity = fields.object("sensitivity");
    sensitivity.array("products", [&](const Fields &product) {
      result.sensitivity.products.push_back(
          {product.text("layer"), product.text("product")});
    });
    result.sensitivity.figures = sensitivity.texts("figures");
  }

  std::set<std::string> names;
  fields.array("states", [&](const Fields &state) {
    result.states.push_back(parseState(state, result.mesh));
    if (!names.insert(result.states.back().name).second)
      state.fail("name", "is taken by another state");
  });
  size_t index = 0;
  fields.array("states", [&](const Fields &state) {
    if (result.states[index].kind == "weight_copy")
      checkCopy(state, result.states[index], result.states);
    ++index;
  });
  names.clear();
  fields.array("entries", [&](const Fields &fields) {
    EntryDescription entry;
    entry.name = fields.text("name");
    entry.symbol = fields.text("symbol");
    int64_t arena = fields.integer("arena_bytes");
    if (arena < 0)
      fields.fail("arena_bytes", "is negative");
    entry.arenaBytes = static_cast<size_t>(arena);
    std::set<std::string> taken;
    fields.array("arguments", [&](const Fields &argument) {
      entry.arguments.push_back(parseArgument(argument, result.states));
      const ArgumentDescription &parsed = entry.arguments.back();
      if (parsed.arenaOffset &&
          (*parsed.arenaOffset > entry.arenaBytes ||
           parsed.type.bytes() > entry.arenaBytes - *parsed.arenaOffset))
        argument.fail("arena_offset", "is outside of the arena");
      // An output may have the name of an input (a layer's x); two of the same
      // kind may not.
      std::string key =
          (parsed.role == ArgumentDescription::Role::Output ? "output " : "") +
          parsed.name;
      if (!taken.insert(key).second)
        argument.fail("name", "is taken by another argument");
    });
    if (!names.insert(entry.name).second)
      fields.fail("name", "is taken by another entry");
    result.entries.push_back(std::move(entry));
  });
  if (!failure.empty())
    return Error("the description is damaged: " + failure);
  return result;
}
