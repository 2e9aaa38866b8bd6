# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports causal language models from folders of Hugging Face."""

import inspect
import json
import os

import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.models.auto import modeling_auto

from .errors import ExportError
from .export import export_onnx

# Tokens of a row where the caller does not say.
_SEQUENCE = 1024

# Ways to initialize LoRA that change the model's own weights: its adapters do not
# fit the model in the folder.
_PLAIN_INITS = (True, False, "gaussian", "orthogonal")


def export_hugging_face(
    folder,
    path,
    *,
    batch=8,
    sequence=None,
    adapter=None,
    dropout=False,
    document_masks=False,
):
    """Exports the causal language model in `folder` (config.json, safetensors) to
    the ONNX file `path`, with float32 weights in a file beside it.

    batch, sequence  the shape of the ids, [batch, sequence]. Without `sequence`
                     1024, or what the model can take if that is less.
    adapter          a folder of PEFT: LoRA adapters, which are trained while the
                     model is frozen. With adapter_config.json alone they are new.
    dropout          keep the model's dropout, and that of the adapters.
    document_masks   an input position_ids beside input_ids, of the same shape.
                     Where positions begin anew in a row, a document does, and
                     attention does not see those before it.

    Code, pickles and the network are not used, whatever the folder says. Raises
    ExportError for a folder that is incomplete, quantized, of another kind of
    model, or cannot be exported. Returns the exported model.
    """
    config = _read_config(folder)
    sequence = _choose_sequence(config, sequence)
    model = _load_model(folder, config)
    if adapter is not None:
        model = _add_adapter(model, adapter)
    model.config.use_cache = False
    ids = torch.zeros(batch, sequence, dtype=torch.int64)
    inputs = {"input_ids": ids}
    if document_masks:
        _check_documents(model)
        inputs["position_ids"] = torch.arange(sequence).repeat(batch, 1)
    export_onnx(
        model,
        inputs,
        path,
        output_names=["logits"],
        weights="external",
        dropout=dropout,
    )
    return model


def _read_json(folder, name):
    path = os.path.join(folder, name)
    if not os.path.isdir(folder):
        raise ExportError(
            f"'{folder}' is no folder; 'hf download NAME --local-dir FOLDER' fetches "
            "one from the Hugging Face Hub"
        )
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except FileNotFoundError as error:
        raise ExportError(f"'{folder}' has no {name}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise ExportError(f"cannot read '{path}': {error}") from error
    if not isinstance(value, dict):
        raise ExportError(f"'{path}' is no JSON object")
    return value


def _first_line(error):
    return next((line for line in str(error).splitlines() if line.strip()), repr(error))


def _read_config(folder):
    values = _read_json(folder, "config.json")
    if "auto_map" in values:
        raise ExportError(
            f"the model in '{folder}' is made by code of its own (auto_map in "
            "config.json), which is not run; load it in Python and use export_onnx"
        )
    if values.get("quantization_config"):
        raise ExportError(
            f"the weights in '{folder}' are quantized; give the original ones"
        )
    try:
        config = AutoConfig.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # from checks of any family
        raise ExportError(
            f"transformers {transformers.__version__} does not take "
            f"'{folder}/config.json': {_first_line(error)}"
        ) from error
    known = set(modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values())
    kinds = config.architectures or []
    if not kinds or kinds[0] not in known:
        raise ExportError(
            f"the model in '{folder}' is {kinds[0] if kinds else 'of no known class'}, "
            "no causal language model; load it in Python and use export_onnx"
        )
    return config


def _choose_sequence(config, sequence):
    most = getattr(config, "max_position_embeddings", None)
    if sequence is None:
        return min(_SEQUENCE, most or _SEQUENCE)
    if most and sequence > most:
        raise ExportError(f"the model takes at most {most} tokens, not {sequence}")
    return sequence


def _load_model(folder, config):
    try:
        model, info = AutoModelForCausalLM.from_pretrained(
            folder,
            config=config,
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    except Exception as error:  # from any family, and from damaged files
        raise ExportError(
            f"transformers cannot load '{folder}': {_first_line(error)}"
        ) from error
    missing = sorted(info["missing_keys"])
    if missing:
        raise ExportError(
            f"the files in '{folder}' lack {len(missing)} weights of the model, "
            f"{missing[0]} among them"
        )
    return model


def _check_documents(model):
    """Raises ExportError unless documents in one row do not see each other."""
    kind = type(model.get_base_model() if hasattr(model, "peft_config") else model)
    if "position_ids" not in inspect.signature(kind.forward).parameters:
        raise ExportError(f"{kind.__name__} takes no position_ids for document masks")
    size = min(8, model.config.vocab_size)
    ids = torch.arange(2 * size).remainder(size)[None]
    ids[0, :size] = ids[0, :size].flip(0)
    positions = torch.arange(size).repeat(2)[None]
    model.eval()
    with torch.no_grad():
        both = model(input_ids=ids, position_ids=positions, use_cache=False).logits
        second = model(input_ids=ids[:, size:], use_cache=False).logits
    # Neither float32 nor a batch of another shape differs as much.
    if (both[:, size:] - second).norm() > 1e-3 * second.norm():
        raise ExportError(
            f"{kind.__name__} does not keep the documents of a row apart by their "
            "positions; train it without document masks"
        )


def _add_adapter(model, folder):
    values = _read_json(folder, "adapter_config.json")
    kind = values.get("peft_type")
    if kind != "LORA":
        raise ExportError(f"the adapters in '{folder}' are {kind}; LORA is supported")
    init = values.get("init_lora_weights", True)
    if init not in _PLAIN_INITS:
        raise ExportError(
            f"init_lora_weights of '{folder}/adapter_config.json' is {init!r}, which "
            "changes the model's own weights: convert the adapters with PEFT first"
        )
    from peft import LoraConfig, PeftModel, get_peft_model

    has_weights = os.path.exists(os.path.join(folder, "adapter_model.safetensors"))
    if not has_weights and os.path.exists(os.path.join(folder, "adapter_model.bin")):
        raise ExportError(
            f"'{folder}' has its weights as a pickle, which is not read; load and "
            "save it with PEFT for adapter_model.safetensors"
        )
    try:
        if not has_weights:
            config = LoraConfig.from_pretrained(folder)
            config.inference_mode = False
            return get_peft_model(model, config)
        return PeftModel.from_pretrained(model, folder, is_trainable=True)
    except Exception as error:  # from checks of PEFT, and from damaged files
        raise ExportError(f"PEFT cannot load '{folder}': {_first_line(error)}") from error
