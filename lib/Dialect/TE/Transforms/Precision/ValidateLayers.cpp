// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the products of a layer read copies of the same input, the same
// weight and the same output gradient.

#include "Precision/Validation.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// The tensor that an operand of a product is a copy of: its slot, or without
/// slots the value that was quantized.
struct CopiedTensor {
  int64_t slot = -1;
  Value source;

  explicit operator bool() const { return slot >= 0 || source; }
};

class LayerValidator {
public:
  LayerValidator(ScalingModule &module, const Quantizations &quantizations)
      : module(module), quantizations(quantizations) {}

  void checkOperands(ScaledProductOpInterface op);
  void checkWgrad(ScaledProductOpInterface op);

private:
  /// What a product of the layer reads in a role, and which product.
  struct Read {
    CopiedTensor tensor;
    ScaledProductOpInterface op;
  };

  CopiedTensor find(Value operand) const;
  std::string describe(const CopiedTensor &tensor) const;
  void compare(ScaledProductOpInterface op, TensorRole role,
               const CopiedTensor &tensor);
  void complain(ScaledProductOpInterface op, TensorRole role,
                const CopiedTensor &tensor, Read expected);

  ScalingModule &module;
  const Quantizations &quantizations;
  llvm::DenseMap<std::pair<StringAttr, TensorRole>, Read> reads;
};
} // namespace

static bool areSame(const CopiedTensor &a, const CopiedTensor &b) {
  if (a.slot >= 0 || b.slot >= 0 || a.source == b.source)
    return a.slot == b.slot;
  // A tensor may be put together once for each of its copies.
  Operation *first = a.source.getDefiningOp();
  Operation *second = b.source.getDefiningOp();
  return isa_and_present<tensor::ConcatOp>(first) && second &&
         OperationEquivalence::isEquivalentTo(
             first, second, OperationEquivalence::IgnoreLocations);
}

CopiedTensor LayerValidator::find(Value operand) const {
  std::optional<CopyOrigin> copy = module.traceCopy(operand);
  if (!copy)
    return {};
  if (module.carriesScales())
    return {module.isSlot(copy->slot) ? copy->slot : -1, Value()};
  auto it = quantizations.find(copy->quantization);
  return it == quantizations.end() ? CopiedTensor()
                                   : CopiedTensor{-1, it->second.source};
}

std::string LayerValidator::describe(const CopiedTensor &tensor) const {
  return tensor.slot >= 0 ? module.describe(tensor.slot) : "another tensor";
}

void LayerValidator::complain(ScaledProductOpInterface op, TensorRole role,
                              const CopiedTensor &tensor, Read expected) {
  InFlightDiagnostic diagnostic = module.error(op);
  diagnostic << "reads " << describe(tensor) << " as the "
             << stringifyTensorRole(role) << " of the layer '"
             << op.getLayerAttr().getValue() << "', of which "
             << stringifyMatmulRole(expected.op.getRole()) << " reads ";
  if (expected.tensor.slot >= 0)
    diagnostic << describe(expected.tensor);
  else
    diagnostic << "a copy of something else";
  diagnostic << "; expects copies of one tensor";
  diagnostic.attachNote(expected.op.getLoc())
      << "the " << stringifyMatmulRole(expected.op.getRole()) << " is here";
}

void LayerValidator::compare(ScaledProductOpInterface op, TensorRole role,
                             const CopiedTensor &tensor) {
  if (!tensor)
    return;
  auto [it, inserted] =
      reads.try_emplace({op.getLayerAttr(), role}, Read{tensor, op});
  if (!inserted && !areSame(it->second.tensor, tensor))
    complain(op, role, tensor, it->second);
}

void LayerValidator::checkOperands(ScaledProductOpInterface op) {
  if (op.getRole() != MatmulRole::Fprop && op.getRole() != MatmulRole::Dgrad)
    return;
  compare(op,
          op.getRole() == MatmulRole::Fprop ? TensorRole::Input
                                            : TensorRole::GradOutput,
          find(op.getA()));
  compare(op, TensorRole::Weight, find(op.getB()));
}

/// The operands of wgrad are the input and the output gradient, in an order
/// that depends on how the weight is stored.
void LayerValidator::checkWgrad(ScaledProductOpInterface op) {
  if (op.getRole() != MatmulRole::Wgrad)
    return;
  CopiedTensor tensors[2] = {find(op.getA()), find(op.getB())};
  if (!tensors[0] || !tensors[1])
    return;
  // The operand that is a copy of the layer's tensor; -1 if none is.
  auto match = [&](const Read *read) {
    if (!read)
      return -1;
    return areSame(read->tensor, tensors[0])   ? 0
           : areSame(read->tensor, tensors[1]) ? 1
                                               : -1;
  };
  auto lookup = [&](TensorRole role) -> const Read * {
    auto it = reads.find({op.getLayerAttr(), role});
    return it == reads.end() ? nullptr : &it->second;
  };
  const Read *input = lookup(TensorRole::Input);
  const Read *gradient = lookup(TensorRole::GradOutput);
  int inputIndex = match(input), gradientIndex = match(gradient);
  // The wrong one is where the right one is not; the gradient is usually first.
  if (input && inputIndex < 0)
    complain(op, TensorRole::Input,
             tensors[gradientIndex >= 0 ? 1 - gradientIndex : 1], *input);
  if (gradient && gradientIndex < 0)
    complain(op, TensorRole::GradOutput,
             tensors[inputIndex >= 0 ? 1 - inputIndex : 0], *gradient);
}

void mlir::te::validateLayers(ScalingModule &module, func::FuncOp func,
                              const Quantizations &quantizations) {
  LayerValidator validator(module, quantizations);
  SmallVector<ScaledProductOpInterface> products;
  func.walk([&](ScaledProductOpInterface op) {
    if (op.getLayerAttr()) // else reported with the reads
      products.push_back(op);
  });
  // What fprop and dgrad read is known by their operands' places.
  for (ScaledProductOpInterface op : products)
    validator.checkOperands(op);
  for (ScaledProductOpInterface op : products)
    validator.checkWgrad(op);
}
