# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the compiler's and the runtime's libraries are, and loading them."""

import ctypes
import functools
import json
import os
import shutil

from .errors import TemlirError


@functools.cache
def folder():
    """The folder of the libraries: this package's own, as in a wheel, or that
    beside the te-compile or te-run on PATH."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
    if os.path.exists(os.path.join(own, "libtert.so.0")):
        return own
    tool = shutil.which("te-compile") or shutil.which("te-run")
    if tool:
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(tool)))
        for name in ("lib", "lib64"):
            path = os.path.join(prefix, name)
            if os.path.exists(os.path.join(path, "libtert.so.0")):
                return path
    raise TemlirError(
        "found neither the libraries of TE-MLIR in this package nor te-compile on "
        "PATH: install the wheel, or add the folder bin of a build to PATH"
    )


def _load(name, mode=ctypes.DEFAULT_MODE):
    path = os.path.join(folder(), name)
    try:
        return ctypes.CDLL(path, mode=mode)
    except OSError as error:
        raise TemlirError(f"cannot load {path}: {error}") from error


_TERT = {
    "tert_open": (
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
        ctypes.c_char_p,
        ctypes.c_size_t,
    ),
    "tert_set_stream": (ctypes.c_void_p, ctypes.c_void_p),
    "tert_synchronize": (ctypes.c_void_p,),
    "tert_read_notice": (
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.POINTER(ctypes.c_char_p),
    ),
}


@functools.cache
def runtime():
    """libtert. Programs find its functions because it is loaded globally."""
    library = _load("libtert.so.0", ctypes.RTLD_GLOBAL)
    for name, types in _TERT.items():
        function = getattr(library, name)
        function.argtypes = types
        function.restype = ctypes.c_int32
    library.tert_last_error.argtypes = (ctypes.c_void_p,)
    library.tert_last_error.restype = ctypes.c_char_p
    return library


def open_program(path):
    """An artifact as a library, which must stay referenced, and its description."""
    runtime()
    library = ctypes.CDLL(path)
    text = ctypes.c_char.in_dll(library, "tert_artifact_description")
    return library, json.loads(ctypes.string_at(ctypes.addressof(text)))


class XlaArgument(ctypes.Structure):
    """tert::xla::Argument of runtime/xla/Programs.h."""

    _fields_ = [
        ("operand", ctypes.c_int32),
        ("result", ctypes.c_int32),
        ("bytes", ctypes.c_int64),
    ]


@functools.cache
def xla():
    """libtert-xla, runtime/xla/Handler.h."""
    runtime()
    library = _load("libtert-xla.so")
    library.tert_xla_add_entry.argtypes = (
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_size_t,
        ctypes.POINTER(XlaArgument),
    )
    library.tert_xla_add_entry.restype = None
    library.tert_xla_synchronize.argtypes = (ctypes.c_char_p, ctypes.c_size_t)
    library.tert_xla_synchronize.restype = ctypes.c_int32
    return library


_COMPILATION = {
    "teCompilationSetOption": (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p),
    "teCompilationLoadFile": (ctypes.c_void_p, ctypes.c_char_p),
    "teCompilationRun": (ctypes.c_void_p,),
    "teCompilationEmitFile": (ctypes.c_void_p, ctypes.c_char_p),
}

DIAGNOSTIC_CALLBACK = ctypes.CFUNCTYPE(
    None, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p
)


@functools.cache
def compiler():
    """libTEMLIR-C, te-c/Compilation.h. Contexts are structs of one pointer, which
    calls pass like the pointer itself."""
    library = _load("libTEMLIR-C.so")
    library.teContextCreate.argtypes = ()
    library.teContextCreate.restype = ctypes.c_void_p
    library.mlirContextDestroy.argtypes = (ctypes.c_void_p,)
    library.mlirContextDestroy.restype = None
    library.teCompilationCreate.argtypes = (ctypes.c_void_p,)
    library.teCompilationCreate.restype = ctypes.c_void_p
    library.teCompilationDestroy.argtypes = (ctypes.c_void_p,)
    library.teCompilationDestroy.restype = None
    library.teCompilationSetDiagnosticCallback.argtypes = (
        ctypes.c_void_p,
        DIAGNOSTIC_CALLBACK,
        ctypes.c_void_p,
    )
    library.teCompilationSetDiagnosticCallback.restype = None
    library.teCompilationGetMessage.argtypes = (ctypes.c_void_p,)
    library.teCompilationGetMessage.restype = ctypes.c_char_p
    for name, types in _COMPILATION.items():
        function = getattr(library, name)
        function.argtypes = types
        function.restype = ctypes.c_int
    return library
