// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEENUMS_TD
#define TE_DIALECT_TE_IR_TEENUMS_TD

include "mlir/IR/EnumAttr.td"
include "te/Dialect/TE/IR/TEDialect.td"

class TE_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::te";
  let genSpecializedAttr = 0;
}

// An enumeration that an op's assembly format prints as a bare keyword.
class TE_KeywordAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<TE_Dialect, info, mnemonic>;

// An enumeration in an attribute dictionary: #te.role<fprop>.
class TE_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<TE_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

// The numbers are those of runtime/include/tert/types.h.
def TE_ActivationKind : TE_Enum<"ActivationKind", "Pointwise activation", [
    I32EnumAttrCase<"GeluErf", 0, "gelu_erf">,
    I32EnumAttrCase<"GeluTanh", 1, "gelu_tanh">,
    I32EnumAttrCase<"QuickGelu", 2, "quick_gelu">,
    I32EnumAttrCase<"Relu", 3, "relu">,
    I32EnumAttrCase<"SquaredRelu", 4, "squared_relu">,
    I32EnumAttrCase<"Silu", 5, "silu">,
    I32EnumAttrCase<"Sigmoid", 6, "sigmoid">,
    I32EnumAttrCase<"Tanh", 7, "tanh">]>;
def TE_ActivationKindAttr : TE_KeywordAttr<TE_ActivationKind, "activation_kind">;

def TE_AttentionLayout : TE_Enum<"AttentionLayout",
    "Order of batch, sequence, heads and head dimension", [
    I32EnumAttrCase<"BSHD", 0, "bshd">,
    I32EnumAttrCase<"BHSD", 1, "bhsd">,
    I32EnumAttrCase<"SBHD", 2, "sbhd">]>;
def TE_AttentionLayoutAttr
    : TE_EnumAttr<TE_AttentionLayout, "attention_layout">;

def TE_Reduction : TE_Enum<"Reduction", "How a loss joins its rows", [
    I32EnumAttrCase<"Mean", 0, "mean">,
    I32EnumAttrCase<"Sum", 1, "sum">]>;
def TE_ReductionAttr : TE_EnumAttr<TE_Reduction, "reduction">;

def TE_AmaxAlgo : TE_Enum<"AmaxAlgo", "What delayed scaling takes of a window", [
    I32EnumAttrCase<"Max", 0, "max">,
    I32EnumAttrCase<"MostRecent", 1, "most_recent">]>;
def TE_AmaxAlgoAttr : TE_EnumAttr<TE_AmaxAlgo, "amax_algo">;

def TE_MomentType : TE_Enum<"MomentType", "How an optimizer keeps its averages", [
    I32EnumAttrCase<"F32", 0, "f32">,
    I32EnumAttrCase<"BF16", 1, "bf16">,
    I32EnumAttrCase<"FP8", 2, "fp8">]>;

def TE_Accumulate : TE_Enum<"Accumulate",
    "Whether FP8 tensor cores may keep partial sums in their own registers", [
    I32EnumAttrCase<"Fast", 0, "fast">,
    I32EnumAttrCase<"Split", 1, "split">]>;
def TE_AccumulateAttr : TE_EnumAttr<TE_Accumulate, "accumulate">;

def TE_MatmulRole : TE_Enum<"MatmulRole", "Which of a linear layer's products, or another", [
    I32EnumAttrCase<"Fprop", 0, "fprop">,
    I32EnumAttrCase<"Dgrad", 1, "dgrad">,
    I32EnumAttrCase<"Wgrad", 2, "wgrad">,
    I32EnumAttrCase<"Other", 3, "other">]>;
def TE_MatmulRoleAttr : TE_EnumAttr<TE_MatmulRole, "role">;

def TE_TensorRole : TE_Enum<"TensorRole", "What a quantized tensor is to its layer", [
    I32EnumAttrCase<"Input", 0, "input">,
    I32EnumAttrCase<"Weight", 1, "weight">,
    I32EnumAttrCase<"GradOutput", 2, "grad_output">]>;

def TE_Fp8Format : TE_Enum<"Fp8Format", "Formats of a recipe", [
    I32EnumAttrCase<"Hybrid", 0, "hybrid">,
    I32EnumAttrCase<"E4M3", 1, "e4m3">]>;

def TE_Precision : TE_Enum<"Precision", "Precision of a region", [
    I32EnumAttrCase<"Fp8", 0, "fp8">,
    I32EnumAttrCase<"High", 1, "high">]>;
def TE_PrecisionAttr : TE_KeywordAttr<TE_Precision, "precision">;

#endif // TE_DIALECT_TE_IR_TEENUMS_TD
