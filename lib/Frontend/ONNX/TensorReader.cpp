// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorReader.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstring>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;
using ::onnx::TensorProto;

std::string mlir::te::onnx_import::getElementTypeName(int32_t type) {
  if (::onnx::TensorProto_DataType_IsValid(type))
    return ::onnx::TensorProto_DataType_Name(
        ::onnx::TensorProto_DataType(type));
  return "element type " + std::to_string(type);
}

Type mlir::te::onnx_import::getElementType(int32_t type, MLIRContext *context) {
  switch (type) {
  case TensorProto::FLOAT:
    return Float32Type::get(context);
  case TensorProto::BFLOAT16:
    return BFloat16Type::get(context);
  case TensorProto::INT64:
    return IntegerType::get(context, 64);
  case TensorProto::INT32:
    return IntegerType::get(context, 32);
  case TensorProto::BOOL:
    return IntegerType::get(context, 1);
  default:
    return {};
  }
}

namespace {
/// Integers of a model's files, and the bits in which constants are evaluated.
struct IntegerElement {
  int32_t type;
  int64_t bytes;
  unsigned bits;
};
} // namespace

static constexpr IntegerElement kIntegers[] = {
    {TensorProto::BOOL, 1, 1},    {TensorProto::INT8, 1, 8},
    {TensorProto::UINT8, 1, 9},   {TensorProto::INT16, 2, 16},
    {TensorProto::UINT16, 2, 17}, {TensorProto::INT32, 4, 32},
    {TensorProto::UINT32, 4, 33}, {TensorProto::INT64, 8, 64}};

Type mlir::te::onnx_import::getConstantType(int32_t type,
                                            MLIRContext *context) {
  for (const IntegerElement &element : kIntegers)
    if (element.type == type)
      return IntegerType::get(context, element.bits);
  if (type == TensorProto::FLOAT16)
    return Float16Type::get(context);
  if (type == TensorProto::DOUBLE)
    return Float64Type::get(context);
  return getElementType(type, context);
}

std::optional<int32_t>
mlir::te::onnx_import::getElementCode(Type constantType) {
  for (int32_t type = ::onnx::TensorProto_DataType_DataType_MIN;
       type <= ::onnx::TensorProto_DataType_DataType_MAX; ++type)
    if (getConstantType(type, constantType.getContext()) == constantType)
      return type;
  return std::nullopt;
}

uint64_t mlir::te::onnx_import::getMostUnsigned(Type constantType) {
  for (const IntegerElement &element : kIntegers)
    if (constantType.isInteger(element.bits) &&
        element.bits > 8 * element.bytes)
      return llvm::maskTrailingOnes<uint64_t>(element.bits - 1);
  return 0;
}

int64_t mlir::te::onnx_import::getElementSize(int32_t type) {
  for (const IntegerElement &element : kIntegers)
    if (element.type == type)
      return element.bytes;
  switch (type) {
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
    return 2;
  case TensorProto::FLOAT:
    return 4;
  case TensorProto::DOUBLE:
    return 8;
  default:
    return 0;
  }
}

TensorReader::TensorReader(StringRef folder, int64_t maxConstantBytes)
    : folder(folder.str()), maxConstantBytes(maxConstantBytes) {}

/// The elements of one of the typed fields in the form of `raw_data`.
template <typename Stored, typename Field>
static std::string pack(const Field &field) {
  std::string bytes(field.size() * sizeof(Stored), '\0');
  char *at = bytes.data();
  for (auto element : field) {
    Stored value = static_cast<Stored>(element);
    std::memcpy(at, &value, sizeof(Stored));
    at += sizeof(Stored);
  }
  return bytes;
}

