"""tiny.py FOLDER: writes a BERT of 6 layers with random weights, its tokenizer, and sentences with labels."""

import os
import random
import sys

import torch
from transformers import BertConfig, BertModel, BertTokenizerFast

folder = sys.argv[1]
random.seed(1)
torch.manual_seed(1)
words = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + words
os.makedirs(folder + "/model", exist_ok=True)
with open(folder + "/vocab.txt", "w") as out:
    out.write("\n".join(vocabulary) + "\n")
BertTokenizerFast(vocab=folder + "/vocab.txt", vocab_file=folder + "/vocab.txt").save_pretrained(folder + "/model")
model = BertModel(BertConfig(vocab_size=len(vocabulary), hidden_size=24, num_hidden_layers=6, num_attention_heads=4,
                             intermediate_size=32, max_position_embeddings=32, initializer_range=0.3))
model.save_pretrained(folder + "/model")
for name, count in ("sentences", 60), ("held_out", 40):
    with open(f"{folder}/{name}.tsv", "w") as out:
        for _ in range(count):
            text = random.choices(words, k=random.randint(3, 12))
            out.write("%s\t%s\n" % ("many" if len(text) > 7 else "few", " ".join(text)))
