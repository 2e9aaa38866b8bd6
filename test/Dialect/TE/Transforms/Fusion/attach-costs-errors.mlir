// RUN: not te-opt %s --te-attach-costs="target=sm_70" 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: te-attach-costs: there is no target 'sm_70'; the targets are cpu, sm_90, sm_80, sm_89, sm_120

// RUN: sed 's/te.target = "sm_90"//' %s | not te-opt --te-attach-costs 2>&1 | FileCheck %s --check-prefix=UNTOLD
// UNTOLD: error: te-attach-costs: the module does not say what it is compiled for; give the pass the option 'target' or the module the attribute 'te.target'; the targets are cpu, sm_90, sm_80, sm_89, sm_120

// RUN: sed 's/"sm_90"/"tpu"/' %s | not te-opt --te-attach-costs 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// ATTRIBUTE: error: te-attach-costs: there is no target 'tpu'; the targets are cpu, sm_90, sm_80, sm_89, sm_120

// RUN: te-opt %s --te-attach-costs="tuning=%t.absent.json" 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: warning: the tuning database '{{.*}}absent.json' is ignored: cannot read '{{.*}}absent.json': No such file or directory. 'te-run tune' makes a new one
// ABSENT: te.costs = {{.*}}tuned = {}

// RUN: te-opt %s --te-attach-costs="tuning=%s" 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: warning: {{.*}} is ignored: it is not JSON

// RUN: te-opt %s --te-attach-costs="tuning=%S/../../../../Tools/te-compile/Inputs/slow_joined.tuning.json device=Tesla" 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: warning: {{.*}} is ignored: it has no plans for 'sm_90 (Tesla)', but for 'NVIDIA H200, 132 multiprocessors, cuBLASLt 130100'

// RUN: not te-opt %s --te-attach-costs="target=cpu" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: te-attach-costs: nothing was measured on target 'cpu'; known are: sm_90, sm_80, sm_89, sm_120
module attributes {te.target = "sm_90"} {}
