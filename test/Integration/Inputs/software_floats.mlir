// Casts between bf16, FP8 and f32 as LLVM's software floats make them. Prints,
// one number a line: the E4M3 codes of all 65536 bf16 patterns, their E5M2
// codes, the f32 patterns of all 256 E4M3 codes, and those of all E5M2 codes.

func.func private @printI64(i64)
func.func private @printNewline()

func.func @print(%value: i64) {
  call @printI64(%value) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// arith.truncf rounds to nearest even but does not saturate: the value is
// clamped to the format's range before. All NaNs have one code.
func.func @to_e4m3(%x: bf16) -> i8 {
  %max = arith.constant 448.0 : bf16
  %min = arith.constant -448.0 : bf16
  %below = arith.minimumf %x, %max : bf16
  %within = arith.maximumf %below, %min : bf16
  %rounded = arith.truncf %within : bf16 to f8E4M3FN
  %code = arith.bitcast %rounded : f8E4M3FN to i8
  %nan = arith.constant 0x7f : i8
  %is_nan = arith.cmpf uno, %x, %x : bf16
  %result = arith.select %is_nan, %nan, %code : i8
  return %result : i8
}

func.func @to_e5m2(%x: bf16) -> i8 {
  %max = arith.constant 57344.0 : bf16
  %min = arith.constant -57344.0 : bf16
  %below = arith.minimumf %x, %max : bf16
  %within = arith.maximumf %below, %min : bf16
  %rounded = arith.truncf %within : bf16 to f8E5M2
  %code = arith.bitcast %rounded : f8E5M2 to i8
  %nan = arith.constant 0x7f : i8
  %is_nan = arith.cmpf uno, %x, %x : bf16
  %result = arith.select %is_nan, %nan, %code : i8
  return %result : i8
}

func.func @from_e4m3(%code: i8) -> i32 {
  %value = arith.bitcast %code : i8 to f8E4M3FN
  %wide = arith.extf %value : f8E4M3FN to f32
  %bits = arith.bitcast %wide : f32 to i32
  return %bits : i32
}

func.func @from_e5m2(%code: i8) -> i32 {
  %value = arith.bitcast %code : i8 to f8E5M2
  %wide = arith.extf %value : f8E5M2 to f32
  %bits = arith.bitcast %wide : f32 to i32
  return %bits : i32
}

func.func @main() {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %patterns = arith.constant 65536 : index
  %codes = arith.constant 256 : index
  %e4m3 = memref.alloc() : memref<65536xi8>
  %e5m2 = memref.alloc() : memref<65536xi8>
  scf.for %i = %0 to %patterns step %1 {
    %bits = arith.index_cast %i : index to i16
    %x = arith.bitcast %bits : i16 to bf16
    %q4 = func.call @to_e4m3(%x) : (bf16) -> i8
    %q5 = func.call @to_e5m2(%x) : (bf16) -> i8
    memref.store %q4, %e4m3[%i] : memref<65536xi8>
    memref.store %q5, %e5m2[%i] : memref<65536xi8>
  }
  scf.for %i = %0 to %patterns step %1 {
    %q = memref.load %e4m3[%i] : memref<65536xi8>
    %wide = arith.extui %q : i8 to i64
    func.call @print(%wide) : (i64) -> ()
  }
  scf.for %i = %0 to %patterns step %1 {
    %q = memref.load %e5m2[%i] : memref<65536xi8>
    %wide = arith.extui %q : i8 to i64
    func.call @print(%wide) : (i64) -> ()
  }
  scf.for %i = %0 to %codes step %1 {
    %code = arith.index_cast %i : index to i8
    %bits = func.call @from_e4m3(%code) : (i8) -> i32
    %wide = arith.extui %bits : i32 to i64
    func.call @print(%wide) : (i64) -> ()
  }
  scf.for %i = %0 to %codes step %1 {
    %code = arith.index_cast %i : index to i8
    %bits = func.call @from_e5m2(%code) : (i8) -> i32
    %wide = arith.extui %bits : i32 to i64
    func.call @print(%wide) : (i64) -> ()
  }
  memref.dealloc %e4m3 : memref<65536xi8>
  memref.dealloc %e5m2 : memref<65536xi8>
  return
}
