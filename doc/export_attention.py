#!/usr/bin/env python3
"""export_attention.py: attention maps, tokens and labels of a PyTorch transformer, in MAT files that attnpath reads.

SPDX-License-Identifier: BSD-3-Clause

From the command line, for a text model of Hugging Face's transformers (a name, or a folder):

    python3 export_attention.py MODEL sentences.tsv maps --layers 4 5 --readout mean

reads lines "label <TAB> text" and writes maps_001.mat, maps_002.mat, ..., parts of at most 512 MiB. Or from Python, for
any model that returns attentions and hidden states, that is made of nn.MultiheadAttention, or whose maps a function of
yours returns (maps= of export):

    from export_attention import export
    export(model, batches, "maps", layers=[4, 5], readout="mean")

Each file holds, in single precision and in attnpath's order of dimensions (a C-ordered array of (P, head, query, key)
is in memory a column-major array of key x query x head x P, as Octave and MATLAB store it):

    X        N0 x T x P         tokens that enter the first of the layers: hidden_states[layers[0]], or the input of
                                its nn.MultiheadAttention
    A        1 x L cell         of T x T x H x P attention probabilities, key x query x head x example
    Lengths  1 x P              number of tokens of each example; entries behind them are padding, and zero
    y        P x 1              labels: numbers, or a cell of words; with the readout "all" T x P, NaN or '' for none
    readout, model, layers, heads    settings of the export: text, text, 1 x L (counted from 0, as in the model), 1 x L

In Octave or MATLAB, [paths, y] = attnpath_paths (net, attnpath_source ('maps_*.mat')) reads all parts, one at a time.
Requires torch, and transformers for the command line. This file writes compressed MAT files of level 5 (as save -v7)
itself, because scipy's savemat keeps everything in memory and would be a further dependency.
"""

import argparse
import contextlib
import copy
import json
import math
import os
import re
import struct
import sys
import time
import warnings
import zlib

import torch
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear

READOUTS = ("first", "last", "mean", "all")
NO_LABEL = -100             # of a token, as in transformers


# ---- MAT files, level 5 (MathWorks, "MAT-File Format"): elements of a tag, type and bytes, padded to 8 bytes ----

INT8, UINT16, INT32, UINT32, SINGLE, DOUBLE, MATRIX, COMPRESSED = 1, 4, 5, 6, 7, 9, 14, 15
CELL_CLASS, CHAR_CLASS, DOUBLE_CLASS, SINGLE_CLASS = 1, 4, 6, 7


def element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def matrix(name, array_class, size, content):
    size = tuple(size) + (1,) * (2 - len(size))
    return element(MATRIX, element(UINT32, struct.pack("<II", array_class, 0))
                   + element(INT32, struct.pack("<%di" % len(size), *size))
                   + element(INT8, name.encode("ascii")) + content)


def variable(name, value):
    """A text, a row of numbers, a list of tensors or texts (a cell), or of columns of texts (a cell with as many), or a
    tensor, with its dimensions reversed."""
    if isinstance(value, str):
        return matrix(name, CHAR_CLASS, (1, len(value)), element(UINT16, value.encode("utf-16-le")))
    if isinstance(value, list) and value and isinstance(value[0], list):
        return matrix(name, CELL_CLASS, (len(value[0]), len(value)),
                      b"".join(variable("", item) for column in value for item in column))
    if isinstance(value, list) and value and isinstance(value[0], (torch.Tensor, str)):
        size = (len(value), 1) if isinstance(value[0], str) else (1, len(value))
        return matrix(name, CELL_CLASS, size, b"".join(variable("", item) for item in value))
    if isinstance(value, list):
        return matrix(name, DOUBLE_CLASS, (1, len(value)),
                      element(DOUBLE, struct.pack("<%dd" % len(value), *value)))
    content = element(SINGLE, value.to(torch.float32).contiguous().numpy().tobytes())
    return matrix(name, SINGLE_CLASS, value.shape[::-1], content)


def save(file, variables, note=""):
    """note enters the file's first 116 bytes, by which attnpath_source distinguishes files of different exports."""
    with open(file + ".new", "wb") as out:              # a killed run leaves no incomplete part
        head = "MATLAB 5.0 MAT-file, written by export_attention.py of attnpath" + note
        out.write(head.encode("ascii", "replace")[:116].ljust(124) + struct.pack("<H", 0x0100) + b"IM")
        for name, value in variables.items():
            packed = zlib.compress(variable(name, value), 1)
            out.write(struct.pack("<II", COMPRESSED, len(packed)))
            out.write(packed)
    os.replace(file + ".new", file)


def check_folder(out):
    folder = os.path.dirname(os.fspath(out))
    if folder and not os.path.isdir(folder):
        raise ValueError(f"there is no folder {folder} for {out}: make it first")


# ---- from a model to parts ----

@contextlib.contextmanager
def evaluating(model):
    """The model without dropout. Afterwards each module has its former mode."""
    training = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, was in training:
            module.training = was


BY_HAND = ("For attention that is written by hand pass maps=f to export: f(model, tokens) returns X (P, T, N0), the "
           "tokens that enter the first layer, a list with the maps (P, heads, query, key) of each layer, and a mask "
           "(P, T), true where there is no padding, or None. doc/your_own_transformer.md has an example")


def run(model, tokens, layers, reads=None, maps=None, notes=None):
    """(Xs, maps, mask) of one batch: for each layer the tokens that enter it, (P, T, N0), and its maps, (P, H, T, T);
    mask, (P, T), is true where there is no padding. What the user should know is added to notes."""
    attentions = [module for module in model.modules() if isinstance(module, torch.nn.MultiheadAttention)]
    if maps and reads:
        raise ValueError("reads is left out with maps, whose function returns X: omit it")
    if attentions and reads:
        raise ValueError("reads is left out for a model of nn.MultiheadAttention, whose input is X: omit it")
    with evaluating(model), torch.no_grad():
        if maps:
            found = by_hand(maps(model, tokens), layers)
        elif attentions:
            found = recorded(model, attentions, tokens, layers)
        else:
            found = returned(model, tokens, layers, reads, notes)
    check_maps(*found, layers)
    return found


