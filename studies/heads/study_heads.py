"""study_heads.py: trains small transformers on real data and measures the cost of their heads, for study_heads.m.

SPDX-License-Identifier: BSD-3-Clause

    python3 study_heads.py train MODEL SEED FOLDER      MODEL is vit, deep, bert or llama
    python3 study_heads.py remove MODEL SEED FOLDER

vit   plain PyTorch, nn.TransformerEncoder with norms first: 2 layers of 4 heads on scikit-learn's digits, 16 patches of
      2 x 2, ten classes. 1000 images for training, 300 fresh ones for scores, 497 for the test.
deep  the same with 3 layers.
bert  transformers' BertForSequenceClassification, 2 layers of 6 heads from random weights: one-line descriptions of
      Debian's packages (apt-cache dumpavail), of the sections games, science and net. 1800, 300 and 900.
llama transformers' LlamaForSequenceClassification, 2 layers of 4 heads in 2 groups that share keys and values: the first
      64 characters of descriptions, of the sections devel, libs and python. 4500, 300 and 1200.

train writes MODEL_SEED.pt and, by export_attention.py, MODEL_SEED_fresh_001.mat and _seen_001.mat (maps and tokens of
the fresh examples, and of as many training examples), and the cost of each head: _fresh.mat, _seen.mat (on all training
examples), _test.mat, and _rescaled.mat (on the test, the other heads rescaled). remove reads MODEL_SEED_masks.txt, a
mask in each line, and writes MODEL_SEED_right.txt: the share of right answers on the test under each mask.
ATTNPATH_QUICK=1 trains for seconds only.
"""

import os
import subprocess
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "doc"))
from export_attention import Reader, export, head_costs, outputs_of, readers_of  # noqa: E402

QUICK = os.environ.get("ATTNPATH_QUICK") == "1"


class DigitsTransformer(torch.nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.embed = torch.nn.Linear(4, 32)
        self.place = torch.nn.Parameter(0.1 * torch.randn(16, 32))
        layer = torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True, norm_first=True)
        self.encoder = torch.nn.TransformerEncoder(layer, layers, torch.nn.LayerNorm(32), enable_nested_tensor=False)
        self.answer = torch.nn.Linear(32, 10)

    def forward(self, patches):
        return self.answer(self.encoder(self.embed(patches) + self.place).mean(1))


def digits():
    """[(patches, digit)] of all images: 16 patches of 2 x 2 pixels, each from -1 to 1."""
    from sklearn.datasets import load_digits
    images, labels = load_digits(return_X_y=True)
    x = torch.tensor(images, dtype=torch.float32).reshape(-1, 4, 2, 4, 2).transpose(2, 3).reshape(-1, 16, 4) / 8 - 1
    return list(zip(x, labels.tolist()))


def descriptions(sections, each):
    """[(text, section)]: equal numbers from each section, in alphabetical order, without duplicate lines."""
    found, section, line = {name: {} for name in sections}, None, None
    available = subprocess.run(["apt-cache", "dumpavail"], check=True, capture_output=True, text=True).stdout
    for text in available.split("\n"):
        if text.startswith("Section: "):
            section = text[9:]
        elif text.startswith("Description: "):
            line = text[13:]
        elif not text:
            if section in found and line:
                found[section][line] = None
            section = line = None
    chosen = []
    for number, name in enumerate(sections):
        lines = sorted(found[name])
        if len(lines) < each:
            sys.exit(f"study_heads.py: apt-cache dumpavail has {len(lines)} packages of {name}: apt-get update?")
        order = torch.randperm(len(lines), generator=torch.Generator().manual_seed(number)).tolist()
        chosen += [(lines[k].lower(), number) for k in order[:each]]
    return chosen


def split(examples, seed, train, fresh):
    order = torch.randperm(len(examples), generator=torch.Generator().manual_seed(seed)).tolist()
    examples = [examples[k] for k in order]
    return examples[:train], examples[train:train + fresh], examples[train + fresh:]


class Images:
    """Data, model and loss of vit; those of the others are below."""
    epochs, rate, readout, layers = 60, 2e-3, "mean", 2

    def __init__(self, seed):
        self.parts = split(digits(), seed, 1000, 300)
        torch.manual_seed(seed)
        self.model = DigitsTransformer(self.layers)

    def batch(self, examples):
        return torch.stack([x for x, _ in examples]), torch.tensor([y for _, y in examples])

    @staticmethod
    def answers(output):
        return output

    def reads(self):
        return None


class DeepImages(Images):
    layers = 3


