// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_PRECISION_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_PRECISION_PASSES_TD

include "mlir/Pass/PassBase.td"

def TENameLayers : Pass<"te-name-layers", "::mlir::ModuleOp"> {
  let summary = "Name every linear layer";
  let description = [{
    A linear layer is a forward product (an op with Fp8OpInterface) together
    with its dgrad and wgrad. The pass writes the layer's name on each of them,
    where there is none yet; differentiation hands it on, and policies, slots
    and reports go by it.

    The name is the module path in the forward product's location, or without
    one the name of the parameter that is its weight (without `.weight`), or
    else the name of the op. A second layer of one name becomes `name:1`. A
    forward product that stands in another function with the same module path
    and the same parameter as weight is the same layer: two entries written
    by hand then share its scales.

    A gradient product without a name gets that of the one forward product in
    its function whose weight (dgrad) or input (wgrad) it reads. If there is
    none or more than one, it is an error: such products need `layer` in the
    input.

    ```mlir
    // Before
    %h = te.matmul %x, %w {transpose_b} : … loc("fc")
    %y = te.matmul %h, %w {transpose_b} : … loc("fc")
    // After
    %h = te.matmul %x, %w {layer = "fc", transpose_b} : …
    %y = te.matmul %h, %w {layer = "fc:1", transpose_b} : …
    ```

    te-differentiate, te-partition and te-quantize name what has no name
    themselves; the pass is for those who want to read or set names in between.
  }];
  let statistics = [
    Statistic<"numNamed", "named", "Products that got a name">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

def TESetComputeType : Pass<"te-set-compute-type", "::mlir::func::FuncOp"> {
  let summary = "Convert activations and their gradients to bf16";
  let description = [{
    Values that an op computes in the compute type (MixedPrecisionOpInterface)
    become bf16, and the operands that it reads in the compute type are
    truncated if they are wider, once per value. Reshapes, splits and
    concatenations follow. Parameters, statistics, losses, parameter gradients
    and the function's arguments and results keep their type.

    ```mlir
    // Before
    func.func @f(%x: tensor<64x128xf32>, %w: tensor<256x128xf32> {te.param = "w"}) -> tensor<64x256xf32> {
      %y = te.matmul %x, %w {transpose_b} : tensor<64x128xf32>, tensor<256x128xf32> -> tensor<64x256xf32>
      %a = te.activation relu %y : tensor<64x256xf32> -> y tensor<64x256xf32>
      return %a : tensor<64x256xf32>
    // After
      %xb = arith.truncf %x : tensor<64x128xf32> to tensor<64x128xbf16>
      %wb = arith.truncf %w : tensor<256x128xf32> to tensor<256x128xbf16>
      %y = te.matmul %xb, %wb {transpose_b} : tensor<64x128xbf16>, tensor<256x128xbf16> -> tensor<64x256xbf16>
      %a = te.activation relu %y : tensor<64x256xbf16> -> y tensor<64x256xbf16>
      %r = arith.extf %a : tensor<64x256xbf16> to tensor<64x256xf32>
      return %r : tensor<64x256xf32>
    ```

    Ops of other dialects that read a narrowed value get it converted back to
    its original type. Finite constants beyond bf16's range, such as the lowest
    float32 number in a mask, become its largest numbers.
  }];
  let options = [
    Option<"type", "type", "std::string", /*default=*/"\"bf16\"",
           "bf16, or f32 to change nothing">,
  ];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Values held in the compute type">,
    Statistic<"numCasts", "casts", "Casts made">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TESetBoundaryType : Pass<"te-set-boundary-type", "::mlir::ModuleOp"> {
  let summary = "Pass matrices to and from entries in bf16";
  let description = [{
    Inputs (`te.input`), parameters (`te.param`) and results (`te.output`) of
    the entries that are float32 tensors of two and more dimensions become bf16:
    activations, their cotangents, weights, and the gradients of all of them.
    Vectors (weights of norms, biases, their gradients), scalars and states stay
    float32; a parameter that has at most one dimension larger than 1, such as
    [1, 1, H], is a vector, and so is its gradient.

    Inside, the values stay the same: arguments are widened and results are
    rounded once. Conversions are folded into the adjacent op where it supports
    that: te ops compute in float32 from either type, and a matrix product, a
    sum or dx of te.layer_norm_grad that is only rounded is written in bf16 from
    its float32 accumulators.

    ```mlir
    // Before
    func.func @vjp(%x: tensor<64x128xf32> {te.input = "x"}, %dy: tensor<64x256xf32> {te.input = "cotangent.y"}, …)
        -> (tensor<256x128xf32> {te.output = "grad.w"}, …) {
      %xb = arith.truncf %x : tensor<64x128xf32> to tensor<64x128xbf16>
      %dyb = arith.truncf %dy : tensor<64x256xf32> to tensor<64x256xbf16>
      %dw = te.matmul %dyb, %xb {role = #te.role<wgrad>, transpose_a}
         : tensor<64x256xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32>
      return %dw, … : tensor<256x128xf32>, …
    // After
    func.func @vjp(%x: tensor<64x128xbf16> {te.input = "x"}, %dy: tensor<64x256xbf16> {te.input = "cotangent.y"}, …)
        -> (tensor<256x128xbf16> {te.output = "grad.w"}, …) {
      %dw = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a}
         : tensor<64x256xbf16>, tensor<64x128xbf16> -> tensor<256x128xbf16>
      return %dw, … : tensor<256x128xbf16>, …
    ```

    An entry that trains is an error: its parameters are the optimizer's
    masters. Run the pass after te-set-compute-type and before te-partition.
  }];
  let options = [
    Option<"type", "type", "std::string", /*default=*/"\"bf16\"",
           "bf16, or f32 to change nothing">,
  ];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Arguments and results in the narrow type">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TESetMasterType : Pass<"te-set-master-type", "::mlir::ModuleOp"> {
  let summary = "Keep trained matrices in bf16";
  let description = [{
    Parameters of two and more dimensions that te.update changes become bf16 in
    all entries. Updates compute in float32 and round the new value
    stochastically (te.update); other ops read the bf16 number, which conversions
    to bf16 then are. Vectors and frozen parameters keep their types.

    ```mlir
    // Before
    func.func @train(…, %w: tensor<64x32xf32> {te.param = "w"}, …) -> (tensor<64x32xf32> {te.param = "w"}, …) {
      %wb = arith.truncf %w : tensor<64x32xf32> to tensor<64x32xbf16>
      …
      %w1, %m1, %v1 = te.update #te.adamw %w … : tensor<64x32xf32>, tensor<64x32xf32>
    // After
    func.func @train(…, %w: tensor<64x32xbf16> {te.param = "w"}, …) -> (tensor<64x32xbf16> {te.param = "w"}, …) {
      …
      %w1, %m1, %v1 = te.update #te.adamw %w … : tensor<64x32xbf16>, tensor<64x32xf32>
    ```

    Run it behind te-set-compute-type and before te-partition.
  }];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Arguments in bf16">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect"];
}

def TEAnnotateRanges : Pass<"te-annotate-ranges", "::mlir::ModuleOp"> {
  let summary = "Annotate results with proved bounds on their absolute values";
  let description = [{
    Writes what the range analysis (te/Analysis/Ranges.h) proves about the
    results of each op into `te.ranges`, one string for each result, where it is
    more than the element type says of at least one of them: for people, and for
    tests. Passes ask the analysis itself. Old annotations are replaced.

    | annotation | every element that is finite |
    |---|---|
    | `0` | is 0 |
    | `2^3` | is 0, or its absolute value is 8 |
    | `<= 2^3` | has an absolute value of at most 8 |
    | `2^-9 to 2^3` | is 0, or has an absolute value between 1/512 and 8 |
    | `any` | may be any number of its type |

    Exponents are rounded outwards to two digits. Infinities and NaN are never
    excluded. Bounds of arguments are taken from `te.max_abs`, and from
    `te.range` of integers.

    ```mlir
    // Before
    func.func @f(%x: tensor<8x64xf32>, %g: tensor<64xf32> {te.max_abs = 2.0 : f32}) -> tensor<8x64xf32> {
      %y, %rstd = te.rms_norm %x, %g {eps = 1.0e-5 : f32}
        : tensor<8x64xf32>, tensor<64xf32> -> y tensor<8x64xf32> stats tensor<8xf32>
      %z = te.activation silu %y : tensor<8x64xf32> -> y tensor<8x64xf32>
      return %z : tensor<8x64xf32>
    // After
      %y, %rstd = te.rms_norm %x, %g {eps = 1.0e-5 : f32, te.ranges = ["<= 2^4.01", "<= 2^8.31"]}
        : …
      %z = te.activation silu %y {te.ranges = ["<= 2^4.01"]} : …
    ```
  }];
  let statistics = [
    Statistic<"numBounded", "bounded", "Results with a bound that their type does not have">,
    Statistic<"numAny", "any", "Results of numbers without">,
  ];
}

def TEMeasureSensitivity : Pass<"te-measure-sensitivity", "::mlir::ModuleOp"> {
  let summary = "Measure what FP8 would change in an entry's products";
  let description = [{
    For entries `calibrate`, which have a loss and gradients: computes each
    product that te-partition may choose (see there) a second time, in FP8, and
    returns sums over its error in place of the gradients. Other entries stay as
    they are, and te-partition leaves this one in high precision, so that no
    product reads what another one changed.

    Operands are quantized to the formats that the recipe has for their roles,
    with one scale made of the tensor's own amax, whatever the recipe. Products
    are measured behind the last one of their layer, where their operands and the
    gradient of the layer's result are in memory anyway; the forward product is
    computed there once more, in float32 and without its bias.

    ```mlir
    // Before
    %y = te.matmul %x, %w {layer = "fc", transpose_b} : …
    …
    %dx = te.matmul %dy, %w {layer = "fc", role = #te.role<dgrad>} : …
    %dw = te.matmul %dy, %x {layer = "fc", role = #te.role<wgrad>, transpose_a} : …
    return %loss, %count, %dw : …
    // After
    …
    %dw = te.matmul %dy, %x {layer = "fc", role = #te.role<wgrad>, transpose_a} : …
    %xa = te.amax %x : tensor<64x128xbf16>
    %xs, %xi = te.compute_scale %xa {format = f8E4M3FN}
    %xq, %xt = te.quantize %x, %xs : …
    …
    %exact = te.matmul %x, %w {role = #te.role<other>, transpose_b} : … -> tensor<64x256xf32>
    %fp8 = te.scaled_matmul %xq, %wq scales(%xi, %wi) … -> tensor<64x256xf32>
    %rows:3 = linalg.generic … ins(%exact, %fp8, %dy) …
    %sums:4 = linalg.generic … ins(%rows#0, %rows#1, %rows#2) …
    …
    %s = tensor.insert_slice %figures into … : tensor<61xf32> into tensor<3x61xf32>
    return %loss, %count, %s : …
    ```

    The output `sensitivity` has a row for each product, named by
    `te.measured_products` of the module (`fc/fprop`), and these columns, named by
    `te.measured_figures`. e is the product in FP8 less the exact one y, and g is
    the gradient of the result for fprop, y itself for dgrad and wgrad:

    | column | sum |
    |---|---|
    | `error_dot` | Σ g · e |
    | `error_dot_squares` | Σ over rows of (Σ over columns of g · e)² |
    | `error_squares` | Σ e² |
    | `result_squares` | Σ y² |
    | `input_amax`, `weight_amax`, `grad_output_amax` | no sum: max of the operand's absolute values |
    | `input_flushed`, … | number of the operand's elements that are not 0 and whose FP8 copy is |
    | `input_nonzero`, … | number of those that are not 0 |
    | `input_octaves_0`, … `_15`, … | number of those, of at most 256 rows, in the octaves 2k and 2k + 1 below the amax; of the last one also of all below |

    Columns of a tensor that a product does not read are 0. A layer without a
    gradient of its result, such as a frozen one whose input needs none, has no
    row.
  }];
  let options = [
    Option<"recipe", "recipe", "std::string",
           /*default=*/"\"#te.delayed_scaling\"",
           "Recipe attribute that has the formats, as of te-quantize">,
  ];
  let statistics = [
    Statistic<"numMeasured", "measured", "Products measured">,
    Statistic<"numSkipped", "skipped", "Layers that cannot be FP8, or have no gradient">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEPartition : Pass<"te-partition", "::mlir::ModuleOp"> {
  let summary = "Partition ops into FP8 and high-precision regions";
  let description = [{
    Decides for each linear layer (see te-name-layers) whether its products run
    in FP8, and wraps runs of consecutive ops of one decision into te.region fp8
    or te.region high. Ops that only move or cast data join the run around them.

    `policy` is a list of rules `GLOB=fp8` or `GLOB=high` on names of layers, or
    `@FILE` with such rules; the last rule that matches decides: `lm_head=fp8,
    transformer.h.0.*=high`. With `/fprop`, `/dgrad` or `/wgrad` behind the
    glob, a rule is about that product alone: `*/dgrad=high`. `shared` also matches `shared:1`, and for a joined
    layer, `attn.{q,k,v}`, each of its names is matched. If no rule matches,
    layers become FP8, except the LM head: a layer whose result reaches the loss
    or an output through nothing but reshapes, casts and slices, and the loss
    also through elementwise functions, such as the cap of Gemma 2's logits; and
    except routers of mixtures of experts: layers with no more results than
    inputs, whose results are compared with each other, as such or as what
    softmax, sigmoid and biases make of them, to choose (top-k, argmax). They
    are followed into loops, branches, bodies and called functions. Where all
    experts are added up, weighted by softmax, nothing is chosen.

    Products that FP8 does not support stay in high precision:

    - a product whose right operand is not computed from parameters alone: the
      FP8 form has an input and a weight, not two activations;
    - batched products, such as linalg.batch_matmul: the FP8 form is one product
      of two matrices with one scale each;
    - the gradients of a forward product that stays in high precision, unless
      a rule about that product alone keeps it there;
    - a product inside a loop or another region, in a function with several
      blocks, or in one that is called (run `inline` first), since scales enter
      and amaxes leave through the arguments and results of entries;
    - forms and sizes that the op itself refuses (Fp8OpInterface);
    - all products of an entry that evaluates the parameters which another entry
      of the module trains, unless `fp8-eval` is given: FP8 would add its own
      rounding to the loss that is measured;
    - a product with an operand that is proved to be 0, or too small for any
      scale (te-annotate-ranges). What is proved of operands is in the remarks.

    In a module with a cost model (te-attach-costs), layers also stay in high
    precision that would take longer in FP8, unless a rule `=fp8` is about the
    layer or one of its products, or `all` is given. Compared are a layer's
    products, with the types, sizes and sums of their FP8 forms; the quantizations
    of its input, weight and output gradient, in kernels of their own or as
    te-fuse leaves them to others; and the casts and sums with residuals that only
    high precision has kernels for. A tensor that several layers quantize costs all of them once. The
    functions that compute gradients decide, each called once; without any, all
    do. A layer is the same in all functions. The scales of `recipe` count, too:
    their update in a step has to pay. Layers with a kernel that the model does
    not know are FP8.

    ```
    remark: loc("0.o"): [Missed] Slower | Category:te-partition | Function=train | Reason="its layer would take longer in FP8", Suggestion="add '0.o=fp8' to the policy", …, FP8Microseconds=14.6, HighMicroseconds=12.9, Figures=estimated
    ```

    Remarks about forward products have the times of their layer in the function.

    With `memory-price`, what the backward pass keeps of a layer's input counts
    as well: its columnwise copy in FP8, a byte for each element, or the input
    itself, or both if something else of the backward pass reads the input.

    With `calibration` and `quality`, the measured sensitivity of the layers
    chooses among those that no rule decides about, the LM head included
    (te/Analysis/Calibration.h). An entry `calibrate` is left as it is.

    ```mlir
    // Before
    %h, %mean, %rstd = te.layer_norm %x, %g, %b …
    %u = te.matmul %h, %w … loc("transformer.h.0.mlp.c_fc")
    // After
    %h = te.region high -> (tensor<64x128xbf16>) {
      %0, %mean, %rstd = te.layer_norm %x, %g, %b …
      te.yield %0 : tensor<64x128xbf16>
    }
    %u = te.region fp8 -> (tensor<64x512xbf16>) {
      %0 = te.matmul %h, %w …
      te.yield %0 : tensor<64x512xbf16>
    }
    ```

    Every decision is a remark of category `te-partition`
    (`--remarks-filter=te-partition`), as is every contraction without an FP8
    form, and a module without any contraction.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"\"",
           "Rules GLOB=fp8|high, separated by commas, or @FILE">,
    Option<"fp8Eval", "fp8-eval", "bool", /*default=*/"false",
           "Partition entries that evaluate what another one trains, too">,
    Option<"recipe", "recipe", "std::string", /*default=*/"\"delayed_scaling\"",
           "The recipe of te-quantize, whose kernels count">,
    Option<"all", "all", "bool", /*default=*/"false",
           "Also layers that take longer in FP8, by the module's cost model">,
    Option<"memoryPrice", "memory-price", "double", /*default=*/"0",
           "Seconds that a byte counts like, of what the cost model's layers keep for the backward pass">,
    Option<"calibration", "calibration", "std::string", /*default=*/"\"\"",
           "File of 'te-run calibrate' to choose layers by; needs quality">,
    Option<"quality", "quality", "std::string", /*default=*/"\"\"",
           "What FP8 may add to the calibrated loss: 0.1% or 0.001">,
  ];
  let statistics = [
    Statistic<"numFp8", "fp8", "Ops that run in FP8">,
    Statistic<"numHigh", "high", "Ops with an FP8 form that run in high precision">,
    Statistic<"numRegions", "regions", "Regions made">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

def TEQuantize : Pass<"te-quantize", "::mlir::ModuleOp"> {
  let summary = "Quantize FP8 regions and make scaling explicit";
  let description = [{
    Dissolves every te.region. In fp8 regions each op with an FP8 form
    (Fp8OpInterface) is replaced by it, on operands that te.quantize makes with
    scales of the recipe (RecipeAttrInterface): carried from step to step, or
    made in the step.

    Each quantized tensor is a slot, a column of the scaling state, named
    `<layer>.input`, `.weight` or `.grad_output`. A value that several ops read
    in one role is quantized once, into the copies that they read, and its slot
    is named after the first. Functions share the slots of the layers that they
    have in common, such as all entries made of one @forward, and those of
    parameters read as weights; `te.slots` and `te.slot_formats` on the module
    list them, `te.recipe` is the recipe used.

    ```mlir
    // Before
    func.func @vjp(%x: tensor<64x128xbf16>, %w: tensor<256x128xf32> {te.param = "fc.weight"}) -> … attributes {te.entry = "vjp"} {
      %y = te.region fp8 -> (tensor<64x256xbf16>) {
        %0 = te.matmul %x, %w {transpose_b} : … loc("fc")
        te.yield %0 : tensor<64x256xbf16>
      }
      …
    // After
    func.func @vjp(%x: …, %w: …, %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale", te.init = 1.0 : f32}, …) {
      %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
      %si = tensor.extract_slice %scale_invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
      %q, %qt, %amax = te.quantize %x, %s : tensor<64x128xbf16>
        -> rowwise tensor<64x128xf8E4M3FN> columnwise tensor<128x64xf8E4M3FN> amax tensor<f32>
      …
      %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {accumulate = #te.accumulate<fast>} : …
      …
      %scales1, %scale_invs1, %history1, %nonfinite1 = te.update_scales … amaxes(%amax, %wamax, %dyamax) {…}
    ```

    Entries with a backward pass update the scaling state; `forward` only reads
    it. A parameter that an entry updates is quantized there, with the updated
    scale, and its FP8 copies and amax are state: the entries read them, and
    only the optimizer reads the float32 parameter. An `init` entry makes the
    first copies. In such a module only the entries that update the parameters
    update the scaling state, so that a copy and the reciprocal of its scale
    always match.

    Casts saturate, so an infinity would not reach the gradients. Therefore an
    op that decides whether to update (UpdateGuardOpInterface), such as
    te.clip_coefficient, gets the amaxes of all tensors that are quantized
    before it, with any recipe.

    A frozen parameter (`te.frozen`) has such copies as well if an entry updates
    others: `init` makes them and their scale, and no entry changes them.

    A recipe that makes scales in the step has no state. A tensor's scale is
    made after it, and weights are quantized where they are read:

    ```mlir
    // --te-quantize=recipe=#te.current_scaling
    %a = te.amax %x : tensor<64x128xbf16>
    %s, %si = te.compute_scale %a {format = f8E4M3FN}
    %q, %qt = te.quantize %x, %s : tensor<64x128xbf16>
      -> rowwise tensor<64x128xf8E4M3FN> columnwise tensor<128x64xf8E4M3FN>
    ```

    Sizes that are not multiples of 16 are padded with zeros and the result is
    sliced. fprop uses fast accumulation, wgrad and (unless `fast-dgrad`) dgrad
    split accumulation.
  }];
  let options = [
    Option<"recipe", "recipe", "std::string",
           /*default=*/"\"#te.delayed_scaling\"",
           "Recipe attribute, such as #te.delayed_scaling<history=16>; #te. can be left out">,
    Option<"fastDgrad", "fast-dgrad", "bool", /*default=*/"false",
           "Fast accumulation in dgrad too">,
    Option<"target", "target", "std::string", /*default=*/"",
           "Target whose kernels have to take the recipe's scales; by default the "
           "module's te.target, if it has one">,
  ];
  let statistics = [
    Statistic<"numSlots", "slots", "Columns of the scaling state">,
    Statistic<"numQuantized", "quantized", "te.quantize ops made">,
    Statistic<"numFp8Ops", "fp8-ops", "Ops replaced by their FP8 form">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEPrepareWeights : Pass<"te-prepare-weights", "::mlir::ModuleOp"> {
  let summary = "Compute what is made of unchanged parameters once";
  let description = [{
    What entries compute of parameters alone, or of parameters and states, that no
    entry changes, moves to an entry `prepare`, which runs whenever parameters or
    states have been loaded: FP8 copies of weights, their scales, joined weights,
    conversions to bf16, and tables that are looked up in bf16. The values become
    states of the kind `prepared`, in no checkpoint. Only values narrower than what
    they are made of, and scalars, are kept so; equal ones of several entries are
    one state. A parameter that no other entry reads then needs no memory of the
    device.

    `parameters` says which: `frozen`, those with `te.frozen`, or `all`. Ops on the
    ranks of a mesh stay where they are.

    ```mlir
    // Before
    func.func @forward(%x: …, %w: tensor<256x128xf32> {te.param = "w"}, %s: tensor<f32> {te.state = "s"}) -> … {
      %q, %amax = te.quantize %w, %s : tensor<256x128xf32> -> rowwise tensor<256x128xf8E4M3FN> amax tensor<f32>
      …
    // After
    func.func @forward(%x: …, %s: …, %q: tensor<256x128xf8E4M3FN> {te.init = …, te.kind = "prepared", te.state = "prepared.w"}) -> … {
      …
    func.func @prepare(%w: …, %s: …, %q: …) -> (tensor<256x128xf8E4M3FN> {te.kind = "prepared", te.state = "prepared.w"})
        attributes {te.entry = "prepare"} {
      %q1, %amax = te.quantize %w, %s : …
    ```
  }];
  let options = [
    Option<"parameters", "parameters", "::mlir::te::PreparedWeights",
           "::mlir::te::PreparedWeights::Frozen", "Which parameters",
           "::mlir::te::passOptionValues(::mlir::te::kPreparedWeights)">,
  ];
  let statistics = [
    Statistic<"numPrepared", "prepared", "Values that entries have as states">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def TEValidatePrecision : Pass<"te-validate-precision", "::mlir::ModuleOp"> {
  let summary = "Verify the invariants of FP8 scaling";
  let description = [{
    An independent check of what te-quantize establishes and all passes behind it
    keep; it stands at the end of te-graph-pipeline. In programs for many ranks a
    copy is followed through what ranks gather, and an amax through collectives
    along several axes. It changes nothing and fails, naming op and slot, when

    - a region remains;
    - an operand of te.scaled_matmul or te.dequantize comes neither from a
      quantization nor from an FP8 weight state, or its scale_inv is not the
      reciprocal of the scale that quantized it (same slot, same step);
    - another op reads FP8 values without their scale_inv, makes some without a
      quantization, or quantizes what te.dequantize made of a copy; an entry
      returns FP8 values other than weights;
    - a slot's format is not that of its role, a copy's not its slot's, or a size
      is not a multiple of 16;
    - an FP8 product has no layer, a layer has two forward products in one
      function or none in the module, or a product reads roles other than an
      input and a weight (fprop), a gradient and a weight (dgrad), a gradient
      and an input (wgrad);
    - a layer that is computed some rows after the other (te-fuse-loss) leaves
      rows out, repeats some, reads another weight for some, sums the gradient of
      some rows with the input of others, or reads not all of its gradients;
    - products of a layer read copies of different inputs, weights or output
      gradients;
    - a product reads the copy that contracts the wrong dimension: fprop and
      dgrad contract the columns of inputs and gradients, wgrad their rows, and
      a layer's fprop and dgrad different dimensions of its weight;
    - a slot has two tensors that are not the gradients of different rows of such
      a layer, or its amax is not the largest of theirs;
    - a quantization, an update or a record of amaxes is inside control flow;
    - an entry that updates parameters and reads scales does not update them, or
      with another recipe than the module's; a microbatch updates scales or
      returns copies of weights; a state has another type than the recipe's;
    - te.clip_coefficient (UpdateGuardOpInterface) does not read the amax of a
      tensor quantized before it;
    - in an entry that updates the scales: a slot's amax does not reach its
      position of te.update_scales, a slot that did not run has an amax other
      than zero, or the update reads or returns states other than the function's;
    - new weights are quantized with a scale other than the updated one, the
      copies are of a value other than the new parameter, one of them or their
      amax is not returned, or scales are updated without the weights;
    - a new parameter, a state of its optimizer or a sum of gradients is made of
      what te.dequantize returned, or the former two were rounded to a narrower
      type since the last step;
    - ranks gather copies, but their scale is not made of the maximum of all
      amaxes;
    - first copies (`init`) are not quantized with a scale computed from the
      weight and returned in the slot's columns.

    The recipe of the module (`te.recipe`) determines which op updates its
    states and which scales are first ones (RecipeAttrInterface).

    If the recipe makes scales in the step, there is no state to track: the
    recipe (RecipeAttrInterface) checks whether each quantization uses the scale
    that it makes for that tensor and format, and whether the products multiply
    with its reciprocal. Operands of products have the formats of their roles.
  }];
}

#endif // TE_DIALECT_TE_TRANSFORMS_PRECISION_PASSES_TD