/// The elements of `proto` in the form of `raw_data`, from any of the fields,
/// moved out of `proto` if that saves a copy.
static std::string takeBytes(TensorProto &proto) {
  if (proto.has_raw_data())
    return std::move(*proto.mutable_raw_data());
  switch (proto.data_type()) {
  case TensorProto::FLOAT:
    return pack<float>(proto.float_data());
  case TensorProto::DOUBLE:
    return pack<double>(proto.double_data());
  case TensorProto::INT64:
    return pack<int64_t>(proto.int64_data());
  case TensorProto::UINT32:
    return pack<uint32_t>(proto.uint64_data());
  case TensorProto::INT32:
    return pack<int32_t>(proto.int32_data());
  case TensorProto::INT16:
  case TensorProto::UINT16:
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
    return pack<uint16_t>(proto.int32_data());
  case TensorProto::BOOL:
  case TensorProto::INT8:
  case TensorProto::UINT8:
    return pack<uint8_t>(proto.int32_data());
  default:
    return {};
  }
}

/// Finds the entry of a tensor's external data. A missing file is not an error;
/// any path outside the model's directory is.
LogicalResult TensorReader::locate(const TensorProto &proto, uint64_t size,
                                   ParameterData &result,
                                   std::string &error) const {
  StringRef location;
  uint64_t offset = 0, length = size;
  for (const ::onnx::StringStringEntryProto &entry : proto.external_data()) {
    StringRef key = entry.key(), value = entry.value();
    if (key == "location") {
      location = value;
    } else if (key == "offset" || key == "length") {
      if (value.getAsInteger(10, key == "offset" ? offset : length)) {
        error = ("has external data whose " + key + " '" + value +
                 "' is not a number of bytes")
                    .str();
        return failure();
      }
    }
  }
  if (location.empty() || folder.empty()) {
    error = location.empty() ? "has external data without a file name"
                             : "has external data where none is allowed";
    return failure();
  }
  auto outside = [&] {
    error = ("has external data in '" + location +
             "', which is outside the model's folder; move the file next to "
             "the model and name it by a relative path")
                .str();
    return failure();
  };
  // Separators of either system, so that a file is treated alike everywhere.
  if (llvm::sys::path::is_absolute(location) || location.contains('\0') ||
      llvm::sys::path::is_absolute(location, llvm::sys::path::Style::windows) ||
      location.contains('\\'))
    return outside();
  for (StringRef part : llvm::split(location, '/'))
    if (part == "..")
      return outside();
  if (length != size) {
    error = ("has " + Twine(length) +
             " bytes of external data, but its type "
             "takes " +
             Twine(size))
                .str();
    return failure();
  }
  SmallString<256> path(folder);
  llvm::sys::path::append(path, location);
  result.offset = offset;
  result.length = length;

  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status)) {
    result.kind = ParameterData::Kind::Absent;
    result.path = location.str();
    return success();
  }
  SmallString<256> realFolder, realPath;
  if (llvm::sys::fs::real_path(folder, realFolder) ||
      llvm::sys::fs::real_path(path, realPath)) {
    error =
        ("has external data in '" + location + "', which cannot be read").str();
    return failure();
  }
  StringRef inside = realPath;
  if (!inside.consume_front(realFolder) ||
      !(inside.empty() || realFolder.ends_with("/") || inside.starts_with("/")))
    return outside();
  if (status.type() != llvm::sys::fs::file_type::regular_file) {
    error =
        ("has external data in '" + location + "', which is not a regular file")
            .str();
    return failure();
  }
  uint64_t fileSize = status.getSize();
  if (offset > fileSize || length > fileSize - offset) {
    error = ("needs bytes " + Twine(offset) + " to " +
             (offset > UINT64_MAX - length ? Twine("beyond 2^64")
                                           : Twine(offset + length)) +
             " of '" + location + "', which has only " + Twine(fileSize) +
             "; the file is truncated or belongs to another model")
                .str();
    return failure();
  }
  result.kind = ParameterData::Kind::External;
  result.path = realPath.str().str();
  return success();
}

LogicalResult TensorReader::readParameter(TensorProto &proto,
                                          ParameterData &result,
                                          std::string &error) const {
  uint64_t size = uint64_t(result.type.getNumElements()) *
                  getElementSize(proto.data_type());
  if (proto.data_location() == TensorProto::EXTERNAL)
    return locate(proto, size, result, error);
  result.kind = ParameterData::Kind::Inline;
  result.bytes = takeBytes(proto);
  if (result.bytes.size() == size)
    return success();
  error = ("has " + Twine(result.bytes.size()) +
           " bytes of data, but its type "
           "takes " +
           Twine(size))
              .str();
  return failure();
}

