// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Check.h"

using namespace tert;

void tert::invalidArgument(const std::string &message) {
  throw Error(TERT_INVALID_ARGUMENT, message);
}

static const tert_tensor &required(const char *name,
                                   const tert_tensor *tensor) {
  if (!tensor)
    invalidArgument(std::string("'") + name +
                    "' is missing: this argument is not optional");
  if (!tensor->layout)
    invalidArgument(std::string("'") + name + "' has no layout");
  return *tensor;
}

Operand::Operand(const char *name, const tert_tensor *given)
    : name(name), tensor(required(name, given)) {
  const tert_layout &layout = *tensor.layout;
  if (bytesOf(layout.dtype) == 0)
    invalidArgument(std::string("'") + name + "' has " +
                    dtypeName(layout.dtype) + ", which is not a tert_dtype");
  if (layout.rank < 0 || layout.rank > TERT_MAX_RANK)
    invalidArgument(std::string("'") + name + "' has rank " +
                    std::to_string(layout.rank) + ", which is not in [0, " +
                    std::to_string(TERT_MAX_RANK) + "]");
  int64_t bytes = bytesOf(layout.dtype);
  bool empty = false;
  for (int32_t dim = 0; dim < layout.rank; ++dim) {
    if (layout.sizes[dim] < 0)
      fail("of sizes that are not negative");
    empty |= layout.sizes[dim] == 0;
  }
  for (int32_t dim = 0; dim < layout.rank && !empty; ++dim)
    if (__builtin_mul_overflow(bytes, layout.sizes[dim], &bytes))
      fail("small enough for its bytes to be counted in 63 bits");
  if (!tensor.data && !empty)
    invalidArgument(std::string("'") + name + "', " + describe(tensor) +
                    ", has a null address: allocate it");
}

void Operand::fail(const std::string &expected) const {
  invalidArgument(std::string("'") + name + "' is " + describe(tensor) +
                  ", but must be " + expected);
}

const Operand &Operand::hasDtype(tert_dtype dtype) const {
  if (dtypeOf(tensor) != dtype)
    fail(dtypeName(dtype));
  return *this;
}

const Operand &Operand::isFloat() const {
  if (!tert::isFloat(dtypeOf(tensor)))
    fail("f32 or bf16");
  return *this;
}

const Operand &Operand::isFp8() const {
  if (!tert::isFp8(dtypeOf(tensor)))
    fail("f8E4M3 or f8E5M2");
  return *this;
}

const Operand &Operand::isInteger() const {
  if (dtypeOf(tensor) != TERT_I64 && dtypeOf(tensor) != TERT_I32)
    fail("i64 or i32");
  return *this;
}

const Operand &Operand::hasRank(int32_t rank) const {
  if (rankOf(tensor) != rank)
    fail("of rank " + std::to_string(rank));
  return *this;
}

const Operand &Operand::hasUnitInnerStride() const {
  int32_t rank = rankOf(tensor);
  if (rank > 0 && sizeOf(tensor, rank - 1) > 1 &&
      strideOf(tensor, rank - 1) != 1)
    fail("of innermost stride 1: copy it into such a tensor first");
  // Matrix units require this, and overlapping rows of a result would overwrite
  // each other.
  for (int32_t dim = 0; dim + 1 < rank; ++dim)
    if (sizeOf(tensor, dim) > 1 &&
        strideOf(tensor, dim) < sizeOf(tensor, rank - 1) &&
        numElements(tensor) != 0)
      fail("of rows that follow one another without overlapping: copy it into "
           "such a tensor first");
  return *this;
}

const Operand &Operand::isContiguous() const {
  if (!tert::isContiguous(tensor))
    fail("contiguous: copy it into a contiguous tensor first");
  return *this;
}

const Operand &Operand::hasShape(std::initializer_list<int64_t> sizes,
                                 const std::string &reason) const {
  bool same = rankOf(tensor) == static_cast<int32_t>(sizes.size());
  std::string text = "[";
  int32_t dim = 0;
  for (int64_t size : sizes) {
    same = same && sizeOf(tensor, dim) == size;
    text += (dim++ ? ", " : "") + std::to_string(size);
  }
  if (!same)
    fail(text + "], " + reason);
  return *this;
}

const Operand &Operand::hasShapeOf(const Operand &other) const {
  if (!sameShape(tensor, other.tensor))
    fail(describeShape(other.tensor) + ", the shape of '" + other.name + "'");
  return *this;
}

const Operand &Operand::isScalar() const {
  if (rankOf(tensor) != 0)
    fail("a scalar (rank 0)");
  return hasDtype(TERT_F32);
}

const Operand &Operand::isScale(const Operand &matrix, bool takesBlocks,
                                bool takesE8M0) const {
  const bool isE8M0 = takesE8M0 && dtypeOf(tensor) == TERT_F8E8M0;
  if (rankOf(tensor) == 0 || !takesBlocks)
    return isE8M0 ? hasRank(0) : isScalar();
  matrix.hasRank(2);
  if (!isE8M0)
    hasDtype(TERT_F32);
  hasRank(2);
  const int32_t inner = strideOf(tensor, 1) == 1 || size(1) <= 1 ? 1 : 0;
  if (numElements(tensor) != 0 &&
      ((size(inner) > 1 && strideOf(tensor, inner) != 1) ||
       (size(1 - inner) > 1 && strideOf(tensor, 1 - inner) < size(inner))))
    fail("of rows, or of columns, that are contiguous and do not overlap");
  for (int32_t dim : {0, 1})
    if (tert_scale_block(matrix.size(dim), size(dim)) == 0)
      fail("a scalar, or [r, c] for blocks of '" + std::string(matrix.name) +
           "', " + describeShape(*matrix) +
           ", whose sizes are powers of two or all of a dimension");
  return *this;
}

