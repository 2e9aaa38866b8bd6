# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler within this process, through its C interface."""

import os
import warnings

from . import libraries
from .errors import CompileError

_WARNING = 1


def compile_file(model, output, options):
    """Compiles the model file `model` to the artifact `output`, with te-compile's
    options by name: {"precision": "fp8"}. Its warnings become Python's. Raises
    CompileError with everything that the compiler has to say."""
    library = libraries.compiler()
    heard = []

    @libraries.DIAGNOSTIC_CALLBACK
    def listen(severity, location, message, _):
        if severity == _WARNING:
            heard.append(message.decode(errors="replace"))

    context = library.teContextCreate()
    compilation = library.teCompilationCreate(context)

    def check(status):
        if status != 0:
            message = library.teCompilationGetMessage(compilation)
            raise CompileError(message.decode(errors="replace"))

    try:
        library.teCompilationSetDiagnosticCallback(compilation, listen, None)
        for name, value in options.items():
            check(
                library.teCompilationSetOption(
                    compilation, name.encode(), str(value).encode()
                )
            )
        check(library.teCompilationLoadFile(compilation, os.fsencode(model)))
        check(library.teCompilationRun(compilation))
        check(library.teCompilationEmitFile(compilation, os.fsencode(output)))
    finally:
        library.teCompilationDestroy(compilation)
        library.mlirContextDestroy(context)
    for message in heard:
        warnings.warn(message, stacklevel=3)


def compile_model(model, artifact, options, boundary):
    """Compiles a model file without values of parameters, for a caller that has them
    and keeps the outputs. `boundary()` is the option boundary where it is not f32."""
    options = {
        # Weights of one product would be copied beside each other in every call;
        # in FP8 their quantization does that in passing.
        "merge-linears": "true" if options["precision"] == "fp8" else "false",
        "outputs": "caller",
        "init": "normal:0.02",
        "boundary": "f32" if options["precision"] == "f32" else boundary(),
        **options,
    }
    try:
        compile_file(model, artifact, options)
    except CompileError as error:
        folder = os.path.dirname(model) + os.sep
        raise CompileError(str(error).replace(folder, "")) from None
