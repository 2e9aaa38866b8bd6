// RUN: te-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{has 'te.frozen' on a result; it belongs on an argument}}
func.func private @result(tensor<2xf32> {te.param = "w"}) -> (tensor<2xf32> {te.frozen, te.param = "w"})

// -----

// expected-error @below {{expects 'te.frozen' to be without a value}}
func.func private @value(tensor<2xf32> {te.frozen = "w", te.param = "w"})
