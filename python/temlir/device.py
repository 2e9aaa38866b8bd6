# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime's contexts, one for each device of torch."""

import ctypes
import functools
import threading

import torch

from . import libraries
from .errors import TemlirError

ALIGNMENT = 256


class _Options(ctypes.Structure):
    _fields_ = [("num_threads", ctypes.c_int32), ("nondeterministic", ctypes.c_int32)]


def align(size):
    """`size` rounded up to what the runtime's memory is aligned to."""
    return (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


class Device:
    """A context of the runtime. Calls run one after another."""

    def __init__(self, device):
        self.device = device
        self.is_cuda = device.type == "cuda"
        self._library = libraries.runtime()
        self._lock = threading.RLock()
        self._arena = None
        name = f"cuda:{device.index}" if self.is_cuda else "cpu"
        options = _Options(
            0 if self.is_cuda else torch.get_num_threads(),
            not torch.are_deterministic_algorithms_enabled(),
        )
        context = ctypes.c_void_p()
        message = ctypes.create_string_buffer(1024)
        if self._library.tert_open(
            name.encode(), ctypes.byref(options), ctypes.byref(context), message, 1024
        ):
            raise TemlirError(message.value.decode(errors="replace"))
        self._context = context.value

    def allocate(self, size):
        """Memory of torch's allocator, and its first aligned address."""
        memory = torch.empty(
            size + ALIGNMENT, dtype=torch.uint8, device=self.device
        )
        return memory, align(memory.data_ptr())

    def call(self, function, pack, addresses, arena_bytes, arena=None):
        """Calls an entry: on a GPU on torch's current stream, without waiting.
        `pack` makes its array of addresses, `arena` is the address of temporary
        memory where the caller has it."""
        with self._lock:
            memory = None
            if arena is None and arena_bytes:
                memory, arena = self._arena_of(arena_bytes)
            buffers = pack(*addresses, arena or 0)
            if self.is_cuda:
                self._check(
                    self._library.tert_set_stream(
                        self._context,
                        torch._C._cuda_getCurrentRawStream(self.device.index),
                    )
                )
            status = function(self._context, buffers)
            if status:
                self._check(status)

    def synchronize(self):
        """Waits for all calls; raises their errors in data, such as a token id
        outside of its table."""
        with self._lock:
            self._check(self._library.tert_synchronize(self._context))

    def notices(self):
        """What the runtime has to say about the programs that ran."""
        found, text = [], ctypes.c_char_p()
        with self._lock:
            while True:
                self._check(
                    self._library.tert_read_notice(
                        self._context, len(found), ctypes.byref(text)
                    )
                )
                if text.value is None:
                    return found
                found.append(text.value.decode(errors="replace"))

    def _arena_of(self, size):
        # torch reuses a GPU's memory in the order of the stream. On a CPU the
        # pages of large memory would be made anew in every call.
        if self.is_cuda:
            return self.allocate(size)
        if self._arena is None or self._arena[0].numel() < size + ALIGNMENT:
            self._arena = self.allocate(size)
        return self._arena

    def _check(self, status):
        if status:
            text = self._library.tert_last_error(self._context)
            raise TemlirError(
                (text or b"").decode(errors="replace") or f"status {status}"
            )


@functools.cache
def _open(kind, index):
    return Device(torch.device(kind, index) if kind == "cuda" else torch.device(kind))


def device_of(device):
    """The context for a device of torch; one for each, opened at its first use."""
    if device.type not in ("cpu", "cuda"):
        raise TemlirError(
            f"programs run on cpu and cuda, not on {device}; move the module there"
        )
    return _open(device.type, device.index if device.type == "cuda" else None)


def common_device(tensors, what):
    """The device that all tensors are on, of which programs run there. Raises
    TemlirError, about `what`, if there are several, or none."""
    devices = {tensor.device for tensor in tensors}
    if len(devices) != 1:
        names = " and ".join(sorted(str(device) for device in devices))
        raise TemlirError(f"{what} are on {names or 'no device'}; move them to one")
    device = devices.pop()
    device_of(device)
    return device


def target_of(device):
    """The compiler's --target for a device of torch."""
    if device.type != "cuda":
        return "cpu"
    major, minor = torch.cuda.get_device_capability(device)
    if (major, minor) != (9, 0):
        raise TemlirError(
            f"{torch.cuda.get_device_name(device)} has compute capability "
            f"{major}.{minor}, and programs are made for 9.0 (Hopper: H100, H200); "
            "the device cpu needs no GPU"
        )
    return f"sm_{major}{minor}"
