// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of ONNX. Flipped bytes rarely make one operator of another, so models
// are mutated as models: operators, numbers of inputs and outputs, attributes,
// shapes and types.

#include "ImportModel.h"
#include "OperandRules.h"

#include "te/Frontend/ONNX/ImportONNX.h"

#include "onnx/onnx_pb.h"

#include <random>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;
using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef bytes(reinterpret_cast<const char *>(data), size);
  fuzz::importModel([&](MLIRContext *context, const ImportOptions &options) {
    return importONNX(llvm::MemoryBufferRef(bytes, "/nonexistent/model.onnx"),
                      context, options);
  });
  return 0;
}

namespace {
/// Changes a model in one place, in a way that the seed decides.
class Mutator {
public:
  Mutator(ModelProto &model, unsigned seed)
      : graph(*model.mutable_graph()), model(model), random(seed) {}

  void run() {
    if (graph.node_size() == 0 || graph.input_size() == 0)
      return makeModel();
    // What a node makes must be used for anything behind it to matter.
    switch (below(12)) {
    case 0:
    case 1:
      return someNode().set_op_type(someOperator());
    case 2:
      return addNode();
    case 3:
    case 4:
      return mutateInputs(someNode());
    case 5:
      return mutateOutputs(someNode());
    case 6:
    case 7:
      return mutateAttributes(someNode());
    case 8:
      return mutateTensorType(
          *graph.mutable_input(below(graph.input_size()))->mutable_type());
    case 9:
      return addConstant();
    case 10:
      return mutateConstant();
    default:
      return mutateModel();
    }
  }

private:
  int below(int count) { return count ? int(random() % unsigned(count)) : 0; }

  template <size_t count> auto one(const char *const (&list)[count]) {
    return std::string(list[below(int(count))]);
  }
  int64_t someInt() {
    static const int64_t odd[] = {
        0, 1, 2, 3, 4, -1, -2, -3, 1024, INT64_MAX, INT64_MIN, INT32_MAX};
    return odd[below(int(std::size(odd)))];
  }
  float someFloat() {
    static const float odd[] = {0.0f,  1.0f,   -1.0f,    0.5f,
                                1e30f, 1.702f, INFINITY, NAN};
    return odd[below(int(std::size(odd)))];
  }
  std::string someOperator() {
    ArrayRef<OperandRule> rules = getOperandRules();
    return rules[size_t(below(int(rules.size())))].op.str();
  }
  NodeProto &someNode() {
    return *graph.mutable_node(below(graph.node_size()));
  }
  std::string fresh() { return "v" + std::to_string(random() % 100000); }

  /// A name that something may be known by, or none.
  std::string someName() {
    switch (below(8)) {
    case 0:
      return "";
    case 1:
      return graph.initializer_size()
                 ? graph.initializer(below(graph.initializer_size())).name()
                 : "";
    case 2:
    case 3:
      return graph.input(below(graph.input_size())).name();
    default: {
      const NodeProto &node = graph.node(below(graph.node_size()));
      return node.output_size() ? node.output(below(node.output_size())) : "";
    }
    }
  }

  void mutateInputs(NodeProto &node) {
    int size = node.input_size();
    if (size == 0 || below(3) == 0)
      node.add_input(someName());
    else if (below(3) == 0)
      node.mutable_input()->RemoveLast();
    else
      node.set_input(below(size), someName());
  }

  void mutateOutputs(NodeProto &node) {
    if (below(2) && node.output_size())
      node.mutable_output()->RemoveLast();
    else
      node.add_output(below(4) ? fresh() : "");
  }

  void mutateAttributes(NodeProto &node) {
    static const char *const names[] = {"axis",
                                        "axes",
                                        "perm",
                                        "alpha",
                                        "beta",
                                        "gamma",
                                        "epsilon",
                                        "transA",
                                        "transB",
                                        "keepdims",
                                        "to",
                                        "value",
                                        "value_int",
                                        "value_ints",
                                        "value_float",
                                        "value_floats",
                                        "mode",
                                        "approximate",
                                        "is_causal",
                                        "q_num_heads",
                                        "kv_num_heads",
                                        "scale",
                                        "softcap",
                                        "num_outputs",
                                        "start",
                                        "end",
                                        "allowzero",
                                        "upper",
                                        "batch_dims",
                                        "exclusive",
                                        "reverse",
                                        "fmod",
                                        "stash_type",
                                        "split",
                                        "noop_with_empty_axes"};
    if (node.attribute_size() && below(4) == 0) {
      node.mutable_attribute()->RemoveLast();
      return;
    }
    AttributeProto &attribute =
        node.attribute_size() && below(2)
            ? *node.mutable_attribute(below(node.attribute_size()))
            : *node.add_attribute();
    if (attribute.name().empty() || below(8) == 0)
      attribute.set_name(one(names));
    switch (below(6)) {
    case 0:
      attribute.set_type(AttributeProto::FLOAT);
      attribute.set_f(someFloat());
      break;
    case 1:
      attribute.set_type(AttributeProto::STRING);
      attribute.set_s(below(2) ? "tanh" : "none");
      break;
    case 2:
      attribute.set_type(AttributeProto::TENSOR);
      fill(*attribute.mutable_t());
      break;
    case 3:
      attribute.set_type(AttributeProto::INTS);
      attribute.clear_ints();
      for (int i = below(5); i > 0; --i)
        attribute.add_ints(someInt());
      break;
    default:
      attribute.set_type(AttributeProto::INT);
      attribute.set_i(someInt());
    }
  }

