// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEINTERFACES_TD
#define TE_DIALECT_TE_IR_TEINTERFACES_TD

include "mlir/IR/OpBase.td"

def TE_Fp8OpInterface : OpInterface<"Fp8OpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that has an FP8 form: te-partition asks whether it pays and is
    allowed, te-quantize builds it. It is one product of a linear layer, forward
    or backward, and says of which: the name is the layer's identity, the same
    on all of its products.
  }];
  let methods = [
    InterfaceMethod<[{
      The operands that FP8 replaces: their numbers, what they are to the layer,
      and which copy the FP8 form reads (the operand as it is stored, or its
      transpose).
      }],
      "::llvm::SmallVector<::mlir::te::Fp8Operand>", "getFp8Operands">,
    InterfaceMethod<[{
      Nothing when the op's own form, shapes and types admit FP8; otherwise what
      stands against it and what would help, in words for a remark.
      }],
      "::std::optional<::mlir::te::Fp8Refusal>", "getFp8Refusal">,
    InterfaceMethod<[{
      Whether the FP8 form takes scales of blocks (ScaleShape.h), or only one
      scale of each operand. te-partition keeps an op in high precision whose
      form does not take those of the recipe.
      }],
      "bool", "takesScaleBlocks", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return true;">,
    InterfaceMethod<[{
      The op's FP8 form, on operands already quantized (one per entry of
      getFp8Operands, padded as their types say). Returns a value of the type of
      result 0: padding is sliced off. The caller gives the op's layer to each
      op with ScaledProductOpInterface that is built.
      }],
      "::mlir::Value", "buildFp8Form",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::te::QuantizedValue>":$operands)>,
    InterfaceMethod<"Floating-point operations of one execution.",
      "int64_t", "getFlops">,
    InterfaceMethod<[{
      The name of the layer that the op is a product of, null before
      te-name-layers. No two forward products of a function have one name. Ops
      without an attribute of their own keep it in `te.layer`.
      }],
      "::mlir::StringAttr", "getLayerAttr", (ins), /*methodBody=*/"", [{
        return $_op->template getAttrOfType<::mlir::StringAttr>(
            ::mlir::te::kLayerAttr);
      }]>,
    InterfaceMethod<"Makes the op a product of the layer of that name.",
      "void", "setLayerAttr", (ins "::mlir::StringAttr":$layer),
      /*methodBody=*/"", [{
        $_op->setAttr(::mlir::te::kLayerAttr, layer);
      }]>,
  ];
}

def TE_ScaledProductOpInterface : OpInterface<"ScaledProductOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    A product of two FP8 copies, each with the reciprocal of its scale: what an
    op with Fp8OpInterface becomes. `a` and `b` are the operands 0 and 1, and the
    elements that are summed are innermost in both.
  }];
  let methods = [
    InterfaceMethod<"The first copy.", "::mlir::Value", "getA">,
    InterfaceMethod<"The second copy.", "::mlir::Value", "getB">,
    InterfaceMethod<"The reciprocal of the first copy's scale.",
      "::mlir::Value", "getAScaleInv">,
    InterfaceMethod<"The reciprocal of the second copy's scale.",
      "::mlir::Value", "getBScaleInv">,
    InterfaceMethod<"Which product of its layer this is.",
      "::mlir::te::MatmulRole", "getRole">,
    InterfaceMethod<"What the kernel may do to sums.",
      "::mlir::te::Accumulate", "getAccumulate">,
    InterfaceMethod<"Lets the kernel do that.", "void", "setAccumulate",
      (ins "::mlir::te::Accumulate":$accumulate)>,
    InterfaceMethod<"The name of the layer.", "::mlir::StringAttr",
      "getLayerAttr">,
    InterfaceMethod<"Names the layer.", "void", "setLayerAttr",
      (ins "::mlir::StringAttr":$layer)>,
  ];
}