def by_hand(answer, layers):
    """The result of run from what the function maps= returns."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 3 or not isinstance(answer[0], torch.Tensor) \
            or answer[0].dim() != 3 or isinstance(answer[1], torch.Tensor) or len(answer[1]) != len(layers):
        raise ValueError(f"the function maps must return X (P, T, N0), a list of maps for each of the {len(layers)} "
                         f"layers, and a mask or None. {BY_HAND}")
    X, maps, mask = answer
    maps = [a.detach().float().cpu() for a in maps]
    mask = torch.ones(X.shape[:2], dtype=torch.bool) if mask is None else mask.detach().cpu().bool()
    for layer, a in zip(layers, maps):
        whole = a.sum(-1).transpose(0, 1)[:, mask] if a.dim() == 4 and a.shape[::2] == mask.shape else torch.ones(1)
        if not ((whole - 1).abs() <= 0.01).all():           # NaN too
            raise ValueError(f"the maps of layer {layer} sum over keys to {whole.min():.3g} to {whole.max():.3g}, not "
                             f"to 1: they must be (P, heads, query, key), behind the softmax")
    return [X.detach().float().cpu()] * len(maps), maps, mask


def check_maps(Xs, maps, mask, layers):
    """Check that the maps fit these tokens and this mask."""
    for layer, X, a in zip(layers, Xs, maps):
        P, T = X.shape[:2]
        if a.dim() == 3 and a.shape == (P, T, T):
            raise ValueError(f"the maps of layer {layer} are means over heads: the model must return one for each head "
                             f"(in PyTorch: average_attn_weights=False)")
        if a.dim() != 4 or a.shape[0] != P or a.shape[2:] != (T, T):
            raise ValueError(f"the maps of layer {layer} are {tuple(a.shape)}, not (P, H, {T}, {T}): attention that "
                             f"does not see all tokens in one map cannot be exported")
        if mask.shape != (P, T):
            raise ValueError(f"the mask is {tuple(mask.shape)}, and layer {layer} has {P} examples of {T} tokens")
        for k in range(P):
            real = mask[k].bool()
            of_real = a[k][:, real]
            if not (of_real.isfinite().all() and X[k, real].isfinite().all()):
                raise ValueError(f"layer {layer} computes NaN or infinite numbers for example {k + 1} of a batch. A "
                                 f"query whose keys are all masked gives NaN, which spreads in the next layer: pad on "
                                 f"the right, or let padding attend to some token")
            leak = of_real[:, :, ~real].sum(-1)
            if leak.numel() and leak.max() > 0.01:
                raise ValueError(f"in layer {layer} a token of example {k + 1} of a batch gives {leak.max():.2g} of "
                                 f"its attention to padding: the model ignores the mask, or a part of it")


def returned(model, tokens, layers, reads, notes):
    """The result of run for a model that returns attentions and hidden_states, as those of transformers do."""
    if not hasattr(tokens, "keys"):
        raise ValueError("a batch must be (tokens, labels) with the result of the tokenizer as tokens, not a "
                         f"{type(tokens).__name__}. {BY_HAND}")
    tokens, mask = padded_behind(model, {name: tokens[name] for name in tokens.keys()})
    attentions = attentions_of(model)
    inputs_of = {module: [] for module in model.modules()
                 if any(own is reads or own in attentions for own in module.modules())}
    hooks = [module.register_forward_pre_hook(
        lambda module, inputs, named: inputs_of[module].append(inputs[0] if inputs else named.get("hidden_states")),
        with_kwargs=True) for module in inputs_of]
    try:
        out = model(**tokens, output_attentions=True, output_hidden_states=True)
    except (AttributeError, TypeError, ValueError) as problem:
        raise ValueError("model(**tokens, output_attentions=True, output_hidden_states=True) fails: "
                         f"{problem}. If the model has an encoder and a decoder, give one of them, such as "
                         f"model.get_encoder(); a state-space model (Mamba) has no attention. {BY_HAND}") from problem
    finally:
        for hook in hooks:
            hook.remove()
    states, maps = getattr(out, "hidden_states", None), getattr(out, "attentions", None)
    if states is None:
        raise ValueError(f"the model returns no hidden_states, but a {type(out).__name__}: if it has an encoder and a "
                         f"decoder, give one of them, such as model.get_encoder(). {BY_HAND}")
    maps = [] if maps is None else [a for a in maps if a is not None]
    if len(maps) == 0:
        raise ValueError("the model returned no attention maps: load it with attn_implementation='eager', since the "
                         f"faster implementations do not compute them. A state-space model (Mamba) has none. {BY_HAND}")
    if len(maps) != len(states) - 1:
        raise ValueError(f"the model returned {len(maps)} maps and {len(states)} hidden states, not one more than "
                         f"maps: it has layers without attention, or maps of another kind, so that maps cannot be "
                         f"assigned to hidden states")
    check_layers(layers, len(maps))
    Xs = [states[layer] for layer in layers]
    if reads:
        Xs[0] = input_of_reads(reads, inputs_of, states, layers[0], attentions)
    elif notes is not None:
        notes += behind_norm(inputs_of, states, layers[0], attentions)
    Xs, maps = [X.float().cpu() for X in Xs], [maps[layer].float().cpu() for layer in layers]
    if mask is None:
        mask = torch.ones(Xs[0].shape[:2])
        whole = all(a.dim() == 4 and a.shape[-1] == mask.shape[1] for a in maps)
        if whole and torch.stack([(a == 0).all(1).all(1) for a in maps]).all(0).any():
            raise ValueError("some tokens get no attention at all, like padding, and there is no attention_mask: "
                             "pass that of the tokenizer, or one of ones")
    return Xs, maps, mask.cpu().bool()


def padded_behind(model, tokens):
    """(tokens, attention_mask or None). Padding in front of a text is moved behind it, since learned positions would
    count it. With position_ids nothing is moved."""
    mask, ids = tokens.get("attention_mask"), tokens.get("input_ids")
    if mask is None:
        config = getattr(model, "config", None)
        padding, end = getattr(config, "pad_token_id", None), getattr(config, "eos_token_id", None)
        for edge in (ids[..., :2], ids[..., -2:].flip(-1)) if ids is not None and padding is not None else ():
            same = edge == padding
            if same[..., 0].any() and not (same[..., 0].all() and padding == end and not same.all(-1).any()):
                raise ValueError("some texts are padded, and there is no attention_mask: the model would attend to "
                                 "padding. Pass the attention_mask of the tokenizer, or one of ones")
        return tokens, None
    if mask.dim() != 2 or not ((mask == 0) | (mask == 1)).all():
        raise ValueError(f"attention_mask must be (P, T), ones and zeros on padding, not {tuple(mask.shape)} of "
                         f"numbers from {mask.min().item():g} to {mask.max().item():g}")
    front = (mask.cumsum(1) == 0).sum(1).tolist()
    if any(front) and tokens.get("position_ids") is None:
        tokens = {name: torch.stack([row.roll(-n, 0) for row, n in zip(value, front)])
                  if isinstance(value, torch.Tensor) and value.shape[:2] == mask.shape else value
                  for name, value in tokens.items()}
    return tokens, tokens["attention_mask"]


def attentions_of(model):
    """{module: name} of the innermost modules that are attention by their class or name, names as Python reads them."""
    found = {module: name for name, module in model.named_modules()
             if "attention" in type(module).__name__.lower() or re.search(r"(^|\.)(self_)?(attn|attention)$", name)}
    inner = lambda module: not any(own in found for own in list(module.modules())[1:])
    return {module: re.sub(r"\.(\d+)", r"[\1]", name) for module, name in found.items() if inner(module)}


def behind_norm(inputs_of, states, layer, attentions):
    """A sentence if the heads of the layer read something else than its hidden state."""
    reads = [module for module in attentions if any(same(given, states[layer]) for given in inputs_of[module])]
    around = [module for module, given in inputs_of.items() if any(same(own, states[layer]) for own in given)]
    inside = [own for block in around for own in block.modules() if own in attentions and inputs_of[own]]
    if reads or not inside:
        return []
    return [f"X is the stream that enters layer {layer}, and its heads read something else, usually a norm of it: for "
            f"the theory of the heads alone export again with reads=model.{attentions[inside[0]]}, and for networks "
            f"with skip connections with norms="]


def input_of_reads(reads, inputs_of, states, layer, attentions):
    """The input of the module reads, which must belong to this layer: the smallest module around it whose input is a
    hidden state must have the hidden state of the layer. It must be what an attention of that module reads, too."""
    calls = inputs_of.get(reads, [])
    if len(calls) != 1:
        raise ValueError("the model did not call the module that reads names" if not calls else
                         f"the model calls the module that reads names {len(calls)} times, as for shared layers")
    for module in reversed([own for own in inputs_of if any(part is reads for part in own.modules())]):
        for given in inputs_of[module]:
            found = [k for k, state in enumerate(states[:-1]) if same(given, state)]
            if layer in found:
                near = {own: attentions[own] for own in module.modules() if own in attentions and inputs_of[own]}
                if near and not any(same(calls[0], own) for other in near for own in inputs_of[other]):
                    raise ValueError(f"the input of the module that reads names, a {type(reads).__name__}, is not what "
                                     f"the heads of layer {layer} average: pass reads=model.{list(near.values())[0]}")
                return calls[0]
            if found:
                raise ValueError(f"the module that reads names is in layer {found[0]}, not in layer {layer}")
    raise ValueError(f"no module around the one that reads names is called with the hidden state of layer {layer}")


def same(a, b):
    return a is b or isinstance(a, torch.Tensor) and a.shape == b.shape and torch.equal(a, b)


def run_frozen(model, tokens, layers, norms):
    """The result of run with X the stream that enters the first norm. Each key of a map is divided by the divisor of
    its token in the norm of the layer, so that a head reads the stream by linear maps. A norm's weight, and the mean
    that LayerNorm subtracts, are linear in a token's features, and so a part of the head's values."""
    calls = {norm: [] for norm in norms}
    if len(calls) != len(norms):
        raise ValueError("norms names one norm twice: a shared norm has other divisors in each layer")
    own = [module for module in model.modules() if isinstance(module, torch.nn.MultiheadAttention)]
    hooks = [norm.register_forward_hook(lambda module, inputs, out: calls[module].append((inputs[0], out)))
             for norm in norms]
    try:
        Xs, maps, mask = run(model, tokens, layers)
    finally:
        for hook in hooks:
            hook.remove()
    for k, (norm, layer) in enumerate(zip(norms, layers)):
        if len(calls[norm]) != 1:
            raise ValueError(f"the model did not call the norm of layer {layer}" if not calls[norm] else f"the model "
                             f"calls the norm of layer {layer} {len(calls[norm])} times, as for shared layers")
        z, out = (value.detach().cpu() for value in calls[norm][0])
        if own and not own[layer].batch_first:
            z, out = z.transpose(0, 1), out.transpose(0, 1)
        if z.shape[:2] != Xs[k].shape[:2]:
            raise ValueError(f"the input of the norm of layer {layer} is {tuple(z.shape)}, not {Xs[k].shape[0]} "
                             f"examples of {Xs[k].shape[1]} tokens")
        read = (out if own else z).float()
        if not torch.allclose(read[mask], Xs[k][mask], rtol=1e-3, atol=1e-3 * Xs[k][mask].abs().max().item()):
            raise ValueError(f"the norm given for layer {layer} does not stand before its heads, as in GPT-2, ViT or "
                             f"with norm_first=True: for a model with norms behind its heads, omit norms")
        maps[k] = maps[k] / divisor(norm, z, out, mask, layer)[:, None, None, :]
        Xs[k] = z.float()
    return Xs, maps, mask


def divisor(norm, z, out, mask, layer):
    """The divisor of each token in a norm, (P, T): out = weight * z / divisor + bias, for LayerNorm with z minus its
    mean. For a model in half precision the norm's output is recomputed in single precision."""
    if out.dtype != torch.float32:
        single = copy.deepcopy(norm).cpu().float()
        with torch.no_grad():
            out = single(z.float())
    z, out = z.float(), out.float()
    if isinstance(norm, torch.nn.LayerNorm):
        z = z - z.mean(-1, keepdim=True)
    if getattr(norm, "weight", None) is not None:
        z = z * norm.weight.detach().float().cpu()
    if getattr(norm, "bias", None) is not None:
        out = out - norm.bias.detach().float().cpu()
    squares = (z * z).sum(-1)
    scale = torch.where(squares > 0, squares / (z * out).sum(-1), torch.ones(()))       # padding may be zero
    if not ((z / scale.unsqueeze(-1) - out)[mask].abs() <= 1e-3 * out[mask].abs().max()).all():
        raise ValueError(f"the norm of layer {layer}, a {type(norm).__name__}, does not divide each token by a number "
                         f"and multiply features by its weight: LayerNorm and RMSNorm do")
    return scale


