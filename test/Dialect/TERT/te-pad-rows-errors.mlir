// RUN: not te-opt %s --te-pad-rows=row-bytes=24 2>&1 | FileCheck %s

// CHECK: error: te-pad-rows: row-bytes must be a positive multiple of 16, got 24
module {}
