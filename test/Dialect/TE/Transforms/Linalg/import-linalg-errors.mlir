// RUN: te-opt %s --te-import-linalg --allow-unregistered-dialect --split-input-file --verify-diagnostics

// Which function is the model.
// expected-error @below {{does not say which function is the model; mark it with 'te.model', or name it (public functions: @a, @b)}}
module {
  func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  func.func @b(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// expected-error @below {{has 2 functions with 'te.model'; mark one, or name it}}
module {
  // expected-note @below {{@a}}
  func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> attributes {te.model} {
    return %x : tensor<4xf32>
  }
  // expected-note @below {{@b}}
  func.func @b(%x: tensor<4xf32>) -> tensor<4xf32> attributes {te.model} {
    return %x : tensor<4xf32>
  }
}

// -----

// expected-error @below {{is the model and has no body}}
func.func private @a(tensor<4xf32>) -> tensor<4xf32> attributes {te.model}

// -----

// expected-error @below {{has more blocks than one; te-import-linalg takes structured control flow (lift it with lift-cf-to-scf)}}
func.func @a(%x: tensor<4xf32> {te.param = "x"}) -> tensor<4xf32> {
  "some.branch"()[^bb1] : () -> ()
^bb1:
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expects 'te.model' to be without a value}}
func.func @a(%x: tensor<4xf32>) attributes {te.model = "yes"} {
  return
}

// -----

func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{has 'te.model'; only functions are models}}
  %y = arith.negf %x {te.model} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Roles.
module {
  // expected-error @below {{the model has no parameters; say which arguments are, with te.param = "name" on each or a list (--parameters of te-compile), and make constants that are to be trained arguments}}
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// expected-error @below {{argument 1 ('w') has a name that is used twice}}
func.func @main(%x: tensor<4xf32> {te.param = "w"}, %y: tensor<4xf32> {te.input = "w"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{result 1 ('y') has a name that is used twice}}
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> (tensor<4xf32> {te.output = "y"}, tensor<4xf32> {te.output = "y"}) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 ('w') is a 'tensor<4xi32>'; parameters are tensors of fixed shape of f32 or bf16}}
func.func @main(%x: tensor<4xi32> {te.param = "w"}) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}

// -----