def TE_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op with a vector-Jacobian product. What the product needs of the forward
    computation it takes from the op's operands and results, so that saved
    tensors are ordinary uses.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the cotangents of the operands from those of the results.
      `resultCotangents` has one entry per result, null where nothing depends on
      it. `operandCotangents` has one entry per operand, null on entry; the op
      sets those that are `needed` and that it depends on differentiably. A
      cotangent has its value's shape; its element type is free. At least one
      result has a cotangent and at least one operand is needed. On failure the
      op has emitted an error. te/Dialect/TE/IR/Cotangent.h has what such
      products are commonly made of.
      }],
      "::llvm::LogicalResult", "buildVjp",
      (ins "::mlir::OpBuilder &":$builder,
           "::mlir::ValueRange":$resultCotangents,
           "const ::llvm::BitVector &":$needed,
           "::llvm::MutableArrayRef<::mlir::Value>":$operandCotangents)>,
  ];
}

def TE_AccumulatingOpInterface : OpInterface<"AccumulatingOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that can add a value to one of its results in the same pass. Where a
    value has several uses, its gradient is a sum: reverse mode then hands the
    other terms to such an op instead of building a te.add. te-fuse does the same
    to a te.add whose other term is such a result.
  }];
  let methods = [
    InterfaceMethod<[{
      Makes `result` include `addend`, which has its shape and dominates the op.
      Failure, with nothing changed, when the op cannot.
      }],
      "::llvm::LogicalResult", "addToResult",
      (ins "unsigned":$result, "::mlir::Value":$addend)>,
  ];
}

def TE_QuantizingProducerOpInterface
    : OpInterface<"QuantizingProducerOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op whose kernel can write FP8 copies of a result and its amax in the same
    pass, from its float32 result: usually of the first, which is optional then.
  }];
  let methods = [
    InterfaceMethod<"Whether this result can be quantized by the op itself.",
      "bool", "canQuantizeResult", (ins "unsigned":$result),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return result == 0 && !$_op.getODSResults(0).empty() && !$_op.getScale();
      }]>,
    InterfaceMethod<[{
      Builds the op anew so that it quantizes `result` with `scale` into copies
      of the given types (null: not wanted) and its amax, and keeps the result
      in high precision only when `keepResult`. All other results are replaced;
      the old op is left to the caller, who replaces `result` and erases it.
      Returns the values of the copies and the amax (null where not wanted) and,
      when kept, the high-precision result.
      }],
      "::mlir::te::QuantizedResults", "quantizeResult",
      (ins "::mlir::RewriterBase &":$rewriter, "unsigned":$result,
           "::mlir::Value":$scale, "::mlir::Type":$rowwise,
           "::mlir::Type":$columnwise, "bool":$keepResult),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::mlir::te::quantizeFirstResult(rewriter, $_op, scale, rowwise,
                                               columnwise, keepResult);
      }]>,
  ];
}

def TE_QuantizingOpInterface : OpInterface<"QuantizingOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that may write FP8 copies of a value and its amax. Who follows copies
    to their scales asks it and knows no such op by name.
  }];
  let methods = [
    InterfaceMethod<[{
      What the op quantizes, with which scale, and the copies. Every value may be
      null; without a scale the op does not quantize.
      }],
      "::mlir::te::Quantization", "getQuantization">,
  ];
}

def TE_DataMovementOpInterface : OpInterface<"DataMovementOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op whose results hold elements of its operands, put elsewhere but not
    changed: reshapes, slices, transposes, concatenations. What is true of a
    value because of its elements (its precision, that it is a parameter or the
    model's output) is true of what such an op makes of it.
    te/Dialect/TE/Transforms/DataMovementOpInterfaceImpl.h attaches it to
    upstream's ops.
  }];
  let methods = [
    InterfaceMethod<[{
      The operands whose elements the results hold, by number; all others say
      where elements go, or are destinations that are overwritten as a whole.
      Moved operands and results have one element type.
      }],
      "::llvm::SmallVector<unsigned>", "getMovedOperands", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return {0};">,
    InterfaceMethod<[{
      Whether the one result holds all elements of the one moved operand in
      their row-major order, as reshapes do.
      }],
      "bool", "keepsOrder", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Builds the same movement of other values, one per moved operand, of their
      shapes and all of one element type, which the results then have.
      }],
      "::mlir::Operation *", "moveOthers",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$values),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        ::mlir::Operation *moved = builder.clone(*$_op.getOperation());
        ::mlir::Type element = ::mlir::getElementTypeOrSelf(values.front());
        auto movement = ::llvm::cast<::mlir::te::DataMovementOpInterface>(moved);
        for (auto [number, value] :
             ::llvm::zip_equal(movement.getMovedOperands(), values))
          moved->setOperand(number, value);
        for (::mlir::OpResult result : moved->getResults())
          result.setType(::llvm::cast<::mlir::ShapedType>(result.getType())
                             .clone(element));
        return moved;
      }]>,
  ];
}

