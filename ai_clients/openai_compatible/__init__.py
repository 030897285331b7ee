"""Servers that speak OpenAI's protocol: OpenAI itself, Ollama, llama.cpp and many more."""
