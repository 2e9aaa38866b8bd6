// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact's description (docs/artifact.md), checked and as C++ values.

#ifndef TERT_ARTIFACT_DESCRIPTION_H
#define TERT_ARTIFACT_DESCRIPTION_H

#include "artifact/Mesh.h"
#include "artifact/StateShard.h"
#include "support/DType.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tert::session {

struct TensorType {
  tert_dtype dtype = TERT_F32;
  Shape shape;

  int64_t elements() const { return *elementCount(shape); }
  size_t bytes() const {
    return static_cast<size_t>(*byteCount(toFileDType(dtype), shape));
  }
};

/// "f32 [128, 512]".
std::string toString(const TensorType &type);

/// Initialization of a state.
struct StateInit {
  enum class Kind { Data, Constant, Normal, Uniform, Derived };
  Kind kind = Kind::Data;
  /// constant: value; normal: mean, std; uniform: low, high.
  double first = 0.0, second = 0.0;
};

struct StateDescription {
  /// True if its last dimension has an element for every slot: scales, amax
  /// histories, counts.
  bool isPerSlot() const;
  /// True if nothing of it is of use in a later run: sums over the microbatches
  /// of a step, which are zero between steps, caches of keys and values, and
  /// what `prepare` makes. Not saved in checkpoints, and zero when one is read.
  bool isTemporary() const;
  /// True for what the entry `prepare` makes of parameters and other states.
  bool isPrepared() const { return kind == "prepared"; }
  /// True for FP8 states: scales, histories, copies of weights.
  bool isOfFp8() const { return kind.rfind("fp8_", 0) == 0; }
  /// The parameter that it is a copy of, converted to another type and padded
  /// with zeros after the last row; empty for other states. Checkpoints do not
  /// contain it; it is recomputed from the parameter when one is read.
  std::string_view copiedParameter() const;
  /// True if it belongs to the exported model and no computation uses it: a
  /// mask, a count of batches.
  bool isBuffer() const { return kind == "buffer"; }
  bool isParameter() const { return kind == "parameter"; }
  /// True if checkpoints contain it.
  bool isSaved() const { return !isTemporary() && copiedParameter().empty(); }
  /// Shape of the tensor in checkpoints and weights: that of `type`, unless it
  /// is sharded.
  const Shape &globalShape() const {
    return shard ? shard->layout.cut().shape : type.shape;
  }
  TensorType globalType() const { return {type.dtype, globalShape()}; }
  /// Calls `visit` with the ranges of that tensor that the elements
  /// [first, first + count) of `rank`'s buffer correspond to; all others are
  /// zero.
  Error visitRanges(const Mesh &mesh, int32_t rank, int64_t first,
                    int64_t count, const RangeVisitor &visit) const;

  std::string name;
  std::string kind; ///< "parameter", "optimizer", "fp8_scale", …
  TensorType type;  ///< Type of a rank's shard.
  StateInit init;
  /// The parameter that it is a copy of, if its name does not determine it.
  std::string copyOf{};
  /// Its sharding; nothing: replicated.
  std::optional<StateShard> shard{};
  /// For a parameter: training does not change it.
  bool isFrozen = false;
  /// Kept in the host's memory: no entry but `init` has it as an argument.
  bool isOnHost = false;
};

struct ArgumentDescription {
  enum class Role { Input, Scalar, State, Output };
  std::string name;
  Role role = Role::Input;
  TensorType type;
  /// Role State: index into Description::states.
  size_t state = 0;
  /// Role Scalar: the default value.
  std::optional<double> defaultValue;
  /// Integer inputs: the valid values, [first, second).
  std::optional<std::pair<int64_t, int64_t>> range;
  /// Outputs: offset in the entry's arena.
  std::optional<size_t> arenaOffset;
};

struct EntryDescription {
  std::string name;
  std::string symbol;
  size_t arenaBytes = 0;
  std::vector<ArgumentDescription> arguments;

  /// Null if the entry has no argument with that name and role.
  const ArgumentDescription *find(ArgumentDescription::Role role,
                                  std::string_view name) const;
};

/// One FP8-quantized tensor.
struct SlotDescription {
  std::string name;
  tert_dtype format = TERT_F8E4M3;

  /// The largest value of the format.
  double largest() const { return format == TERT_F8E5M2 ? 57344.0 : 448.0; }
};

/// What the output `sensitivity` of the entry `calibrate` holds.
struct SensitivityDescription {
  struct Product {
    std::string layer, product; ///< "h.0.mlp.c_fc", "fprop"
  };
  std::vector<Product> products;    ///< rows
  std::vector<std::string> figures; ///< columns
};

struct Description {
  std::string compiler, target, source, fingerprint;
  /// The JSON text of the objects with these names; empty if absent.
  std::string options, loss, recipe, optimizer;
  /// Digest of the compiled model; empty if absent.
  std::string model;
  /// options.microbatches: the default number per step.
  uint64_t microbatches = 1;
  /// recipe.margin and recipe.history, 0 if absent.
  int64_t margin = 0, history = 0;
  /// The ranks that run the program.
  Mesh mesh;
  std::vector<SlotDescription> slots;
  SensitivityDescription sensitivity; ///< empty without `calibrate`
  std::vector<StateDescription> states;
  std::vector<EntryDescription> entries;
  /// Other names of parameters in the exported model (tied weights), by the
  /// parameter's name.
  std::map<std::string, std::vector<std::string>> tied;

  const EntryDescription *findEntry(std::string_view name) const;
  /// The first state of a kind; null if there is none.
  const StateDescription *findStateOfKind(std::string_view kind) const;
  /// "train, forward".
  std::string entryNames() const;
  /// True if states in checkpoints are sharded.
  bool hasShardedStates() const;
  /// True if ranks depend on each other to process a batch, because parameters
  /// or computations are sharded. Otherwise only training connects them.
  bool sharesBatches() const;
};

/// Parses and checks a description. Errors name the invalid field.
Expected<Description> parseDescription(std::string_view json);

} // namespace tert::session

#endif // TERT_ARTIFACT_DESCRIPTION_H