def TE_RowSumOpInterface : OpInterface<"RowSumOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that sums the rows of a matrix in float32 and does nothing else. Such a
    sum can be left to an op with RowSummingOpInterface.
  }];
  let methods = [
    InterfaceMethod<"The matrix.", "::mlir::Value", "getSummedMatrix">,
    InterfaceMethod<"The vector of its columns' sums.",
      "::mlir::Value", "getColumnSums">,
  ];
}

def TE_RowSummingOpInterface : OpInterface<"RowSummingOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op whose kernel can sum the rows of a matrix in the pass that writes or
    reads it: the gradient of a bias, without a kernel of its own. The sum is its
    last result, optional, usually `dbias` of its result `dx`.
  }];
  let methods = [
    InterfaceMethod<[{
      The matrix, an operand or a result; null if the op's form sums none.
      }],
      "::mlir::Value", "getSummableMatrix", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return $_op.getDx();">,
    InterfaceMethod<"The sum that the op makes already; null if it makes none.",
      "::mlir::Value", "getRowSum", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return $_op.getDbias();">,
    InterfaceMethod<[{
      Builds the op anew, at the builder's place, so that it also makes the sum,
      of the given type. The old op is replaced. Returns the sum.
      }],
      "::mlir::Value", "sumRows",
      (ins "::mlir::RewriterBase &":$rewriter, "::mlir::Type":$type),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::mlir::te::createSummingRows(rewriter, $_op.getOperation(), type);
      }]>,
  ];
  let extraClassDeclaration = [{
    /// The sum that the op makes already of `matrix`; null if it makes none.
    ::mlir::Value getRowSumOf(::mlir::Value matrix) {
      return matrix == getSummableMatrix() ? getRowSum() : ::mlir::Value();
    }
    /// Whether the op can sum the rows of `matrix` as well.
    bool canSumRowsOf(::mlir::Value matrix) {
      return matrix == getSummableMatrix() && !getRowSum();
    }
  }];
}

def TE_LinalgFormOpInterface : OpInterface<"LinalgFormOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that says what it is in upstream dialects: linalg, tensor, arith, math.
    te-to-linalg asks, and who evaluates constants.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the op's formula and sets it for each result that the form needs.
      Everything is computed in float32 and rounded where the op rounds.
      te/Dialect/TE/IR/Formula.h has what formulas are built with.
      }],
      "void", "buildLinalgForm", (ins "::mlir::te::LinalgForm &":$form)>,
  ];
}

def TE_RangeOpInterface : OpInterface<"RangeOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that bounds the absolute values of its results by those of its
    operands (te/Analysis/Ranges.h). Without it nothing is known of results
    beyond their types, unless the op has DataMovementOpInterface.
    te/Analysis/Ranges.h attaches it to upstream's ops.
  }];
  let methods = [
    InterfaceMethod<[{
      Sets what is known of each result. It has to hold for all operands within
      their ranges, infinite and NaN elements among them
      (te/Dialect/TE/IR/Magnitude.h), and must not become narrower when an
      operand's range becomes wider.
      }],
      "void", "inferRanges", (ins "::mlir::te::RangeInference &":$ranges)>,
  ];
}