// expected-error @below {{argument 1 ('arg1') is a 'tensor<?xf32>'; inputs are tensors of fixed shape of f32, bf16, i32 or i64}}
func.func @main(%w: tensor<4xf32> {te.param = "w"}, %x: tensor<?xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

// Everything that is not known, at once.
// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (ml_program.global_load x1, some.op x2, tensor.cast x1, ml_program.global x1)}}
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> tensor<4xf32> {
  // expected-note @below {{ml_program.global_load x1: what lives in globals is not trained; make it an argument of the model}}
  %g = ml_program.global_load @scale : tensor<4xf32>
  // expected-note @below {{some.op x2: its dialect is not known here; lower it to linalg, arith, math, tensor and scf first, or load it with --load-dialect-plugin}}
  %0 = "some.op"(%g) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "some.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-note @below {{tensor.cast x1: its shape is known only at run time; fix the batch size and the sequence length where the model is exported}}
  %2 = tensor.cast %1 : tensor<4xf32> to tensor<?xf32>
  %3 = tensor.cast %2 : tensor<?xf32> to tensor<4xf32>
  return %3 : tensor<4xf32>
}
// expected-note @below {{ml_program.global x1: what lives in globals is not trained; make it an argument of the model}}
ml_program.global private mutable @scale(dense<1.0> : tensor<4xf32>) : tensor<4xf32>

// -----

// What depends on data.
// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (scf.for x1, scf.while x1, scf.if x1, tensor.extract_slice x1, linalg.generic x1)}}
func.func @main(%x: tensor<4xf32> {te.param = "w"}, %n: tensor<1xi64>, %ints: tensor<4xi32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %count = tensor.extract %n[%c0] : tensor<1xi64>
  %end = arith.index_cast %count : i64 to index
  // expected-note @below {{scf.for x1: how often it runs depends on the model's inputs; only loops with fixed bounds are unrolled}}
  %0 = scf.for %i = %c0 to %end step %c1 iter_args(%s = %x) -> (tensor<4xf32>) {
    %next = arith.addf %s, %s : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  // A first iteration whose condition is known is not written, either.
  // expected-note @below {{scf.while x1: how often it runs depends on the model's inputs; only loops whose condition depends on constants are unrolled}}
  %turns, %more = scf.while (%i = %c0, %s = %0) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
    %first = arith.cmpi eq, %i, %c0 : index
    %early = arith.cmpi slt, %i, %end : index
    %goes = arith.ori %first, %early : i1
    scf.condition(%goes) %i, %s : index, tensor<4xf32>
  } do {
  ^bb0(%i: index, %s: tensor<4xf32>):
    %next = arith.addi %i, %c1 : index
    %sum = arith.addf %s, %s : tensor<4xf32>
    scf.yield %next, %sum : index, tensor<4xf32>
  }
  %positive = arith.cmpi sgt, %count, %zero : i64
  // expected-note @below {{scf.if x1: its way depends on the model's inputs; compute both and choose with arith.select}}
  %1 = scf.if %positive -> (tensor<4xf32>) {
    scf.yield %more : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  // expected-note @below {{tensor.extract_slice x1: its position depends on the model's inputs; only fixed ones can be compiled}}
  %2 = tensor.extract_slice %x[%end] [2] [1] : tensor<4xf32> to tensor<2xf32>
  // Integers are looked up nowhere.
  %e = tensor.empty() : tensor<4xi32>
  // expected-note @below {{linalg.generic x1: its body reads a value that is not an operand}}
  %3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ints : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%a: i32, %out: i32):
    %at = arith.index_cast %a : i32 to index
    %4 = tensor.extract %ints[%at] : tensor<4xi32>
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  return %1, %2, %3 : tensor<4xf32>, tensor<2xf32>, tensor<4xi32>
}

// -----

func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000000000000 : index
  // expected-error @below {{would be written 200000 times, and the model have more than 200000 operations}}
  %0 = scf.for %i = %c0 to %many step %c1 iter_args(%s = %x) -> (tensor<4xf32>) {
    %next = arith.addf %s, %s : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// IREE's functions.
// expected-error @below {{is not a function of one block that ends with util.return}}
"util.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
^bb0(%x: tensor<4xf32>):
  "some.return"(%x) : (tensor<4xf32>) -> ()
}) : () -> ()

// -----

