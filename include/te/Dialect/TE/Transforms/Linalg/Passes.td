// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_LINALG_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_LINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def TEImportLinalg : Pass<"te-import-linalg", "::mlir::ModuleOp"> {
  let summary = "Import linalg-on-tensors modules of other compilers";
  let description = [{
    Turns a module of upstream dialects into the `@forward` that all other
    passes begin with. The model is the function with `te.model`, the one that
    the option names, `@forward`, or the only public one; its callees are
    inlined, and everything else is removed. An argument is a parameter if it
    has `te.param`, or if `parameters` lists it: by number (`3`), by numbers
    (`0-14`), by number with a name for it (`3=wte.weight`), or by a glob on
    names. Names are those of `te.param` and `te.input`, else the location's,
    else `arg0`, `arg1`, ...; outputs without `te.output` are `result`, or
    `result0`, `result1`, ...

    Then structured ops are rewritten as ops on whole tensors, so that te-raise
    recognises what they mean: a `linalg.generic` as arithmetic, with
    `linalg.broadcast` and `linalg.transpose` where its index maps repeat and
    permute; a sum or maximum of computed terms as the terms and a reduction of
    them; `tensor.extract` at positions given by a tensor as te.embedding; loop
    counters as constants. Contractions stay as they are.

    ```mlir
    func.func public @main(%w: tensor<48x32xf32>, %ids: tensor<2x8xi32>) -> tensor<2x8x32xf32> {
      %e = tensor.empty() : tensor<2x8x32xf32>
      %y = linalg.generic {indexing_maps = [affine_map<(b, s, n) -> (b, s)>, affine_map<(b, s, n) -> (b, s, n)>],
                           iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%ids : tensor<2x8xi32>) outs(%e : tensor<2x8x32xf32>) {
      ^bb0(%id: i32, %out: f32):
        %row = arith.index_cast %id : i32 to index
        %column = linalg.index 2 : index
        %element = tensor.extract %w[%row, %column] : tensor<48x32xf32>
        linalg.yield %element : f32
      } -> tensor<2x8x32xf32>
      return %y : tensor<2x8x32xf32>
    }
    ```
    becomes, with `parameters=0=wte`,
    ```mlir
    func.func @forward(%w: tensor<48x32xf32> {te.param = "wte"}, %ids: tensor<2x8xi32> {te.input = "arg1"})
        -> (tensor<2x8x32xf32> {te.output = "result"}) {
      %0 = tensor.collapse_shape %ids [[0, 1]] : tensor<2x8xi32> into tensor<16xi32>
      %1 = te.embedding %0, %w : tensor<16xi32>, tensor<48x32xf32> -> tensor<16x32xf32>
      %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
      return %2 : tensor<2x8x32xf32>
    }
    ```

    TOSA is lowered to linalg by upstream's passes first.

    Insertions and padding become `tensor.concat`, `scf.for` with known bounds
    and `scf.while` with a condition of constants are unrolled, values computed from constants alone (masks, tables of angles)
    become constants, and sums between layers become te.add. Unused results of
    structured ops are removed, reductions lose the dimension of one element
    that they keep, and windows of convolutions become dimensions. Float64
    between float32 values becomes float32, with a remark; if that would change
    more than digits it is an error.

    Functions of IREE are accepted in MLIR's generic form, `"util.func"`, which
    `iree-compile --compile-to=input --mlir-print-op-generic` writes; buffer
    views in their signature (`hal.tensor.import`, `hal.tensor.export`) become
    tensors. Its globals whose values are named parts of a file,
    `#stream.parameter.named<"model"::"wte">`, become arguments of that name; in
    `parameters` a glob may match `model::wte`, too, and one that no entry lists
    is an error. Everything that cannot be compiled is listed at once: dynamic
    shapes, other globals, data-dependent control flow, unknown dialects, and
    structured ops for which no kernel can be generated.
  }];
  let options = [
    Option<"model", "model", "std::string", /*default=*/"",
           "Name of the function that is the model">,
    ListOption<"parameters", "parameters", "std::string",
               "Arguments that are parameters: NUMBER, FIRST-LAST, NUMBER=NAME "
               "or a glob on names">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def TEToLinalg : Pass<"te-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower programs to upstream dialects";
  let description = [{
    Replaces every op of te by its formula in linalg, tensor, arith and math,
    for pipelines that do not use the runtime: at any level, including the
    quantized and fused program. Each op provides its own formula
    (LinalgFormOpInterface); ops of other dialects with the interface are
    lowered as well. Everything is computed in float32 and rounded where the op
    rounds; FP8 copies saturate before `arith.truncf`, which does not.

    ```mlir
    %q, %amax = te.quantize %x, %s : tensor<4x16xf32> -> rowwise tensor<16x16xf8E4M3FN> amax tensor<f32>
    ```
    becomes
    ```mlir
    %low = arith.constant -4.480000e+02 : f32
    %high = arith.constant 4.480000e+02 : f32
    %0 = linalg.generic {…} ins(%x, %s : tensor<4x16xf32>, tensor<f32>) outs(%e : tensor<4x16xf8E4M3FN>) {
    ^bb0(%a: f32, %scale: f32, %out: f8E4M3FN):
      %1 = arith.mulf %a, %scale : f32
      %2 = arith.maximumf %1, %low : f32
      %3 = arith.minimumf %2, %high : f32
      %4 = arith.truncf %3 : f32 to f8E4M3FN
      linalg.yield %4 : f8E4M3FN
    } -> tensor<4x16xf8E4M3FN>
    %q = tensor.insert_slice %0 into %zeros[0, 0] [4, 16] [1, 1] : tensor<4x16xf8E4M3FN> into tensor<16x16xf8E4M3FN>
    %amax = linalg.generic {…} ins(%x : tensor<4x16xf32>) outs(%minus_infinity : tensor<f32>) {
    ^bb0(%a: f32, %old: f32):
      %5 = math.absf %a : f32
      %6 = arith.maximumf %old, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<f32>
    ```

    Products are sums of products in a `linalg.generic`. With `named-products`
    they are `linalg.contract`, which keeps FP8 operands as they are and widens
    them to its float32 accumulator; scales, bias and addend are applied after
    it. Upstream's `linalg-generalize-named-ops` turns them back into generic
    ops. The option also names the products of a program that is linalg already.

    ```mlir
    %d = te.scaled_matmul %a, %b scales(%sa, %sb) : tensor<16x32xf8E4M3FN>, tensor<48x32xf8E5M2> -> tensor<16x48xf32>
    ```
    becomes
    ```mlir
    %zeros = arith.constant dense<0.0> : tensor<16x48xf32>
    %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<16x32xf8E4M3FN>, tensor<48x32xf8E5M2>) outs(%zeros : tensor<16x48xf32>) -> tensor<16x48xf32>
    %d = linalg.generic {…} ins(%0, %sa, %sb : tensor<16x48xf32>, tensor<f32>, tensor<f32>) outs(%e : tensor<16x48xf32>) {
    ^bb0(%sum: f32, %p: f32, %q: f32, %out: f32):
      %1 = arith.mulf %p, %q : f32
      %2 = arith.mulf %sum, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<16x48xf32>
    ```

    The results are those of the op's definition, up to the order of sums: a
    program of the runtime, which sums in another order and has elementary
    functions of its own, differs by float32's rounding.

    Attributes of arguments and results (te.param, te.state, ...) stay; those of
    operations are removed. Ops without the interface are an error that lists
    them all.
  }];
  let options = [
    Option<"keepAttributes", "keep-attributes", "bool", /*default=*/"false",
           "Keep te's attributes on operations">,
    Option<"namedProducts", "named-products", "bool", /*default=*/"false",
           "Emit products as linalg.contract, with FP8 operands">,
  ];
  let statistics = [Statistic<"numLowered", "lowered", "Ops lowered">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_LINALG_PASSES_TD
