"""Speaks to servers of OpenAI's protocol: OpenAI itself, Ollama, llama.cpp and many more."""
