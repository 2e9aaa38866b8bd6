// RUN: te-opt %s --tert-to-llvm --split-input-file | FileCheck %s
// RUN: te-opt %s --tert-to-llvm --split-input-file | mlir-translate --mlir-to-llvmir --split-input-file | FileCheck %s --check-prefix=LLVM

// One call: site, tensors, constants, and the way out when it fails.

// CHECK-DAG: llvm.mlir.global external constant @tert_artifact_abi_version(10 : i32)
// CHECK-DAG: llvm.mlir.global external constant @tert_artifact_description("{}\00") {addr_space = 0 : i32, section = ".tert.description"}
// CHECK-DAG: llvm.mlir.global external constant @tert_artifact_seal("TERTSEAL{{0+}}") {addr_space = 0 : i32, section = ".tert.seal"}
// CHECK-DAG: llvm.func @tert_scaled_matmul(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32) -> i32

// CHECK-LABEL: llvm.func internal @tert_part_0(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr, %[[OWN:.*]]: !llvm.ptr) -> i32
// CHECK-SAME:    attributes {no_inline, optimize_none}
// CHECK:         %[[STATUS:.*]] = llvm.call @tert_scaled_matmul(%[[CONTEXT]],
// CHECK-NEXT:    %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK-NEXT:    llvm.cond_br %[[OK]], ^[[NEXT:.*]], ^[[EXIT:.*]](%[[STATUS]] : i32)
// CHECK:       ^[[NEXT]]:
// CHECK:         llvm.br ^[[EXIT]](%{{.*}} : i32)
// CHECK:       ^[[EXIT]](%[[RESULT:.*]]: i32):
// CHECK-NEXT:    llvm.return %[[RESULT]] : i32

// The entry makes its calls in parts.
// CHECK-LABEL: llvm.func @tert_entry_forward(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr) -> i32
// CHECK:         %[[STATUS:.*]] = llvm.call @tert_part_0(%[[CONTEXT]], %[[BUFFERS]],
// CHECK-NEXT:    %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK-NEXT:    llvm.cond_br %[[OK]], ^[[NEXT:.*]], ^[[EXIT:.*]](%[[STATUS]] : i32)
// CHECK:       ^[[EXIT]](%[[RESULT:.*]]: i32):
// CHECK-NEXT:    llvm.return %[[RESULT]] : i32

// Types are equal to those of runtime/include/tert/types.h: dtype, rank, sizes,
// strides; E4M3 is 2, f32 0, bf16 1.
// LLVM-DAG: @tert_artifact_abi_version = constant i32 10
// LLVM-DAG: @tert_artifact_description = constant [3 x i8] c"{}\00", section ".tert.description"
// LLVM-DAG: @tert_artifact_seal = constant [72 x i8] c"TERTSEAL{{0+}}", section ".tert.seal"
// LLVM-DAG: @[[OP:.*]] = private constant [19 x i8] c"tert.scaled_matmul\00"
// LLVM-DAG: @[[PLACE:.*]] = private constant [23 x i8] c"h.0.c_fc (gpt2.py:188)\00"
// LLVM-DAG: @[[$SITE:.*]] = private constant { ptr, ptr, i32, i64, i64 } { ptr @[[OP]], ptr @[[PLACE]], i32 0, i64 0, i64 0 }
// LLVM-DAG: @tert_layouts = private constant [4 x { i32, i32, [6 x i64], [6 x i64] }] [{ i32, i32, [6 x i64], [6 x i64] } { i32 2, i32 2, [6 x i64] [i64 64, i64 128, i64 0, i64 0, i64 0, i64 0], [6 x i64] [i64 128, i64 1, i64 0, i64 0, i64 0, i64 0] }, {{.*}}{ i32 1, i32 2, [6 x i64] [i64 64, i64 32, i64 0, i64 0, i64 0, i64 0], [6 x i64] [i64 96, i64 1, i64 0, i64 0, i64 0, i64 0] }]

