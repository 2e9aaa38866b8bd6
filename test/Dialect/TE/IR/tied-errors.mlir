// RUN: te-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expects 'te.tied' to be a dictionary from parameters to arrays of strings}}
module attributes {te.tied = ["x"]} {}

// -----

// expected-error @below {{expects 'te.tied' to be a dictionary from parameters to arrays of strings}}
module attributes {te.tied = {a = [1]}} {}
