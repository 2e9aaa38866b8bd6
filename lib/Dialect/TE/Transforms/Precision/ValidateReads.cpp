// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the producers and readers of FP8 copies: each uses the scale of its
// slot, and each product the required copies of its layer.

#include "Precision/Validation.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

namespace {
class ReadValidator {
public:
  ReadValidator(ScalingModule &module, func::FuncOp func,
                const Quantizations &quantizations)
      : module(module), func(func), quantizations(quantizations) {}

  ReadParams run();

private:
  InFlightDiagnostic error(Operation *op) { return module.error(op); }

  void checkQuantization(const Quantization &quantization);
  void checkCopySizes(const Quantization &quantization);
  bool checkScaleOfStep(const Quantization &quantization, Operation *reader,
                        Value scaleInv);
  void checkStepFormat(Operation *op, StringRef name, Value data);
  void checkScaleShape(Operation *op, StringRef name, Value data,
                       Value scaleInv);
  void checkWgradFormats(ScaledProductOpInterface op);
  void checkOperand(Operation *op, StringRef name, Value data, Value scaleInv);
  StringRef roleOf(const CopyOrigin &copy) const;
  void checkLayer(ScaledProductOpInterface op);
  void checkRoles(ScaledProductOpInterface op);
  void checkOrientation(ScaledProductOpInterface op, StringRef name,
                        const CopyOrigin &copy);

  ScalingModule &module;
  func::FuncOp func;
  const Quantizations &quantizations;
  ReadParams readParams;
  /// The orientation in which a layer reads a weight's slot: [fprop, dgrad]
  /// columnwise.
  llvm::DenseMap<std::pair<StringAttr, int64_t>,
                 std::array<std::optional<bool>, 2>>
      weightReads;
};
} // namespace

/// Checks a scale made in the step against the recipe.
bool ReadValidator::checkScaleOfStep(const Quantization &quantization,
                                     Operation *reader, Value scaleInv) {
  std::optional<std::string> problem =
      module.checkScaleOfStep(quantization, scaleInv);
  if (problem)
    error(reader) << *problem;
  return !problem;
}

void ReadValidator::checkQuantization(const Quantization &quantization) {
  if (!module.carriesScales()) {
    auto compute = quantization.scale.getDefiningOp<ComputeScaleOp>();
    if (checkScaleOfStep(quantization, quantization.op, Value()) && compute)
      if (std::string axes =
              module.getMissingAxes(quantization, compute.getAmax());
          !axes.empty())
        error(quantization.op)
            << "quantizes with a scale of the rank's own, but the ranks along "
            << "axes [" << axes << "] of the grid gather their copies, which "
            << "have one scale; expects the maximum of their amaxes "
            << "(te.reduce_scalars)";
    checkCopySizes(quantization);
    return;
  }
  auto scaleType = cast<RankedTensorType>(quantization.scale.getType());
  if (scaleType.getRank() != 0) {
    error(quantization.op) << "quantizes with scales of type " << scaleType
                           << "; " << module.getRecipe().getRecipeName()
                           << " expects one scale, an element of fp8.scales";
    return;
  }
  std::optional<ScaleOrigin> scale = module.traceScale(quantization.scale);
  if (!scale) {
    error(quantization.op) << "expects its scale to be one element of "
                           << "fp8.scales, or a first scale of the recipe";
    return;
  }
  if (scale->inverse) {
    error(quantization.op)
        << "quantizes with a reciprocal (scale_inv); expects "
        << "the scale of " << module.describe(scale->slot);
    return;
  }
  Type format;
  if (scale->version == ScaleVersion::Initial)
    format = scale->initial.format;
  else if (!module.isSlot(scale->slot))
    error(quantization.op) << "uses " << module.describe(scale->slot) << " of "
                           << module.getNumSlots();
  else
    format = module.getFormat(scale->slot);
  for (Value copy : {quantization.rowwise, quantization.columnwise}) {
    if (!copy)
      continue;
    Type element = getElementTypeOrSelf(copy);
    if (format && element != format)
      error(quantization.op) << "quantizes to " << element << ", but "
                             << (scale->version == ScaleVersion::Initial
                                     ? "its scale"
                                     : module.describe(scale->slot))
                             << " has the format " << format;
  }
  checkCopySizes(quantization);
}

void ReadValidator::checkCopySizes(const Quantization &quantization) {
  for (Value copy : {quantization.rowwise, quantization.columnwise})
    if (copy)
      for (int64_t size : cast<RankedTensorType>(copy.getType()).getShape())
        if (size % kFp8Alignment != 0)
          error(quantization.op)
              << "makes an FP8 copy of type " << copy.getType()
              << "; expects sizes that are multiples of " << kFp8Alignment;
}

/// A product belongs to a layer.
void ReadValidator::checkLayer(ScaledProductOpInterface op) {
  StringAttr layer = op.getLayerAttr();
  if (!layer) {
    error(op) << "has no layer; te-quantize hands the product's name on";
    return;
  }
  if (op.getRole() != MatmulRole::Fprop && !module.hasForward(layer.getValue()))
    error(op) << "is the " << stringifyMatmulRole(op.getRole())
              << " of the layer '" << layer.getValue()
              << "', of which the module has no forward product";
}

