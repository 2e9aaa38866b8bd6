# The ONNX schema's C++ classes and protobuf, from Debian's packages.
find_path(TE_ONNX_INCLUDE_DIR onnx/onnx_pb.h REQUIRED)
find_library(TE_ONNX_PROTO_LIBRARY onnx_proto REQUIRED)
find_package(Protobuf REQUIRED)
add_library(te_onnx INTERFACE)
target_include_directories(te_onnx SYSTEM INTERFACE
  "${TE_ONNX_INCLUDE_DIR}" ${Protobuf_INCLUDE_DIRS})
target_compile_definitions(te_onnx INTERFACE ONNX_ML ONNX_NAMESPACE=onnx)
target_link_libraries(te_onnx INTERFACE
  "${TE_ONNX_PROTO_LIBRARY}" ${Protobuf_LIBRARIES})
