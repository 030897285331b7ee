"""The Gemini API through google-genai: the only importer of `google.genai`."""

from ai_clients.gemini.api import GeminiApi
from ai_clients.gemini.checking import check_gemini
from ai_clients.gemini.embedder import GeminiEmbedder
from ai_clients.gemini.model import GeminiModel

__all__ = ["GeminiApi", "GeminiEmbedder", "GeminiModel", "check_gemini"]
