// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles if the structs of runtime/xla/CallFrame.h are those of the header
// that JAX brings.

#include "xla/CallFrame.h"
#include "xla/ffi/api/c_api.h"

using namespace tert::xla;

#define SAME(ours, member, theirs, field)                                      \
  static_assert(offsetof(ours, member) == offsetof(theirs, field) &&           \
                    sizeof(ours::member) == sizeof(theirs::field),             \
                #theirs "." #field)

static_assert(XLA_FFI_API_MAJOR == 0);
static_assert(metadataExtension == XLA_FFI_Extension_Metadata);
static_assert(bufferValue == XLA_FFI_ArgType_BUFFER);
static_assert(bufferValue == XLA_FFI_RetType_BUFFER);
static_assert(stringAttribute == XLA_FFI_AttrType_STRING);
static_assert(invalidArgument == XLA_FFI_Error_Code_INVALID_ARGUMENT);
static_assert(internalError == XLA_FFI_Error_Code_INTERNAL);
SAME(Extension, type, XLA_FFI_Extension_Base, type);
SAME(ApiVersion, major, XLA_FFI_Api_Version, major_version);
SAME(ApiVersion, minor, XLA_FFI_Api_Version, minor_version);
SAME(Metadata, version, XLA_FFI_Metadata, api_version);
SAME(Metadata, traits, XLA_FFI_Metadata, traits);
SAME(MetadataExtension, metadata, XLA_FFI_Metadata_Extension, metadata);
SAME(Buffer, dtype, XLA_FFI_Buffer, dtype);
SAME(Buffer, data, XLA_FFI_Buffer, data);
SAME(Buffer, rank, XLA_FFI_Buffer, rank);
SAME(Buffer, sizes, XLA_FFI_Buffer, dims);
SAME(Values, count, XLA_FFI_Args, size);
SAME(Values, types, XLA_FFI_Args, types);
SAME(Values, values, XLA_FFI_Args, args);
SAME(Values, values, XLA_FFI_Rets, rets);
SAME(Text, data, XLA_FFI_ByteSpan, ptr);
SAME(Text, size, XLA_FFI_ByteSpan, len);
SAME(Attributes, count, XLA_FFI_Attrs, size);
SAME(Attributes, types, XLA_FFI_Attrs, types);
SAME(Attributes, names, XLA_FFI_Attrs, names);
SAME(Attributes, values, XLA_FFI_Attrs, attrs);
SAME(CreateFailure, message, XLA_FFI_Error_Create_Args, message);
SAME(CreateFailure, code, XLA_FFI_Error_Create_Args, errc);
SAME(GetStream, context, XLA_FFI_Stream_Get_Args, ctx);
SAME(GetStream, stream, XLA_FFI_Stream_Get_Args, stream);
SAME(GetOrdinal, context, XLA_FFI_DeviceOrdinal_Get_Args, ctx);
SAME(GetOrdinal, ordinal, XLA_FFI_DeviceOrdinal_Get_Args, device_ordinal);
SAME(Api, version, XLA_FFI_Api, api_version);
SAME(Api, createFailure, XLA_FFI_Api, XLA_FFI_Error_Create);
SAME(Api, getStream, XLA_FFI_Api, XLA_FFI_Stream_Get);
SAME(Api, getOrdinal, XLA_FFI_Api, XLA_FFI_DeviceOrdinal_Get);
SAME(CallFrame, api, XLA_FFI_CallFrame, api);
SAME(CallFrame, context, XLA_FFI_CallFrame, ctx);
SAME(CallFrame, arguments, XLA_FFI_CallFrame, args);
SAME(CallFrame, results, XLA_FFI_CallFrame, rets);
SAME(CallFrame, attributes, XLA_FFI_CallFrame, attrs);
