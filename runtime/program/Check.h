// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of callers' arguments, made once for all backends. A failed check
// throws TERT_INVALID_ARGUMENT with a message that states the actual and the
// required value.
#ifndef TERT_PROGRAM_CHECK_H
#define TERT_PROGRAM_CHECK_H

#include "collectives/Communicator.h"
#include "program/Error.h"
#include "program/Tensor.h"

#include <initializer_list>
#include <string>

namespace tert {

[[noreturn]] void invalidArgument(const std::string &message);

/// One tensor argument under its name in tert/ops.h. Checks chain.
class Operand {
public:
  /// Checks the requirements for every tensor: it is not null, its layout is
  /// valid, and its memory is not null.
  Operand(const char *name, const tert_tensor *tensor);

  const tert_tensor &operator*() const { return tensor; }
  int64_t size(int32_t dim) const { return sizeOf(tensor, dim); }

  const Operand &hasDtype(tert_dtype dtype) const;
  const Operand &isFloat() const;
  const Operand &isFp8() const;
  const Operand &isInteger() const;
  const Operand &hasRank(int32_t rank) const;
  const Operand &hasUnitInnerStride() const;
  const Operand &isContiguous() const;
  /// `reason` completes the message: "the shape of 'x'".
  const Operand &hasShape(std::initializer_list<int64_t> sizes,
                          const std::string &reason) const;
  const Operand &hasShapeOf(const Operand &other) const;
  /// Requires rank 0 and f32.
  const Operand &isScalar() const;
  /// Requires one scale, or, if `takesBlocks`, scales that divide `matrix` as
  /// tert_scaled says: f32, or f8E8M0 if `takesE8M0`.
  const Operand &isScale(const Operand &matrix, bool takesBlocks,
                         bool takesE8M0 = false) const;

  /// Requires a float matrix [M, N] with unit inner stride.
  const Operand &isFloatMatrix() const;
  /// Requires float, the shape of `other`, and unit inner stride.
  const Operand &isFloatLike(const Operand &other) const;
  /// Requires float and [size], with unit inner stride.
  const Operand &isFloatVector(int64_t size, const std::string &reason) const;

  [[noreturn]] void fail(const std::string &expected) const;

private:
  const char *name;
  const tert_tensor &tensor;
};

/// A list of tensors under its name in tert/ops.h.
class ListOperand {
public:
  ListOperand(const char *name, int32_t count, const tert_tensor *tensors);

  const TensorList &operator*() const { return list; }

  /// Calls fn with every tensor as an Operand.
  template <typename Fn> void each(const Fn &fn) const {
    for (int32_t i = 0; i < list.size(); ++i)
      fn(Operand(nameOf(i).c_str(), &list[i]));
  }
  /// Requires every tensor to have `times` the elements of its partner in
  /// `other`, for the ranks along `axes`, and its dtype.
  void holds(int32_t times, const ListOperand &other,
             const std::string &axes) const;

private:
  std::string nameOf(int32_t i) const {
    return name + "[" + std::to_string(i) + "]";
  }

  std::string name;
  TensorList list;
};

/// Quantized outputs of a float32 result [rows, cols]; a null pointer is
/// returned as an empty struct. `takesBlocks`: the scale may be of blocks.
const tert_quantized &checkQuantized(const tert_quantized *quantized,
                                     int64_t rows, int64_t cols,
                                     bool takesBlocks = false);

/// Quantized outputs of a float32 result [rows, cols] by an op that makes the
/// scales of their blocks.
void checkBlockQuantized(const tert_quantized &quantized, int64_t rows,
                         int64_t cols, bool takesE8M0);

/// An FP8 matrix to read, with its scales. Returns its codes.
Operand checkScaled(const char *name, const tert_scaled *scaled,
                    bool takesBlocks, bool takesE8M0);

/// `count` amaxes, f32 scalars.
void checkAmaxes(int32_t count, const tert_tensor *amaxes);

/// Requires `value` to be in [0, count).
void checkBelow(const char *name, int32_t value, int32_t count);

/// `value` of an enumeration that ends with `last`.
template <typename T> T checkEnum(const char *name, int32_t value, T last) {
  checkBelow(name, value, last + 1);
  return static_cast<T>(value);
}

/// Requires an argument that is no tensor, as a C function names it.
inline void checkGiven(const char *name, const void *argument) {
  if (!argument)
    invalidArgument("'" + std::string(name) + "' is null");
}

} // namespace tert

#endif // TERT_PROGRAM_CHECK_H