/// Integers, or floats rounded to float32.
template <typename T> static auto convert(StringRef bytes) {
  using Stored =
      std::conditional_t<std::is_floating_point_v<T>, float, int64_t>;
  std::vector<Stored> elements(bytes.size() / sizeof(T));
  const char *at = bytes.data();
  for (Stored &stored : elements) {
    T element;
    std::memcpy(&element, at, sizeof(T));
    stored = static_cast<Stored>(element);
    at += sizeof(T);
  }
  return elements;
}

static std::vector<float> convertHalf(StringRef bytes,
                                      const llvm::fltSemantics &semantics) {
  std::vector<float> elements;
  for (int64_t bits : convert<uint16_t>(bytes)) {
    llvm::APFloat value(semantics, llvm::APInt(16, bits));
    bool losesInfo;
    value.convert(llvm::APFloat::IEEEsingle(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    elements.push_back(value.convertToFloat());
  }
  return elements;
}

/// The elements in the form of `raw_data`, as they are evaluated.
static ConstantTensor::Storage convert(StringRef bytes, int32_t type) {
  switch (type) {
  case TensorProto::FLOAT:
    return convert<float>(bytes);
  case TensorProto::DOUBLE:
    return convert<double>(bytes);
  case TensorProto::FLOAT16:
    return convertHalf(bytes, llvm::APFloat::IEEEhalf());
  case TensorProto::BFLOAT16:
    return convertHalf(bytes, llvm::APFloat::BFloat());
  case TensorProto::INT64:
    return convert<int64_t>(bytes);
  case TensorProto::INT32:
    return convert<int32_t>(bytes);
  case TensorProto::UINT32:
    return convert<uint32_t>(bytes);
  case TensorProto::INT16:
    return convert<int16_t>(bytes);
  case TensorProto::UINT16:
    return convert<uint16_t>(bytes);
  case TensorProto::INT8:
    return convert<int8_t>(bytes);
  case TensorProto::UINT8:
    return convert<uint8_t>(bytes);
  default: {
    std::vector<uint8_t> truths(bytes.begin(), bytes.end());
    for (uint8_t &truth : truths)
      truth = truth != 0;
    return truths;
  }
  }
}

FailureOr<ConstantTensor> TensorReader::readConstant(const TensorProto &proto,
                                                     std::string &error) const {
  Shape shape(proto.dims().begin(), proto.dims().end());
  std::optional<int64_t> count = countElements(shape);
  int32_t type = proto.data_type();
  int64_t elementSize = getElementSize(type);
  if (!elementSize) {
    error = "has elements of type " + getElementTypeName(type) +
            ", which are not supported";
    return failure();
  }
  if (!count || *count > maxConstantBytes / elementSize) {
    error = "is too large for a constant";
    return failure();
  }
  uint64_t size = uint64_t(*count) * elementSize;
  std::string bytes;
  if (proto.data_location() == TensorProto::EXTERNAL) {
    ParameterData data;
    if (failed(locate(proto, size, data, error)))
      return failure();
    if (data.kind == ParameterData::Kind::Absent) {
      error = "is needed while compiling, but its file '" + data.path +
              "' does not exist";
      return failure();
    }
    auto buffer =
        llvm::MemoryBuffer::getFileSlice(data.path, data.length, data.offset);
    if (!buffer || (*buffer)->getBufferSize() != size) {
      error = "cannot be read from '" + data.path + "'";
      return failure();
    }
    bytes = (*buffer)->getBuffer().str();
  } else {
    TensorProto copy(proto);
    bytes = takeBytes(copy);
  }
  if (bytes.size() != size) {
    error = ("has " + Twine(bytes.size()) +
             " bytes of data, but its type takes " + Twine(size))
                .str();
    return failure();
  }
  return ConstantTensor(convert(bytes, type), shape, type);
}