// Values in another file that nobody lists may be masks as well as parameters.
"util.global"() <{initial_value = #stream.parameter.named<"model"::"weight"> : tensor<4xf32>, sym_name = "w", type = tensor<4xf32>}> : () -> ()
"util.global"() <{initial_value = #stream.parameter.named<"model"::"mask"> : tensor<4xf32>, sym_name = "m", type = tensor<4xf32>}> : () -> ()
// expected-error @below {{2 values of the model are in another file and not among the parameters: 'model::weight' 'model::mask'; list those to train (--parameters of te-compile takes names and patterns such as 'model::*'), and leave the others in the module when it is written (docs/mlir.md)}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = "util.global.load"() <{global = @w}> : () -> tensor<4xf32>
  %m = "util.global.load"() <{global = @m}> : () -> tensor<4xf32>
  %0 = arith.mulf %x, %w : tensor<4xf32>
  %1 = arith.addf %0, %m : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Globals that are written, have a value of their own, are of another type than their
// value or than what is read, or whose name is none.
// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (util.global.load x5, util.global.store x1, util.global x3, util.global x1, util.global x1)}}
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> tensor<4xf32> {
  // expected-note @below {{util.global.load x5: what lives in globals is not trained; make it an argument of the model}}
  %a = "util.global.load"() <{global = @written}> : () -> tensor<4xf32>
  %b = "util.global.load"() <{global = @own}> : () -> tensor<4xf32>
  %c = "util.global.load"() <{global = @other}> : () -> tensor<4xf32>
  %d = "util.global.load"() <{global = @nameless}> : () -> tensor<4xf32>
  %e = "util.global.load"() <{global = @long}> : () -> tensor<4xf32>
  // expected-note @below {{util.global.store x1}}
  "util.global.store"(%a) <{global = @written}> : (tensor<4xf32>) -> ()
  %0 = arith.mulf %a, %b : tensor<4xf32>
  %1 = arith.mulf %c, %d : tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
// expected-note @below {{util.global x3: what lives in globals is not trained; make it an argument of the model}}
"util.global"() <{initial_value = #stream.parameter.named<"model"::"a"> : tensor<4xf32>, is_mutable, sym_name = "written", type = tensor<4xf32>}> : () -> ()
"util.global"() <{initial_value = dense<1.0> : tensor<4xf32>, sym_name = "own", type = tensor<4xf32>}> : () -> ()
// expected-note @below {{util.global x1: it is a tensor<2xf32>, and is read as a tensor<4xf32>}}
"util.global"() <{initial_value = #stream.parameter.named<"model"::"c"> : tensor<2xf32>, sym_name = "other", type = tensor<2xf32>}> : () -> ()
// expected-note @below {{util.global x1: it is a tensor<4xf32>, and its value in the file a tensor<8xf32>}}
"util.global"() <{initial_value = #stream.parameter.named<"model"::"d"> : tensor<8xf32>, sym_name = "long", type = tensor<4xf32>}> : () -> ()
"util.global"() <{initial_value = #stream.parameter.named<""> : tensor<4xf32>, sym_name = "nameless", type = tensor<4xf32>}> : () -> ()

// -----

// Attributes of arguments that are not one for each, a return of fewer values, and
// functions that something reads.
// expected-error @below {{has 'arg_attrs' that are not a dictionary for each of 1}}
"util.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main", arg_attrs = [{te.param = "w"}, {}]}> ({
^bb0(%x: tensor<4xf32>):
  "util.return"(%x) : (tensor<4xf32>) -> ()
}) : () -> ()

// -----

// expected-error @below {{has 'res_attrs' that are not a dictionary for each of 1}}
"util.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main", res_attrs = ["y"]}> ({
^bb0(%x: tensor<4xf32>):
  "util.return"(%x) : (tensor<4xf32>) -> ()
}) : () -> ()

// -----

// expected-error @below {{does not return what its type says, '(tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)'}}
"util.func"() <{function_type = (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>), sym_name = "main"}> ({
^bb0(%x: tensor<4xf32>):
  "util.return"(%x) : (tensor<4xf32>) -> ()
}) : () -> ()

// -----

// expected-error @below {{is not a function of one block that ends with util.return}}
%f = "util.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
^bb0(%x: tensor<4xf32>):
  "util.return"(%x) : (tensor<4xf32>) -> ()
}) : () -> i32
"some.use"(%f) : (i32) -> ()

// -----

// Views of nothing, and a barrier with more results than operands.
// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (hal.tensor.import x1, hal.tensor.barrier x1, hal.tensor.export x1)}}
"util.func"() <{function_type = (tensor<4xf32>) -> !hal.buffer_view, sym_name = "main"}> ({
^bb0(%x: tensor<4xf32>):
  // expected-note @below {{hal.tensor.import x1}}
  %0 = "hal.tensor.import"() <{target_encoding = tensor<4xf32>}> : () -> tensor<4xf32>
  // expected-note @below {{hal.tensor.barrier x1}}
  %1:2 = "hal.tensor.barrier"(%0) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  // expected-note @below {{hal.tensor.export x1}}
  %2 = "hal.tensor.export"() <{source_encoding = tensor<4xf32>}> : () -> !hal.buffer_view
  "util.return"(%2) : (!hal.buffer_view) -> ()
}) : () -> ()

// -----

// Values that are read before they are computed, as a region of an unknown op may
// have it, and two functions of one name.
"util.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
^bb0(%x: tensor<4xf32>):
  // expected-error @below {{operand #0 does not dominate this use}}
  %0 = arith.negf %1 : tensor<4xf32>
  // expected-note @below {{operand defined here}}
  %1 = arith.negf %x : tensor<4xf32>
  "util.return"(%0) : (tensor<4xf32>) -> ()
}) : () -> ()

// -----

// expected-note @below {{see existing symbol definition here}}
"util.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
^bb0(%x: tensor<4xf32>):
  "util.return"(%x) : (tensor<4xf32>) -> ()
}) : () -> ()
// expected-error @below {{redefinition of symbol named 'main'}}
"util.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
^bb0(%x: tensor<4xf32>):
  "util.return"(%x) : (tensor<4xf32>) -> ()
}) : () -> ()

