"""study_heads.py: trains small transformers and measures the cost of their heads, for study_heads.m.

SPDX-License-Identifier: BSD-3-Clause

    python3 study_heads.py train MODEL SEED FOLDER      MODEL is gpt2, alibi, vit, window or neox
    python3 study_heads.py remove MODEL SEED FOLDER

gpt2    transformers' GPT2ForSequenceClassification, 3 layers of 3 heads. Task 'marker': 13 tokens, three of them
        markers; is the token behind a marker odd in two cases or more?
alibi   nn.TransformerEncoderLayer with norms behind the heads, 2 layers of 6, without positions but slopes of ALiBi,
        half of the heads looking forward and half backward. Task 'marker', mean over tokens.
vit     transformers' ViTForImageClassification, a class token and 16 patches of 2 x 2, 3 layers of 3: scikit-learn's
        digits, ten classes.
window  transformers' MistralForSequenceClassification, 2 layers of 6 heads that share one key and value, each token
        sees the last six. Task 'recall': four pairs of a key and a value of four, and a key: which value was its?
neox    transformers' GPTNeoXForSequenceClassification, 3 layers of 4, rotary positions, heads and MLP side by side.
        Task 'recall' with five pairs.

train writes MODEL_SEED.pt and, by export_attention.py, of 300 fresh examples MODEL_SEED_fresh_001.mat (maps, tokens,
answers of the model) and _fresh.mat (costs by all ablations, importance, norms), of further ones _test_001.mat (400 of
them) and _test.mat (costs), _search.txt (head_search on the fresh examples, with 300 held ones), and _base.mat: of each
head the mean entropy of its maps and the change of attention rollout (Abnar, Zuidema, arXiv:2005.00928) without it.
remove reads MODEL_SEED_masks.txt, a mask in each line, and writes MODEL_SEED_right.txt: share of right answers and mean
loss on the test under each. ATTNPATH_QUICK=1 trains for seconds only.
"""

import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "doc"))
import export_attention as ex  # noqa: E402

QUICK = os.environ.get("ATTNPATH_QUICK") == "1"
COMMON = {"pad_token_id": 15, "attn_implementation": "eager"}       # no token of the tasks


def marker(P, random):
    x = torch.randint(3, 12, (P, 13), generator=random)
    place = torch.stack([torch.randperm(6, generator=random)[:3] * 2 for _ in range(P)])
    place += torch.randint(0, 2, (P, 1), generator=random) * (place.max(1, keepdim=True).values < 11)
    x.scatter_(1, place, 0)
    return x, ((x.gather(1, place + 1) % 2).sum(1) > 1).long()


def recall(P, random, pairs=4):
    keys = torch.stack([torch.randperm(8, generator=random)[:pairs] for _ in range(P)])
    values = torch.randint(0, 4, (P, pairs), generator=random)
    asked = torch.randint(0, pairs, (P, 1), generator=random)
    return torch.cat([torch.stack([keys, 8 + values], 2).flatten(1), keys.gather(1, asked)], 1), \
        values.gather(1, asked)[:, 0]


