# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings of Hugging Face models that an export requires."""

import contextlib
import inspect


def _configs(model):
    """The configurations of a model and of its submodels, each once."""
    found = {}
    for module in model.modules():
        config = getattr(module, "config", None)
        if config is not None:
            found[id(config)] = config
    return list(found.values())


@contextlib.contextmanager
def _kept(configs, name):
    """Restores the configurations' values of `name`."""
    values = [(config, getattr(config, name, None)) for config in configs]
    try:
        yield
    finally:
        for config, value in values:
            if getattr(config, name, None) != value:
                setattr(config, name, value)


@contextlib.contextmanager
def set_for_export(model, kwargs, notes):
    """Applies the settings for an export, during one. Yields the matching
    keyword arguments; `notes` receives a sentence for each setting that
    differed."""
    configs = _configs(model)
    with _kept(configs, "use_cache"), _kept(configs, "_experts_implementation"):
        # By default decoders return keys and values for generation: outputs
        # that training does not use, in a class that the exporter does not
        # know.
        cached = [config for config in configs if getattr(config, "use_cache", None)]
        for config in cached:
            config.use_cache = False
        if cached:
            if "use_cache" in inspect.signature(model.forward).parameters:
                kwargs = {"use_cache": False, **(kwargs or {})}
            notes.append("use_cache is off: training has no use for the cache")
        # A loop over the selected experts would depend on the tokens.
        if _has_experts(model, configs):
            model.set_experts_implementation("batched_mm")
            notes.append(
                'the experts are set to "batched_mm": their loop over tokens '
                "cannot be exported"
            )
        yield kwargs


def _has_experts(model, configs):
    if not hasattr(model, "set_experts_implementation"):
        return False
    can_set = getattr(model, "_can_set_experts_implementation", lambda: True)
    return can_set() and any(
        getattr(config, "_experts_implementation", None) not in (None, "batched_mm")
        for config in configs
    )


def can_be_eager(model):
    """Returns whether attention can be set to plain operators, and is not."""
    return hasattr(model, "set_attn_implementation") and any(
        getattr(config, "_attn_implementation", None) not in (None, "eager")
        for config in _configs(model)
    )


@contextlib.contextmanager
def eager_attention(model):
    """Sets attention to plain operators during one export."""
    with _kept(_configs(model), "_attn_implementation"):
        model.set_attn_implementation("eager")
        yield