  int someElementType() {
    static const int types[] = {
        TensorProto::FLOAT,    TensorProto::FLOAT,     TensorProto::INT64,
        TensorProto::INT64,    TensorProto::BOOL,      TensorProto::INT32,
        TensorProto::BFLOAT16, TensorProto::FLOAT16,   TensorProto::DOUBLE,
        TensorProto::STRING,   TensorProto::UNDEFINED, 99};
    return types[below(int(std::size(types)))];
  }

  void mutateTensorType(::onnx::TypeProto &type) {
    auto &tensor = *type.mutable_tensor_type();
    if (below(2))
      tensor.set_elem_type(someElementType());
    auto &shape = *tensor.mutable_shape();
    if (shape.dim_size() == 0 || below(3) == 0)
      shape.add_dim()->set_dim_value(1 + below(4));
    else if (below(3) == 0)
      shape.mutable_dim()->RemoveLast();
    else
      shape.mutable_dim(below(shape.dim_size()))
          ->set_dim_value(below(8) ? 1 + below(4) : someInt());
  }

  /// A small tensor, mostly with as much data as its shape asks for.
  void fill(TensorProto &tensor) {
    tensor.clear_dims();
    tensor.clear_raw_data();
    int64_t count = 1;
    for (int i = below(4); i > 0; --i) {
      int size = below(10) ? 1 + below(3) : int(someInt());
      tensor.add_dims(size);
      count = std::clamp<int64_t>(count * size, 0, 64);
    }
    int type = someElementType();
    tensor.set_data_type(type);
    int bytes = type == TensorProto::INT64 || type == TensorProto::DOUBLE ? 8
                : type == TensorProto::BOOL                               ? 1
                                                                          : 4;
    std::string data;
    for (int i = 0; i < count * bytes; ++i)
      data.push_back(i % bytes ? '\0' : char(below(4)));
    if (below(10) == 0 && !data.empty())
      data.pop_back();
    tensor.set_raw_data(data);
  }

  void addConstant() {
    TensorProto &tensor = *graph.add_initializer();
    tensor.set_name(fresh());
    fill(tensor);
    someNode().add_input(tensor.name());
  }

  void mutateConstant() {
    if (graph.initializer_size())
      fill(*graph.mutable_initializer(below(graph.initializer_size())));
  }

  void addNode() {
    NodeProto node;
    std::string op = someOperator();
    node.set_op_type(op);
    const OperandRule *rule = findOperandRule(op);
    int inputs = int(rule->getInputs().size()) + (below(4) == 0 ? below(3) : 0);
    for (int i = 0; i < inputs; ++i)
      node.add_input(someName());
    node.add_output(fresh());
    // Mostly the end of the graph, and what is computed there.
    if (below(4) && graph.output_size()) {
      graph.mutable_output(0)->set_name(node.output(0));
      graph.mutable_output(0)->clear_type();
    }
    *graph.add_node() = node;
    if (below(6) == 0)
      graph.mutable_node()->SwapElements(below(graph.node_size()),
                                         graph.node_size() - 1);
  }

  void mutateModel() {
    switch (below(5)) {
    case 0:
      if (model.opset_import_size())
        model.mutable_opset_import(0)->set_version(17 + below(9));
      break;
    case 1:
      if (graph.output_size())
        graph.mutable_output(0)->set_name(someName());
      break;
    case 2:
      graph.add_output()->set_name(someName());
      break;
    case 3:
      if (graph.output_size())
        mutateTensorType(*graph.mutable_output(0)->mutable_type());
      break;
    default:
      graph.mutable_node()->DeleteSubrange(below(graph.node_size()), 1);
    }
  }

  void makeModel() {
    model.set_ir_version(10);
    if (model.opset_import_size() == 0)
      model.add_opset_import()->set_version(23);
    ::onnx::ValueInfoProto &input = *graph.add_input();
    input.set_name("x");
    auto &tensor = *input.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(TensorProto::FLOAT);
    for (int size : {2, 3})
      tensor.mutable_shape()->add_dim()->set_dim_value(size);
    graph.add_output()->set_name("y");
    NodeProto &node = *graph.add_node();
    node.set_op_type("Relu");
    node.add_input("x");
    node.add_output("y");
  }

  GraphProto &graph;
  ModelProto &model;
  std::mt19937 random;
};
} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  // One in eight as bytes: the wire format is read, too.
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  ModelProto model;
  (void)model.ParseFromArray(data, int(size));
  Mutator mutator(model, seed);
  for (unsigned i = 0; i <= seed / 8 % 4; ++i)
    mutator.run();
  std::string bytes = model.SerializePartialAsString();
  if (bytes.size() > maxSize)
    return size;
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}
