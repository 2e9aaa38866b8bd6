# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
import warnings

try:
    import numpy
    import onnx
    import onnxscript  # noqa: F401: torch's exporter needs it
    import torch
    from onnx import numpy_helper
except ImportError as error:
    raise unittest.SkipTest(
        f"{error.name} is not installed: pip install torch onnx onnxscript"
    ) from error

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from temlir_export import (
    ExportError,
    check_onnx,
    export_onnx,
    frozen_names,
    tied_names,
)
from temlir_export.__main__ import main


class Block(torch.nn.Module):
    """Two norms with equal weights, a tied table, a linear layer, dropout."""

    def __init__(self, dropout=0.0):
        super().__init__()
        self.table = torch.nn.Embedding(32, 16)
        self.norm_1 = torch.nn.LayerNorm(16)
        self.fc = torch.nn.Linear(16, 16)
        self.dropout = torch.nn.Dropout(dropout)
        self.norm_2 = torch.nn.LayerNorm(16)
        self.head = torch.nn.Linear(16, 32, bias=False)
        self.head.weight = self.table.weight
        self.register_buffer("shift", torch.linspace(0, 1, 16))

    def forward(self, ids):
        x = self.table(ids) + self.shift
        x = x + self.dropout(self.fc(self.norm_1(x)))
        return self.head(self.norm_2(x))


class WithSpare(Block):
    def __init__(self):
        super().__init__()
        self.spare = torch.nn.Linear(16, 4)


class Config:
    use_cache = True


class Cached(Block):
    """Like a Hugging Face decoder: returns a cache unless it is disabled."""

    def __init__(self):
        super().__init__()
        self.config = Config()

    def forward(self, ids, use_cache=None):
        logits = super().forward(ids)
        use_cache = self.config.use_cache if use_cache is None else use_cache
        return (logits, Config()) if use_cache else logits


class Settable(Block):
    """Like a Hugging Face mixture of experts, with attention that torch cannot
    export."""

    class Config:
        use_cache = True
        _attn_implementation = "sdpa"
        _experts_implementation = "grouped_mm"

    def __init__(self, eager_works=True):
        super().__init__()
        self.config = self.Config()
        self.eager_works = eager_works

    def set_attn_implementation(self, name):
        self.config._attn_implementation = name

    def set_experts_implementation(self, name):
        self.config._experts_implementation = name

    def forward(self, ids):
        x = super().forward(ids)
        works = self.config._attn_implementation == "eager" and self.eager_works
        if not works or self.config._experts_implementation != "batched_mm":
            return x * 2 if x.sum() > 0 else x
        return x


class Attending(Block):
    """Attention as a single torch operator, or eager, with a boolean mask."""

    class Config:
        _attn_implementation = "sdpa"

    def __init__(self, dropout):
        super().__init__(dropout)
        self.config = self.Config()

    def set_attn_implementation(self, name):
        self.config._attn_implementation = name

    def forward(self, ids):
        x = self.norm_1(self.table(ids)) + self.shift
        mask = torch.ones(8, 8, dtype=torch.bool).tril() & (ids > -1)[:, None]
        p = self.dropout.p if self.training else 0.0
        if self.config._attn_implementation == "sdpa":
            y = torch.nn.functional.scaled_dot_product_attention(
                x[:, None], x[:, None], x[:, None], mask[:, None], p
            )[:, 0]
        else:
            scores = (x @ x.mT).masked_fill(~mask, -1e9)
            y = torch.nn.functional.dropout(scores.softmax(-1), p) @ x
        return self.head(self.norm_2(self.fc(y)))


class Branching(Block):
    def forward(self, ids):
        x = super().forward(ids)
        return x * 2 if x.sum() > 0 else x


IDS = {"ids": torch.zeros(2, 8, dtype=torch.int64)}


