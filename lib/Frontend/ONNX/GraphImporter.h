// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds @forward from an ONNX graph, node by node.

#ifndef TE_LIB_FRONTEND_ONNX_GRAPHIMPORTER_H
#define TE_LIB_FRONTEND_ONNX_GRAPHIMPORTER_H

#include "../Common/TensorBuilder.h"
#include "AttentionMask.h"
#include "Metadata.h"
#include "ShapeRules.h"
#include "TensorReader.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Frontend/ONNX/ImportONNX.h"
#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <functional>
#include <variant>

namespace mlir::te::onnx_import {

class GraphImporter;

/// Imports one node: checks it and defines its outputs, or returns
/// `importer.unsupported(node, reason)`.
using Handler = std::function<LogicalResult(GraphImporter &, const Node &)>;
using HandlerTable = llvm::StringMap<Handler>;

/// The handler of an op that computes from its first input: a value, or one of
/// floats.
using ValueHandler = LogicalResult (*)(GraphImporter &, const Node &, Value);
Handler withValue(ValueHandler handler);
Handler withFloats(ValueHandler handler);

void populateElementwiseHandlers(HandlerTable &table);
void populatePointwiseHandlers(HandlerTable &table);
void populateReductionHandlers(HandlerTable &table);
void populateLinearHandlers(HandlerTable &table);
void populateShapeHandlers(HandlerTable &table);
void populateAttentionHandlers(HandlerTable &table);
void populateConversionHandlers(HandlerTable &table);
void populateSelectionHandlers(HandlerTable &table);
void populateScatterHandlers(HandlerTable &table);
void populateOrderHandlers(HandlerTable &table);
void populateConvolutionHandlers(HandlerTable &table);
void populateNormHandlers(HandlerTable &table);
void populateRotaryHandlers(HandlerTable &table);
void populateLossHandlers(HandlerTable &table);
/// All handlers.
HandlerTable getHandlerTable();

/// Evaluators of nodes whose inputs are all constants: the ops that exporters
/// use to compute shapes, position ids, rotary tables and masks. An op without
/// one is imported, and what that builds is evaluated.
void populateElementwiseFolds(HandlerTable &table);
void populateIndexingFolds(HandlerTable &table);
HandlerTable getFoldTable();

class GraphImporter : public TensorBuilder {
public:
  GraphImporter(::onnx::ModelProto &model, StringRef folder, Location fileLoc,
                const ImportOptions &options);

  /// Imports the whole graph; errors are emitted.
  FailureOr<ImportedModel> import();

  //===--------------------------------------------------------------------===//
  // For handlers
  //===--------------------------------------------------------------------===//

  /// Notes that a node cannot be imported.
  LogicalResult unsupported(const Node &node, const Twine &reason);

  /// An input as an SSA value; constants become arith.constant. Null and a note
  /// if it is missing or cannot be one.
  Value getValue(const Node &node, size_t index);
  /// The same for an input of floats.
  Value getFloats(const Node &node, size_t index);
  /// An input that is known at import time, or null.
  const ConstantTensor *getConstant(const Node &node, size_t index) const;
  /// The integers of an input that must be a constant.
  FailureOr<SmallVector<int64_t>> getInts(const Node &node, size_t index);
  /// The number of elements of a constant to compute, unless they take more
  /// memory than allowed.
  FailureOr<int64_t> checkConstantSize(const Node &node,
                                       ArrayRef<int64_t> shape);
  /// The pieces of an input that is a sequence, or null.
  const SmallVector<Value> *getSequence(const Node &node, size_t index) const;

  /// Defines the first output; succeeds.
  template <typename T> LogicalResult define(const Node &node, T value) {
    defineAt(node, 0, std::move(value));
    return success();
  }
  void defineAt(const Node &node, size_t output, Value value);
  void defineAt(const Node &node, size_t output, ConstantTensor value);
  void defineSequence(const Node &node, SmallVector<Value> pieces);

  /// An arith.constant; null for element types that computation does not use,
  /// unless a node of constants is folded.
  Value materialize(Location loc, const ConstantTensor &constant);

  /// Name of the parameter that a value is, possibly transposed or reshaped;
  /// else empty.
  StringRef getParameterName(Value value) const;
  /// The node's location; without a module path in the model, the path is the
  /// name of `weight` without its last component.
  Location getLayerLoc(const Node &node, Value weight) const;

  /// The kind of an attention mask; each is analysed once.
  MaskKind getMaskKind(StringRef name, const ConstantTensor &mask,
                       int64_t queries, int64_t keys, std::string &why);

private:
  struct Poison {};
  using Definition =
      std::variant<Poison, Value, ConstantTensor, SmallVector<Value>>;

  LogicalResult checkModel();
  LogicalResult importInputs();
  LogicalResult importInitializers();
  void importNode(const ::onnx::NodeProto &proto);
  LogicalResult importOutputs();
  LogicalResult foldNode(const Node &node);
  LogicalResult checkComputable(const Node &node);
  LogicalResult notComputable(const Node &node, size_t index);
  /// Checks that a node's inputs and outputs are those of its operator.
  LogicalResult checkNodeOperands(const Node &node);
  LogicalResult checkConstantSizes(const Node &node);
  void finishNode(const Node &node, LogicalResult result);
  void defineName(StringRef name, Definition definition);
  const Definition *find(StringRef name) const;
  void releaseDeadConstants(const ::onnx::NodeProto &proto);
  void warnOfOptimizedExport();
  LogicalResult importConstant(const Node &node);
  LogicalResult importShapeOf(const Node &node);

  ::onnx::ModelProto &model;
  ::onnx::GraphProto &graph;
  Location fileLoc;
  ImportOptions options;
  TensorReader reader;
  GraphSignature signature;
  HandlerTable handlers, folds;

  ImportedModel result;
  func::FuncOp function;
  Block *body = nullptr;
  unsigned numInputs = 0;
  bool isFolding = false;
  llvm::StringMap<Definition> definitions;
  /// The number of nodes that still read a value, so that big constants can be
  /// freed.
  llvm::StringMap<int64_t> remainingUses;
  llvm::StringMap<std::pair<MaskKind, std::string>> masks;
  UnsupportedList problems;
};

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_GRAPHIMPORTER_H
