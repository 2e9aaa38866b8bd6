// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads tensors as ONNX stores them: inline in one of several fields, or in a
// file next to the model.

#ifndef TE_LIB_FRONTEND_ONNX_TENSORREADER_H
#define TE_LIB_FRONTEND_ONNX_TENSORREADER_H

#include "../Common/ConstantTensor.h"

#include "te/Frontend/ONNX/ImportONNX.h"

#include "onnx/onnx_pb.h"

namespace mlir::te::onnx_import {

using namespace frontend;

/// "FLOAT", "INT64", ... for messages; works for types newer than the schema.
std::string getElementTypeName(int32_t type);

/// The MLIR element type of tensors used in computation (f32, bf16, i64, i32,
/// i1); null for others.
Type getElementType(int32_t type, MLIRContext *context);

/// The MLIR type in which constants of an element type are evaluated; null for
/// others. Arithmetic is signed: an unsigned type has one more bit, into which
/// sums may run over.
Type getConstantType(int32_t type, MLIRContext *context);
/// The element type whose constants are evaluated in this type.
std::optional<int32_t> getElementCode(Type constantType);
/// The largest number of the unsigned element type whose constants are
/// evaluated in this type; 0 for other types.
uint64_t getMostUnsigned(Type constantType);

/// Bytes of one element as stored in `raw_data`, 0 for types that are not
/// supported.
int64_t getElementSize(int32_t type);

class TensorReader {
public:
  /// External data is only looked for in `folder`; with an empty `folder` there
  /// may be none.
  TensorReader(StringRef folder, int64_t maxConstantBytes);

  /// The values of a tensor needed at import time. On failure `error` is the
  /// reason, as the end of a sentence about the tensor.
  FailureOr<ConstantTensor> readConstant(const ::onnx::TensorProto &proto,
                                         std::string &error) const;

  /// The location of a parameter's values; moves inline bytes out of `proto`.
  /// The caller sets the type of `result`.
  LogicalResult readParameter(::onnx::TensorProto &proto, ParameterData &result,
                              std::string &error) const;

private:
  LogicalResult locate(const ::onnx::TensorProto &proto, uint64_t size,
                       ParameterData &result, std::string &error) const;

  std::string folder;
  int64_t maxConstantBytes;
};

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_TENSORREADER_H
