// RUN: te-opt %s --tert-plan-memory --split-input-file | FileCheck %s
// RUN: te-opt %s --tert-plan-memory=alignment=64 --split-input-file | FileCheck %s --check-prefix=ALIGN64
// RUN: te-opt %s --tert-plan-memory --split-input-file --remarks-filter=.* --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: te-opt %s --tert-plan-memory='places-outputs=false places-gradients=false' --split-input-file | FileCheck %s --check-prefix=CALLER
// RUN: te-opt %s --tert-plan-memory=places-outputs=false --split-input-file | FileCheck %s --check-prefix=GRADIENTS

// Three buffers of 1024, 512 and 1024 bytes. The first and the last are never
// live together and share an address.

// CHECK-LABEL: func @chain(
// CHECK-SAME:    %[[ARENA:[^ ]*]]: memref<1536xi8> {te.arena}) attributes {te.arena_bytes = 1536 : i64}
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1024:.*]] = arith.constant 1024 : index
// CHECK:         memref.view %[[ARENA]][%[[C0]]][] : memref<1536xi8> to memref<256xf32>
// CHECK:         memref.view %[[ARENA]][%[[C1024]]][] : memref<1536xi8> to memref<256xbf16>
// CHECK:         memref.view %[[ARENA]][%[[C0]]][] : memref<1536xi8> to memref<256xf32>
// CHECK-NOT:     memref.alloc

// REMARK: ArenaBytes=1536, BufferBytes=2560, Buffers=3, LiveBytes=1536
func.func @chain(%x: memref<256xf32>, %y: memref<256xf32>) {
  %0 = memref.alloc() : memref<256xf32>
  tert.copy x(%x : memref<256xf32>) -> y(%0 : memref<256xf32>)
  %1 = memref.alloc() : memref<256xbf16>
  tert.copy x(%0 : memref<256xf32>) -> y(%1 : memref<256xbf16>)
  %2 = memref.alloc() : memref<256xf32>
  tert.copy x(%1 : memref<256xbf16>) -> y(%2 : memref<256xf32>)
  tert.copy x(%2 : memref<256xf32>) -> y(%y : memref<256xf32>)
  return
}

// -----

// A use through views is a use of the buffer: %0 is live to the end, so the
// others cannot have its bytes.

// CHECK-LABEL: func @views(
// CHECK-SAME:    memref<1280xi8> {te.arena}
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1024:.*]] = arith.constant 1024 : index
// CHECK:         memref.view %{{.*}}[%[[C0]]][] : memref<1280xi8> to memref<16x16xf32>
// CHECK:         memref.view %{{.*}}[%[[C1024]]][] : memref<1280xi8> to memref<4xf32>
// ALIGN64-LABEL: func @views(
// ALIGN64-SAME:  memref<1088xi8> {te.arena}
func.func @views(%x: memref<16x16xf32>, %y: memref<4xf32>) {
  %0 = memref.alloc() : memref<16x16xf32>
  tert.copy x(%x : memref<16x16xf32>) -> y(%0 : memref<16x16xf32>)
  %row = memref.subview %0[3, 4] [1, 4] [1, 1] : memref<16x16xf32> to memref<4xf32, strided<[1], offset: 52>>
  %1 = memref.alloc() : memref<4xf32>
  tert.copy x(%y : memref<4xf32>) -> y(%1 : memref<4xf32>)
  tert.add a(%1 : memref<4xf32>) b(%row : memref<4xf32, strided<[1], offset: 52>>) -> y(%y : memref<4xf32>)
  return
}

// -----

// Nothing to place: the arena is there, and empty. Buffers without a use or a
// byte take none.

// CHECK-LABEL: func @empty(
// CHECK-SAME:    %{{.*}}: memref<0xi8> {te.arena}) attributes {te.arena_bytes = 0 : i64}
// CHECK-NOT:     memref.alloc
func.func @empty(%x: memref<0xf32>) {
  %0 = memref.alloc() : memref<128xf32>
  %1 = memref.alloc() : memref<0xf32>
  tert.copy x(%x : memref<0xf32>) -> y(%1 : memref<0xf32>)
  return
}

// -----

// A result lives to the end. Before it is written, other buffers have its place;
// what no buffer uses is each call's to use.

