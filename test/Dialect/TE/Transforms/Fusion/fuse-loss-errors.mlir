// RUN: not te-opt %s --te-fuse-loss=max-bytes=0 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not te-opt %s --te-fuse-loss=row-multiple=-4 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not te-opt %s --te-fuse-loss=class-multiple=0 2>&1 | FileCheck %s --check-prefix=CLASSES

// BYTES: error: te-fuse-loss: max-bytes must be positive, got 0
// ROWS: error: te-fuse-loss: row-multiple must be positive, got -4
// CLASSES: error: te-fuse-loss: class-multiple must be positive, got 0
module {}
