"""Servers that speak OpenAI's protocol, through its SDK: the only importer of `openai`."""

from ai_clients.openai_compatible.checking import check_openai
from ai_clients.openai_compatible.embedder import OpenAIEmbedder
from ai_clients.openai_compatible.model import OpenAIModel
from ai_clients.openai_compatible.server import Server

__all__ = ["OpenAIEmbedder", "OpenAIModel", "Server", "check_openai"]
