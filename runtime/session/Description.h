// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The description that an artifact carries (docs/artifact.md), checked and as
// C++ values.

#ifndef TERT_SESSION_DESCRIPTION_H
#define TERT_SESSION_DESCRIPTION_H

#include "session/DType.h"
#include "session/Mesh.h"
#include "session/StateShard.h"

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

/// Where a state's first value comes from.
struct StateInit {
  enum class Kind { Data, Constant, Normal, Uniform, Derived };
  Kind kind = Kind::Data;
  /// constant: value; normal: mean, std; uniform: low, high.
  double first = 0.0, second = 0.0;
};

struct StateDescription {
  /// Whether its last dimension has an element for every slot: scales, amax
  /// histories, counts.
  bool isPerSlot() const;
  /// Whether it sums over the microbatches of a step, and is zero between two
  /// steps: checkpoints leave it out.
  bool isSum() const;
  /// Whether it is of FP8: scales, histories, copies of weights.
  bool isOfFp8() const { return kind.rfind("fp8_", 0) == 0; }
  /// The parameter that it is a copy of, rounded to another type and with zeros
  /// behind the last row; empty for other states. Checkpoints leave it out, and
  /// it is made of the parameter where one is read.
  std::string_view copiedParameter() const;
  /// Whether it belongs to the model that was exported and nothing computes
  /// with it: a mask, a count of batches.
  bool isBuffer() const { return kind == "buffer"; }
  /// Whether checkpoints have it.
  bool isSaved() const { return !isSum() && copiedParameter().empty(); }
  /// Of the tensor that checkpoints and weights have: `type`, unless each rank
  /// holds a part.
  const Shape &globalShape() const {
    return shard ? shard->layout.cut().shape : type.shape;
  }
  TensorType globalType() const { return {type.dtype, globalShape()}; }
  /// Calls `visit` for what the elements [first, first + count) of `rank`'s
  /// buffer are in that tensor; the rest of them are zero.
  Error visitRanges(const Mesh &mesh, int32_t rank, int64_t first,
                    int64_t count, const RangeVisitor &visit) const;

  std::string name;
  std::string kind; ///< "parameter", "optimizer", "fp8_scale", …
  TensorType type;  ///< Of what a rank holds.
  StateInit init;
  /// Of a copy whose name does not say it: the parameter that it is a copy of.
  std::string copyOf{};
  /// What part that is; nothing: all of it.
  std::optional<StateShard> shard{};
  /// Of a parameter: training leaves it as it is.
  bool isFrozen = false;
};

struct ArgumentDescription {
  enum class Role { Input, Scalar, State, Output };
  std::string name;
  Role role = Role::Input;
  TensorType type;
  /// Role State: index into Description::states.
  size_t state = 0;
  /// Role Scalar: the value when none is given.
  std::optional<double> defaultValue;
  /// Integer inputs: the values that make sense, [first, second).
  std::optional<std::pair<int64_t, int64_t>> range;
  /// Outputs: where in the entry's arena they have a place.
  std::optional<size_t> arenaOffset;
};

struct EntryDescription {
  std::string name;
  std::string symbol;
  size_t arenaBytes = 0;
  std::vector<ArgumentDescription> arguments;

  /// Null if the entry has no argument of that name and role.
  const ArgumentDescription *find(ArgumentDescription::Role role,
                                  std::string_view name) const;
};

/// One FP8-quantized tensor.
struct SlotDescription {
  std::string name;
  tert_dtype format = TERT_F8E4M3;
};

struct Description {
  std::string compiler, target, source, fingerprint;
  /// The objects of these names as JSON text; empty if absent.
  std::string options, loss, recipe, optimizer;
  /// A digest of the model that was compiled; empty if absent.
  std::string model;
  /// options.microbatches: how many a step has unless the user says otherwise.
  uint64_t microbatches = 1;
  /// recipe.margin and recipe.history, 0 if absent.
  int64_t margin = 0, history = 0;
  /// The ranks that run the program side by side.
  Mesh mesh;
  std::vector<SlotDescription> slots;
  std::vector<StateDescription> states;
  std::vector<EntryDescription> entries;
  /// Other names that parameters have in the model that was exported (tied
  /// weights), by the parameter's name.
  std::map<std::string, std::vector<std::string>> tied;

  const EntryDescription *findEntry(std::string_view name) const;
  /// The first state of a kind; null if there is none.
  const StateDescription *findStateOfKind(std::string_view kind) const;
  /// "train, forward".
  std::string entryNames() const;
  /// Whether ranks hold different parts of what a checkpoint keeps.
  bool hasParts() const;
  /// Whether ranks need each other for a batch: what one of them holds, or
  /// computes of it, is not all. Else only training brings them together.
  bool sharesBatches() const;
};

/// Parses and checks a description. Errors say which field is wrong.
Expected<Description> parseDescription(std::string_view json);

} // namespace tert::session

#endif // TERT_SESSION_DESCRIPTION_H