/// The role of a copy in its layer; empty if that is reported elsewhere.
StringRef ReadValidator::roleOf(const CopyOrigin &copy) const {
  if (!copy.state.empty())
    return "weight";
  if (!module.isSlot(copy.slot))
    return {};
  return getSlotRole(module.getName(copy.slot));
}

void ReadValidator::checkRoles(ScaledProductOpInterface op) {
  StringRef roles[2];
  for (auto [role, operand] : llvm::zip(roles, op->getOperands()))
    if (std::optional<CopyOrigin> copy = module.traceCopy(operand))
      role = roleOf(*copy);
  if (roles[0].empty() || roles[1].empty())
    return;
  std::pair<StringRef, StringRef> expected;
  switch (op.getRole()) {
  case MatmulRole::Fprop:
    expected = {"input", "weight"};
    break;
  case MatmulRole::Dgrad:
    expected = {"grad_output", "weight"};
    break;
  case MatmulRole::Wgrad:
    expected = {"grad_output", "input"};
    // The gradient of a weight stored [K,N] has its operands swapped.
    if (roles[0] == "input")
      std::swap(roles[0], roles[1]);
    break;
  case MatmulRole::Other:
    return;
  }
  if (std::make_pair(roles[0], roles[1]) != expected)
    error(op) << "reads " << roles[0] << " and " << roles[1] << "; "
              << stringifyMatmulRole(op.getRole()) << " expects "
              << expected.first << " and " << expected.second;
}

/// Tokens are rows: fprop and dgrad contract columns of activations and their
/// gradients, wgrad their rows. A layer's fprop and dgrad contract different
/// dimensions of its weight; which one is first may differ from layer to layer.
void ReadValidator::checkOrientation(ScaledProductOpInterface op,
                                     StringRef name, const CopyOrigin &copy) {
  MatmulRole role = op.getRole();
  if (roleOf(copy) != "weight") {
    bool expected = role == MatmulRole::Wgrad;
    if (copy.columnwise != expected)
      error(op) << "reads the " << (copy.columnwise ? "columnwise" : "rowwise")
                << " copy of " << module.describe(copy.slot) << " as operand "
                << name << "; " << stringifyMatmulRole(role) << " expects the "
                << (expected ? "columnwise" : "rowwise") << " one";
    return;
  }
  if (role == MatmulRole::Wgrad)
    return; // reported with the roles
  auto &reads = weightReads[{op.getLayerAttr(), copy.slot}];
  unsigned mine = role == MatmulRole::Dgrad;
  reads[mine] = copy.columnwise;
  if (reads[0] && reads[1] && *reads[0] == *reads[1])
    error(op) << "reads the " << (copy.columnwise ? "columnwise" : "rowwise")
              << " copy of " << module.describe(copy.slot) << " as the "
              << (mine ? "fprop" : "dgrad")
              << " of its layer does; expects the "
              << (copy.columnwise ? "rowwise" : "columnwise") << " one";
}

/// A copy without a slot has the format of its role. Which operand of wgrad is
/// the gradient depends on how the weight is stored.
void ReadValidator::checkStepFormat(Operation *op, StringRef name, Value data) {
  auto matmul = dyn_cast<ScaledProductOpInterface>(op);
  if (!matmul || matmul.getRole() == MatmulRole::Wgrad)
    return;
  TensorRole role = name == "b" ? TensorRole::Weight
                    : matmul.getRole() == MatmulRole::Fprop
                        ? TensorRole::Input
                        : TensorRole::GradOutput;
  Type element = getElementTypeOrSelf(data);
  RecipeAttrInterface recipe = module.getRecipe();
  if (Type expected = recipe.getElementType(role); element != expected)
    error(op) << "reads operand " << name << " as " << element << "; "
              << recipe.getRecipeName() << " makes "
              << stringifyTensorRole(role) << " " << expected;
}

/// A copy has scales of the blocks of its role. wgrad reads an input and a
/// gradient.
void ReadValidator::checkScaleShape(Operation *op, StringRef name, Value data,
                                    Value scaleInv) {
  auto matmul = dyn_cast<ScaledProductOpInterface>(op);
  if (!matmul || matmul.getRole() == MatmulRole::Other)
    return;
  const MatmulRole product = matmul.getRole();
  SmallVector<TensorRole, 2> roles;
  if (product != MatmulRole::Wgrad && name == "b") {
    roles.push_back(TensorRole::Weight);
  } else {
    if (product != MatmulRole::Dgrad)
      roles.push_back(TensorRole::Input);
    if (product != MatmulRole::Fprop)
      roles.push_back(TensorRole::GradOutput);
  }
  RecipeAttrInterface recipe = module.getRecipe();
  auto type = cast<RankedTensorType>(scaleInv.getType());
  auto getShape = [&](TensorRole role) {
    return recipe.getScaleShape(
        role, cast<RankedTensorType>(data.getType()).getShape());
  };
  if (llvm::any_of(roles, [&](TensorRole role) {
        return type.getShape() == ArrayRef(getShape(role));
      }))
    return;
  error(op) << "reads operand " << name << " with scales of type " << type
            << "; " << recipe.getRecipeName() << " gives "
            << stringifyTensorRole(roles.front()) << " scales of type "
            << RankedTensorType::get(getShape(roles.front()),
                                     type.getElementType());
}

