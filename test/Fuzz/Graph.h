// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random valid graphs: a module with @forward as te-differentiate takes it.

#ifndef TE_TEST_FUZZ_GRAPH_H
#define TE_TEST_FUZZ_GRAPH_H

#include "Choices.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace mlir::te::fuzz {

/// A graph of te, linalg, tensor, arith and math ops on inputs and parameters,
/// with shared operands, slices, transposes, odd sizes, and bodies that read
/// values from outside; some have images, some have calls, branches and loops,
/// some have many dimensions of 1 and some have dimensions of 0. Arguments say
/// what they are evaluated on (Values.h).
OwningOpRef<ModuleOp> generateGraph(MLIRContext *context, Choices &choices);

/// The sizes that a graph prefers. Dimensions of 1 are where reshapes,
/// transposes and broadcasts look alike; what has dimensions of 0 has no
/// elements.
enum class Sizes { Any, ManyOnes, SomeZeros };

/// What the makers of single ops work with.
class GraphBuilder {
public:
  GraphBuilder(ModuleOp module, Choices &choices);

  Choices &choices;
  OpBuilder builder;
  func::FuncOp function;
  /// What further ops may read, in the order in which it came about.
  SmallVector<Value> values;
  /// Functions beside @forward.
  unsigned numFunctions = 0;

  /// Location of the ops that are being made; some have names, and some share
  /// them.
  Location loc() { return current; }
  void chooseLocation();
  Type f32() { return builder.getF32Type(); }
  RankedTensorType tensor(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  Sizes sizes = Sizes::Any;
  /// A dimension: small ones, odd ones, ones that tensor cores take.
  int64_t dim();
  /// A dimension of 1 to `most`, or 0 in graphs that have such.
  int64_t size(uint32_t most);
  /// Whether a dimension that is being chosen is to be 0.
  bool isEmpty() { return sizes == Sizes::SomeZeros && choices.once(6); }

  /// An existing value that is accepted; null if there is none, and at times
  /// although there are some.
  Value pick(function_ref<bool(RankedTensorType)> accepts);
  /// A new argument of @forward: an input or a parameter.
  Value argument(RankedTensorType type);
  Value integers(RankedTensorType type, int64_t classes, bool areLabels);
  /// An existing value of the type, or a new argument.
  Value get(RankedTensorType type);
  /// A matrix of f32 or, at times, bf16.
  Value matrix();
  /// Any tensor of at least one dimension.
  Value anyTensor();
  /// A matrix with this many rows and columns, of any where none are given.
  Value matrix(std::optional<int64_t> rows, std::optional<int64_t> columns);
  /// Whether float results of an op may be added to the graph: not too large.
  static bool isSmall(ArrayRef<int64_t> shape);
  void add(Value value) { values.push_back(value); }

private:
  Location current;
  unsigned numArguments = 0, numNames = 0;
};

/// Adds an op, or does nothing where it does not fit. No two decisions stand in
/// one call's arguments, whose order is the compiler's.
using OpMaker = void (*)(GraphBuilder &);
struct WeightedMaker {
  OpMaker make;
  unsigned weight;
};
/// Ops of the te dialect.
ArrayRef<WeightedMaker> getLayerMakers();
/// Movement, arithmetic on whole tensors, and structured ops.
ArrayRef<WeightedMaker> getTensorMakers();
/// Layers of images, which some graphs have.
ArrayRef<WeightedMaker> getImageMakers();
/// Calls, branches and loops, which a few graphs have.
ArrayRef<WeightedMaker> getStructureMakers();
/// linalg.generic with random bodies.
void makeGeneric(GraphBuilder &graph);

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_GRAPH_H