// The frame of the call, in words of a number and a pointer: -2 is the frame, -3
// the layouts, -1 null, the others buffers. The two tert_scaled are 16 bytes, the
// addresses of data and scale_inv, and behind each are the tert_tensor of data and scale_inv; d's tert_tensor is the last. s is buffers[1]
// and its element 3 is 12 bytes in; d is buffers[3], its column 64 128 bytes in.
// A layout has 104 bytes.
// LLVM-DAG: @[[$FRAMES:.*]] = private constant [28 x i64] [i64 16, i64 -2, i64 32, i64 -2, i64 0, i64 0, i64 0, i64 -3, i64 4, i64 1, i64 104, i64 -3, i64 64, i64 -2, i64 80, i64 -2, i64 0, i64 2, i64 208, i64 -3, i64 12, i64 1, i64 104, i64 -3, i64 128, i64 3, i64 312, i64 -3]

module attributes {te.description = "{}"} {
  func.func @some_name(%a: memref<64x128xf8E4M3FN> {te.input = "a"}, %s: memref<4xf32> {te.state = "s"},
                       %b: memref<32x128xf8E4M3FN> {te.input = "b"}, %d: memref<64x96xbf16> {te.output = "d"})
      attributes {te.entry = "forward"} {
    %s1 = memref.subview %s[1] [1] [1] : memref<4xf32> to memref<f32, strided<[], offset: 1>>
    %s3 = memref.subview %s[3] [1] [1] : memref<4xf32> to memref<f32, strided<[], offset: 3>>
    %part = memref.subview %d[0, 64] [64, 32] [1, 1] : memref<64x96xbf16> to memref<64x32xbf16, strided<[96, 1], offset: 64>>
    tert.scaled_matmul a(%a : memref<64x128xf8E4M3FN>) a_scale_inv(%s1 : memref<f32, strided<[], offset: 1>>)
      b(%b : memref<32x128xf8E4M3FN>) b_scale_inv(%s3 : memref<f32, strided<[], offset: 3>>)
      -> d(%part : memref<64x32xbf16, strided<[96, 1], offset: 64>>) {accumulate = #te.accumulate<split>}
      loc("h.0.c_fc"("models/gpt2.py":188:3))
    return
  }
}

// The frame is written before the call, which gets addresses in it.
// LLVM-LABEL: define internal i32 @tert_part_0(ptr %0, ptr %1, ptr %2)
// LLVM-NEXT:    %[[P:.*]] = getelementptr i8, ptr %2, i32 8
// LLVM-NEXT:    %[[F:.*]] = load ptr, ptr %[[P]]
// LLVM-NEXT:    call void @tert_write_frame(ptr @[[$FRAMES]], i64 14, ptr %1, ptr %2)
// LLVM-DAG:     %[[B:.*]] = getelementptr i8, ptr %[[F]], i32 48
// LLVM-DAG:     %[[D:.*]] = getelementptr i8, ptr %[[F]], i32 96
// LLVM:         call i32 @tert_scaled_matmul(ptr %0, ptr @[[$SITE]], ptr %[[F]], ptr %[[B]], ptr null, ptr null, ptr %[[D]], i32 1)

// The entry has the memory for the frame, and the pointers that are not buffers.
// LLVM-LABEL: define i32 @tert_entry_forward(ptr %0, ptr %1)
// LLVM-NEXT:    %[[F:.*]] = alloca i8, i32 112, align 8
// LLVM-NEXT:    %[[OWN:.*]] = alloca ptr, i32 3, align 8
// LLVM-NEXT:    store ptr null, ptr %[[OWN]]
// LLVM-NEXT:    %[[P:.*]] = getelementptr i8, ptr %[[OWN]], i32 8
// LLVM-NEXT:    store ptr %[[F]], ptr %[[P]]
// LLVM-NEXT:    %[[P:.*]] = getelementptr i8, ptr %[[OWN]], i32 16
// LLVM-NEXT:    store ptr @tert_layouts, ptr %[[P]]
// LLVM-NEXT:    call i32 @tert_part_0(ptr %0, ptr %1, ptr %[[OWN]])

// -----

// The runtime learns first where the arena is, and from the call's site what the
// call may use of it.

// LLVM: private constant { ptr, ptr, i32, i64, i64 } { ptr @{{.*}}, ptr @{{.*}}, i32 0, i64 512, i64 1024 }
// LLVM-LABEL: define internal i32 @tert_part_0(ptr %0, ptr %1, ptr %2)
// LLVM:         %[[P:.*]] = getelementptr i8, ptr %1, i32 8
// LLVM-NEXT:    %[[ARENA:.*]] = load ptr, ptr %[[P]]
// LLVM:         call i32 @tert_set_arena(ptr %0, ptr %[[ARENA]])
// LLVM:         call i32 @tert_fill(
module attributes {te.description = "{}"} {
  func.func @spare(%y: memref<4xf32> {te.output = "y"}, %arena: memref<1536xi8> {te.arena})
      attributes {te.entry = "forward", te.arena_bytes = 1536 : i64} {
    tert.fill -> y(%y : memref<4xf32>) {value = 1.0 : f64, te.spare = array<i64: 512, 1024>}
    return
  }
}

// -----

// Lists are a length and an array, formats an array of dtypes, missing tensors
// null, in a tert_quantized as well; a shift beyond 256 MiB, or 2 GiB, keeps its value.
// The last frame: x and its layout, then the tert_quantized: its scale, rowwise
// and columnwise, which are null, and amax; then the tensors of scale and amax.

// CHECK-LABEL: llvm.func internal @tert_part_0(
// LLVM: @[[$FRAMES:.*]] = private constant [56 x i64] [{{.*}}, i64 4294967296, i64 5, i64 {{.*}}, i64 268435456, i64 5, i64 {{.*}}, i64 0, i64 4, i64 {{[0-9]+}}, i64 -3, i64 64, i64 -2, i64 0, i64 -1, i64 0, i64 -1, i64 0, i64 -1, i64 0, i64 -1, i64 80, i64 -2, i64 4294967296, i64 5, i64 {{[0-9]+}}, i64 -3, i64 0, i64 0, i64 {{[0-9]+}}, i64 -3]
// LLVM: @[[$FORMATS:.*]] = private constant [2 x i32] [i32 2, i32 3]
// LLVM:       declare i32 @tert_quantize(ptr, ptr, ptr, ptr, ptr)
// LLVM-LABEL: define internal i32 @tert_part_0(
// LLVM:         %[[T:.*]] = load ptr, ptr
// LLVM:         %[[SCALES:.*]] = getelementptr i8, ptr %[[T]], i32 32
// LLVM:         call i32 @tert_update_scales(ptr %0, ptr @{{.*}}, i32 2, ptr %[[T]], ptr %[[SCALES]], ptr %{{.*}}, ptr %{{.*}}, ptr %{{.*}}, ptr @[[$FORMATS]], i32 1, i32 3)
// LLVM:         call i32 @tert_fill(ptr %0, ptr @{{.*}}, ptr %[[T]], double 1.500000e+00)
// LLVM:         call i32 @tert_fill(ptr %0, ptr @{{.*}}, ptr %[[T]], double 2.500000e+00)
// LLVM:         call void @tert_write_frame(ptr getelementptr {{.*}}(i8, ptr @[[$FRAMES]], i{{32|64}} 256), i64 12, ptr %1, ptr %2)
// LLVM-NEXT:    %[[Q:.*]] = getelementptr i8, ptr %[[T]], i32 16
// LLVM-NEXT:    call i32 @tert_quantize(ptr %0, ptr @{{.*}}, ptr %[[T]], ptr %[[Q]], ptr null)
func.func @lists(%a: memref<f32>, %s: memref<2xf32>, %h: memref<16x2xf32>, %n: memref<2xi64>, %x: memref<16x2xf32>,
                 %arena: memref<4294967552xi8> {te.arena}) attributes {te.arena_bytes = 4294967552 : i64} {
  tert.update_scales amaxes(%a, %a : memref<f32>, memref<f32>)
    -> scales(%s : memref<2xf32>) scale_invs(%s : memref<2xf32>) history(%h : memref<16x2xf32>) nonfinite(%n : memref<2xi64>)
    {algo = #te.amax_algo<most_recent>, formats = [f8E4M3FN, f8E5M2], margin = 3 : i32}
  %far = arith.constant 4294967296 : index
  %view = memref.view %arena[%far][] : memref<4294967552xi8> to memref<f32>
  tert.fill -> y(%view : memref<f32>) {value = 1.5 : f64}
  %near = arith.constant 268435456 : index
  %nearer = memref.view %arena[%near][] : memref<4294967552xi8> to memref<f32>
  tert.fill -> y(%nearer : memref<f32>) {value = 2.5 : f64}
  tert.quantize x(%x : memref<16x2xf32>) scale(%view : memref<f32>) -> amax(%a : memref<f32>)
  return
}

// -----

// Constant data becomes part of the program, and the device says where it reads
// it: a GPU has a copy.

// CHECK-LABEL: llvm.func @tert_entry_data(
// LLVM-DAG:   @[[$FRAMES:.*]] = private constant [8 x i64] [i64 0, i64 -4, i64 0, i64 -3, i64 0, i64 0, i64 0, i64 -3]
// LLVM-DAG:   @[[$DATA:.*]] = private constant [2 x float] [float 1.000000e+00, float 2.000000e+00], align 64
// LLVM-DAG:   @[[$CONSTANT:.*]] = private constant { ptr, i64, i64 } { ptr @[[$DATA]], i64 8, i64 {{-?[0-9]+}} }
// LLVM-LABEL: define internal i32 @tert_part_0(
// LLVM:         %[[SLOT:.*]] = getelementptr i8, ptr %2, i32 24
// LLVM-NEXT:    call i32 @tert_locate_constant(ptr %0, ptr @[[$CONSTANT]], ptr %[[SLOT]])
// LLVM:         call void @tert_write_frame(ptr @[[$FRAMES]], i64 4, ptr %1, ptr %2)
// LLVM-LABEL: define i32 @tert_entry_data(
// LLVM:         alloca ptr, i32 4, align 8
memref.global "private" constant @c : memref<1x2xf32> = dense<[[1.0, 2.0]]>
func.func @data(%y: memref<1x2xf32>) {
  %c = memref.get_global @c : memref<1x2xf32>
  tert.copy x(%c : memref<1x2xf32>) -> y(%y : memref<1x2xf32>)
  return
}

// -----

// Where the rank's shard begins is asked for once, and kept beside the addresses
// of constants: 32 columns of 4 bytes behind the part of the rank before it, of
// what begins 256 bytes behind the start of the arena.

// CHECK-LABEL: llvm.func @tert_entry_part(
// LLVM-LABEL: define internal i32 @tert_part_0(
// LLVM:         call i32 @tert_set_arena(
// LLVM:         %[[ARGUMENT:.*]] = getelementptr i8, ptr %1, i32 8
// LLVM-NEXT:    %[[ARENA:.*]] = load ptr, ptr %[[ARGUMENT]]
// LLVM-NEXT:    %[[WHOLE:.*]] = getelementptr i8, ptr %[[ARENA]], i32 256
// LLVM-NEXT:    %[[SLOT:.*]] = getelementptr i8, ptr %2, i32 24
// LLVM-NEXT:    call i32 @tert_locate_part(ptr %0, ptr %[[WHOLE]], i64 128, i32 2, i32 2, ptr %[[SLOT]])
// LLVM:         call i32 @tert_fill(
// LLVM-NOT:     @tert_locate_part
// LLVM:         call i32 @tert_copy(
// LLVM-LABEL: define i32 @tert_entry_part(
// LLVM:         alloca ptr, i32 4, align 8
func.func @part(%y: memref<16x32xf32>, %arena: memref<8448xi8> {te.arena}) attributes {te.arena_bytes = 8448 : i64} {
  %c256 = arith.constant 256 : index
  %whole = memref.view %arena[%c256][] : memref<8448xi8> to memref<32x64xf32>
  %columns = tert.locate_part %whole {axes = 2 : i32, distance = 32 : i64, ranks = 2 : i32} : memref<32x64xf32> to memref<32x32xf32, strided<[64, 1]>>
  %rows = memref.subview %columns[16, 0] [16, 32] [1, 1] : memref<32x32xf32, strided<[64, 1]>> to memref<16x32xf32, strided<[64, 1], offset: 1024>>
  tert.fill -> y(%rows : memref<16x32xf32, strided<[64, 1], offset: 1024>>) {value = 1.0 : f64}
  tert.copy x(%rows : memref<16x32xf32, strided<[64, 1], offset: 1024>>) -> y(%y : memref<16x32xf32>)
  return
}
