// RUN: te-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expects beta1 to be at least 0 and less than 1, got}}
module attributes {test.optimizer = #te.adamw<beta1 = 1.0>} {}

// -----

// expected-error @+1 {{expects eps to be finite and not negative, got}}
module attributes {test.optimizer = #te.adamw<eps = -1.0>} {}

// -----

// expected-error @+1 {{expects a momentum and no dampening with nesterov}}
module attributes {test.optimizer = #te.sgd<momentum = 0.0, nesterov = true>} {}

// -----

// expected-error @+1 {{expects a momentum with dampening}}
module attributes {test.optimizer = #te.sgd<momentum = 0.0, dampening = 0.5>} {}
