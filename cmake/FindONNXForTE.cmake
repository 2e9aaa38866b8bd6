# The ONNX schema's C++ classes and protobuf, from Debian's packages.
find_path(TE_ONNX_INCLUDE_DIR onnx/onnx_pb.h REQUIRED)
find_library(TE_ONNX_PROTO_LIBRARY onnx_proto REQUIRED)
find_package(Protobuf REQUIRED)
set(TE_ONNX_LIBRARIES ${TE_ONNX_PROTO_LIBRARY} ${Protobuf_LIBRARIES})