// -----

// Upstream folds this padding to its source.
// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (tensor.pad x2)}}
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-note @below {{tensor.pad x2: it pads with fewer elements than none; cut with tensor.extract_slice}}
  %0 = tensor.pad %x low[-2] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<4xf32>
  %less = arith.constant -2 : index
  %more = arith.constant 2 : index
  %1 = tensor.pad %0 low[%more] high[%less] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (tensor.extract x1)}}
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> tensor<4xf32> {
  %c9 = arith.constant 9 : index
  // expected-note @below {{tensor.extract x1: it reads at 9 of 4 elements}}
  %0 = tensor.extract %x[%c9] : tensor<4xf32>
  %1 = tensor.splat %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (linalg.matmul x1)}}
func.func @main(%x: tensor<4x4xf32> {te.param = "w"}) -> tensor<4x4xf32> {
  %0 = tensor.empty() : tensor<4x4xf32>
  // expected-note @below {{linalg.matmul x1: it goes on from a tensor.empty, whose elements may be anything; fill it with linalg.fill}}
  %1 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (linalg.generic x1, arith.truncf x1)}}
func.func @main(%x: tensor<4x8xf32> {te.param = "x"}) -> tensor<4x8xbf16> {
  %e = tensor.empty() : tensor<4x8xbf16>
  // expected-note @below {{linalg.generic x1: 'arith.truncf' in its body rounds toward_zero; only to_nearest_even is computed}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %2 = arith.truncf %in toward_zero : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<4x8xbf16>
  %3 = arith.extf %0 : tensor<4x8xbf16> to tensor<4x8xf32>
  // expected-note @below {{arith.truncf x1: rounds downward; only to_nearest_even is computed}}
  %1 = arith.truncf %3 downward : tensor<4x8xf32> to tensor<4x8xbf16>
  return %1 : tensor<4x8xbf16>
}

// -----

// Regions of what is not known, which upstream's inliner does not survive, also in
// functions that are called.
// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (other.sort x1, other.reverse x1)}}
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> tensor<4xf32> {
  // expected-note @below {{other.sort x1: its dialect is not known here}}
  %0 = "other.sort"(%x) ({
  ^bb0(%a: f32, %b: f32):
    "other.yield"(%a) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @callee(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{other.reverse x1: its dialect is not known here}}
  %0 = "other.reverse"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @unrelated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "other.hidden"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What an encoding says would be lost.
// expected-error @below {{tensor types with encodings are not supported: programs store elements densely, in row-major order; lower the encodings, or leave them out (tensor<4xf32, "sparse"> x2)}}
module {
// expected-note @below {{tensor<4xf32, "sparse"> x2}}
func.func @main(%x: tensor<4xf32, "sparse"> {te.param = "w"}) -> tensor<4xf32, "sparse"> {
  %0 = arith.addf %x, %x : tensor<4xf32, "sparse">
  return %0 : tensor<4xf32, "sparse">
}
}
