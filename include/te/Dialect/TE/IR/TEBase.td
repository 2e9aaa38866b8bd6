// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEBASE_TD
#define TE_DIALECT_TE_IR_TEBASE_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "te/Dialect/TE/IR/TEAttrs.td"
include "te/Dialect/TE/IR/TEDialect.td"
include "te/Dialect/TE/IR/TEEnums.td"
include "te/Dialect/TE/IR/TEInterfaces.td"

// Element types that hold activations, parameters and gradients.
def TE_Float : AnyTypeOf<[F32, BF16]>;
def TE_Fp8 : AnyTypeOf<[F8E4M3FN, F8E5M2]>;
def TE_Index : AnyTypeOf<[I64, I32]>;

class TE_StaticTensor<list<Type> elements, list<Pred> preds, string summary>
    : ConfinedType<TensorOf<elements>,
                   !listconcat([HasStaticShapePred], preds), summary,
                   "::mlir::RankedTensorType">;

def TE_Matrix : TE_StaticTensor<[TE_Float], [HasAnyRankOfPred<[2]>], "matrix of f32 or bf16">;
def TE_Vector : TE_StaticTensor<[TE_Float], [HasAnyRankOfPred<[1]>], "vector of f32 or bf16">;
def TE_Fp8Matrix : TE_StaticTensor<[TE_Fp8], [HasAnyRankOfPred<[2]>], "matrix of f8E4M3FN or f8E5M2">;
def TE_FloatTensor : TE_StaticTensor<[TE_Float], [], "tensor of f32 or bf16">;
def TE_F32Tensor : TE_StaticTensor<[F32], [], "tensor of f32">;
def TE_StateTensor : TE_StaticTensor<[TE_Float, TE_Fp8], [], "tensor of f32, bf16, f8E4M3FN or f8E5M2">;
def TE_F32Vector : TE_StaticTensor<[F32], [HasAnyRankOfPred<[1]>], "vector of f32">;
def TE_F32Scalar : Type<And<[IsRankedTensorTypePred, CPred<"::llvm::cast<::mlir::RankedTensorType>($_self) == ::mlir::RankedTensorType::get({}, ::mlir::Float32Type::get($_self.getContext()))">]>,
                        "f32 scalar, tensor<f32>", "::mlir::RankedTensorType">,
                   BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getF32Type())">;
// Scales of a matrix: a scalar, or [r, c] for blocks (ScaleShape.h).
def TE_Scale : TE_StaticTensor<[F32, F8E8M0FNU, F8E4M3FN], [HasAnyRankOfPred<[0, 2]>], "scale, a scalar or one for each block of a matrix">;
def TE_ScaleInv : TE_StaticTensor<[F32, F8E8M0FNU], [HasAnyRankOfPred<[0, 2]>], "f32 or f8E8M0FNU scalar, or one for each block of a matrix">;
def TE_F32Scale : TE_StaticTensor<[F32], [HasAnyRankOfPred<[0, 2]>], "f32 scalar, or one for each block of a matrix">;
def TE_I64Scalar : Type<And<[IsRankedTensorTypePred, CPred<"::llvm::cast<::mlir::RankedTensorType>($_self) == ::mlir::RankedTensorType::get({}, ::mlir::IntegerType::get($_self.getContext(), 64))">]>,
                        "i64 scalar, tensor<i64>", "::mlir::RankedTensorType">,
                   BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI64Type())">;
def TE_IdVector : TE_StaticTensor<[TE_Index], [HasAnyRankOfPred<[1]>], "vector of i64 or i32">;
def TE_IdMatrix : TE_StaticTensor<[TE_Index], [HasAnyRankOfPred<[2]>], "matrix of i64 or i32">;
def TE_Heads : TE_StaticTensor<[TE_Float], [HasAnyRankOfPred<[4]>], "rank-4 tensor of f32 or bf16">;

// An op of one rank's program.
class TE_RankOp<string mnemonic, list<Trait> traits = []>
    : Op<TE_Dialect, mnemonic, !listconcat([Pure], traits)>;

// An op whose formula needs no other ranks.
class TE_Op<string mnemonic, list<Trait> traits = []>
    : TE_RankOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<TE_LinalgFormOpInterface>])>;

// What an op that quantizes hands out besides its own results, each where it is
// wanted.
def TE_QuantizedResults {
  dag results = (outs Optional<TE_Fp8Matrix>:$rowwise,
                      Optional<TE_Fp8Matrix>:$columnwise,
                      Optional<TE_F32Scalar>:$amax);
  string format = "(`rowwise` type($rowwise)^)? (`columnwise` type($columnwise)^)? (`amax` type($amax)^)?";
}

// An op that quantizes what the method `source` returns, with an operand `scale`.
// The quantized results are the last ones; behind them there may be the optional
// `dbias` of an op with RowSummingOpInterface.
class TE_QuantizingOp<string mnemonic, string source, list<Trait> traits>
    : TE_Op<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<TE_QuantizingOpInterface>,
        AttrSizedResultSegments], traits)> {
  let extraClassDefinition = [{
    ::mlir::te::Quantization $cppClass::getQuantization() {
      return {getOperation(), }] # source # [{(), getScale(), getRowwise(), getColumnwise(), getAmax()};
    }
  }];
}

#endif // TE_DIALECT_TE_IR_TEBASE_TD