def check_layers(layers, count):
    if not all(0 <= layer < count for layer in layers):
        raise ValueError(f"the model has layers 0 to {count - 1}, not all of {layers}")


def recorded(model, attentions, tokens, layers):
    """The result of run for a model in plain PyTorch: inputs and maps of its modules nn.MultiheadAttention."""
    check_layers(layers, len(attentions))
    seen = {}

    def record(layer):
        attention = attentions[layer]
        forward = attention.forward
        if attention.bias_k is not None or attention.add_zero_attn:
            raise ValueError(f"the nn.MultiheadAttention of layer {layer} has add_bias_kv or add_zero_attn, keys that "
                             f"are no tokens: it cannot be exported")

        def recording(query, key, value, *rest, **named):
            if rest:
                raise ValueError("call nn.MultiheadAttention with named arguments: attention(query, key, value, "
                                 "key_padding_mask=...)")
            if query.dim() != 3 or not same(query, key) or value.shape[:2] != key.shape[:2]:
                raise ValueError("only attention of a batch of sequences to themselves can be exported")
            if layer in seen:
                raise ValueError(f"the model calls the nn.MultiheadAttention of layer {layer} more than once, as for "
                                 f"shared layers: it cannot be exported")
            joined, maps = forward(query, key, value, **{**named, "need_weights": True, "average_attn_weights": False})
            tokens = value if attention.batch_first else value.transpose(0, 1)
            seen[layer] = tokens.float().cpu(), maps.float().cpu(), real_tokens(maps.shape, named, layer)
            return joined, maps.mean(1) if named.get("average_attn_weights", True) else maps

        attention.forward = recording

    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)          # the fast path does not call the modules
    try:
        for layer in layers:
            record(layer)
        outputs_of(model, tokens)
    finally:
        for layer in layers:
            vars(attentions[layer]).pop("forward", None)
        torch.backends.mha.set_fastpath_enabled(fast)
    silent = [layer for layer in layers if layer not in seen]
    if silent:
        raise ValueError(f"the model did not call the nn.MultiheadAttention of its layers {silent}")
    if list(seen) != layers:
        raise ValueError(f"the model calls its layers {layers} in the order {list(seen)}: layers are numbered in the "
                         f"order of its modules, and must follow each other")
    Xs, maps, masks = (list(part) for part in zip(*seen.values()))
    for layer, mask in zip(layers, masks):
        if not torch.equal(mask, masks[0]):
            raise ValueError(f"layers {layers[0]} and {layer} mask other tokens: an example must have one length")
    return Xs, maps, masks[0]


def real_tokens(shape, named, layer):
    """Tokens that are no padding, (P, T), by the masks of a call of nn.MultiheadAttention: bool, or numbers to add."""
    P, H, T, _ = shape
    padding, other = named.get("key_padding_mask"), named.get("attn_mask")
    real = torch.ones(P, T, dtype=torch.bool)
    if padding is not None:                                 # it says what padding is: attn_mask may be ALiBi's slopes
        padding = padding.cpu()
        return ~padding if padding.dtype == torch.bool else padding >= 0
    if other is None:
        return real
    other = other.cpu()
    sees = ~other if other.dtype == torch.bool else other > -20                 # e^-20 is negligible here
    sees = sees.reshape(P, H, T, T).any(1) if sees.dim() == 3 else sees.expand(P, T, T)
    real = real & sees.any(1)
    common = (sees & real[:, :, None] & real[:, None, :]).any(0)
    for k in range(P):
        own = sees[k][real[k]][:, real[k]]
        n = len(own)
        lonely = (own.sum(0) - own.diagonal().int() == 0).sum()                 # attended by themselves only
        ordered = not own.triu(1).any() or not own.tril(-1).any()               # 1 token in causal attention
        near = own | own.T | torch.eye(n, dtype=torch.bool)
        for _ in range(n.bit_length()):
            near = (near.float() @ near.float()) > 0
        if not near.all() or n > 1 and lonely > ordered or not torch.equal(own, common[real[k]][:, real[k]]):
            raise ValueError(f"the attn_mask of layer {layer} hides tokens of example {k + 1} of a batch from some "
                             f"queries only, so that padding is ambiguous. Pass padding as key_padding_mask, of False "
                             f"where there is none, and one text as an example")
    return real


def outputs_of(model, tokens):
    if hasattr(tokens, "keys"):
        return model(**tokens)
    return model(*tokens) if isinstance(tokens, (tuple, list)) else model(tokens)


def without_padding(X, maps, mask):
    """One (tokens (n, N0), [map (H, n, n), ..]) for each example, with padding at any place."""
    examples = []
    for k in range(X.shape[0]):
        real = mask[k].nonzero().flatten()
        if len(real) == 0:
            raise ValueError(f"example {k + 1} of a batch has no token that is not masked")
        # clones: a view would keep the batch alive
        examples.append((X[k, real].clone(), [a[k][:, real][:, :, real].clone() for a in maps]))
    return examples


def together(examples):
    """X (P, T, N0), maps (P, H, T, T) each, lengths: zero-padded to the longest example."""
    lengths = [x.shape[0] for x, _ in examples]
    P, T, N0 = len(examples), max(lengths), examples[0][0].shape[1]
    X = torch.zeros(P, T, N0)
    A = [torch.zeros(P, a.shape[0], T, T) for a in examples[0][1]]
    for k, (x, maps) in enumerate(examples):
        n = lengths[k]
        X[k, :n] = x
        for whole, a in zip(A, maps):
            whole[k, :, :n, :n] = a
    return X, A, lengths


def pairs_of(batches):
    for batch in batches:
        if not isinstance(batch, (tuple, list)) or len(batch) != 2:
            raise ValueError("batches must give pairs (input of the model, labels), as a DataLoader does, not "
                             f"{tuple(batch.shape) if isinstance(batch, torch.Tensor) else type(batch).__name__}")
        yield batch


def labels_of(y):
    """Labels as numbers; words are unchanged."""
    if isinstance(y, torch.Tensor) and y.dim() != 1:
        raise ValueError(f"labels of a batch must be one for each example, (P,), not {tuple(y.shape)}")
    labels = [value if isinstance(value, str) else float(value) for value in y]
    if any(not isinstance(value, str) and not math.isfinite(value) for value in labels):
        raise ValueError("labels must be finite numbers, or words")
    return labels


def answers_of(model, tokens, answer, y):
    """The model's answers for a batch, of the kind of its labels y."""
    with evaluating(model), torch.no_grad():
        said = answer(outputs_of(model, tokens))
    said = labels_of(said)
    if len(said) != len(y) or isinstance(said[0], str) != isinstance(y[0], str):
        kind = lambda values: f"{len(values)} {'words' if values and isinstance(values[0], str) else 'numbers'}"
        raise ValueError(f"answer must return {kind(y)} for a batch, as its labels are, not {kind(said)}")
    return said