class Texts:
    epochs, rate, readout, layers = 12, 1e-3, "first", 2

    def __init__(self, seed):
        from transformers import BertConfig, BertForSequenceClassification
        self.parts = split(descriptions(["games", "science", "net"], 1000), seed, 1800, 300)
        counts = {}
        for text, _ in self.parts[0]:
            for word in text.split():
                counts[word] = counts.get(word, 0) + 1
        known = sorted(word for word, count in counts.items() if count > 1)
        self.number = {word: k + 3 for k, word in enumerate(known)}             # 0 padding, 1 unknown, 2 class
        torch.manual_seed(seed)
        self.model = BertForSequenceClassification(BertConfig(
            vocab_size=len(known) + 3, hidden_size=48, num_hidden_layers=2, num_attention_heads=6, intermediate_size=96,
            max_position_embeddings=32, num_labels=3, attn_implementation="eager"))

    def batch(self, examples):
        rows = [[2] + [self.number.get(word, 1) for word in text.split()[:31]] for text, _ in examples]
        return padded(rows), torch.tensor([y for _, y in examples])

    @staticmethod
    def answers(output):
        return output.logits

    def reads(self):
        return None


class Characters(Texts):
    epochs, rate, readout = 10, 3e-3, "last"

    def __init__(self, seed):
        from transformers import LlamaConfig, LlamaForSequenceClassification
        self.parts = split(descriptions(["devel", "libs", "python"], 2000), seed, 4500, 300)
        known = sorted({letter for text, _ in self.parts[0] for letter in text})
        self.number = {letter: k + 2 for k, letter in enumerate(known)}         # 0 padding, 1 unknown
        torch.manual_seed(seed)
        self.model = LlamaForSequenceClassification(LlamaConfig(
            vocab_size=len(known) + 2, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, max_position_embeddings=64, num_labels=3, pad_token_id=0, attention_dropout=0.1,
            attn_implementation="eager"))

    def batch(self, examples):
        rows = [[self.number.get(letter, 1) for letter in text[:64]] for text, _ in examples]
        return padded(rows), torch.tensor([y for _, y in examples])

    def reads(self):
        return self.model.model.layers[0].self_attn


def padded(rows):
    T = max(len(row) for row in rows)
    return {"input_ids": torch.tensor([row + [0] * (T - len(row)) for row in rows]),
            "attention_mask": torch.tensor([[1] * len(row) + [0] * (T - len(row)) for row in rows])}


def batches(task, examples, size=100):
    return [task.batch(examples[k:k + size]) for k in range(0, len(examples), size)]


def loss(task):
    return lambda output, y: torch.nn.functional.cross_entropy(task.answers(output), y, reduction="none")


def right(task, examples):
    task.model.eval()
    with torch.no_grad():
        hits = [(task.answers(outputs_of(task.model, x)).argmax(1) == y) for x, y in batches(task, examples, 300)]
    return torch.cat(hits).float().mean().item()


def train(task):
    learned = task.parts[0]
    optimiser = torch.optim.AdamW(task.model.parameters(), lr=task.rate, weight_decay=0.01)
    epochs = 2 if QUICK else task.epochs
    steps = epochs * -(-len(learned) // 50)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, task.rate, total_steps=steps)
    for epoch in range(epochs):
        task.model.train()
        order = torch.randperm(len(learned)).tolist()
        for k in range(0, len(learned), 50):
            x, y = task.batch([learned[i] for i in order[k:k + 50]])
            optimiser.zero_grad()
            loss(task)(outputs_of(task.model, x), y).mean().backward()
            optimiser.step()
            schedule.step()


def main(what, name, seed, folder):
    torch.set_num_threads(1)
    task = {"vit": Images, "deep": DeepImages, "bert": Texts, "llama": Characters}[name](int(seed))
    stem = os.path.join(folder, f"{name}_{seed}")
    learned, fresh, test = task.parts
    if what == "train":
        train(task)
        torch.save(task.model.state_dict(), stem + ".pt")
        print(f"{name} {seed}: right {right(task, test):.3f} of the test, {right(task, learned):.3f} of the learned")
        for part, examples in ("fresh", fresh), ("seen", learned[:len(fresh)]):
            # words, which attnpath treats as classes
            export(task.model, [(x, [f"class {label}" for label in y]) for x, y in batches(task, examples)],
                   f"{stem}_{part}", range(task.layers), task.readout, reads=task.reads())
        for part, examples, rescale in ("fresh", fresh, False), ("seen", learned, False), ("test", test, False), \
                ("rescaled", test, True):
            head_costs(task.model, batches(task, examples, 300), loss(task), f"{stem}_{part}.mat", rescale=rescale)
        return
    task.model.load_state_dict(torch.load(stem + ".pt"))
    modules = readers_of(task.model)
    with open(stem + "_masks.txt") as lines:
        masks = torch.tensor([[float(value) for value in line.split()] for line in lines])
    H = masks.shape[1] // len(modules)
    readers = [Reader(module, H, "a layer") for module in modules]
    with open(stem + "_right.txt", "w") as out:
        for mask in masks:
            for layer, reader in enumerate(readers):
                reader.scale = mask[layer * H:(layer + 1) * H]
            out.write(f"{right(task, test)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