def TE_MixedPrecisionOpInterface : OpInterface<"MixedPrecisionOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that computes in float32 whatever the element types of its tensors,
    and says which of them follow the compute type. Everything else (statistics,
    losses, parameter gradients) stays in float32. Ops without the interface
    keep the types they were written with.
  }];
  let methods = [
    InterfaceMethod<"Results that are held in the compute type.",
      "::llvm::SmallVector<unsigned>", "getComputeResults", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      Operands that are converted to the compute type when they come in a wider
      one, such as a matmul's weight. Operands that are not listed are read as
      they are.
      }],
      "::llvm::SmallVector<unsigned>", "getComputeOperands", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      Operands that the op takes as float32 alone, such as attention's sinks: a
      narrow one is widened for it.
      }],
      "::llvm::SmallVector<unsigned>", "getFloat32Operands", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      Results that the op computes in float32 and rounds once to the element
      type they have: a conversion that is all that reads such a result can be
      left to the op, by giving the result the conversion's type.
      }],
      "::llvm::SmallVector<unsigned>", "getConvertibleResults", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      Those of them that te-fuse does not let the op round where they are only
      widened again: their kernels write either type at the same speed.
      }],
      "::llvm::SmallVector<unsigned>", "getWidenableResults", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
  ];
}

def TE_RuntimeOpInterface : OpInterface<"RuntimeOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that the runtime executes: it is lowered to the tert dialect, on
    tensors in destination-passing style. Attached to the te ops by
    te-to-tert; embedders attach it to ops of their own.
  }];
  let methods = [
    InterfaceMethod<"Replaces the op by tert ops.",
      "::llvm::LogicalResult", "lowerToRuntime",
      (ins "::mlir::RewriterBase &":$rewriter)>,
  ];
}

def TE_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that says what its kernel has to do: usually, to move its operands and
    results through memory once, and what it sums and quantizes besides.
  }];
  let methods = [
    InterfaceMethod<"What one execution has to do at the least.",
      "::mlir::te::Work", "getWork", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::mlir::te::getMovingWork($_op.getOperation());
      }]>,
  ];
}

def TE_LinearOpInterface : OpInterface<"LinearOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that may be the forward product of a linear layer: one matrix result,
    `x · op(W) + b` with a row for each row of x, in a form of the op's own.
    te-merge-linears joins such layers along the columns of their results.
  }];
  let methods = [
    InterfaceMethod<"Whether the op is one, with the attributes that it has.",
      "bool", "isLinear", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return true;">,
    InterfaceMethod<"The operand x, by number.", "unsigned", "getInputOperand",
      (ins), /*methodBody=*/"", /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<"The operand W, by number.", "unsigned", "getWeightOperand",
      (ins), /*methodBody=*/"", /*defaultImplementation=*/"return 1;">,
    InterfaceMethod<"The operand b, by number; nothing without a bias.",
      "::std::optional<unsigned>", "getBiasOperand", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
      The dimension of W that the columns of the result are along: 0 where W is
      stored [N, K].
      }],
      "unsigned", "getFeatureDim">,
    InterfaceMethod<[{
      What two layers of one op must have in common to be joined, besides the
      types of what they read and write: every attribute but the layer's name.
      }],
      "::mlir::Attribute", "getLinearForm", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        ::mlir::NamedAttrList form($_op->getAttrDictionary());
        form.erase(::mlir::te::kLayerAttr);
        return form.getDictionary($_op->getContext());
      }]>,
    InterfaceMethod<[{
      Builds the same layer of another weight and bias (null without one), whose
      result has the given type.
      }],
      "::mlir::Operation *", "buildLinear",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$weight,
           "::mlir::Value":$bias, "::mlir::Type":$type), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        ::mlir::Operation *built = builder.clone(*$_op.getOperation());
        auto linear = ::llvm::cast<::mlir::te::LinearOpInterface>(built);
        built->setOperand(linear.getWeightOperand(), weight);
        if (::std::optional<unsigned> number = linear.getBiasOperand())
          built->setOperand(*number, bias);
        built->getResult(0).setType(type);
        return built;
      }]>,
  ];
}

