# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes jax/NAME: tiny models of Flax, Equinox and plain JAX with random weights,
exported as users export them, and JAX's logits, loss (mean cross-entropy, labels not
shifted, one of them ignored) and gradients in float64, rounded to float32. Needs
jax, flax and equinox.

usage: make_jax.py [NAME ...]"""

import functools
import os
import sys

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../python"))
from temlir_export import export_stablehlo  # noqa: E402
from temlir_export.stablehlo import save_safetensors  # noqa: E402

VOCABULARY, HIDDEN, HEADS, FFN, BATCH, SEQUENCE = 48, 16, 2, 32, 2, 8
SIZE = HIDDEN // HEADS


# Flax linen: attention as einsums over DenseGeneral's kernels, GELU by tanh, a head
# that is the token table.
class LinenBlock(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.LayerNorm()(x)
        heads = functools.partial(nn.DenseGeneral, (HEADS, SIZE))
        q, k, v = heads(name="q")(h), heads(name="k")(h), heads(name="v")(h)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(SIZE)
        mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9))
        y = jnp.einsum("bhqk,bkhd->qbhd", weights, v)
        out = self.param("out", nn.initializers.normal(0.1), (HEADS, SIZE, HIDDEN))
        x = x + jnp.einsum("qbhd,hdm->bqm", y, out)
        h = nn.gelu(nn.Dense(FFN, name="fc1")(nn.LayerNorm()(x)))
        return x + nn.Dense(HIDDEN, name="fc2")(h)


class LinenModel(nn.Module):
    layer: type = LinenBlock

    @nn.compact
    def __call__(self, ids):
        embed = nn.Embed(VOCABULARY, HIDDEN)
        x = embed(ids) + nn.Embed(SEQUENCE, HIDDEN)(jnp.arange(ids.shape[1]))
        x = self.layer()(self.layer()(x))
        return embed.attend(nn.LayerNorm()(x))


def linen(key, ids):
    model = LinenModel()
    return model, model.init(key, ids)


def checkpoint(key, ids):
    model = LinenModel(layer=nn.checkpoint(LinenBlock))
    return model, model.init(key, ids)


# A BERT: token types, norms behind the sums, GELU by erf, a padding mask as an input.
class Bert(nn.Module):
    @nn.compact
    def __call__(self, ids, attention_mask):
        x = nn.Embed(VOCABULARY, HIDDEN, name="tokens")(ids)
        x = x + self.param("positions", nn.initializers.normal(0.1), (SEQUENCE, HIDDEN))
        x = x + nn.Embed(2, HIDDEN, name="types")(jnp.zeros_like(ids))
        x = nn.LayerNorm(epsilon=1e-12)(x)
        mask = nn.make_attention_mask(attention_mask > 0, attention_mask > 0)
        y = nn.MultiHeadDotProductAttention(HEADS)(x, x, mask=mask)
        x = nn.LayerNorm(epsilon=1e-12)(x + y)
        h = nn.gelu(nn.Dense(FFN)(x), approximate=False)
        x = nn.LayerNorm(epsilon=1e-12)(x + nn.Dense(HIDDEN)(h))
        return nn.Dense(VOCABULARY)(x)


def bert(key, ids):
    model = Bert()
    return model, model.init(key, ids, jnp.ones_like(ids))


# Flax NNX, with a causal mask and dropout that is off.
class NnxModel(nnx.Module):
    def __init__(self, rngs):
        self.tokens = nnx.Embed(VOCABULARY, HIDDEN, rngs=rngs)
        self.norm_1 = nnx.LayerNorm(HIDDEN, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(HEADS, HIDDEN, decode=False, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.norm_2 = nnx.RMSNorm(HIDDEN, rngs=rngs)
        self.fc1 = nnx.Linear(HIDDEN, FFN, rngs=rngs)
        self.fc2 = nnx.Linear(FFN, HIDDEN, rngs=rngs)
        self.head = nnx.Linear(HIDDEN, VOCABULARY, use_bias=False, rngs=rngs)

    def __call__(self, ids):
        x = self.tokens(ids)
        mask = nnx.make_causal_mask(ids)
        x = x + self.dropout(self.attention(self.norm_1(x), mask=mask))
        x = x + self.fc2(nnx.relu(self.fc1(self.norm_2(x))))
        return self.head(x)


def nnx_model(key, ids):
    return NnxModel(nnx.Rngs(0)), None


# Equinox: a model of one sequence, mapped over the batch.
class EquinoxModel(eqx.Module):
    tokens: eqx.nn.Embedding
    attention: eqx.nn.MultiheadAttention
    norm: eqx.nn.LayerNorm
    mlp: eqx.nn.MLP
    head: eqx.nn.Linear

    def __init__(self, key):
        a, b, c, d = jax.random.split(key, 4)
        self.tokens = eqx.nn.Embedding(VOCABULARY, HIDDEN, key=a)
        self.attention = eqx.nn.MultiheadAttention(HEADS, HIDDEN, key=b)
        self.norm = eqx.nn.LayerNorm(HIDDEN)
        self.mlp = eqx.nn.MLP(HIDDEN, HIDDEN, FFN, 1, jax.nn.silu, key=c)
        self.head = eqx.nn.Linear(HIDDEN, VOCABULARY, key=d)

    def one(self, ids):
        x = jax.vmap(self.tokens)(ids)
        mask = jnp.tril(jnp.ones((ids.shape[0], ids.shape[0]), bool))
        h = jax.vmap(self.norm)(x)
        x = x + self.attention(h, h, h, mask=mask)
        return jax.vmap(self.head)(x + jax.vmap(self.mlp)(x))

    def __call__(self, ids):
        return jax.vmap(self.one)(ids)


def equinox(key, ids):
    return EquinoxModel(key), None


# Plain functions: a Llama whose layers are stacked under lax.scan and computed anew
# in the backward pass; RMSNorm, rotary embedding, grouped heads, SwiGLU.
def rms_norm(x, gamma):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * gamma


def rope(x):
    angles = jnp.arange(x.shape[1])[:, None] * 100.0 ** (-jnp.arange(0, SIZE, 2) / SIZE)
    cos, sin = (jnp.concatenate([f(angles)] * 2, -1)[:, None, :] for f in (jnp.cos, jnp.sin))
    a, b = jnp.split(x, 2, -1)
    return x * cos + jnp.concatenate([-b, a], -1) * sin


def llama_layer(x, w, rope=rope):
    batch, sequence, _ = x.shape
    h = rms_norm(x, w["norm_1"])
    q = rope((h @ w["q"]).reshape(batch, sequence, HEADS, SIZE))
    k = rope((h @ w["k"]).reshape(batch, sequence, 1, SIZE))
    v = (h @ w["v"]).reshape(batch, sequence, 1, SIZE)
    k, v = jnp.repeat(k, HEADS, 2), jnp.repeat(v, HEADS, 2)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * SIZE**-0.5
    mask = jnp.arange(sequence)[:, None] >= jnp.arange(sequence)
    weights = jax.nn.softmax(jnp.where(mask, scores, -jnp.inf))
    y = jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, sequence, HIDDEN)
    x = x + y @ w["o"]
    h = rms_norm(x, w["norm_2"])
    return x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"], jnp.mean(x)


def llama_model(params, ids):
    x = params["tokens"][ids]
    x, _ = jax.lax.scan(jax.checkpoint(llama_layer), x, params["layers"])
    return rms_norm(x, params["norm"]) @ params["head"]


# The same with heads turned as complex numbers: neighbours are their parts, angles
# are closed over by the scan, and the product is a function of its own.
@jax.jit
def turned(x, angles):
    pairs = x.reshape(*x.shape[:-1], -1, 2)
    y = jax.lax.complex(pairs[..., 0], pairs[..., 1]) * angles[:, None]
    return jnp.stack([y.real, y.imag], -1).reshape(x.shape)


def complex_llama_model(params, ids):
    frequencies = 100.0 ** (-jnp.arange(0, SIZE, 2) / SIZE)
    angles = jnp.exp(1j * jnp.outer(jnp.arange(ids.shape[1]), frequencies))
    layer = functools.partial(llama_layer, rope=lambda x: turned(x, angles))
    x, _ = jax.lax.scan(layer, params["tokens"][ids], params["layers"])
    return rms_norm(x, params["norm"]) @ params["head"]


def complex_llama(key, ids):
    return complex_llama_model, llama(key, ids)[1]


def llama(key, ids):
    layers = 3
    shapes = {"q": (HIDDEN, HIDDEN), "k": (HIDDEN, SIZE), "v": (HIDDEN, SIZE),
              "o": (HIDDEN, HIDDEN), "gate": (HIDDEN, FFN), "up": (HIDDEN, FFN),
              "down": (FFN, HIDDEN)}
    params = {name: jnp.zeros((layers, *shape)) for name, shape in shapes.items()}
    for name in ("norm_1", "norm_2"):
        params[name] = jnp.ones((layers, HIDDEN))
    return llama_model, {"tokens": jnp.zeros((VOCABULARY, HIDDEN)), "layers": params,
                         "norm": jnp.ones(HIDDEN), "head": jnp.zeros((HIDDEN, VOCABULARY))}


# Recurrences: selective scans by lax.scan and by associative_scan, gates, linear attention.
STATE = 4


def selective(w, x):
    step = jax.nn.softplus(x @ w["step"])
    return step, -jnp.exp(w["rates"]), x @ w["keys"], x @ w["queries"]


def selective_scan(w, x):
    step, rates, keys, queries = selective(w, x)

    def body(h, token):
        x, step, key, query = token
        h = jnp.exp(step[..., None] * rates) * h + (step * x)[..., None] * key[:, None]
        return h, jnp.einsum("bdn,bn->bd", h, query)

    tokens = [value.swapaxes(0, 1) for value in (x, step, keys, queries)]
    return jax.lax.scan(body, jnp.zeros((BATCH, HIDDEN, STATE), x.dtype), tokens)[1].swapaxes(0, 1)


def combine(left, right):
    return left[0] * right[0], right[0] * left[1] + right[1]


def selective_tree(w, x):
    step, rates, keys, queries = selective(w, x)
    pair = (jnp.exp(step[..., None] * rates), (step * x)[..., None] * keys[:, :, None])
    _, states = jax.lax.associative_scan(combine, pair, axis=1)
    return (states * queries[:, :, None]).sum(-1)


def gates(w, x):
    decay = jax.nn.sigmoid(x @ w["gate"])
    return jax.lax.associative_scan(combine, (decay, x * jnp.sqrt(1 - decay**2)), axis=1)[1]


def linear_attention(w, x):
    def body(state, token):
        x, decay, key, query = token
        state = decay[:, None] * state + key[..., None] * x[:, None]
        return state, jnp.einsum("bk,bkv->bv", query, state)

    values = x, jax.nn.sigmoid(x @ w["gate"]), x @ w["keys"], x @ w["queries"]
    tokens = [value.swapaxes(0, 1) for value in values]
    return jax.lax.scan(body, jnp.zeros((BATCH, STATE, HIDDEN), x.dtype), tokens)[1].swapaxes(0, 1)


def scans_model(params, ids):
    x = params["tokens"][ids]
    for name, layer in (("scan", selective_scan), ("tree", selective_tree), ("gates", gates),
                        ("attention", linear_attention)):
        x = x + layer(params[name], x)
    return x @ params["head"]


def scans(key, ids):
    shapes = {"step": (HIDDEN, HIDDEN), "rates": (HIDDEN, STATE), "gate": (HIDDEN, HIDDEN),
              "keys": (HIDDEN, STATE), "queries": (HIDDEN, STATE)}

    def zeros(*names):
        return {name: jnp.zeros(shapes[name]) for name in names}

    selected = ("step", "rates", "keys", "queries")
    return scans_model, {"tokens": jnp.zeros((VOCABULARY, HIDDEN)), "scan": zeros(*selected),
                         "tree": zeros(*selected), "gates": zeros("gate"),
                         "attention": zeros("gate", "keys", "queries"),
                         "head": jnp.zeros((HIDDEN, VOCABULARY))}


# Mixtures of experts whose rows are sorted by expert for lax.ragged_dot: rows as the
# quotient of the order, back by its argsort; back by a sum of weighted rows; a sort of
# several arrays, sizes as a sum of one-hot rows, and experts without rows.
EXPERTS, CHOSEN = 6, 2


def routed(w, x, last=EXPERTS):
    weights, experts = jax.lax.top_k(jax.nn.softmax((x @ w["router"])[:, :last]), CHOSEN)
    return weights / weights.sum(-1, keepdims=True), experts.reshape(-1)


def grouped_mlp(w, rows, sizes):
    gate = jax.lax.ragged_dot(rows, w["gate"], sizes)
    up = jax.lax.ragged_dot(rows, w["up"], sizes)
    return jax.lax.ragged_dot(jax.nn.silu(gate) * up, w["down"], sizes)


def back_by_argsort(w, x):
    weights, experts = routed(w, x)
    order = jnp.argsort(experts)
    rows = jnp.take(x, order // CHOSEN, axis=0)
    y = grouped_mlp(w, rows, jnp.bincount(experts, length=EXPERTS))
    y = jnp.take(y, jnp.argsort(order), axis=0).reshape(-1, CHOSEN, HIDDEN)
    return jnp.einsum("tkh,tk->th", y, weights)


def back_by_sum(w, x):
    weights, experts = routed(w, x)
    order = jnp.argsort(experts)
    sizes = jnp.zeros(EXPERTS, jnp.int32).at[experts].add(1)
    y = grouped_mlp(w, jnp.repeat(x, CHOSEN, axis=0)[order], sizes)
    y = y * weights.reshape(-1)[order, None]
    return jnp.zeros_like(x).at[order // CHOSEN].add(y)


def back_by_places(w, x):
    weights, experts = routed(w, x, last=4)
    numbers = jnp.arange(experts.size)
    _, order = jax.lax.sort((experts, numbers), num_keys=1)
    sizes = jax.nn.one_hot(experts, EXPERTS, dtype=jnp.int32).sum(0)
    y = grouped_mlp(w, x[order // CHOSEN], sizes)
    places = jnp.zeros_like(order).at[order].set(numbers, unique_indices=True)
    y = y[places].reshape(-1, CHOSEN, HIDDEN)
    return (y * weights[..., None]).sum(1)


def experts_model(params, ids):
    x = params["tokens"][ids].reshape(-1, HIDDEN)
    for name, layer in (("argsort", back_by_argsort), ("sum", back_by_sum),
                        ("places", back_by_places)):
        x = x + layer(params[name], x)
    return x.reshape(*ids.shape, HIDDEN) @ params["head"]


def experts(key, ids):
    shapes = {"router": (HIDDEN, EXPERTS), "gate": (EXPERTS, HIDDEN, FFN // 2),
              "up": (EXPERTS, HIDDEN, FFN // 2), "down": (EXPERTS, FFN // 2, HIDDEN)}
    layers = {name: {part: jnp.zeros(shape) for part, shape in shapes.items()}
              for name in ("argsort", "sum", "places")}
    return experts_model, {"tokens": jnp.zeros((VOCABULARY, HIDDEN)), **layers,
                           "head": jnp.zeros((HIDDEN, VOCABULARY))}


# Mixtures of experts as einsums with one-hot masks. All experts for all rows, times
# gates that are zero but for a few: gates as a sum of one-hot rows, as an einsum that
# is multiplied before the second product, as probabilities that a mask keeps, as those
# of logits without a mask's others. And rows
# that a mask of rows, experts and positions moves, and drops where there are more than
# fit: one choice, all of one expert; positions of choices, with biases; those of
# experts, first choices first, experts that tie and others without rows; counts of
# choices, from 1.
ROWS, MASKED, CAPACITY = 64, 8, 12


def masked_mlp(w, x, up, down, act=jax.nn.silu):
    return jnp.einsum(down, act(jnp.einsum(up, x, w["up"])), w["down"])


def probabilities(w, x):
    return jax.nn.softmax(x @ w["router"])


def gates_of_sums(w, x):
    weights, experts = jax.lax.top_k(probabilities(w, x), CHOSEN)
    gates = (jax.nn.one_hot(experts, MASKED) * weights[..., None]).sum(1)
    return jnp.einsum("te,ted->td", gates, masked_mlp(w, x, "td,edf->tef", "tef,efd->ted"))


def gates_inside(w, x):
    weights, experts = jax.lax.top_k(probabilities(w, x), CHOSEN)
    gates = jnp.einsum("tk,tke->te", weights, jax.nn.one_hot(experts, MASKED))
    h = jax.nn.gelu(jnp.einsum("td,edf->tef", x, w["up"]))
    return jnp.einsum("te,tef,efd->td", gates, h, w["down"])


def kept_gates(w, x):
    x = x.reshape(2, -1, HIDDEN)
    chances = probabilities(w, x)
    _, experts = jax.lax.top_k(chances, CHOSEN)
    gates = chances * jax.nn.one_hot(experts, MASKED).sum(-2)
    gates = gates / gates.sum(-1, keepdims=True)
    y = masked_mlp(w, x, "btd,edf->ebtf", "ebtf,efd->ebtd")
    return (gates[..., None] * jnp.moveaxis(y, 0, 2)).sum(2).reshape(-1, HIDDEN)


def kept_logits(w, x):
    logits = x @ w["router"]
    _, experts = jax.lax.top_k(logits, CHOSEN)
    kept = jax.nn.one_hot(experts, MASKED, dtype=bool).any(1)
    gates = jax.nn.softmax(jnp.where(kept, logits, -jnp.inf))
    return jnp.einsum("te,etd->td", gates, masked_mlp(w, x, "td,edf->etf", "etf,efd->etd"))


def one_choice(w, x):
    chances = jax.nn.softmax(x @ w["router"] + 9 * jax.nn.one_hot(3, MASKED))
    expert, gate = jnp.argmax(chances, -1), jnp.max(chances, -1)
    mask = jax.nn.one_hot(expert, MASKED)
    place = jnp.cumsum(mask, axis=0) * mask
    mask = mask * (place <= CAPACITY)
    fits = mask.sum(-1)
    combine = ((gate * fits * fits)[:, None, None] * jax.nn.one_hot(expert, MASKED)[..., None]
               * jax.nn.one_hot((place - 1).astype(jnp.int32), CAPACITY))
    rows = jnp.einsum("tec,td->ecd", (combine > 0).astype(x.dtype), x)
    y = masked_mlp(w, rows, "ecd,edf->ecf", "ecf,efd->ecd", jax.nn.relu)
    return jnp.einsum("tec,ecd->td", combine, y)


def places_of_choices(w, x):
    weights, experts = jax.lax.top_k(probabilities(w, x), CHOSEN)
    mask = jax.nn.one_hot(experts, MASKED, dtype=jnp.int32).reshape(-1, MASKED)
    place = ((jnp.cumsum(mask, axis=0) - mask) * mask).sum(-1).reshape(-1, CHOSEN)
    dispatch = (jax.nn.one_hot(experts, MASKED)[..., None]
                * jax.nn.one_hot(place, CAPACITY)[:, :, None])
    combine = (dispatch * weights[..., None, None]).sum(1)
    rows = jnp.einsum("tec,td->ecd", dispatch.sum(1), x)
    h = jax.nn.relu(jnp.einsum("ecd,edf->ecf", rows, w["up"]) + w["bias"][:, None])
    return jnp.einsum("tec,ecd->td", combine, jnp.einsum("ecf,efd->ecd", h, w["down"]))


def places_of_experts(w, x):
    x = x.reshape(2, -1, HIDDEN)
    router = jnp.concatenate([w["router"][:, :3], w["router"][:, :3]], -1)
    chances = jax.nn.softmax(jnp.pad(x @ router, [(0, 0), (0, 0), (0, 2)], constant_values=-9))
    _, experts = jax.lax.top_k(chances, CHOSEN)
    experts = jnp.swapaxes(experts, 1, 2).reshape(2, -1)
    mask = jax.nn.one_hot(experts, MASKED, dtype=jnp.int32)
    place = (jnp.cumsum(mask, axis=1) * mask - 1.0).reshape(2, CHOSEN, -1, MASKED)
    place = jnp.max(jnp.swapaxes(place, 1, 2), axis=2)
    dispatch = jax.nn.one_hot(place, CAPACITY, dtype=jnp.bool_)
    combine = jnp.einsum("gte,gtec->gtec", chances, dispatch)
    rows = jnp.einsum("gtd,gtec->gecd", x, dispatch)
    y = masked_mlp(w, rows, "gecd,edf->gecf", "gecf,efd->gecd", jax.nn.gelu)
    return jnp.einsum("gecd,gtec->gtd", y, combine).reshape(-1, HIDDEN)


def counted_choices(w, x):
    x = x.reshape(2, -1, HIDDEN)
    chances = probabilities(w, x)
    _, experts = jax.lax.top_k(chances, CHOSEN)
    mask = jax.nn.one_hot(experts, MASKED, dtype=jnp.int32)
    flat = mask.reshape(2, -1, MASKED)
    counts = jnp.cumsum(flat, axis=1)
    fits = (mask * (counts.reshape(mask.shape) <= CAPACITY)).sum(2)
    place = (flat * counts).reshape(mask.shape).sum(2) * fits
    combine = ((chances * fits)[..., None]
               * jax.nn.one_hot(place, CAPACITY + 1, dtype=jnp.int32))[..., 1:]
    rows = jnp.einsum("BSM,BSEC->EBCM", x, combine.astype(bool))
    h = jax.nn.silu(jnp.einsum("EBCM,EMH->EBCH", rows, w["up"]))
    h = h * jnp.einsum("EBCM,EMH->EBCH", rows, w["gate"])
    y = jnp.einsum("EBCH,EHM->EBCM", h, w["down"])
    return jnp.einsum("EBCM,BSEC->BSM", y, combine).reshape(-1, HIDDEN)


MASKS = {mixture.__name__: mixture for mixture in
         (gates_of_sums, gates_inside, kept_gates, kept_logits, one_choice, places_of_choices,
          places_of_experts, counted_choices)}


def masks_model(params, ids):
    x = params["tokens"][ids].reshape(-1, HIDDEN)
    for name, mixture in MASKS.items():
        x = x + mixture(params[name], x)
    return (x @ params["head"]).reshape(*ids.shape, VOCABULARY)


def masks(key, ids):
    shapes = {"router": (HIDDEN, MASKED), "up": (MASKED, HIDDEN, FFN // 2),
              "down": (MASKED, FFN // 2, HIDDEN)}
    more = {"places_of_choices": {"bias": (MASKED, FFN // 2)},
            "counted_choices": {"gate": shapes["up"]},
            "places_of_experts": {"router": (HIDDEN, 3)}}
    layers = {name: {part: jnp.zeros(shape)
                     for part, shape in {**shapes, **more.get(name, {})}.items()}
              for name in MASKS}
    return masks_model, {"tokens": jnp.zeros((VOCABULARY, HIDDEN)), **layers,
                         "head": jnp.zeros((HIDDEN, VOCABULARY))}


MODELS = {"scans": scans, "experts": experts, "masks": masks, "linen": linen, "checkpoint": checkpoint, "bert": bert, "nnx": nnx_model,
          "equinox": equinox, "llama_scan": llama, "llama_complex": complex_llama}


def shaken(tree, seed, scale=0.2):
    """Every float away from where initializers put it."""
    generator = np.random.default_rng(seed)

    def shake(leaf):
        if not eqx.is_inexact_array(leaf):
            return leaf
        return leaf + jnp.asarray(generator.normal(0, scale, leaf.shape), leaf.dtype)

    return jax.tree_util.tree_map(shake, tree)


def make(name):
    generator = np.random.default_rng(7)
    shape = (BATCH, ROWS if name == "masks" else SEQUENCE)
    ids = jnp.asarray(generator.integers(0, VOCABULARY, shape), jnp.int32)
    inputs = {"ids": ids}
    if name == "bert":
        mask = np.ones((BATCH, SEQUENCE), np.int32)
        mask[1, -3:] = 0
        inputs["attention_mask"] = jnp.asarray(mask)
    model, params = MODELS[name](jax.random.key(0), ids)
    if isinstance(model, nnx.Module):
        graph, state, rest = nnx.split(model, nnx.Param, ...)
        state = shaken(state, 1)
        model = nnx.merge(graph, state, rest)
    elif params is None:
        model = shaken(model, 1)
    else:
        params = shaken(params, 1)

    folder = os.path.join(HERE, "jax", name)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "model.mlir")
    names = export_stablehlo(model, inputs, path, params=params, debug_info=False)

    # In float64: some gradients are sums that cancel, which float32 gets wrong by
    # more than the test allows.
    labels = generator.integers(0, VOCABULARY, shape)
    labels[0, 2] = -100
    jax.config.update("jax_enable_x64", True)
    if isinstance(model, nnx.Module):
        tree = state

        def call(tree, *inputs):
            copy = nnx.merge(graph, tree, rest)
            copy.eval()
            return copy(*inputs)
    elif params is None:
        tree, rest = eqx.partition(model, eqx.is_inexact_array)

        def call(tree, *inputs):
            return eqx.combine(tree, rest)(*inputs)
    else:
        tree, call = params, getattr(model, "apply", model)

    def loss(tree):
        logits = call(tree, *inputs.values())
        logs = jax.nn.log_softmax(logits)
        chosen = jnp.take_along_axis(logs, jnp.maximum(labels, 0)[..., None], -1)[..., 0]
        counts = labels >= 0
        return -jnp.sum(chosen * counts) / jnp.sum(counts), logits

    tree = jax.tree_util.tree_map(lambda x: x.astype(jnp.float64), tree)
    (value, logits), gradients = jax.value_and_grad(loss, has_aux=True)(tree)
    assert logits.dtype == jnp.float64
    jax.config.update("jax_enable_x64", False)
    reference = {"logits": np.float32(logits), "loss": np.float32(value), "labels": labels}
    reference.update({f"input.{key}": np.asarray(x) for key, x in inputs.items()})
    leaves = jax.tree_util.tree_leaves(gradients)
    assert len(leaves) == len(names)
    for key, gradient in zip(names, leaves):
        reference[f"grad.{key}"] = np.float32(gradient)
    save_safetensors(reference, os.path.join(folder, "reference.safetensors"))


if __name__ == "__main__":
    for name in sys.argv[1:] or MODELS:
        make(name)