def values(path):
    model = onnx.load(path)
    return {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "model.onnx")
        self.model = Block()

    def export(self, model=None, inputs=IDS, **options):
        options.setdefault("output_names", ["logits"])
        return export_onnx(model or self.model, inputs, self.path, **options)

    def expect_values(self):
        found = values(self.path)
        for name, parameter in self.model.named_parameters():
            names = [name] + (["head.weight"] if name == "table.weight" else [])
            [arrived] = [found[n] for n in names if n in found]
            numpy.testing.assert_array_equal(arrived, parameter.detach().numpy())

    def test_every_parameter_arrives_under_its_name(self):
        self.export()
        self.expect_values()
        self.assertEqual(os.listdir(self.folder), ["model.onnx"])
        [output] = onnx.load(self.path).graph.output
        self.assertEqual(output.name, "logits")

    def test_tied_names_are_kept(self):
        tied = self.export()
        self.assertEqual(
            {key: sorted(others) for key, others in tied.items()}
            in ({"head.weight": ["table.weight"]}, {"table.weight": ["head.weight"]}),
            True,
            tied,
        )
        self.assertEqual(tied_names(self.path), tied)

    def test_what_is_not_trained_is_said(self):
        self.export()
        self.assertEqual(frozen_names(self.path), [])
        self.model.fc.requires_grad_(False)
        # Under whichever of its names it was exported.
        self.model.table.weight.requires_grad_(False)
        self.export()
        frozen = frozen_names(self.path)
        self.assertEqual(sorted(frozen)[:2], ["fc.bias", "fc.weight"])
        self.assertEqual(len(frozen), 3)
        self.assertIn(sorted(frozen)[2], ("head.weight", "table.weight"))
        self.assertTrue(set(frozen) <= set(values(self.path)))
        self.model.requires_grad_(False)
        with self.assertWarnsRegex(UserWarning, "no parameter requires a gradient"):
            self.export()

    def test_persistent_buffers_arrive(self):
        class Counting(Block):
            def __init__(self):
                super().__init__()
                self.register_buffer("count", torch.tensor(7, dtype=torch.int32))
                self.register_buffer("hidden", torch.tensor([True, False]))
                self.register_buffer("turns", torch.ones(2, dtype=torch.complex64))
                self.register_buffer("table_2", torch.ones(3), persistent=False)

            def forward(self, ids):
                return super().forward(ids) * self.table_2.sum()

        model = Counting()
        self.export(model)
        found = values(self.path)
        [listed] = [
            json.loads(entry.value)
            for entry in onnx.load(self.path).metadata_props
            if entry.key == "temlir.buffers"
        ]
        self.assertEqual(sorted(listed), ["count", "hidden", "shift"])
        for name in listed:
            numpy.testing.assert_array_equal(found[name], model.state_dict()[name])

    def test_inputs_that_forward_does_not_have(self):
        for inputs, options, message in (
            ({"idx": IDS["ids"]}, {}, "name idx, which forward does not take; .* ids"),
            ({"ids": IDS["ids"], "mask": IDS["ids"]}, {}, "name mask, which"),
            ({}, {}, "lack ids, which forward needs"),
            ((IDS["ids"], IDS["ids"]), {}, "2 example inputs, but forward takes ids"),
            (IDS, {"input_names": ["ids", "mask"]}, "2 names, and there are 1 inputs"),
        ):
            with self.assertRaisesRegex(ExportError, message):
                self.export(inputs=inputs, **options)
        self.assertEqual(os.listdir(self.folder), [])

    def test_parameters_without_values(self):
        with torch.device("meta"):
            model = Block()
        with self.assertRaisesRegex(ExportError, "buffers are on the meta.*shift"):
            self.export(model, weights="absent")
        model.shift = torch.linspace(0, 1, 16)
        with self.assertRaisesRegex(ExportError, "have no values.*weights='absent'"):
            self.export(model)
        tied = self.export(model, weights="absent")
        self.assertEqual(len(tied), 1)
        self.assertTrue(model.fc.weight.is_meta)
        self.assertIs(model.head.weight, model.table.weight)
        # The same file as for a model with values.
        absent = onnx.load(self.path, load_external_data=False)
        self.export(weights="absent")
        present = onnx.load(self.path, load_external_data=False)
        self.assertEqual(
            [(t.name, t.dims) for t in absent.graph.initializer],
            [(t.name, t.dims) for t in present.graph.initializer],
        )

    def test_external_data(self):
        self.export(weights="external")
        self.assertEqual(
            sorted(os.listdir(self.folder)), ["model.onnx", "model.weights.bin"]
        )
        self.expect_values()

    def test_absent_data(self):
        self.export(weights="absent")
        self.assertEqual(os.listdir(self.folder), ["model.onnx"])
        model = onnx.load(self.path, load_external_data=False)
        tensors = {tensor.name: tensor for tensor in model.graph.initializer}
        weight = {e.key: e.value for e in tensors["fc.weight"].external_data}
        self.assertEqual(weight["length"], str(16 * 16 * 4))
        # A buffer is not a parameter: its values are kept.
        numpy.testing.assert_array_equal(
            numpy_helper.to_array(tensors["shift"]), self.model.shift.numpy()
        )

    def test_the_mode_of_every_module_comes_back(self):
        self.model.norm_1.eval()
        self.export()
        self.assertTrue(self.model.training)
        self.assertTrue(self.model.fc.training)
        self.assertFalse(self.model.norm_1.training)

    def test_dropout_is_mentioned(self):
        with self.assertWarnsRegex(UserWarning, "dropout is left out"):
            self.export(Block(dropout=0.1))

    def test_dropout_is_kept_when_asked_for(self):
        self.model = Block(dropout=0.25)
        self.model.dropout.eval()
        self.export(self.model, dropout=True)
        self.assertTrue(self.model.training)
        self.assertFalse(self.model.dropout.training)
        model = onnx.load(self.path)
        [node] = [n for n in model.graph.node if n.op_type == "Dropout"]
        constants = {
            n.output[0]: numpy_helper.to_array(n.attribute[0].t)
            for n in model.graph.node
            if n.op_type == "Constant"
        }
        self.assertEqual(constants[node.input[1]], 0.25)
        self.assertTrue(constants[node.input[2]])
        with self.assertWarnsRegex(UserWarning, "drops nothing out"):
            self.export(Block(), dropout=True)

    def test_attention_with_dropout_is_eager(self):
        """torch adds its operator's boolean mask to the scores, unconverted."""
        with self.assertWarnsRegex(UserWarning, 'attention is set to "eager"'):
            self.export(Attending(0.1), dropout=True)
        types = [node.op_type for node in onnx.load(self.path).graph.node]
        self.assertIn("Dropout", types)
        self.assertIn("Where", types)
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            warnings.filterwarnings("ignore", module="torch")
            self.export(Attending(0.0))

    def test_running_statistics_stay(self):
        """Dropout stays in training mode; batch statistics are not exported."""
        model = torch.nn.Sequential(torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5))
        self.export(model, inputs=torch.zeros(2, 4), dropout=True)
        types = [node.op_type for node in onnx.load(self.path).graph.node]
        self.assertIn("Dropout", types)
        self.assertEqual(model[0].num_batches_tracked, 0)
        for node in onnx.load(self.path).graph.node:
            for attribute in node.attribute:
                if attribute.name == "training_mode":
                    self.assertEqual(attribute.i, 0)

    def test_unused_parameters_are_refused(self):
        with self.assertRaisesRegex(ExportError, r"(?s)2 parameters.*spare\.bias"):
            self.export(WithSpare())
        self.assertEqual(os.listdir(self.folder), [])
        self.export(WithSpare(), allow_unused=True)

    def test_paths_of_this_machine_stay_here(self):
        self.export()
        with open(self.path, "rb") as file:
            content = file.read()
        self.assertNotIn(os.path.dirname(torch.__file__).encode(), content)
        self.assertNotIn(os.path.dirname(os.path.abspath(__file__)).encode(), content)

    def test_models_are_exported_without_their_cache(self):
        model = Cached()
        self.export(model)
        self.assertEqual(len(onnx.load(self.path).graph.output), 1)
        self.assertTrue(model.config.use_cache)
        # It must not reappear as an input.
        self.assertEqual([i.name for i in onnx.load(self.path).graph.input], ["ids"])

    def test_what_an_export_needs_is_set_and_said(self):
        model = Settable()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.export(model)
        said = " ".join(str(warning.message) for warning in caught)
        for words in ("use_cache is off", '"batched_mm"', '"eager"'):
            self.assertIn(words, said)
        self.assertEqual(model.config._attn_implementation, "sdpa")
        self.assertEqual(model.config._experts_implementation, "grouped_mm")
        self.assertTrue(model.config.use_cache)

    def test_the_first_failure_is_told_where_eager_does_not_help(self):
        model = Settable(eager_works=False)
        with self.assertRaisesRegex(ExportError, "torch cannot export this model"):
            self.export(model)
        self.assertEqual(model.config._attn_implementation, "sdpa")
        self.assertEqual(os.listdir(self.folder), [])

    def test_failures_of_torch_are_one_readable_error(self):
        with self.assertRaises(ExportError) as raised:
            self.export(Branching())
        message = str(raised.exception)
        self.assertRegex(message, "^torch cannot export this model: ")
        self.assertIn("torch.where", message)
        self.assertLess(len(message.splitlines()), 4)
        self.assertEqual(os.listdir(self.folder), [])

    def test_missing_folder(self):
        with self.assertRaisesRegex(ExportError, "there is no folder"):
            export_onnx(self.model, IDS, os.path.join(self.folder, "no", "m.onnx"))