// CHECK-LABEL: func @results(
// CHECK-SAME:    memref<256xf32> {te.input = "x"}, %{{.*}}: memref<256xf32> {te.arena_offset = 0 : i64, te.output = "y"}, %{{.*}}: memref<2048xi8> {te.arena})
// CHECK:         tert.copy {{.*}} {te.spare = array<i64: 1024, 1024>}
// CHECK-NOT:     te.spare
// CHECK:         return
func.func @results(%x: memref<256xf32> {te.input = "x"}, %y: memref<256xf32> {te.output = "y"}) {
  %0 = memref.alloc() : memref<256xf32>
  tert.copy x(%x : memref<256xf32>) -> y(%0 : memref<256xf32>)
  %1 = memref.alloc() : memref<256xf32>
  tert.copy x(%0 : memref<256xf32>) -> y(%1 : memref<256xf32>)
  tert.copy x(%1 : memref<256xf32>) -> y(%y : memref<256xf32>)
  return
}

// -----

// The longest free piece counts: when the last copy runs, only the second
// buffer's bytes, 1024 to 1536, are in use.

// CHECK-LABEL: func @longest(
// CHECK-SAME:    memref<1792xi8> {te.arena}
// CHECK:         tert.fill {{.*}} {te.spare = array<i64: 1024, 768>, value = 1.000000e+00 : f64}
// CHECK:         tert.copy {{.*}} y(%[[Y:.*]] : memref<128xf32>) {te.spare = array<i64: 0, 1024>}
func.func @longest(%x: memref<256xf32>, %y: memref<128xf32>, %z: memref<64xf32>) {
  %a = memref.alloc() : memref<256xf32>
  tert.fill -> y(%a : memref<256xf32>) {value = 1.0 : f64}
  %b = memref.alloc() : memref<128xf32>
  tert.fill -> y(%b : memref<128xf32>) {value = 2.0 : f64}
  %c = memref.alloc() : memref<64xf32>
  tert.fill -> y(%c : memref<64xf32>) {value = 3.0 : f64}
  tert.copy x(%c : memref<64xf32>) -> y(%z : memref<64xf32>)
  tert.copy x(%a : memref<256xf32>) -> y(%x : memref<256xf32>)
  tert.copy x(%b : memref<128xf32>) -> y(%y : memref<128xf32>)
  return
}

// -----

// A gradient of attention wants one large piece. Of two plans of 3072 bytes it
// gets the one that leaves it 2048 and not twice 1024: the buffer that is in use
// meanwhile goes behind the other one's place, not next to it.

