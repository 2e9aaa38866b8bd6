// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/GemmPlan.h"

#include "cuda/Error.h"
#include "program/Tensor.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <type_traits>

using namespace tert;
using namespace tert::cuda;

static cudaDataType_t dataType(tert_dtype dtype) {
  switch (dtype) {
  case TERT_F32:
    return CUDA_R_32F;
  case TERT_BF16:
    return CUDA_R_16BF;
  case TERT_F8E4M3:
    return CUDA_R_8F_E4M3;
  case TERT_F8E5M2:
    return CUDA_R_8F_E5M2;
  default:
    throw Error(TERT_UNSUPPORTED,
                dtypeName(dtype) + " matrices cannot be multiplied");
  }
}

template <typename T>
static void set(cublasLtMatmulDesc_t operation,
                cublasLtMatmulDescAttributes_t attribute, const T &value) {
  check(cublasLtMatmulDescSetAttribute(operation, attribute, &value,
                                       sizeof(value)),
        "describing a matrix product");
}

static cublasLtMatmulMatrixScale_t modeOf(ScaleMode mode) {
  switch (mode) {
  case ScaleMode::Matrix:
    return CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  case ScaleMode::Row:
    return CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  case ScaleMode::Vector:
    return CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F;
  case ScaleMode::Block:
    return CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
  }
  return CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
}

/// A row-major matrix [rows, cols] is column-major [cols, rows].
static cublasLtMatrixLayout_t layoutOf(tert_dtype dtype, int64_t rows,
                                       int64_t cols, int64_t stride) {
  cublasLtMatrixLayout_t layout = nullptr;
  check(cublasLtMatrixLayoutCreate(&layout, dataType(dtype), uint64_t(cols),
                                   uint64_t(rows), stride),
        "describing a matrix");
  return layout;
}

GemmPlan::GemmPlan(cublasLtHandle_t handle, const GemmProblem &problem)
    : handle(handle), about(problem) {
  // Plain CUBLAS_COMPUTE_32F keeps TF32 out of f32 products.
  check(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F),
        "describing a matrix product");
  cublasOperation_t transpose = CUBLAS_OP_T;
  if (problem.transposeB)
    set(operation, CUBLASLT_MATMUL_DESC_TRANSA, transpose);
  if (problem.transposeA)
    set(operation, CUBLASLT_MATMUL_DESC_TRANSB, transpose);
  if (problem.scaled)
    set(operation, CUBLASLT_MATMUL_DESC_FAST_ACCUM,
        int8_t(problem.fastAccumulate));
  if (problem.scaled) {
    set(operation, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, modeOf(problem.bScales));
    set(operation, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, modeOf(problem.aScales));
  }
  if (problem.hasBias) {
    set(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    set(operation, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE,
        dataType(problem.biasDtype()));
  }
  auto stored = [](bool transposed, int64_t rows, int64_t cols) {
    return transposed ? std::pair(cols, rows) : std::pair(rows, cols);
  };
  auto [aRows, aCols] = stored(problem.transposeA, problem.m, problem.k);
  auto [bRows, bCols] = stored(problem.transposeB, problem.k, problem.n);
  first = layoutOf(problem.b, bRows, bCols, problem.bStride);
  second = layoutOf(problem.a, aRows, aCols, problem.aStride);
  result = layoutOf(problem.d, problem.m, problem.n, problem.dStride);
  std::vector<cublasLtMatmulHeuristicResult_t> found = candidates(1);
  if (found.empty() && problem.fastAccumulate) {
    // It may accumulate fast, but need not.
    set(operation, CUBLASLT_MATMUL_DESC_FAST_ACCUM, int8_t(0));
    found = candidates(1);
  }
  if (found.empty())
    throw Error(TERT_UNSUPPORTED,
                "cuBLASLt " + std::to_string(cublasLtGetVersion()) +
                    " has no algorithm for " + tert::describe(problem));
  algorithm = found.front();
}