def TE_EpilogueOpInterface : OpInterface<"EpilogueOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that the kernel of the matrix product before it could compute in its
    epilogue. te-fuse compares both ways where the cost model knows the epilogue.
  }];
  let methods = [
    InterfaceMethod<[{
      The epilogue that computes this op in the form that it has; nothing where
      there is none.
      }],
      "::std::optional<::mlir::te::ProductEpilogue>", "getEpilogue">,
  ];
}

def TE_LossOpInterface : OpInterface<"LossOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that computes a loss of a matrix of logits, or of the numbers that a
    regression predicts. The layer that computes them is a head, which
    te-partition keeps in high precision.
  }];
  let methods = [
    InterfaceMethod<"The operand that is the logits, by number.",
      "unsigned", "getLogitsOperand">,
  ];
}

def TE_RowwiseLossOpInterface
    : OpInterface<"RowwiseLossOpInterface", [TE_LossOpInterface]> {
  let cppNamespace = "::mlir::te";
  let description = [{
    A loss that is a sum of terms, one for each row of the logits, over a divisor
    that can be known before them, so that some rows after the other the loss and
    its gradient can be computed together: te-fuse-loss does.
  }];
  let methods = [
    InterfaceMethod<"The result that is the loss, by number.",
      "unsigned", "getLossResult", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<[{
      Operands with one element, or one row, for each row of the logits, by
      number.
      }],
      "::llvm::SmallVector<unsigned>", "getRowOperands">,
    InterfaceMethod<[{
      The gradient of the logits, when `user`, which reads them, is an op that
      computes that and nothing else from this loss. Else null, and where `user`
      is the gradient of another such loss, `reason` says how they differ.
      }],
      "::mlir::Value", "matchGradient",
      (ins "::mlir::Operation *":$user, "::std::string &":$reason)>,
    InterfaceMethod<[{
      Builds what all parts read, such as the divisor, from the row operands.
      }],
      "::llvm::SmallVector<::mlir::Value>", "buildShared",
      (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
      Builds the loss of some rows together with their gradient: `gradient` is
      the op that matchGradient found, `rows` has the part of each row operand,
      `shared` is of buildShared, and `loss` is the sum over the parts before.
      Returns the gradient of `logits` and the new sum.
      }],
      "::std::pair<::mlir::Value, ::mlir::Value>", "buildPart",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Operation *":$gradient,
           "::mlir::Value":$logits, "::mlir::ValueRange":$rows,
           "::mlir::ValueRange":$shared, "::mlir::Value":$loss)>,
    InterfaceMethod<"Work of the kernel that computes such a slice.",
      "::mlir::te::Work", "getPartWork",
      (ins "::mlir::RankedTensorType":$logits)>,
  ];
}

def TE_UpdateGuardOpInterface : OpInterface<"UpdateGuardOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that decides whether a training step's update is made, and skips it
    when the gradients are not finite. Casts to FP8 saturate, so an infinity
    leaves no trace in the gradients that are made from it, but it does in the
    amax of the tensor: te-quantize hands those over.
  }];
  let methods = [
    InterfaceMethod<[{
      Makes the op skip the update when one of `amaxes` (tensor<f32> each, which
      dominate the op) is not finite.
      }],
      "void", "watchAmaxes", (ins "::mlir::ValueRange":$amaxes)>,
  ];
}

def TE_ParameterReaderOpInterface : OpInterface<"ParameterReaderOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that knows what a parameter of the model is to it when it reads one:
    optimizers treat weights, biases, norms and embeddings differently.
  }];
  let methods = [
    InterfaceMethod<[{
      What a parameter is as the operand `operand`; nothing where the op cannot
      say.
      }],
      "::std::optional<::mlir::te::ParameterRole>", "getParameterRole",
      (ins "unsigned":$operand)>,
  ];
}

#endif // TE_DIALECT_TE_IR_TEINTERFACES_TD
