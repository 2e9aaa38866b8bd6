// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/GeneratedKernel.h"

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Support/Captures.h"
#include "te/Support/ElementTypes.h"
#include "te/Support/LinearForm.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

static bool isComputeType(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isF32() || type.isBF16() || type.isIndex() || type.isInteger();
}

/// The mathematical functions that are instructions or expand into arithmetic.
static bool isKnownFunction(Operation *op) {
  return isa<
      math::AbsFOp, math::AbsIOp, math::AcosOp, math::AcoshOp, math::AsinOp,
      math::AsinhOp, math::AtanOp, math::Atan2Op, math::AtanhOp, math::CbrtOp,
      math::CeilOp, math::ClampFOp, math::CopySignOp, math::CosOp, math::CoshOp,
      math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp,
      math::ErfOp, math::ErfcOp, math::Exp2Op, math::ExpOp, math::ExpM1Op,
      math::FloorOp, math::FmaOp, math::FPowIOp, math::IPowIOp,
      math::IsFiniteOp, math::IsInfOp, math::IsNaNOp, math::IsNormalOp,
      math::LogOp, math::Log10Op, math::Log1pOp, math::Log2Op, math::PowFOp,
      math::RoundOp, math::RoundEvenOp, math::RsqrtOp, math::SinOp,
      math::SincosOp, math::SinhOp, math::SqrtOp, math::TanOp, math::TanhOp,
      math::TruncOp>(op);
}

/// True for arithmetic, except on block-scaled values.
static bool isKnownArithmetic(Operation *op) {
  return isa_and_present<arith::ArithDialect>(op->getDialect()) &&
         !isa<arith::ScalingExtFOp, arith::ScalingTruncFOp>(op);
}

/// The reason that an op cannot be part of a kernel's body, on scalars, or
/// become one, on tensors.
static std::optional<std::string> getBodyProblem(Operation *op) {
  std::string name = ("'" + op->getName().getStringRef() + "'").str();
  if (op->getNumRegions())
    return name + " in its body has a body of its own";
  if (!isKnownFunction(op) && !isKnownArithmetic(op))
    return name + " in its body is not arithmetic that kernels are made of";
  if (auto reason = getRoundingProblem(op))
    return name + " in its body " + *reason;
  auto isBF16 = [](Type type) { return getElementTypeOrSelf(type).isBF16(); };
  if (isa<arith::BitcastOp>(op) &&
      (llvm::any_of(op->getOperandTypes(), isBF16) ||
       llvm::any_of(op->getResultTypes(), isBF16)))
    return "it reinterprets the bits of bf16, which is computed in float32";
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isComputeType(type)) {
        std::string text;
        llvm::raw_string_ostream(text)
            << name << " in its body computes in " << type
            << "; kernels compute in f32, bf16 and integers";
        return text;
      }
  return std::nullopt;
}

std::optional<std::string> mlir::te::getKernelProblem(linalg::GenericOp op) {
  for (utils::IteratorType iterator : op.getIteratorTypesArray())
    if (iterator != utils::IteratorType::parallel &&
        iterator != utils::IteratorType::reduction)
      return "it has loops that are neither parallel nor reductions";
  for (auto [operand, map] :
       llvm::zip(op->getOperands(), op.getIndexingMapsArray())) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type || !type.hasStaticShape())
      return "it has operands that are not tensors of static shape";
    if (!tert::getRuntimeDType(type.getElementType()) ||
        !isComputeType(type.getElementType())) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "it has an operand of " << type.getElementType()
          << "; kernels take f32, bf16 and integers";
      return text;
    }
    LinearForm form(map.getNumDims());
    for (AffineExpr expr : map.getResults())
      if (!form.add(expr))
        return "its index maps are not linear";
  }
  // Constants may be outside, where canonicalization puts them.
  for (Value value : getCapturedValues(op))
    if (!matchPattern(value, m_Constant()))
      return "its body reads a value that is not an operand";
  for (Operation &inner : op.getBody()->without_terminator())
    if (!isa<linalg::IndexOp>(inner))
      if (auto reason = getBodyProblem(&inner))
        return reason;
  return std::nullopt;
}

bool mlir::te::isElementwiseOnTensors(Operation *op) {
  // An encoding may say anything of how elements are stored.
  auto isEncoded = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) &&
         llvm::none_of(op->getResultTypes(), isEncoded) &&
         llvm::none_of(op->getOperandTypes(), isEncoded) && !getBodyProblem(op);
}

IterationSpace IterationSpace::get(linalg::GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  unsigned numLoops = sizes.size();

  // Every operand's address as a linear form of the loop counters.
  SmallVector<LinearForm> forms;
  for (auto [operand, map] :
       llvm::zip(op->getOperands(), op.getIndexingMapsArray())) {
    SmallVector<int64_t> strides;
    int64_t ignored;
    (void)cast<MemRefType>(operand.getType())
        .getStridesAndOffset(strides, ignored);
    LinearForm &form = forms.emplace_back(numLoops);
    for (auto [expr, stride] : llvm::zip(map.getResults(), strides))
      (void)form.add(expr, stride);
  }

  bool needsCounters = op.hasIndexSemantics();
  SmallVector<unsigned> parallel, reduction;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isParallel = iterator == utils::IteratorType::parallel;
    // A loop of one iteration does not affect addresses.
    if (sizes[loop] != 1 || needsCounters)
      (isParallel ? parallel : reduction).push_back(loop);
  }
  const LinearForm &output = forms[op.getNumDpsInputs()];
  llvm::stable_sort(parallel, [&](unsigned a, unsigned b) {
    return std::abs(output.coefficients[a]) > std::abs(output.coefficients[b]);
  });

  IterationSpace space;
  for (const LinearForm &form : forms)
    space.operands.push_back({form.constant, {}, {}});
  auto append = [&](unsigned loop, SmallVector<int64_t> &loopSizes,
                    SmallVector<unsigned> &loops,
                    SmallVector<int64_t> Operand::*strides) {
    auto joins = [&](const Operand &operand, const LinearForm &form) {
      return (operand.*strides).back() == form.coefficients[loop] * sizes[loop];
    };
    bool joined = !loopSizes.empty() && !needsCounters;
    for (auto [operand, form] : llvm::zip(space.operands, forms))
      joined = joined && joins(operand, form);
    if (joined) {
      loopSizes.back() *= sizes[loop];
    } else {
      loopSizes.push_back(sizes[loop]);
      loops.push_back(loop);
    }
    for (auto [operand, form] : llvm::zip(space.operands, forms)) {
      SmallVector<int64_t> &own = operand.*strides;
      if (joined)
        own.back() = form.coefficients[loop];
      else
        own.push_back(form.coefficients[loop]);
    }
  };
  for (unsigned loop : parallel)
    append(loop, space.parallelSizes, space.parallelLoops, &Operand::parallel);
  for (unsigned loop : reduction)
    append(loop, space.reductionSizes, space.reductionLoops,
           &Operand::reduction);
  if (space.parallelSizes.empty()) {
    space.parallelSizes.push_back(1);
    space.parallelLoops.push_back(0);
    for (Operand &operand : space.operands)
      operand.parallel.push_back(0);
  }
  return space;
}