class Check(unittest.TestCase):
    def optimized(self, **options):
        """The output of torch.onnx.export with its defaults."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "model.onnx")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(
                Block().eval(), (), kwargs=IDS, dynamo=True, verbose=False,
                opset_version=23, **options,
            ).save(path)
        return path

    def test_merged_norms_are_refused(self):
        with self.assertRaisesRegex(ExportError, "the weight of 2 norms"):
            check_onnx(self.optimized(optimize=True))

    def test_a_norm_that_runs_twice_is_one(self):
        class Shared(Block):
            def forward(self, ids):
                x = self.norm_1(self.table(ids) + self.shift)
                return self.head(self.norm_1(self.fc(x)))

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.onnx")
            export_onnx(Shared().eval(), IDS, path, allow_unused=True)
            check_onnx(path)

    def test_unnamed_weights_are_refused(self):
        weight = numpy_helper.from_array(numpy.ones((2, 2), "f"), "val_93")
        graph = onnx.helper.make_graph([], "g", [], [], [weight])
        with self.assertRaisesRegex(ExportError, r"lost their names \(val_93 \[2, 2\]"):
            check_onnx(onnx.helper.make_model(graph))

    def test_dynamic_dimensions_are_refused(self):
        value = onnx.helper.make_tensor_value_info(
            "ids", onnx.TensorProto.INT64, ["batch", 8]
        )
        graph = onnx.helper.make_graph([], "g", [value], [])
        with self.assertRaisesRegex(ExportError, r"input ids .*\(batch\)"):
            check_onnx(onnx.helper.make_model(graph))

    def test_command_line(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(main(["check", __file__]), 1)
            self.assertEqual(main(["check", "no-such-file.onnx"]), 1)
        self.assertIn("not an ONNX file", errors.getvalue())
        self.assertIn("no-such-file.onnx", errors.getvalue())


if __name__ == "__main__":
    unittest.main()