const Operand &Operand::isFloatMatrix() const {
  return isFloat().hasRank(2).hasUnitInnerStride();
}

const Operand &Operand::isFloatLike(const Operand &other) const {
  return isFloat().hasShapeOf(other).hasUnitInnerStride();
}

const Operand &Operand::isFloatVector(int64_t size,
                                      const std::string &reason) const {
  return isFloat().hasShape({size}, reason).hasUnitInnerStride();
}

ListOperand::ListOperand(const char *name, int32_t count,
                         const tert_tensor *tensors)
    : name(name), list(count, tensors) {
  if (count < 0)
    invalidArgument("'num_" + this->name + "' is negative");
  if (count > 0)
    checkGiven(name, tensors);
}

void ListOperand::holds(int32_t times, const ListOperand &other,
                        const std::string &axes) const {
  if (other.list.size() != list.size())
    invalidArgument("there are " + std::to_string(list.size()) + " '" + name +
                    "' for " + std::to_string(other.list.size()) + " '" +
                    other.name + "'");
  for (int32_t i = 0; i < list.size(); ++i) {
    const std::string element = nameOf(i);
    const Operand operand(element.c_str(), &list[i]);
    operand.hasDtype(dtypeOf(other.list[i]));
    int64_t wanted = 0;
    if (__builtin_mul_overflow(numElements(other.list[i]), times, &wanted) ||
        numElements(list[i]) != wanted)
      operand.fail("of " + std::to_string(times) + " times the elements of '" +
                   other.nameOf(i) + "', " + describe(other.list[i]) +
                   ", for the " + std::to_string(times) + " ranks along " +
                   axes);
  }
}

/// Checks a requested copy of a result [rows, cols]: its dtype and size.
static Operand checkCopy(const char *name, const tert_scaled &copy,
                         int64_t rows, int64_t cols,
                         const std::string &meaning) {
  Operand data(name, copy.data);
  data.isFp8().hasRank(2).hasUnitInnerStride();
  if (data.size(0) < rows || data.size(1) < cols)
    data.fail("at least [" + std::to_string(rows) + ", " +
              std::to_string(cols) + "], " + meaning);
  return data;
}

/// Checks a requested copy, and that its scale is present.
static void checkQuantizedCopy(const char *name, const tert_scaled &copy,
                               const tert_tensor *scale, int64_t rows,
                               int64_t cols, const std::string &meaning,
                               bool takesBlocks) {
  if (!copy.data)
    return;
  if (copy.scale_inv)
    invalidArgument(std::string("'") + name +
                    "' has a scale_inv to be written, but its scale is given: "
                    "leave scale_inv null");
  Operand data = checkCopy(name, copy, rows, cols, meaning);
  Operand("scale", scale).isScale(data, takesBlocks);
}

void tert::checkBlockQuantized(const tert_quantized &quantized, int64_t rows,
                               int64_t cols, bool takesE8M0) {
  const auto &[scale, rowwise, columnwise, amax] = quantized;
  if (scale)
    invalidArgument("'scale' is given, but the op makes the scales: leave it "
                    "null");
  if (rowwise.data)
    Operand("rowwise.scale_inv", rowwise.scale_inv)
        .isScale(checkCopy("rowwise", rowwise, rows, cols,
                           "the shape of the result"),
                 /*takesBlocks=*/true, takesE8M0);
  if (columnwise.data)
    Operand("columnwise.scale_inv", columnwise.scale_inv)
        .isScale(checkCopy("columnwise", columnwise, cols, rows,
                           "the shape of the result transposed"),
                 /*takesBlocks=*/true, takesE8M0);
  if (amax)
    Operand("amax", amax).isScalar();
}

const tert_quantized &tert::checkQuantized(const tert_quantized *quantized,
                                           int64_t rows, int64_t cols,
                                           bool takesBlocks) {
  static const tert_quantized nothing = {};
  if (!quantized)
    return nothing;
  const auto &[scale, rowwise, columnwise, amax] = *quantized;
  checkQuantizedCopy("rowwise", rowwise, scale, rows, cols,
                     "the shape of the result", takesBlocks);
  checkQuantizedCopy("columnwise", columnwise, scale, cols, rows,
                     "the shape of the result transposed", takesBlocks);
  if (takesBlocks && rowwise.data && columnwise.data && rankOf(*scale) != 0)
    invalidArgument("'scale' has the scales of blocks of one copy, but two "
                    "copies are to be written: write each with its own");
  if (rowwise.data && columnwise.data &&
      dtypeOf(*rowwise.data) != dtypeOf(*columnwise.data))
    Operand("columnwise", columnwise.data)
        .fail(dtypeName(dtypeOf(*rowwise.data)) +
              " as 'rowwise' is: they share one scale");
  if (amax)
    Operand("amax", amax).isScalar();
  return *quantized;
}

Operand tert::checkScaled(const char *name, const tert_scaled *scaled,
                          bool takesBlocks, bool takesE8M0) {
  if (!scaled)
    required(name, nullptr);
  Operand data(name, scaled->data);
  data.isFp8().hasUnitInnerStride();
  Operand((std::string(name) + ".scale_inv").c_str(), scaled->scale_inv)
      .isScale(data, takesBlocks, takesE8M0);
  return data;
}

void tert::checkAmaxes(int32_t count, const tert_tensor *amaxes) {
  ListOperand("amaxes", count, amaxes).each([](const Operand &amax) {
    amax.isScalar();
  });
}

void tert::checkBelow(const char *name, int32_t value, int32_t count) {
  if (value < 0 || value >= count)
    invalidArgument(std::string("'") + name + "' is " + std::to_string(value) +
                    ", but must be in [0, " + std::to_string(count) + ")");
}
