// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What XLA passes to a handler of its foreign function interface: the layouts
// of xla/ffi/api/c_api.h (API version 0), as far as this library reads them.
// Declared here so that neither building nor installing needs XLA's headers.
// New versions append to these structs, and struct_size says how much is there.
// A test of Python compares them with the header that JAX brings.
#ifndef TERT_XLA_CALLFRAME_H
#define TERT_XLA_CALLFRAME_H

#include <cstddef>
#include <cstdint>

namespace tert::xla {

struct Failure;          ///< XLA_FFI_Error
struct ExecutionContext; ///< XLA_FFI_ExecutionContext

/// XLA_FFI_Extension_Base
struct Extension {
  size_t structSize;
  int32_t type; ///< 1: Metadata follows
  Extension *next;
};
constexpr int32_t metadataExtension = 1;

/// XLA_FFI_Api_Version
struct ApiVersion {
  size_t structSize;
  Extension *extensions;
  int32_t major, minor;
};

/// XLA_FFI_Metadata: what XLA asks of a handler before it calls it.
struct Metadata {
  size_t structSize;
  ApiVersion version;
  uint32_t traits;
};

/// XLA_FFI_Metadata_Extension
struct MetadataExtension {
  Extension base;
  Metadata *metadata;
};

/// XLA_FFI_Buffer
struct Buffer {
  size_t structSize;
  Extension *extensions;
  int32_t dtype; ///< xla::PrimitiveType
  void *data;
  int64_t rank;
  int64_t *sizes;
};

/// XLA_FFI_Args and XLA_FFI_Rets
struct Values {
  size_t structSize;
  Extension *extensions;
  int64_t count;
  int32_t *types; ///< 1: Buffer
  void **values;
};
constexpr int32_t bufferValue = 1;

/// XLA_FFI_ByteSpan
struct Text {
  const char *data;
  size_t size;
};

/// XLA_FFI_Attrs
struct Attributes {
  size_t structSize;
  Extension *extensions;
  int64_t count;
  int32_t *types;
  Text **names;
  void **values;
};
constexpr int32_t stringAttribute = 4; ///< its value is a Text

/// XLA_FFI_Error_Create_Args
struct CreateFailure {
  size_t structSize;
  Extension *extensions;
  const char *message;
  int32_t code;
};
constexpr int32_t invalidArgument = 3, internalError = 13;

/// XLA_FFI_Stream_Get_Args
struct GetStream {
  size_t structSize;
  Extension *extensions;
  ExecutionContext *context;
  void *stream;
};

/// XLA_FFI_DeviceOrdinal_Get_Args
struct GetOrdinal {
  size_t structSize;
  Extension *extensions;
  ExecutionContext *context;
  int32_t ordinal;
};

/// XLA_FFI_Api
struct Api {
  size_t structSize;
  Extension *extensions;
  ApiVersion version;
  const void *internal;
  Failure *(*createFailure)(CreateFailure *);
  void *otherFailures[2];
  void *registerHandler;
  Failure *(*getStream)(GetStream *);
  void *others[12];
  Failure *(*getOrdinal)(GetOrdinal *); ///< since 0.2
};

/// XLA_FFI_CallFrame
struct CallFrame {
  size_t structSize;
  Extension *extensions;
  const Api *api;
  ExecutionContext *context;
  int32_t stage;
  Values arguments;
  Values results;
  Attributes attributes;
};

} // namespace tert::xla

#endif // TERT_XLA_CALLFRAME_H