GemmPlan::~GemmPlan() {
  cublasLtMatrixLayoutDestroy(result);
  cublasLtMatrixLayoutDestroy(second);
  cublasLtMatrixLayoutDestroy(first);
  cublasLtMatmulDescDestroy(operation);
}

void GemmPlan::setPlaceholders() const {
  static const float placeholder = 0.0f;
  const void *pointer = &placeholder;
  if (about.scaled) {
    set(operation, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, pointer);
    set(operation, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, pointer);
  }
}

std::vector<cublasLtMatmulHeuristicResult_t>
GemmPlan::candidates(int count) const {
  setPlaceholders();
  cublasLtMatmulPreference_t preference = nullptr;
  check(cublasLtMatmulPreferenceCreate(&preference),
        "asking for matrix product algorithms");
  struct Destroy {
    void operator()(cublasLtMatmulPreference_t preference) const {
      cublasLtMatmulPreferenceDestroy(preference);
    }
  };
  std::unique_ptr<std::remove_pointer_t<cublasLtMatmulPreference_t>, Destroy>
      owner(preference);
  auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute,
                    const auto &value) {
    check(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value,
                                               sizeof(value)),
          "asking for matrix product algorithms");
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, uint64_t(maxWorkspaceBytes));
  // Not through the result: that would round partial sums to its type, and
  // in-place reductions may change their order between runs.
  prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
         uint32_t(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
         uint32_t(about.bAlignment));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
         uint32_t(about.aAlignment));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
         uint32_t(about.dAlignment));
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES,
         uint32_t(about.dAlignment));
  std::vector<cublasLtMatmulHeuristicResult_t> found(count);
  int returned = 0;
  cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      handle, operation, first, second, result, result, preference, count,
      found.data(), &returned);
  if (status != CUBLAS_STATUS_NOT_SUPPORTED)
    check(status, "asking for matrix product algorithms");
  found.resize(status == CUBLAS_STATUS_SUCCESS ? returned : 0);
  found.erase(std::remove_if(found.begin(), found.end(),
                             [](const auto &candidate) {
                               return candidate.state != CUBLAS_STATUS_SUCCESS;
                             }),
              found.end());
  return found;
}

std::string GemmPlan::algorithmText() const {
  std::string text;
  char word[17];
  for (uint64_t value : algorithm.algo.data) {
    std::snprintf(word, sizeof(word), "%016llx",
                  static_cast<unsigned long long>(value));
    text += word;
  }
  return text;
}

bool GemmPlan::setAlgorithm(const std::string &text) {
  cublasLtMatmulHeuristicResult_t found = {};
  constexpr size_t digits = 16;
  if (text.size() != digits * std::size(found.algo.data) ||
      text.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  for (size_t i = 0; i < std::size(found.algo.data); ++i)
    found.algo.data[i] =
        std::stoull(text.substr(digits * i, digits), nullptr, 16);
  setPlaceholders();
  cublasLtMatmulHeuristicResult_t result = {};
  if (cublasLtMatmulAlgoCheck(handle, operation, first, second, this->result,
                              this->result, &found.algo,
                              &result) != CUBLAS_STATUS_SUCCESS ||
      result.workspaceSize > maxWorkspaceBytes)
    return false;
  result.algo = found.algo;
  algorithm = result;
  return true;
}

void GemmPlan::setPointers(const GemmOperands &operands) {
  if (about.hasBias)
    set(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, operands.bias);
  if (about.scaled) {
    set(operation, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, operands.bScale);
    set(operation, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, operands.aScale);
  }
}

void GemmPlan::run(const GemmOperands &operands, void *workspace,
                   cudaStream_t stream) {
  setPointers(operands);
  const float one = 1.0f, beta = about.addToD ? 1.0f : 0.0f;
  cublasStatus_t status = cublasLtMatmul(
      handle, operation, &one, operands.b, first, operands.a, second, &beta,
      operands.addend ? operands.addend : operands.d, result, operands.d,
      result, &algorithm.algo, workspace, algorithm.workspaceSize, stream);
  if (status != CUBLAS_STATUS_SUCCESS)
    check(status, ("cuBLASLt, " + tert::describe(about)).c_str());
}
