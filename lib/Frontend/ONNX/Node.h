// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node of an ONNX graph: checked access to its attributes and metadata.

#ifndef TE_LIB_FRONTEND_ONNX_NODE_H
#define TE_LIB_FRONTEND_ONNX_NODE_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include "onnx/onnx_pb.h"

#include <optional>
#include <string>

namespace mlir::te::onnx_import {

/// Attribute getters record which attributes were read, so that an unsupported
/// attribute is noticed (`getUnreadAttribute`), and keep the first type
/// mismatch (`getMalformed`).
class Node {
public:
  Node(const ::onnx::NodeProto &proto, Location fileLoc);

  const ::onnx::NodeProto &getProto() const { return proto; }
  StringRef getOpType() const { return proto.op_type(); }
  StringRef getName() const { return proto.name(); }
  /// Module path and Python position, if in the model; else the model's file.
  Location getLoc() const { return loc; }
  /// Empty if the model has none.
  StringRef getModulePath() const { return modulePath; }

  size_t getNumInputs() const { return proto.input_size(); }
  /// Name of an input; empty if it is left out.
  StringRef getInput(size_t index) const;
  bool hasInput(size_t index) const { return !getInput(index).empty(); }
  size_t getNumOutputs() const { return proto.output_size(); }

  std::optional<int64_t> getInt(StringRef name) const;
  std::optional<float> getFloat(StringRef name) const;
  std::optional<StringRef> getString(StringRef name) const;
  std::optional<SmallVector<int64_t>> getInts(StringRef name) const;
  std::optional<SmallVector<float>> getFloats(StringRef name) const;
  const ::onnx::TensorProto *getTensor(StringRef name) const;

  StringRef getMalformed() const { return malformed; }
  std::optional<StringRef> getUnreadAttribute() const;

private:
  const ::onnx::AttributeProto *
  find(StringRef name, ::onnx::AttributeProto_AttributeType type) const;

  const ::onnx::NodeProto &proto;
  std::string modulePath;
  Location loc;
  mutable llvm::StringSet<> read;
  mutable std::string malformed;
};

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_NODE_H
