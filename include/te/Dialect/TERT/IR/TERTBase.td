// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TERT_IR_TERTBASE_TD
#define TE_DIALECT_TERT_IR_TERTBASE_TD

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "te/Dialect/TE/IR/TEEnums.td"
include "te/Dialect/TERT/IR/TERTInterfaces.td"

def TERT_Dialect : Dialect {
  let name = "tert";
  let cppNamespace = "::mlir::te::tert";
  let summary = "Calls of the runtime";
  let description = [{
    One op per function of `runtime/include/tert/ops.h`, with the same tensors
    and constants in the same order; what a function computes is written there.

    Ops are in destination-passing style, on tensors or on memrefs. Operands
    are labelled with the names of the C parameters; those behind the arrow are
    written, an optional one that is missing is a null pointer:

    ```mlir
    %y, %mean, %rstd = tert.layer_norm x(%x : tensor<64x128xbf16>) gamma(%g : tensor<128xf32>) beta(%b : tensor<128xf32>)
      -> y(%0 : tensor<64x128xbf16>) mean(%1 : tensor<64xf32>) rstd(%2 : tensor<64xf32>) {eps = 1.0e-5 : f32}
    tert.quantize x(%x : memref<64x128xbf16>) scale(%s : memref<f32>)
      -> rowwise(%q : memref<64x128xf8E4M3FN>) amax(%a : memref<f32>)
    ```

    An op only writes its destinations, except those that the runtime updates in
    place (parameters, moments, scaling state, the step counter).
  }];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

class TERT_Tensor<list<Type> elements, string summary>
    : ConfinedType<AnyTypeOf<[RankedTensorOf<elements>, MemRefOf<elements>]>,
                   [HasStaticShapePred], summary, "::mlir::ShapedType">;

def TERT_Float : TERT_Tensor<[F32, BF16], "tensor or memref of f32 or bf16">;
def TERT_F32 : TERT_Tensor<[F32], "tensor or memref of f32">;
def TERT_Fp8 : TERT_Tensor<[F8E4M3FN, F8E5M2],
                           "tensor or memref of f8E4M3FN or f8E5M2">;
def TERT_Int : TERT_Tensor<[I64, I32], "tensor or memref of i64 or i32">;
def TERT_I64 : TERT_Tensor<[I64], "tensor or memref of i64">;
def TERT_Number : TERT_Tensor<[F32, BF16, I64, I32],
                              "tensor or memref of f32, bf16, i64 or i32">;
def TERT_Any : TERT_Tensor<[F32, BF16, F8E4M3FN, F8E5M2, I64, I32, I<8>, I1],
                           "tensor or memref of a type the runtime has">;

// What one operand contributes to the assembly format.
class TERT_OperandFormat<TypeConstraint type, string name> {
  defvar label = "`" # name # "` `(` ";
  defvar rest = " `:` type($" # name # ") `)`";
  string format = !if(!or(!isa<Optional>(type), !isa<Variadic>(type)),
                      "(" # label # "$" # name # "^" # rest # ")?",
                      label # "$" # name # rest);
}

// ODS wants sizes of operand groups where several vary, and only there.
class TERT_SegmentTraits<dag tensors> {
  list<Trait> traits = !if(!gt(!foldl(0, !range(!size(tensors)), count, i,
      !add(count, !or(!isa<Optional>(!getdagarg<TypeConstraint>(tensors, i)),
                      !isa<Variadic>(!getdagarg<TypeConstraint>(tensors, i))))), 1),
      [AttrSizedOperandSegments], []<Trait>);
}

// An op of the runtime. `inputs`, `outputs` and `constants` are those of the C
// function, in its order; `updated` names the outputs that are read as well,
// `updates_if` a flag among the constants that makes the op read all of them.
class TERT_Op<string mnemonic, dag inputs, dag outputs, dag constants = (ins),
              list<string> updated = [], string updates_if = "">
    : Op<TERT_Dialect, mnemonic, !listconcat(
        TERT_SegmentTraits<!con(inputs, outputs)>.traits,
        [DestinationStyleOpInterface,
         DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
         DeclareOpInterfaceMethods<TERT_RuntimeCallOpInterface>])> {
  // Tensors whose strides are free, those that have to be contiguous, and those
  // whose rows have to start at multiples of 16 bytes. All others have an
  // innermost stride of 1. It is what the checks in runtime/program and
  // runtime/cuda demand.
  list<string> anyStrides = [];
  list<string> contiguous = [];
  list<string> alignedRows = [];
  // The function wants far more temporary memory than its tensors have.
  bit workspace = 0;

  let arguments = !con(inputs, outputs, constants);
  let results = (outs Variadic<TERT_Any>:$results);

  defvar tensors = !con(inputs, outputs);
  defvar names = !foreach(i, !range(!size(tensors)), !getdagname(tensors, i));
  defvar formats = !foreach(i, !range(!size(tensors)),
      TERT_OperandFormat<!getdagarg<TypeConstraint>(tensors, i),
                         !getdagname(tensors, i)>.format);
  defvar outputTypes = !foreach(i, !range(!size(outputs)),
      "ref(type($" # !getdagname(outputs, i) # "))");
  let assemblyFormat =
      !interleave(!foreach(i, !range(!size(inputs)), formats[i]), " ")
      # " `->` " #
      !interleave(!foreach(i, !range(!size(inputs), !size(tensors)), formats[i]), " ")
      # " attr-dict `` custom<TiedResults>(type($results), "
      # !interleave(outputTypes, ", ") # ")";

  let extraClassDeclaration = [{
    /// Tensor parameters of the C function, and how many of the outputs among
    /// them are updated rather than only written (they come first).
    static constexpr unsigned kNumTensorParameters = }] # !size(tensors) # [{;
    static constexpr unsigned kNumUpdatedOutputs = }] # !size(updated) # [{;

    ::mlir::MutableOperandRange getDpsInitsMutable() {
      unsigned first = getODSOperandIndexAndLength(}] # !size(inputs) # [{).first;
      return ::mlir::MutableOperandRange(*this, first,
                                         getOperation()->getNumOperands() - first);
    }
  }];
  let extraClassDefinition = [{
    ::llvm::StringRef $cppClass::getRuntimeSymbol() { return "tert_}] # mnemonic # [{"; }

    ::llvm::SmallVector<::mlir::te::tert::TensorParameter>
    $cppClass::getTensorParameters() {
      static constexpr bool isList[] = {}] # !interleave(!foreach(i, !range(!size(tensors)),
          !if(!isa<Variadic>(!getdagarg<TypeConstraint>(tensors, i)), "true", "false")), ", ") # [{};
      ::llvm::SmallVector<::mlir::te::tert::TensorParameter> parameters;
      for (unsigned group = 0; group != }] # !size(tensors) # [{; ++group) {
        auto [first, length] = getODSOperandIndexAndLength(group);
        parameters.push_back({first, length, isList[group]});
      }
      return parameters;
    }

    ::llvm::StringRef $cppClass::getOperandName(::mlir::OpOperand &operand) {
      static constexpr ::llvm::StringLiteral names[] = {}] #
          !interleave(!foreach(name, names, "\"" # name # "\""), ", ") # [{};
      return names[getOperandGroup(*this, operand)];
    }

    ::mlir::te::tert::LayoutRequirement
    $cppClass::getLayoutRequirement(::mlir::OpOperand &operand) {
      using Strides = ::mlir::te::tert::LayoutRequirement::Strides;
      static constexpr ::mlir::te::tert::LayoutRequirement layouts[] = {}] #
          !interleave(!foreach(name, names, "{Strides::" #
              !if(!foldl(false, anyStrides, found, other, !or(found, !eq(name, other))), "Any",
              !if(!foldl(false, contiguous, found, other, !or(found, !eq(name, other))), "Contiguous",
                  "UnitInnermost")) # ", " #
              !if(!foldl(false, alignedRows, found, other, !or(found, !eq(name, other))), 16, 1)
              # "}"), ", ") # [{};
      return layouts[getOperandGroup(*this, operand)];
    }

    bool $cppClass::wantsWorkspace() { return }] # !if(workspace, "true", "false") # [{; }

    ::llvm::SmallVector<::mlir::Attribute> $cppClass::getConstantParameters() {
      [[maybe_unused]] auto &properties = getProperties();
      [[maybe_unused]] ::mlir::Builder builder(getContext());
      return {}] # !interleave(!foreach(i, !range(!size(constants)),
          "constantParameter(builder, properties." # !getdagname(constants, i) # ")"), ", ") # [{};
    }

    bool $cppClass::readsInit(::mlir::OpOperand &init) {
      }] # !if(!empty(updates_if), "",
               "if (getProperties()." # updates_if # ") return true;") # [{
      static constexpr bool isUpdated[] = {}] # !interleave(!foreach(i, !range(!size(outputs)),
          !foldl("false", updated, found, name,
                 !if(!eq(name, !getdagname(outputs, i)), "true", found))), ", ") # [{};
      for (unsigned output = 0; output != }] # !size(outputs) # [{; ++output) {
        auto [first, length] =
            getODSOperandIndexAndLength(}] # !size(inputs) # [{ + output);
        if (init.getOperandNumber() - first < length)
          return isUpdated[output];
      }
      return false;
    }

    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<
            ::mlir::MemoryEffects::Effect>> &effects) {
      getRuntimeCallEffects(*this, effects);
    }
  }];
}

#endif // TE_DIALECT_TERT_IR_TERTBASE_TD