// CHECK-LABEL: func @workspace(
// CHECK-SAME:    memref<3072xi8> {te.arena}
// CHECK:         tert.attention_grad
// CHECK-SAME:    te.spare = array<i64: 0, 2048>
func.func @workspace(%q: memref<1x8x1x8xbf16>, %lse: memref<1x1x8xf32>, %r: memref<1x8x1x8xbf16>, %out: memref<256xf32>) {
  %peak = memref.alloc() : memref<768xf32>
  tert.fill -> y(%peak : memref<768xf32>) {value = 1.0 : f64}
  %before = memref.alloc() : memref<256xf32>
  tert.fill -> y(%before : memref<256xf32>) {value = 2.0 : f64}
  %during = memref.alloc() : memref<256xf32>
  tert.copy x(%before : memref<256xf32>) -> y(%during : memref<256xf32>)
  tert.attention_grad d_o(%q : memref<1x8x1x8xbf16>) q(%q : memref<1x8x1x8xbf16>) k(%q : memref<1x8x1x8xbf16>)
    v(%q : memref<1x8x1x8xbf16>) o(%q : memref<1x8x1x8xbf16>) lse(%lse : memref<1x1x8xf32>)
    -> dq(%r : memref<1x8x1x8xbf16>) dk(%r : memref<1x8x1x8xbf16>) dv(%r : memref<1x8x1x8xbf16>)
    {layout = #te.attention_layout<bshd>, scale = 1.0 : f32, softcap = 0.000000e+00 : f32, window = 0 : i64}
  tert.copy x(%during : memref<256xf32>) -> y(%out : memref<256xf32>)
  return
}

// -----

// An output has a place in the arena, unless callers always pass a buffer. That
// serves what is last used before it is written (%a, not %b). A gradient keeps its
// place where gradients have one.

// CHECK-LABEL: func @output(
// CHECK-SAME:    te.arena_offset = 0 : i64
// CHECK-SAME:    te.arena_offset
// CHECK-SAME:    memref<3072xi8> {te.arena}
// CALLER-LABEL: func @output(
// CALLER-NOT:    te.arena_offset
// CALLER-SAME:   memref<1024xi8> {te.arena}
// CALLER:        %[[Y:.*]] = tert.bytes %arg1 : memref<256xf32> to memref<1024xi8>
// CALLER:        %[[A:.*]] = memref.view %[[Y]]
// CALLER:        tert.copy x(%arg0 : {{.*}} -> y(%[[A]] :
// CALLER:        %[[B:.*]] = memref.view %arg3
// CALLER:        tert.copy x(%[[A]] : {{.*}} -> y(%[[B]] :
// GRADIENTS-LABEL: func @output(
// GRADIENTS-SAME:  %arg1: memref<256xf32> {te.output = "y"}
// GRADIENTS-SAME:  te.arena_offset = 0 : i64, te.gradient = "x"
// GRADIENTS-SAME:  memref<2048xi8> {te.arena}
func.func @output(%x: memref<256xf32>, %y: memref<256xf32> {te.output = "y"}, %dx: memref<256xf32> {te.output = "grad.x", te.gradient = "x"}) {
  %a = memref.alloc() : memref<256xf32>
  tert.copy x(%x : memref<256xf32>) -> y(%a : memref<256xf32>)
  %b = memref.alloc() : memref<256xf32>
  tert.copy x(%a : memref<256xf32>) -> y(%b : memref<256xf32>)
  tert.copy x(%b : memref<256xf32>) -> y(%y : memref<256xf32>)
  tert.copy x(%b : memref<256xf32>) -> y(%dx : memref<256xf32>)
  return
}

// -----

// Values that the caller needs no longer lend their memory once they are read:
// what fits and comes into use later is a view of it. %a is in use with %x, %d is
// too large.

// CHECK-LABEL: func @donated(
// CHECK-SAME:    memref<2048xi8> {te.arena}
// CHECK:         %[[BYTES:.*]] = tert.bytes %arg0 : memref<512xbf16> to memref<1024xi8>
// CHECK:         %[[A:.*]] = memref.view %arg2
// CHECK:         tert.copy x(%arg0 :
// CHECK:         %[[B:.*]] = memref.view %[[BYTES]][%c0{{.*}}][] : memref<1024xi8> to memref<128xf32>
// CHECK:         tert.column_sum x(%[[A]] : {{.*}} -> y(%[[B]] :
// CHECK:         %[[C:.*]] = memref.view %[[BYTES]][%c512{{.*}}][] : memref<1024xi8> to memref<128xf32>
// CHECK:         tert.copy x(%[[B]] : {{.*}} -> y(%[[C]] :
// CHECK:         memref.view %arg2{{.*}} to memref<512xf32>
func.func @donated(%x: memref<512xbf16> {te.input = "saved.0", te.donated}, %y: memref<128xf32>) {
  %a = memref.alloc() : memref<4x128xbf16>
  %am = memref.collapse_shape %a [[0, 1]] : memref<4x128xbf16> into memref<512xbf16>
  tert.copy x(%x : memref<512xbf16>) -> y(%am : memref<512xbf16>)
  %b = memref.alloc() : memref<128xf32>
  tert.column_sum x(%a : memref<4x128xbf16>) -> y(%b : memref<128xf32>)
  %c = memref.alloc() : memref<128xf32>
  tert.copy x(%b : memref<128xf32>) -> y(%c : memref<128xf32>)
  %d = memref.alloc() : memref<512xf32>
  tert.fill -> y(%d : memref<512xf32>) {value = 1.0 : f64}
  tert.copy x(%c : memref<128xf32>) -> y(%y : memref<128xf32>)
  %ds = memref.subview %d[0] [128] [1] : memref<512xf32> to memref<128xf32, strided<[1]>>
  tert.copy x(%ds : memref<128xf32, strided<[1]>>) -> y(%y : memref<128xf32>)
  return
}