class Alibi(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(16, 48)
        layer = torch.nn.TransformerEncoderLayer(48, 6, 96, dropout=0.0, batch_first=True)
        self.encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.answer = torch.nn.Linear(48, 2)

    def forward(self, ids):
        P, T = ids.shape
        ahead = (torch.arange(T)[None, :] - torch.arange(T)[:, None]).float()       # key - query
        bias = [torch.where(side * ahead >= 0, -slope * ahead.abs(), -torch.inf)
                for side in (1, -1) for slope in (2.0, 0.5, 0.125)]
        bias = torch.stack(bias).repeat(P, 1, 1)
        return self.answer(self.encoder(self.embed(ids), bias, torch.zeros(P, T)).mean(1))


class Task:
    """Data and model. An example is (tokens, label)."""
    steps, rate, size, classes = 800, 3e-3, 64, 2

    def __init__(self, seed):
        self.random = torch.Generator().manual_seed(seed)
        torch.manual_seed(seed)
        self.model = self.build()
        self.fresh, self.held = (self.some(300) for _ in "12")
        self.test = self.some(2000)

    def some(self, P):
        return self.draw(P, self.random)

    def for_training(self):
        return self.some(self.size)

    def reads(self):
        return list(ex.attentions_of(self.model))[0]

    @staticmethod
    def input(x):
        return {"input_ids": x, "attention_mask": torch.ones_like(x)}

    @staticmethod
    def answers(output):
        return output.logits


class Gpt2(Task):
    draw, readout, layers = staticmethod(marker), "last", 3

    def build(self):
        from transformers import GPT2Config, GPT2ForSequenceClassification
        return GPT2ForSequenceClassification(GPT2Config(
            vocab_size=16, n_positions=16, n_embd=48, n_layer=3, n_head=3, n_inner=96, num_labels=2, resid_pdrop=0.0,
            embd_pdrop=0.0, attn_pdrop=0.0, **COMMON))


class AlibiMean(Task):
    steps, rate = 500, 1e-3
    draw, readout, layers = staticmethod(marker), "mean", 2

    def build(self):
        return Alibi()

    def reads(self):
        return None

    @staticmethod
    def input(x):
        return (x,)

    @staticmethod
    def answers(output):
        return output


class Vit(Task):
    steps, rate, size, readout, layers, classes = 1200, 2e-3, 50, "first", 3, 10

    def __init__(self, seed):
        from sklearn.datasets import load_digits
        images, labels = load_digits(return_X_y=True)
        order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(seed))
        self.images = torch.tensor(images, dtype=torch.float32).reshape(-1, 1, 8, 8)[order] / 8 - 1
        self.labels, self.at, self.epoch = torch.tensor(labels)[order], 1000, []
        super().__init__(seed)

    def some(self, P):                                      # the first 1000 are for training
        part = slice(self.at, self.at + min(P, 200 if self.at == 1300 else 300 if self.at == 1000 else P))
        self.at = part.stop
        return self.images[part], self.labels[part]

    def for_training(self):
        if len(self.epoch) < self.size:
            self.epoch = torch.randperm(1000, generator=self.random).tolist()
        batch, self.epoch = self.epoch[:self.size], self.epoch[self.size:]
        return self.images[batch], self.labels[batch]

    def build(self):
        from transformers import ViTConfig, ViTForImageClassification
        return ViTForImageClassification(ViTConfig(
            hidden_size=36, num_hidden_layers=3, num_attention_heads=3, intermediate_size=72, image_size=8,
            patch_size=2, num_channels=1, num_labels=10, hidden_dropout_prob=0.1, attn_implementation="eager"))

    @staticmethod
    def input(x):
        return {"pixel_values": x}


class Window(Task):
    draw, readout, layers, classes = staticmethod(recall), "last", 2, 4

    def build(self):
        from transformers import MistralConfig, MistralForSequenceClassification
        return MistralForSequenceClassification(MistralConfig(
            vocab_size=16, hidden_size=48, intermediate_size=96, num_hidden_layers=2, num_attention_heads=6,
            num_key_value_heads=1, head_dim=8, sliding_window=6, num_labels=4, **COMMON))


class Neox(Task):
    readout, layers, classes = "last", 3, 4

    @staticmethod
    def draw(P, random):
        return recall(P, random, 5)

    def build(self):
        from transformers import GPTNeoXConfig, GPTNeoXForSequenceClassification
        return GPTNeoXForSequenceClassification(GPTNeoXConfig(
            vocab_size=16, hidden_size=48, intermediate_size=96, num_hidden_layers=3, num_attention_heads=4,
            max_position_embeddings=16, num_labels=4, **COMMON))


def batches(task, part, size=100):
    x, y = part
    return [(task.input(x[k:k + size]), y[k:k + size]) for k in range(0, len(y), size)]


def loss(task):
    return lambda output, y: torch.nn.functional.cross_entropy(task.answers(output), y, reduction="none")


def right(task, part):
    """Share of right answers, and mean loss."""
    task.model.eval()
    with torch.no_grad():
        found = [(task.answers(ex.outputs_of(task.model, x)), y) for x, y in batches(task, part, 500)]
    out, y = (torch.cat(values) for values in zip(*found))
    return (out.argmax(1) == y).float().mean().item(), torch.nn.functional.cross_entropy(out, y).item()