def labels_of_tokens(y, tokens, examples):
    """For each example the labels of its tokens that are not padding: numbers, NaN for none, or words, '' for none."""
    mask = tokens.get("attention_mask") if hasattr(tokens, "keys") else None
    if len(y) != len(examples):
        raise ValueError(f"a batch has {len(examples)} examples and labels of {len(y)}")
    found = []
    for k, (X, _) in enumerate(examples):
        row = y[k].tolist() if isinstance(y[k], torch.Tensor) else y[k]
        row = list(row) if isinstance(row, (list, tuple)) else []
        if mask is not None and mask.dim() == 2 and len(row) == mask.shape[1]:
            row = [value for value, real in zip(row, mask[k].tolist()) if real]
        if len(row) != len(X):
            raise ValueError(f"example {k + 1} of a batch has {len(X)} tokens and {len(row)} labels: the readout 'all' "
                             f"takes one for each token, {NO_LABEL}, or '' of words, for none")
        if any(isinstance(value, str) for value in row):
            row = ["" if value == NO_LABEL else value for value in row]
        else:
            row = [math.nan if value == NO_LABEL else float(value) for value in row]
        if any(isinstance(value, str) != isinstance(row[0], str) for value in row):
            raise ValueError("some labels are words and others numbers")
        if any(not isinstance(value, str) and math.isinf(value) for value in row):
            raise ValueError("labels must be finite numbers, or words")
        found.append(row)
    return found


def rectangular(rows, T):
    """Labels of tokens as a tensor (P, T), or as lists of T words."""
    if isinstance(rows[0][0], str):
        return [row + [""] * (T - len(row)) for row in rows]
    return torch.tensor([row + [math.nan] * (T - len(row)) for row in rows], dtype=torch.float32)


def kind_of(label):
    return isinstance(label[0] if isinstance(label, list) else label, str)


def size_of(T, N0, heads, P):
    return 4 * P * T * (N0 + T * sum(heads))


def export(model, batches, out, layers, readout, part_bytes=2 ** 29, name="", reads=None, norms=None, maps=None,
           answer=None):
    """Write OUT_001.mat, ...: parts of a data set. Returns their names.

    model       returns attentions and hidden_states on request, as those of transformers do; or it consists of
                nn.MultiheadAttention, whose calls are recorded
    batches     iterable of (tokens, labels): tokens are the input of the model, with attention_mask if there is
                padding; labels are numbers, or words for more than two classes. Padding in front is moved behind the
                text unless position_ids are given. nn.MultiheadAttention may have masks of any form, bool or numbers;
                masks from which padding is ambiguous are refused
    layers      of the model, counted from 0, one after the other: [4, 5]. Each is called once: shared layers, and
                models with layers without attention, are refused
    readout     'first' (a class token), 'last' or 'mean': the token that the classifier reads. The file only notes it.
                'all': labels of a batch are then (P, T), or lists, one for each token of the model as it is, sub-words
                too: numbers with -100 for none, or words with ''
    reads       a module of the first layer whose input becomes X, in place of hidden_states: if a norm stands before
                the heads (GPT-2, Llama, ViT), X should be the input of the attention, model.h[4].attn
    norms       or, for networks with skip connections, the norm of each layer, [model.h[4].ln_1, model.h[5].ln_1]: X is
                the stream before the first. The scale that a norm gives each token is frozen and enters the maps, whose
                sums then differ from 1. A model of attention alone, without biases, then satisfies (T26) exactly
    maps        for attention that is written by hand: a function maps(model, tokens) that returns X (P, T, N0), the
                tokens that enter the first layer, a list of maps (P, heads, query, key), one for each of the layers,
                and a mask (P, T), true where there is no padding, or None
    answer      a function answer(output) of the model's output that returns its answer for each example, such as
                lambda out: out.logits.argmax(1): numbers or words, as labels are. They are written as `answer`, and
                attnpath_predict (sol, source) prints their accuracy beside the theory's
    part_bytes  largest size of a part, unless one example is larger; a MAT file of level 5 must be below 4 GiB
    """
    layers = [int(layer) for layer in ([layers] if isinstance(layers, int) else layers)]
    if layers != list(range(layers[0], layers[0] + len(layers))):
        raise ValueError(f"layers must follow each other, such as [4, 5], not {layers}: a layer's input is the output "
                         f"of the previous one")
    if readout not in READOUTS:
        raise ValueError(f"readout must be one of {READOUTS}, not {readout!r}")
    check_folder(out)
    if answer and readout == "all":
        raise ValueError("answer is one for each example: omit it with the readout 'all'")
    if norms and (reads or maps or len(norms) != len(layers)):
        raise ValueError(f"norms must have one for each of the {len(layers)} layers, not {len(norms)}; omit reads and "
                         f"maps")
    files, examples, labels, answers, heads, longest, notes = [], [], [], [], [], 0, []
    way = "norms" if norms else "reads" if reads else "maps" if maps else "hidden states"
    note = f": layers {' '.join(map(str, layers))}, {readout}, {way}, {zlib.crc32(name.encode()):08x}"

    def write():
        X, A, lengths = together(examples)
        column = lambda y: y[:] if isinstance(y[0], str) else torch.tensor([y], dtype=torch.float32)
        if readout == "all":
            y = rectangular(labels, X.shape[1])
        else:
            y = column(labels)
        file = "%s_%03d.mat" % (out, len(files) + 1)
        save(file, {"X": X, "A": A, "Lengths": [float(n) for n in lengths], "y": y,
                    **({"answer": column(answers)} if answer else {}), "readout": readout, "model": name,
                    "layers": [float(layer) for layer in layers], "heads": [float(h) for h in heads]}, note)
        files.append(file)
        print(f"{file}: {len(examples)} examples of up to {X.shape[1]} tokens, {X.shape[2]} features, heads {heads}",
              flush=True)
        if len(files) == 1:
            for line in dict.fromkeys(notes):
                print(f"{file}: {line}", flush=True)
        for part in examples, labels, answers:
            part.clear()

    for tokens, y in pairs_of(batches):
        read = run_frozen(model, tokens, layers, norms) if norms else run(model, tokens, layers, reads, maps, notes)
        found = without_padding(read[0][0], *read[1:])
        y = labels_of_tokens(y, tokens, found) if readout == "all" else labels_of(y)
        if len({kind_of(label) for label in y + labels}) > 1:
            raise ValueError("some labels are words and others numbers")
        if len(y) != len(found):
            raise ValueError(f"a batch has {len(found)} examples and {len(y)} labels")
        own = answers_of(model, tokens, answer, y) if answer else y
        for example, label, said in zip(found, y, own):
            heads = [a.shape[0] for a in example[1]]
            T = max(longest, example[0].shape[0]) if examples else example[0].shape[0]
            if examples and size_of(T, example[0].shape[1], heads, len(examples) + 1) > part_bytes:
                write()
                T = example[0].shape[0]
            longest = T
            examples.append(example)
            labels.append(label)
            answers.append(said)
    if examples:
        write()
    if not files:
        raise ValueError("there are no examples: batches is empty")
    older = "%s_%03d.mat" % (out, len(files) + 1)
    while os.path.exists(older):                            # parts of an earlier, longer export
        os.remove(older)
        print(f"{older}: removed, a part of an earlier export of this name")
        older = "%s_%03d.mat" % (out, int(older[-7:-4]) + 1)
    return files


# ---- masks: heads that attnpath removes ----