/// One operand has the format of gradients, the other that of inputs.
void ReadValidator::checkWgradFormats(ScaledProductOpInterface op) {
  if (module.carriesScales() || op.getRole() != MatmulRole::Wgrad)
    return;
  RecipeAttrInterface recipe = module.getRecipe();
  Type gradient = recipe.getElementType(TensorRole::GradOutput);
  Type input = recipe.getElementType(TensorRole::Input);
  Type a = getElementTypeOrSelf(op.getA()), b = getElementTypeOrSelf(op.getB());
  if ((a != gradient || b != input) && (a != input || b != gradient))
    error(op) << "reads " << a << " and " << b << "; " << recipe.getRecipeName()
              << " makes grad_output " << gradient << " and input " << input
              << ", which are what wgrad reads";
}

void ReadValidator::checkOperand(Operation *op, StringRef name, Value data,
                                 Value scaleInv) {
  std::optional<CopyOrigin> copy = module.traceCopy(data);
  if (!copy) {
    InFlightDiagnostic diagnostic = error(op);
    diagnostic << "expects operand " << name << " to come from a quantization "
               << "or to be an FP8 weight";
    if (Operation *producer = data.getDefiningOp())
      diagnostic << ", but it comes from '" << producer->getName() << "'";
    return;
  }
  if (!module.carriesScales()) {
    if (!copy->quantization)
      error(op) << "reads operand " << name << " from the state '"
                << copy->state << "', but the recipe carries no copies";
    else if (Quantization quantization = *getQuantization(copy->quantization);
             checkScaleOfStep(quantization, op, scaleInv)) {
      checkStepFormat(op, name, data);
      checkScaleShape(op, name, data, scaleInv);
    }
    return;
  }
  if (copy->quantization) {
    std::optional<ScaleOrigin> scale =
        module.traceScale(getQuantization(copy->quantization)->scale);
    if (!scale || scale->inverse)
      return; // reported with the quantization
    if (scale->version != ScaleVersion::Old) {
      error(op) << "reads operand " << name << " quantized with "
                << (scale->version == ScaleVersion::Updated
                        ? "a scale of the next step"
                        : "a first scale, computed from an amax")
                << "; expects the scale that this step began with";
      return;
    }
  }
  if (!module.isSlot(copy->slot)) {
    error(op) << "reads operand " << name << " from the state '" << copy->state
              << "', which no entry writes";
    return;
  }
  if (!copy->state.empty())
    readParams[copy->slot] = splitWeightName(copy->state)->first.str();

  std::optional<ScaleOrigin> inverse = module.traceScale(scaleInv);
  if (!inverse || !inverse->inverse || inverse->version != ScaleVersion::Old ||
      inverse->slot != copy->slot) {
    InFlightDiagnostic diagnostic = error(op);
    diagnostic << "expects the scale_inv of operand " << name
               << " to be that of " << module.describe(copy->slot)
               << " as this step began, but it is ";
    if (!inverse)
      diagnostic << "not an element of fp8.scale_invs";
    else if (!inverse->inverse)
      diagnostic << "the scale of " << module.describe(inverse->slot);
    else if (inverse->version == ScaleVersion::Updated)
      diagnostic << "that of the next step";
    else if (inverse->version == ScaleVersion::Initial)
      diagnostic << "computed from an amax, as those of first copies are";
    else
      diagnostic << "that of " << module.describe(inverse->slot);
  }
  Type element = getElementTypeOrSelf(data);
  if (element != module.getFormat(copy->slot))
    error(op) << "reads operand " << name << " as " << element << ", but "
              << module.describe(copy->slot) << " has the format "
              << module.getFormat(copy->slot);
  if (auto matmul = dyn_cast<ScaledProductOpInterface>(op))
    checkOrientation(matmul, name, *copy);
}

ReadParams ReadValidator::run() {
  for (auto &[op, quantization] : quantizations)
    checkQuantization(quantization);
  func.walk([&](Operation *op) {
    if (auto matmul = dyn_cast<ScaledProductOpInterface>(op)) {
      checkLayer(matmul);
      checkRoles(matmul);
      checkWgradFormats(matmul);
      checkOperand(op, "a", matmul.getA(), matmul.getAScaleInv());
      checkOperand(op, "b", matmul.getB(), matmul.getBScaleInv());
    } else if (auto dequantize = dyn_cast<DequantizeOp>(op)) {
      checkOperand(op, "x", dequantize.getX(), dequantize.getScaleInv());
    }
  });
  return std::move(readParams);
}

ReadParams mlir::te::validateReads(ScalingModule &module, func::FuncOp func,
                                   const Quantizations &quantizations) {
  return ReadValidator(module, func, quantizations).run();
}
