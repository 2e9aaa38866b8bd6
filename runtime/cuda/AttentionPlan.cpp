// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/AttentionPlan.h"

#include "cuda/Error.h"

#include <cudnn_frontend.h>
#include <unordered_map>
#include <vector>

using namespace tert;
using namespace tert::cuda;
namespace fe = cudnn_frontend;

//===-- Handle ------------------------------------------------------------===//

static void check(cudnnStatus_t status, const char *what) {
  if (status != CUDNN_STATUS_SUCCESS)
    throw Error(TERT_DEVICE_ERROR,
                std::string(what) + ": " + cudnnGetErrorString(status));
}

CudnnHandle::CudnnHandle(cudaStream_t stream) {
  size_t version = cudnnGetVersion();
  if (version / 10000 != CUDNN_MAJOR)
    throw Error(TERT_UNSUPPORTED, "this runtime was built with cuDNN " +
                                      std::to_string(CUDNN_MAJOR) +
                                      ", but the loader found version " +
                                      std::to_string(version));
  cudnnHandle_t created = nullptr;
  check(cudnnCreate(&created), "opening cuDNN");
  handle = created;
  check(cudnnSetStream(created, stream), "opening cuDNN");
}

void CudnnHandle::useStream(cudaStream_t stream) {
  check(cudnnSetStream(static_cast<cudnnHandle_t>(handle), stream),
        "giving cuDNN a stream");
}

CudnnHandle::~CudnnHandle() {
  cudnnDestroy(static_cast<cudnnHandle_t>(handle));
}

//===-- Graphs ------------------------------------------------------------===//

namespace {
/// Ids of tensors in a graph.
enum Id : int64_t { Q = 1, K, V, O, Lse, DO, DQ, DK, DV };
using TensorRef = std::shared_ptr<fe::graph::Tensor_attributes>;
} // namespace

struct AttentionPlan::Impl {
  fe::graph::Graph graph;
  int64_t workspace = 0;

  TensorRef input(Id id, const std::vector<int64_t> &sizes,
                  const AttentionStrides &strides) {
    return graph.tensor(
        fe::graph::Tensor_attributes().set_uid(id).set_dim(sizes).set_stride(
            stridesWith(strides)));
  }
  static void output(const TensorRef &tensor, Id id,
                     const std::vector<int64_t> &sizes,
                     const AttentionStrides &strides) {
    tensor->set_output(true).set_uid(id).set_dim(sizes).set_stride(
        stridesWith(strides));
  }
  static std::vector<int64_t> stridesWith(const AttentionStrides &strides) {
    return {strides[0], strides[1], strides[2], 1};
  }

  void build(const AttentionProblem &p);
  /// Query i attends to keys j <= i + keys - queries, and of these only to
  /// those after j - window. cuDNN supports windows only in causal attention.
  template <typename Attributes>
  static void setMask(Attributes &attributes, const AttentionProblem &p) {
    // A window that covers all keys has no effect.
    bool hasWindow = p.window != 0 && p.window < p.keys;
    if (!p.causal && !hasWindow)
      return;
    attributes.set_diagonal_alignment(
        p.queries == p.keys ? fe::DiagonalAlignment_t::TOP_LEFT
                            : fe::DiagonalAlignment_t::BOTTOM_RIGHT);
    if (p.causal)
      attributes.set_diagonal_band_right_bound(0);
    if (hasWindow)
      attributes.set_diagonal_band_left_bound(int(p.window));
  }
};

void AttentionPlan::Impl::build(const AttentionProblem &p) {
  graph.set_io_data_type(fe::DataType_t::BFLOAT16)
      .set_intermediate_data_type(fe::DataType_t::FLOAT)
      .set_compute_data_type(fe::DataType_t::FLOAT);
  std::vector<int64_t> qSizes = {p.batch, p.heads, p.queries, p.dimension};
  std::vector<int64_t> kSizes = {p.batch, p.kvHeads, p.keys, p.dimension};
  std::vector<int64_t> lseSizes = {p.batch, p.heads, p.queries, 1};
  TensorRef q = input(Q, qSizes, p.q), k = input(K, kSizes, p.k),
            v = input(V, kSizes, p.v);
  if (!p.gradient) {
    auto attributes = fe::graph::SDPA_attributes()
                          .set_name("attention")
                          .set_generate_stats(true)
                          .set_attn_scale(p.scale);
    setMask(attributes, p);
    auto [o, lse] = graph.sdpa(q, k, v, attributes);
    output(o, O, qSizes, p.o);
    output(lse, Lse, lseSizes, p.lse);
    lse->set_data_type(fe::DataType_t::FLOAT);
    return;
  }
  TensorRef o = input(O, qSizes, p.o), dO = input(DO, qSizes, p.dO),
            lse = input(Lse, lseSizes, p.lse);
  lse->set_data_type(fe::DataType_t::FLOAT);
  auto attributes = fe::graph::SDPA_backward_attributes()
                        .set_name("attention_grad")
                        .set_attn_scale(p.scale)
                        .set_deterministic_algorithm(p.deterministic);
  setMask(attributes, p);
  auto [dq, dk, dv] = graph.sdpa_backward(q, k, v, o, dO, lse, attributes);
  output(dq, DQ, qSizes, p.dq);
  output(dk, DK, kSizes, p.dk);
  output(dv, DV, kSizes, p.dv);
}

AttentionPlan::AttentionPlan(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
AttentionPlan::~AttentionPlan() = default;

std::unique_ptr<AttentionPlan>
AttentionPlan::create(const CudnnHandle &handle,
                      const AttentionProblem &problem, std::string &why) {
  auto impl = std::make_unique<Impl>();
  impl->build(problem);
  auto cudnn = static_cast<cudnnHandle_t>(handle.get());
  fe::error_t status = impl->graph.build(cudnn, {fe::HeurMode_t::A});
  if (status.is_good())
    status = impl->graph.get_workspace_size(impl->workspace);
  if (status.is_bad()) {
    why = status.get_message();
    return nullptr;
  }
  return std::unique_ptr<AttentionPlan>(new AttentionPlan(std::move(impl)));
}

size_t AttentionPlan::workspaceBytes() const {
  return static_cast<size_t>(impl->workspace);
}

void AttentionPlan::run(const CudnnHandle &handle,
                        const AttentionOperands &operands,
                        void *workspace) const {
  std::unordered_map<int64_t, void *> pointers = {{Q, operands.q},
                                                  {K, operands.k},
                                                  {V, operands.v},
                                                  {O, operands.o},
                                                  {Lse, operands.lse}};
  if (operands.dO)
    pointers.insert({{DO, operands.dO},
                     {DQ, operands.dq},
                     {DK, operands.dk},
                     {DV, operands.dv}});
  fe::error_t status = impl->graph.execute(
      static_cast<cudnnHandle_t>(handle.get()), pointers, workspace);
  if (status.is_bad())
    throw Error(TERT_DEVICE_ERROR, "cuDNN: " + status.get_message());
}