class Reader:
    """The module that reads the joined outputs of a layer's heads. While `scale` is a tensor, (H,) or (P, H), it
    multiplies each head's output, of each example; remove () ends this. 1 - scale times `fill` is added, columns or,
    where it has integers, the outputs of these examples. `seen` is called with the joined outputs, example first."""

    def __init__(self, module, heads, place):
        if isinstance(module, NonDynamicallyQuantizableLinear):
            raise ValueError(f"{place} is out_proj of an nn.MultiheadAttention. torch reads its weight and never calls "
                             f"it: give the nn.MultiheadAttention itself, such as layer.self_attn")
        module = joining(module, place)
        self.attention = module if isinstance(module, torch.nn.MultiheadAttention) else None
        if self.attention and heads not in (None, module.num_heads):
            raise ValueError(f"{place} has {module.num_heads} heads, not {heads}")
        self.heads = module.num_heads if self.attention else heads
        self.examples = 1 if self.attention and not module.batch_first else 0       # their dimension in its input
        self.projection, self.place, self.scale, self.fill, self.seen = module, place, None, None, None
        if self.attention:
            self.projection = module.out_proj
            call_projection(module)
        self.inner = set(self.projection.modules())
        self.around, self.holds, self.latest = [], {}, []   # running modules that contain it, outermost first
        self.calls, self.called, self.checked = 0, False, False     # in this pass; ever; in a pass that has ended
        hooks = torch.nn.modules.module
        self.hooks = [hooks.register_module_forward_pre_hook(self.enter),
                      hooks.register_module_forward_hook(self.leave, always_call=True),
                      self.projection.register_forward_pre_hook(self.multiply)]

    def enter(self, module, inputs):
        if module not in self.holds:
            self.holds[module] = any(own is self.projection for own in module.modules())
        if self.holds[module]:
            if not self.around:
                self.calls, self.latest = 0, []
            self.around.append(module)
        elif self.around and not self.checked and inputs and module not in self.inner and not list(module.children()):
            if self.calls and any(held is inputs[0] for held in self.latest):
                self.not_joined(f"a {type(module).__name__} is called with the same input")
            if not self.calls:
                self.latest = self.latest[-3:] + [inputs[0]]        # the last four before its call

    def not_joined(self, why):
        raise ValueError(f"{self.place} is not what reads the joined outputs of its heads: {why}. Pass o_proj, "
                         f"out_proj, attn.c_proj or attention.output.dense of the layer")

    def check_place(self, x):
        """At the first call: check by name and neighbours that the module is right and has these heads."""
        name = next((name for name, own in self.around[0].named_modules() if own is self.projection), "")
        if NOT_JOINED.search(name):
            self.not_joined(f"it is {name}")
        if any(held is x for held in self.latest):
            self.not_joined("other modules are called with the same input")
        known = heads_of(own for module in reversed(self.around) for own in (module, getattr(module, "config", None)))
        if known not in (None, self.heads):
            raise ValueError(f"{self.place} has {self.heads} heads, but {known} in this model: count heads "
                             f"that share keys and values one by one, and their groups by groups=")

    def multiply(self, module, inputs):
        if not inputs:
            raise ValueError(f"{self.place} is called with named inputs only: it cannot be masked")
        x = inputs[0]
        self.calls += 1
        if self.calls > 1:
            raise ValueError(f"{self.place} is called {self.calls} times in one pass, as for a shared layer: its heads "
                             f"do not belong to one layer")
        if not self.checked:
            self.check_place(x)
            self.latest = [x]
        self.called = True
        if x.shape[-1] % self.heads:
            raise ValueError(f"{self.place} has {self.heads} heads, which do not divide its {x.shape[-1]} columns")
        if self.seen:
            self.seen(x.transpose(0, 1) if self.examples else x)
        if self.scale is None:
            return None
        scale = self.scale.to(x).repeat_interleave(x.shape[-1] // self.heads, -1)
        if scale.dim() == 2:
            if x.dim() != 3 or x.shape[self.examples] != scale.shape[0]:
                raise ValueError(f"{self.place} reads {tuple(x.shape)}, not {scale.shape[0]} x tokens x columns")
            scale = scale.unsqueeze(1 - self.examples)
        if self.fill is None:
            return (x * scale,) + tuple(inputs[1:])
        fill = self.fill.to(x) if self.fill.is_floating_point() else \
            x.index_select(self.examples, self.fill.to(x.device))
        return (x * scale + fill * (1 - scale),) + tuple(inputs[1:])

    def leave(self, module, inputs, output):
        if not self.around or self.around[-1] is not module:
            return
        self.around.pop()
        if not self.around:
            self.latest, self.checked = [], self.checked or self.called and output is not None
        if not self.called and output is not None:
            raise RuntimeError(f"{self.place} was not called by {type(module).__name__}, and its heads are not masked: "
                               f"pass the module whose input is the joined outputs of the heads")

    def remove(self):
        for hook in self.hooks:
            hook.remove()
        if self.attention:
            call_projection(self.attention, -1)
            self.attention = None


masked = []             # former state of torch's fast path, then each nn.MultiheadAttention changed by call_projection


def call_projection(attention, more=1):
    """nn.MultiheadAttention reads out_proj.weight. After this call it joins its heads by an identity and calls
    out_proj, whose hooks then run; torch's fast path, which also reads the weight, is off. more = -1 undoes a call."""
    if not masked:
        masked.append(torch.backends.mha.get_fastpath_enabled())
        torch.backends.mha.set_fastpath_enabled(False)
    if more < 0:
        masked.remove(attention)
        if attention not in masked:
            del attention.forward
        if len(masked) == 1:
            torch.backends.mha.set_fastpath_enabled(masked.pop())
        return
    masked.append(attention)
    if masked.count(attention) > 1:
        return
    forward, projection = attention.forward, attention.out_proj
    size = attention.embed_dim
    identity = NonDynamicallyQuantizableLinear(size, size, bias=projection.bias is not None).to(projection.weight)
    torch.nn.init.eye_(identity.weight.requires_grad_(False))
    if identity.bias is not None:
        torch.nn.init.zeros_(identity.bias.requires_grad_(False))

    def through(*inputs, **named):
        attention.out_proj = identity
        try:
            joined, maps = forward(*inputs, **named)
        finally:
            attention.out_proj = projection
        return projection(joined), maps

    attention.forward = through


def rows_of(mask):
    """(rows, heads of each layer) of a mask: a file, whose line '# heads 4 3' attnpath_mask writes, or rows."""
    heads = None
    if isinstance(mask, (str, os.PathLike)):
        with open(mask, encoding="utf-8-sig") as lines:
            text = lines.read().splitlines()
        noted = [line.split()[2:] for line in text if line.startswith("# heads ")]
        heads = [int(number) for number in noted[0]] if noted else None
        rows = [line.replace(",", " ").split() for line in text if line.strip() and not line.startswith("#")]
        mask = [[float(value) for value in row] for row in rows]
    if any(value not in (0, 1) for row in mask for value in row):
        raise ValueError("a mask has zeros, for heads to remove, and ones")
    return mask, heads or [None] * len(mask)


def list_of(modules):
    """Modules, one for each layer; one alone need not be in a list."""
    many = (torch.nn.ModuleList, torch.nn.Sequential)
    return [modules] if isinstance(modules, torch.nn.Module) and not isinstance(modules, many) else list(modules)


def mask_heads(modules, mask, rescale=None):
    """Switch heads off: their outputs are replaced by zeros. Prints their numbers and returns handles; h.remove()
    undoes one. It is an error if a module is not called when the model runs, if it is called twice, or if its name,
    its input or the model's number of heads shows that it is the wrong module.

    modules   for each row of the mask, the module whose input is the joined outputs of the layer's heads: in BERT
              layer.attention.output.dense, in Llama layer.self_attn.o_proj, in GPT-2 block.attn.c_proj; or the
              attention around it, layer.self_attn; or an nn.MultiheadAttention
    mask      file of head_search or attnpath_mask, or any file with a row of zeros and ones for each layer, separated
              by commas or blanks: 1 keeps a head, 0 removes it; or a list of such rows. A row may be filled up with ones
    rescale   False unless given: multiply the remaining heads by sqrt (H / their number), as attnpath_prune normalises
              layers. A trained model has learned no such factor. True was the default before 0.4.0
    """
    if rescale is None:
        rescale = False
        warnings.warn("mask_heads no longer multiplies the remaining heads by sqrt(H / their number): pass "
                      "rescale=True if you want that, and rescale=False to end this warning", FutureWarning,
                      stacklevel=2)
    mask, heads = rows_of(mask)
    modules = list_of(modules)
    if len(modules) != len(mask):
        raise ValueError(f"there are {len(modules)} layers and {len(mask)} rows in the mask")
    readers = []
    try:
        for number, (module, row, H) in enumerate(zip(modules, mask, heads), 1):
            if H is None and not isinstance(module, torch.nn.MultiheadAttention):
                H = len(row)
            reader = Reader(module, H, f"layer {number} of the mask")
            readers.append(reader)
            if len(row) < reader.heads or not all(row[reader.heads:]):
                raise ValueError(f"row {number} of the mask has {len(row)} heads, and the layer has {reader.heads}")
            kept = torch.tensor(row[:reader.heads])
            if not kept.any():
                raise ValueError(f"row {number} of the mask keeps no head")
            reader.scale = kept * (reader.heads / kept.sum()) ** 0.5 if rescale else kept
    except ValueError:
        for reader in readers:
            reader.remove()
        raise
    for reader in readers:
        gone = [str(head) for head, value in enumerate(reader.scale.tolist(), 1) if value == 0]
        print(f"{reader.place}: {len(gone)} of {reader.heads} heads removed" + (f": {', '.join(gone)}" if gone else ""))
    return readers


# ---- ablation of each head in the model ----

JOINED = re.compile(r"(attention\.(output\.dense|out_lin|wo|dense|o_proj|out_proj|proj)|"
                    r"attn\.(c_proj|o_proj|out_proj|proj|dense|Wo|o)|SelfAttention\.o)$")


NOT_JOINED = re.compile(r"(^|[._])((q|k|v|kv|qkv|qk)(_?proj|_lin|_a_proj|_b_proj)?|query|key|value|query_key_value|"
                        r"c_attn|c_fc|in_proj|W?qkv|fc_?[12]|lin[12]|linear[12]|wi(_[01])?|(gate|up|down)_proj|"
                        r"intermediate\.dense|layer\.\d+\.output\.dense|lm_head|classifier)$|"
                        r"(^|[._])(mlp|ffn|feed_forward)[._]", re.IGNORECASE)


def readers_of(model):
    """For each layer of attention the module whose input is the joined outputs of its heads, by its usual names, or its
    nn.MultiheadAttention."""
    found = {name: module for name, module in model.named_modules()
             if isinstance(module, torch.nn.MultiheadAttention)
             or JOINED.search(name) and not isinstance(module, NonDynamicallyQuantizableLinear)}
    if not found:
        raise ValueError("no module has a name that is usual for a reader of joined heads: pass modules, one for each "
                         "layer, as [layer.attention.output.dense for layer in ...]")
    return list(found.values())


def joining(module, place):
    """The module, if it has a weight or is nn.MultiheadAttention; otherwise the one that reads joined heads in it."""
    if isinstance(module, torch.nn.MultiheadAttention) or hasattr(module, "weight") or hasattr(module, "in_features"):
        return module
    found = [own for name, own in module.named_modules()
             if JOINED.search("attn." + name) or JOINED.search("attention." + name)]
    if "attention" not in type(module).__name__.lower() or len(found) != 1:
        raise ValueError(f"{place} is a {type(module).__name__}, not what reads the joined outputs of its heads: pass "
                         f"o_proj, out_proj, attn.c_proj or attention.output.dense of the layer, or its attention")
    return found[0]


def heads_of(things):
    """The number of heads from the first of these modules or configurations that has it, or None."""
    for thing in things:
        for name in ("num_heads", "num_attention_heads", "n_head", "n_heads"):
            if isinstance(getattr(thing, name, None), int):
                return getattr(thing, name)
    return None


def number_of_heads(model, module):
    heads = heads_of((module, getattr(model, "config", None)))
    if heads is None:
        raise ValueError("the model has no number of heads: pass heads=4, or heads=[4, 4] for two layers")
    return heads


def losses_of(model, tokens, labels, loss):
    values = loss(outputs_of(model, tokens), labels)
    if isinstance(values, torch.Tensor) and values.dim() == 2:          # a loss for each token: its mean over labels
        if not isinstance(labels, torch.Tensor) or labels.shape != values.shape:
            raise ValueError(f"loss returns {tuple(values.shape)}, a loss for each token: labels must be a tensor of "
                             f"this shape, with {NO_LABEL} where there is none")
        there = labels != NO_LABEL
        values = (values * there).sum(1) / there.sum(1).clamp(min=1)
    if not isinstance(values, torch.Tensor) or values.dim() != 1:
        raise ValueError("loss (output, labels) must return a loss for each example, (P,), not "
                         f"{tuple(values.shape) if isinstance(values, torch.Tensor) else type(values).__name__}: "
                         "for example cross_entropy with reduction='none'")
    return values


def mean_and_error(values):
    """Means of columns over examples, the rows, and their standard errors."""
    return values.mean(0).tolist(), (values.std(0) / values.shape[0] ** 0.5).tolist()


class Heads:
    """The heads of a model, or their groups, and its loss without some of them. A context: the model is without dropout
    inside of it."""

    def __init__(self, model, loss, modules, heads, groups, rescale=False):
        modules = readers_of(model) if modules is None else list_of(modules)
        L = len(modules)
        self.model, self.loss, self.rescale = model, loss, rescale
        self.heads = [number_of_heads(model, module) for module in modules] if heads is None else \
            as_list(heads, L, "heads")
        self.groups = self.heads if groups is None else as_list(groups, L, "groups")
        if any(H % G for H, G in zip(self.heads, self.groups)):
            raise ValueError(f"heads do not divide by groups that share keys and values: {self.heads} heads, "
                             f"{self.groups} groups")
        self.rows = [(layer, head) for layer in range(L) for head in range(self.groups[layer])]
        self.names = "heads" if self.groups == self.heads else "groups of heads"
        self.readers, self.mode = [], contextlib.ExitStack()
        try:
            for layer, (module, H) in enumerate(zip(modules, self.heads), 1):
                self.readers.append(Reader(module, H, f"layer {layer}"))
        except ValueError:
            self.__exit__()
            raise

    def __enter__(self):
        self.mode.enter_context(evaluating(self.model))
        return self

    def __exit__(self, *_):
        self.mode.close()
        for reader in self.readers:
            reader.remove()

    def masks(self, gone):
        """A mask for each layer, 1 for each of its heads that is kept."""
        masks = [torch.ones(G) for G in self.groups]
        for layer, head in gone:
            masks[layer][head] = 0
        return [mask.repeat_interleave(H // len(mask)) for mask, H in zip(masks, self.heads)]

    def without(self, gone, tokens, labels, fills=None):
        """The loss of each example of a batch without these rows, with zeros or these fills in their place."""
        try:
            for layer, (reader, mask) in enumerate(zip(self.readers, self.masks(gone))):
                if not mask.all():
                    left = mask.sum()
                    reader.scale = mask * (len(mask) / left) ** 0.5 if self.rescale and left else mask
                    reader.fill = fills[layer] if fills else None
            with torch.no_grad():
                return losses_of(self.model, tokens, labels, self.loss).cpu()
        finally:
            for reader in self.readers:
                reader.scale = reader.fill = None

    def over(self, gone, pairs):
        """The losses of all examples."""
        return torch.cat([self.without(gone, tokens, labels) for tokens, labels in pairs]).double()

    def slopes(self, tokens, labels):
        """|d loss / d mask| of each example, a column for each row, and the losses."""
        own = [torch.ones(len(labels), G, requires_grad=True) for G in self.groups]
        for reader, mask, H in zip(self.readers, own, self.heads):
            reader.scale = mask.repeat_interleave(H // mask.shape[1], 1)
        try:
            with torch.enable_grad():
                whole = losses_of(self.model, tokens, labels, self.loss)
                return torch.cat(torch.autograd.grad(whole.sum(), own), 1).abs().cpu(), whole.detach().cpu()
        finally:
            for reader in self.readers:
                reader.scale = None

    def means(self, pairs):
        """The mean output of the heads of each layer, over the tokens of all examples that are no padding."""
        sums, counts = [0] * len(self.readers), [0] * len(self.readers)
        for tokens, _ in pairs:
            for layer, reader in enumerate(self.readers):
                def add(x, layer=layer):
                    real = x.reshape(-1, x.shape[-1])
                    mask = padding_of(tokens)
                    if mask is not None and mask.shape == x.shape[:-1]:
                        real = real[mask.reshape(-1).to(x.device)]
                    sums[layer] = sums[layer] + real.double().sum(0).cpu()
                    counts[layer] += len(real)
                reader.seen = add
            try:
                with torch.no_grad():
                    outputs_of(self.model, tokens)
            finally:
                for reader in self.readers:
                    reader.seen = None
        return [(total / count).float() for total, count in zip(sums, counts)]


def padding_of(tokens):
    """(P, T), true where there is no padding, by the names that masks usually have; None without such a name."""
    named = tokens if hasattr(tokens, "keys") else {}
    for name in named.keys():
        value = named[name]
        if isinstance(value, torch.Tensor) and value.dim() == 2:
            if name == "attention_mask":
                return value > 0
            if name.endswith("key_padding_mask"):
                return ~value if value.dtype == torch.bool else value >= 0
    return None


def other_examples(P, number):
    """For each of P examples of a batch another one, the same in every call: a random cycle."""
    if P < 2:
        raise ValueError("'resampled' takes outputs of other examples of a batch, and a batch has one example alone")
    order = torch.randperm(P, generator=torch.Generator().manual_seed(number))
    other = torch.empty(P, dtype=torch.long)
    other[order] = order.roll(1)
    return other


VALUES = re.compile(r"(^|\.)(v_proj|value|v_lin|v|W_?v|c_attn|query_key_value|qkv|qkv_proj|W_?qkv|c_qkv)$",
                    re.IGNORECASE)


def out_by_in(module):
    """The weight of a linear layer with a row for each output; Conv1D of GPT-2 stores columns."""
    weight = module.weight.detach().float().cpu()
    return weight.T if type(module).__name__ == "Conv1D" else weight


def values_of(model, reader, module=None):
    """The weight that makes the values of a layer's heads, one row block for each head or group that shares them; None
    where it is not found by its usual names."""
    attention = next((own for own in model.modules() if isinstance(own, torch.nn.MultiheadAttention)
                      and own.out_proj is reader.projection), None)
    if attention is not None and module is None:
        weight = attention.v_proj_weight
        return (attention.in_proj_weight.chunk(3)[2] if weight is None else weight).detach().float().cpu()
    name = next((name for name, own in model.named_modules() if own is reader.projection), "")
    names = dict(model.named_modules())
    while module is None and "." in name:
        name = name.rsplit(".", 1)[0]
        found = [own for key, own in names[name].named_modules() if VALUES.search(key) and hasattr(own, "weight")]
        if len(found) > 1:
            return None
        module = found[0] if found else None
    if module is None:
        return None
    weight = out_by_in(module)
    own = next(key for key, value in names.items() if value is module)
    width = out_by_in(reader.projection).shape[1]
    more = weight.shape[0] - width
    if own.endswith("query_key_value"):                     # GPT-NeoX, Bloom: query, key and value of each head
        return weight.reshape(reader.heads, 3, -1, weight.shape[1])[:, 2].flatten(0, 1) if more == 2 * width else None
    return weight[-(more // 2):] if more > 0 else weight    # queries, keys, values, or values alone


def value_norms(model, heads, values):
    """Norm of W_O W_V of each row, the Frobenius norm of the map from tokens to the stream through its heads; None if
    the values of a layer are not found."""
    norms = []
    values = [None] * len(heads.readers) if values is None else list_of(values)
    for reader, groups, module in zip(heads.readers, heads.groups, values):
        weight = values_of(model, reader, module)
        if weight is None:
            return None
        joined = out_by_in(reader.projection).chunk(reader.heads, 1)
        d = joined[0].shape[1]
        if weight.shape[0] % d or reader.heads % (weight.shape[0] // d):
            return None
        shared = reader.heads // (weight.shape[0] // d)     # heads with the same values
        own = weight.split(d)
        squares = torch.stack([(joined[h] @ own[h // shared]).square().sum() for h in range(reader.heads)])
        norms += squares.reshape(groups, -1).sum(1).sqrt().tolist()
    return norms


ABLATIONS = {"zero": "cost", "mean": "mean", "resampled": "resampled"}      # columns of the file


def head_costs(model, batches, loss, out="costs.mat", modules=None, heads=None, groups=None, rescale=False,
               ablations=("zero",), values=None):
    """Cost of each head in the model: the increase of the loss when the head's output is replaced, one forward pass
    a head, and the importance by gradients, mean |d loss / d mask| (Michel, Levy, Neubig, arXiv:1905.10650), one
    backward pass for all. Writes layer, head, cost, cost_se, importance, importance_se, each 1 x heads, to a MAT file
    that attnpath_scores reads, and returns them in a dict. Standard errors are over examples. groups and heads, 1 x
    L, are the numbers of groups and of heads of the layers. norm, where the values of the layers are found, is the norm of W_O W_V.

    model     the trained model; called as model(**tokens), model(*tokens) or model(tokens), by the type of tokens
    batches   iterable of (tokens, labels), of examples on which the model was not trained
    loss      function of the model's output and of labels: a loss for each example, (P,), or for each token, (P, T),
              whose mean over the tokens with a label counts: labels are then (P, T), -100 for none
    modules   the module that reads the joined outputs of heads, for each layer, as for mask_heads; by default all
              modules with the usual names. Layers are numbered from 1 in their order
    heads     number of heads of each layer: a number, a list of numbers, or None if the model has it
    groups    number of groups of heads that share keys and values (grouped-query attention), a number or a list: a row
              is then a group, whose heads are removed together, and `head` is the number of the group
    rescale   multiply the remaining heads by sqrt (H / their number)
    ablations what replaces the head: 'zero', cost and cost_se, which is always done; 'mean', its mean over the tokens
              of all these examples, mean and mean_se; 'resampled', its output for another example of the batch, at the
              same place, resampled and resampled_se. Zeros are rarely what a head gives: mean and resampled outputs
              tell what the model loses of what the head knows of this example
    values    the module that makes the values of each layer, if its name is unusual and norm is wanted
    """
    ablations = [ablations] if isinstance(ablations, str) else list(ablations)
    unknown = [kind for kind in ablations if kind not in ABLATIONS]
    if unknown:
        raise ValueError(f"ablations must be of {list(ABLATIONS)}, not {unknown[0]!r}")
    kinds = [kind for kind in ABLATIONS if kind == "zero" or kind in ablations]
    check_folder(out)
    own = Heads(model, loss, modules, heads, groups, rescale)
    costs, slopes, begun, printed, many = {kind: [] for kind in kinds}, [], time.monotonic(), 0.0, 0
    with own:
        pairs = list(pairs_of(batches)) if "mean" in kinds else pairs_of(batches)
        means = own.means(pairs) if "mean" in kinds else None
        for number, (tokens, labels) in enumerate(pairs, 1):
            slope, whole = own.slopes(tokens, labels)
            slopes.append(slope)
            many += len(whole)
            for kind in kinds:
                fills = means if kind == "mean" else None
                if kind == "resampled":
                    fills = [other_examples(len(whole), number)] * len(own.readers)
                without = []
                for row in own.rows:
                    without.append(own.without([row], tokens, labels, fills))
                    if time.monotonic() - begun > printed + 5:
                        printed = time.monotonic() - begun
                        print(f"head_costs: batch {number}, {len(without)} of {len(own.rows)} {own.names}, {kind}, "
                              f"after {printed:.0f} s", flush=True)
                costs[kind].append(torch.stack(without, 1) - whole[:, None])
        norms = value_norms(model, own, values)
    if not slopes:
        raise ValueError("there are no examples: batches is empty")
    result = {"layer": [float(layer + 1) for layer, _ in own.rows], "head": [float(head + 1) for _, head in own.rows],
              "groups": [float(G) for G in own.groups], "heads": [float(H) for H in own.heads]}
    for kind in kinds:
        result[ABLATIONS[kind]], result[ABLATIONS[kind] + "_se"] = mean_and_error(torch.cat(costs[kind]).double())
    result["importance"], result["importance_se"] = mean_and_error(torch.cat(slopes).double())
    if norms:
        result["norm"] = norms
    save(out, result)
    print(f"{out}: costs of {len(own.rows)} {own.names} in {len(own.readers)} layers, on {many} examples, after "
          f"{time.monotonic() - begun:.0f} s" + ("" if norms else "; no norms of W_O W_V: pass values="))
    return result


# ---- greedy search ----

def head_search(model, batches, loss, file, held=None, most=None, remove=None, modules=None, heads=None, groups=None,
                rescale=False):
    """Which heads the model can lose together: removes one head at a time, the one without which the loss on batches is
    least, and measures all that remain anew after each. Writes a mask that mask_heads reads, and returns a dict of
    removed, a list of (layer, head) counted from 1, and of loss, held, held_se: lists over the numbers of heads removed
    from 0 on, held and held_se of the increase on the examples held and of its standard error.

    file      the mask, with the order of removal and the curve as comments. FILE.search beside it has the state: a
              search that was ended goes on where it was when it is called again
    held      batches of further examples, on which neither the model was trained nor the search looks: the search
              chooses among many heads, and its own loss is therefore too low
    most      heads to remove at most; half of them unless given. Each layer keeps one
    remove    heads that the mask removes. By default as many as were removed before the loss on `held` first rose by
              more than two of its standard errors; without held, `most`

    The others are as in head_costs; with groups, a head is a group. For n heads the search takes n passes over batches
    for the first removal, n - 1 for the second, and so on.
    """
    check_folder(file)
    pairs, others = list(pairs_of(batches)), list(pairs_of(held)) if held is not None else []
    if not pairs:
        raise ValueError("there are no examples: batches is empty")
    own = Heads(model, loss, modules, heads, groups, rescale)
    largest = sum(G - 1 for G in own.groups)
    most = min(len(own.rows) // 2, largest) if most is None else most
    if not 0 < most <= largest:
        raise ValueError(f"most must be from 1 to {largest}, since each layer keeps one of its {own.names}, not {most}")
    if remove is not None and not 0 <= remove <= most:
        raise ValueError(f"remove must be from 0 to most, {most}, not {remove}")
    begun = time.monotonic()
    with own:
        base, base_held = own.over([], pairs), own.over([], others) if others else None
        setting = {"heads": own.heads, "groups": own.groups, "rescale": bool(rescale), "examples": len(base),
                   "held": 0 if base_held is None else len(base_held), "loss": base.mean().item(),
                   "held_loss": 0.0 if base_held is None else base_held.mean().item()}
        state = resumed(file, setting)
        saved = time.monotonic()
        while len(state["removed"]) < most:
            gone = [tuple(row) for row in state["removed"]]
            some = [(layer, head) for layer, head in own.rows if (layer, head) not in gone
                    and sum(row[0] == layer for row in gone) < own.groups[layer] - 1]
            for number, row in enumerate(some, 1):
                key = "%d %d" % row
                if key not in state["tried"]:
                    state["tried"][key] = own.over(gone + [row], pairs).mean().item()
                if time.monotonic() > saved + 5:
                    keep_state(file, setting, state)
                    saved = time.monotonic()
                    print(f"head_search: {len(gone)} of {most} removed, {number} of {len(some)} tried, after "
                          f"{saved - begun:.0f} s", flush=True)
            best = min(some, key=lambda row: state["tried"]["%d %d" % row])
            state["loss"].append(state["tried"]["%d %d" % best])
            state["removed"].append(list(best))
            state["tried"] = {}
            told = ""
            if others:
                (rise,), (error,) = mean_and_error((own.over(gone + [best], others) - base_held)[:, None])
                state["held"].append(rise)
                state["held_se"].append(error)
                told = f"; on the {setting['held']} held examples {rise:+.4f} +- {error:.4f}"
            keep_state(file, setting, state)
            print(f"head_search: {len(gone) + 1} of {most} removed, now layer {best[0] + 1} head {best[1] + 1}: loss "
                  f"{state['loss'][-1] - setting['loss']:+.4f}{told}", flush=True)
        result = {"removed": [(layer + 1, head + 1) for layer, head in state["removed"][:most]],
                  "loss": [setting["loss"]] + state["loss"][:most],
                  "held": [0.0] + state["held"][:most], "held_se": [0.0] + state["held_se"][:most]}
        if remove is None:
            worse = [k for k in range(len(result["held"])) if result["held"][k] > 2 * result["held_se"][k]]
            remove = worse[0] - 1 if worse else most
        write_mask(file, own, result, remove)
    print(f"{file}: {remove} of {len(own.rows)} {own.names} removed, of {most} in the search, after "
          f"{time.monotonic() - begun:.0f} s")
    return result


def keep_state(file, setting, state):
    with open(f"{file}.search.new", "w") as out:
        json.dump({"setting": setting, "state": state}, out)
    os.replace(f"{file}.search.new", f"{file}.search")


def resumed(file, setting):
    """The state of a search that was ended, or of a new one."""
    state = {"removed": [], "loss": [], "held": [], "held_se": [], "tried": {}}
    if not os.path.exists(f"{file}.search"):
        return state
    try:
        with open(f"{file}.search") as lines:
            found = json.load(lines)
        before, state = found["setting"], found["state"]
    except (json.JSONDecodeError, KeyError, TypeError):
        raise ValueError(f"{file}.search is no state of head_search: remove it") from None
    for name, value in setting.items():
        other = before.get(name)
        near = isinstance(value, float) and isinstance(other, float) and abs(value - other) <= 1e-5 * (1 + abs(value))
        if other != value and not near:
            raise ValueError(f"{file}.search is of another search, of another model, other examples or other options "
                             f"({name} {other}, now {value}): remove it, or give another file")
    print(f"head_search: resumed, {len(state['removed'])} heads removed before")
    return state


def write_mask(file, own, result, remove):
    lines = [f"# head_search: loss {result['loss'][0]:.6g} with all heads; then layer, head, increase of the loss, and "
             f"on held examples with its standard error"]
    for k, (layer, head) in enumerate(result["removed"], 1):
        held = "".join(f" {result[name][k]:.6g}" for name in ("held", "held_se") if k < len(result[name]))
        lines.append(f"# removed {layer} {head} {result['loss'][k] - result['loss'][0]:.6g}{held}"
                     + ("" if k <= remove else " (kept by the mask)"))
    lines.append("# heads " + " ".join(map(str, own.heads)))
    most = max(own.heads)                                   # rows are filled up with ones
    for mask in own.masks([(layer - 1, head - 1) for layer, head in result["removed"][:remove]]):
        row = [int(value) for value in mask.tolist()]
        lines.append(" ".join(map(str, row + [1] * (most - len(row)))))
    with open(f"{file}.new", "w") as out:
        out.write("\n".join(lines) + "\n")
    os.replace(f"{file}.new", file)


def as_list(numbers, L, name):
    numbers = [numbers] * L if isinstance(numbers, int) else list(numbers)
    if len(numbers) != L:
        raise ValueError(f"{name} has {len(numbers)} numbers, for {L} layers")
    return numbers


# ---- the command line: text models of transformers ----

def read_lines(file):
    """(labels, texts) of lines "label <TAB> text". Two words as labels become +1 and -1; more stay words."""
    try:
        with open(file, encoding="utf-8-sig") as lines:     # some editors put a mark in front
            rows = [line.rstrip("\r\n").split("\t", 1) for line in lines if line.strip()]
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not text in UTF-8") from None
    for number, row in enumerate(rows, 1):
        if len(row) != 2:
            raise ValueError(f"{file}: line {number} is not 'label <TAB> text': {row[0][:60]!r}")
        if not row[0].strip():
            raise ValueError(f"{file}: line {number} has no label before its text: {row[1][:60]!r}")
    words = [row[0].strip() for row in rows]
    try:
        labels = [float(word) for word in words]
        if not all(map(math.isfinite, labels)):             # the words nan and inf
            raise ValueError
    except ValueError:
        names = sorted(set(words))
        if len(names) != 2:
            if len(names) > len(words) // 2:
                raise ValueError(f"{file}: labels must be numbers or a few words, not {names[:5]}") from None
            print(f"labels: the classes {', '.join(names)}")
            return words, [row[1] for row in rows]
        print(f"labels: {names[1]} is +1, {names[0]} is -1")
        labels = [1.0 if word == names[1] else -1.0 for word in words]
    return labels, [row[1] for row in rows]


def batches_of(tokenizer, labels, texts, size, most):
    tokenizer.padding_side = "right"                        # learned positions count padding in front
    for k in range(0, len(texts), size):
        yield tokenizer(texts[k:k + size], padding=True, truncation=True, max_length=most, return_tensors="pt"), \
            labels[k:k + size]


def main():
    parser = argparse.ArgumentParser(description="Attention maps of a transformer for attnpath, in MAT files")
    parser.add_argument("model", help="a name of Hugging Face's, or a folder")
    parser.add_argument("file", help="lines of label <TAB> text")
    parser.add_argument("out", help="OUT_001.mat, OUT_002.mat, ... are written")
    parser.add_argument("--layers", type=int, nargs="+", required=True, help="counted from 0, such as 4 5")
    parser.add_argument("--readout", choices=READOUTS[:3], required=True,
                        help="where the classifier reads: a class token in front, the last token, or their mean")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=64, help="longer texts are cut")
    parser.add_argument("--part", type=int, default=512, help="MiB of a part")
    parser.add_argument("--answers", action="store_true", help="the model is a classifier: write its answers as well")
    options = parser.parse_args()

    from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    kind = AutoModelForSequenceClassification if options.answers else AutoModel
    model = kind.from_pretrained(options.model, attn_implementation="eager")
    labels, texts = read_lines(options.file)
    export(model, batches_of(tokenizer, labels, texts, options.batch, options.tokens), options.out, options.layers,
           options.readout, options.part * 2 ** 20, options.model,
           answer=answers_by(model, labels) if options.answers else None)


def answers_by(model, labels):
    """Answers of a classifier as the labels are: its names of classes for words, -1 and +1 for two classes."""
    names = [model.config.id2label[k] for k in range(model.config.num_labels)]
    if isinstance(labels[0], str):
        return lambda out: [names[k] for k in out.logits.argmax(1).tolist()]
    if len(names) != 2 or set(labels) != {-1.0, 1.0}:
        raise ValueError(f"--answers needs words as labels, or two of them; here are numbers, and the {len(names)} "
                         f"classes of the model")
    return lambda out: [2.0 * k - 1 for k in out.logits.argmax(1).tolist()]


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError) as problem:
        sys.exit(f"export_attention.py: {problem}")