def train(task):
    steps = 30 if QUICK else task.steps
    optimiser = torch.optim.AdamW(task.model.parameters(), lr=task.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, task.rate, total_steps=steps)
    task.model.train()
    for _ in range(steps):
        x, y = task.for_training()
        optimiser.zero_grad()
        loss(task)(ex.outputs_of(task.model, task.input(x)), y).mean().backward()
        optimiser.step()
        schedule.step()


def baselines(task, part):
    """{entropy, rollout}, a number for each head: minus the mean entropy of its maps' queries, and the mean change, in
    absolute values summed over tokens, of what attention rollout gives the readout when the head is not averaged."""
    entropy, change = 0, 0
    for tokens, _ in batches(task, part):
        _, maps, _ = ex.run(task.model, tokens, list(range(task.layers)), task.reads())
        P, _, T, _ = maps[0].shape
        entropy = entropy - torch.cat([torch.special.entr(a).sum(-1).mean((0, 2)) for a in maps]) / len(part[1]) * P
        ends = {"first": torch.eye(T)[0], "last": torch.eye(T)[-1], "mean": torch.full((T,), 1 / T)}[task.readout]
        whole = rolled(maps, ends)
        lost = [(rolled(maps, ends, layer, head) - whole).abs().sum(-1).sum() for layer, a in enumerate(maps)
                for head in range(a.shape[1])]
        change = change + torch.stack(lost) / len(part[1])
    return {"entropy": entropy.tolist(), "rollout": change.tolist()}


def rolled(maps, ends, without_layer=-1, head=None):
    row = ends.expand(len(maps[0]), 1, -1)
    for layer in reversed(range(len(maps))):
        a = maps[layer]
        if layer == without_layer:
            a = a[:, [h for h in range(a.shape[1]) if h != head]]
        row = (row + row @ a.mean(1)) / 2                   # query x key
    return row[:, 0]


def main(what, name, seed, folder):
    torch.set_num_threads(1)
    torch.backends.mha.set_fastpath_enabled(False)          # it takes masks of numbers, as ALiBi's slopes, for bool
    task = {"gpt2": Gpt2, "alibi": AlibiMean, "vit": Vit, "window": Window, "neox": Neox}[name](int(seed))
    stem = os.path.join(folder, f"{name}_{seed}")
    if what == "train":
        train(task)
        print(f"{name} {seed}: {right(task, task.test)[0]:.3f} of the test right", flush=True)
        word = lambda y: [f"class {int(label)}" for label in y]                     # attnpath treats words as classes
        for part, examples in ("fresh", task.fresh), ("test", [value[:400] for value in task.test]):
            ex.export(task.model, [(x, word(y)) for x, y in batches(task, examples)], f"{stem}_{part}",
                      range(task.layers), task.readout, reads=task.reads(),
                      answer=lambda out: word(task.answers(out).argmax(1)))
        ex.save(stem + "_base.mat", baselines(task, task.fresh))
        ex.head_search(task.model, batches(task, task.fresh), loss(task), stem + "_search.txt",
                       held=batches(task, task.held))
        ex.head_costs(task.model, batches(task, task.fresh), loss(task), stem + "_fresh.mat",
                      ablations=["zero", "mean", "resampled"])
        ex.head_costs(task.model, batches(task, task.test, 500), loss(task), stem + "_test.mat")
        torch.save(task.model.state_dict(), stem + ".pt")
        return
    task.model.load_state_dict(torch.load(stem + ".pt"))
    modules = ex.readers_of(task.model)
    with open(stem + "_masks.txt") as lines:
        masks = torch.tensor([[float(value) for value in line.split()] for line in lines])
    H = masks.shape[1] // len(modules)
    readers = [ex.Reader(module, H, "a layer") for module in modules]
    with open(stem + "_right.txt", "w") as out:
        for mask in masks:
            for layer, reader in enumerate(readers):
                reader.scale = mask[layer * H:(layer + 1) * H]
            out.write("%.6f %.6f\n" % right(task, task.test))


if __name__ == "__main__":
    main(*sys.argv[1:])
