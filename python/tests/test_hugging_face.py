# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
import unittest

try:
    import onnx
    import onnxscript  # noqa: F401: torch's exporter needs it
    import torch
    import transformers
    from onnx import numpy_helper
    from peft import LoraConfig, get_peft_model
except ImportError as error:
    raise unittest.SkipTest(
        f"{error.name} is not installed: pip install torch onnx onnxscript "
        "transformers peft"
    ) from error

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from temlir_export import ExportError, export_hugging_face, frozen_names, tied_names
from temlir_export.__main__ import main


def make_llama(**changes):
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=64, hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=48,
        **changes,
    )
    return transformers.LlamaForCausalLM(config)


class HuggingFaceTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.folder = self.path("model")
        self.output = self.path("model.onnx")

    def path(self, name):
        return os.path.join(self.root, name)

    def change(self, name, **changes):
        path = os.path.join(self.folder, name)
        with open(path, encoding="utf-8") as file:
            values = json.load(file)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**values, **changes}, file)

    def read(self):
        return onnx.load(self.output)

    def values(self):
        return {
            tensor.name: torch.tensor(numpy_helper.to_array(tensor))
            for tensor in self.read().graph.initializer
        }

    def refuse(self, what, **options):
        with self.assertRaisesRegex(ExportError, what):
            export_hugging_face(self.folder, self.output, **options)
        self.assertFalse(os.path.exists(self.output))

    def test_weights_are_those_of_the_files_in_float32(self):
        model = make_llama().to(torch.bfloat16)
        model.save_pretrained(self.folder)
        export_hugging_face(self.folder, self.output, batch=3)
        values = self.values()
        for name, value in model.named_parameters():
            self.assertEqual(values[name].dtype, torch.float32)
            self.assertTrue(torch.equal(values[name], value.float()), name)
        dims = self.read().graph.input[0].type.tensor_type.shape.dim
        # As many tokens as the model takes.
        self.assertEqual([dim.dim_value for dim in dims], [3, 48])

    def test_tied_weights(self):
        make_llama(tie_word_embeddings=True).save_pretrained(self.folder)
        export_hugging_face(self.folder, self.output, sequence=8)
        self.assertEqual(len(tied_names(self.output)), 1)

    def test_adapters(self):
        model = make_llama()
        model.save_pretrained(self.folder)
        adapter = self.path("adapter")
        lora = LoraConfig(r=2, target_modules=["q_proj"], task_type="CAUSAL_LM")
        adapted = get_peft_model(model, lora)
        with torch.no_grad():
            for name, value in adapted.named_parameters():
                if "lora_" in name:
                    value.normal_()
        adapted.save_pretrained(adapter)
        export_hugging_face(self.folder, self.output, sequence=8, adapter=adapter)
        values = self.values()
        for name, value in adapted.named_parameters():
            self.assertTrue(torch.equal(values[name], value), name)
            self.assertEqual("lora_" not in name, name in frozen_names(self.output))
        # With the configuration alone they are new: B is zero.
        os.remove(os.path.join(adapter, "adapter_model.safetensors"))
        export_hugging_face(self.folder, self.output, sequence=8, adapter=adapter)
        for name, value in self.values().items():
            if "lora_B" in name:
                self.assertEqual(value.abs().max(), 0)

    def test_adapters_that_are_refused(self):
        make_llama().save_pretrained(self.folder)
        adapter = self.path("adapter")
        LoraConfig(r=2, target_modules=["q_proj"]).save_pretrained(adapter)
        self.refuse("'.*nowhere' is no folder", adapter=self.path("nowhere"))
        path = os.path.join(adapter, "adapter_config.json")
        with open(path, encoding="utf-8") as file:
            good = json.load(file)
        for changes, what in (
            ({"peft_type": "IA3"}, "adapters in '.*' are IA3; LORA is supported"),
            ({"init_lora_weights": "pissa"}, "'pissa', which changes the model's own"),
            ({"target_modules": ["no_such"]}, "PEFT cannot load '.*no_such"),
        ):
            with open(path, "w", encoding="utf-8") as file:
                json.dump({**good, **changes}, file)
            self.refuse(what, adapter=adapter)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(good, file)
        with open(os.path.join(adapter, "adapter_model.bin"), "wb") as file:
            file.write(b"cos\nsystem\n(S'true'\ntR.")
        self.refuse("as a pickle, which is not read", adapter=adapter)

    def test_document_masks(self):
        model = make_llama()
        model.save_pretrained(self.folder)
        export_hugging_face(
            self.folder, self.output, batch=2, sequence=8, document_masks=True
        )
        names = [value.name for value in self.read().graph.input]
        self.assertEqual(names, ["input_ids", "position_ids"])
        # ALiBi: no positions.
        shutil.rmtree(self.folder)
        os.remove(self.output)
        config = transformers.BloomConfig(
            vocab_size=64, hidden_size=16, n_layer=1, n_head=2, seq_length=16
        )
        transformers.BloomForCausalLM(config).save_pretrained(self.folder)
        self.refuse("takes no position_ids", sequence=8, document_masks=True)
        # A model that does not make the mask.
        shutil.rmtree(self.folder)
        config = transformers.GPT2Config(
            vocab_size=64, n_positions=16, n_embd=16, n_layer=1, n_head=2
        )
        transformers.GPT2LMHeadModel(config).save_pretrained(self.folder)
        forward = transformers.GPT2Model.forward

        def without_mask(model, ids, attention_mask=None, **kwargs):
            return forward(model, ids, attention_mask=torch.ones_like(ids), **kwargs)

        transformers.GPT2Model.forward = without_mask
        try:
            self.refuse("does not keep the documents", sequence=8, document_masks=True)
        finally:
            transformers.GPT2Model.forward = forward

    def test_folders_that_are_refused(self):
        self.refuse("is no folder; 'hf download NAME --local-dir FOLDER' fetches one")
        os.mkdir(self.folder)
        self.refuse("has no config.json")
        with open(os.path.join(self.folder, "config.json"), "w") as file:
            file.write("[" * 100000)
        self.refuse("cannot read '.*config.json'")
        shutil.rmtree(self.folder)
        make_llama().save_pretrained(self.folder)
        self.refuse("takes at most 48 tokens, not 49", sequence=49)
        keep = self.path("keep")
        shutil.copytree(self.folder, keep)
        for changes, what in (
            ({"auto_map": {"AutoConfig": "evil.Config"}}, "code of its own .* not run"),
            ({"quantization_config": {"quant_method": "fp8"}}, "are quantized"),
            ({"model_type": "no-such"}, "does not take '.*config.json'"),
            ({"hidden_size": "many"}, "does not take|cannot load"),
            ({"hidden_size": 32}, "cannot load"),
            ({"num_hidden_layers": 2}, "lack 9 weights of the model, model.layers.1"),
            ({"architectures": ["LlamaForSequenceClassification"]}, "no causal language"),
            ({"architectures": None}, "of no known class"),
        ):
            shutil.rmtree(self.folder)
            shutil.copytree(keep, self.folder)
            self.change("config.json", **changes)
            self.refuse(what, sequence=8)
        # Weights as a pickle are not looked at.
        shutil.rmtree(self.folder)
        shutil.copytree(keep, self.folder)
        os.rename(
            os.path.join(self.folder, "model.safetensors"),
            os.path.join(self.folder, "pytorch_model.bin"),
        )
        self.refuse("cannot load", sequence=8)

    def test_command(self):
        make_llama().save_pretrained(self.folder)
        out, err = io.StringIO(), io.StringIO()
        arguments = ["hugging-face", self.folder, "-o", self.output, "--sequence", "8"]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.assertEqual(main(arguments), 0)
        self.assertIn("model.onnx: 4,", out.getvalue())
        self.assertEqual("", err.getvalue())
        with contextlib.redirect_stderr(err):
            self.assertEqual(main([*arguments[:-1], "99"]), 1)
        self.assertIn("temlir_export: error: the model takes at most 48", err.getvalue())


if __name__ == "__main__":
    unittest.main()
