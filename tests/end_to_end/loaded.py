"""What takes a process of ours long the first time, and is the same for all of them: loaded before they are forked."""

import gc

import openai.resources.chat
import openai.resources.embeddings
import openai.resources.models  # noqa: F401

from ai_clients.embedding import StaticVectors
from memory.commands.grammar import read_command
from memory.language.detect import Language
from memory.language.text import fold_in_place
from memory.language.wording import words_of

StaticVectors()._load()
read_command(fold_in_place("good evening"))
for language in Language:
    words_of(language)
gc.collect()
gc.freeze()
