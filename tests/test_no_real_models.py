"""That no test can reach a real model by accident is itself tested."""

import os
import socket
from pathlib import Path

import pytest

from launch.settings import load_settings
from tests.no_real_models import NOWHERE, ReachedOutError


@pytest.mark.parametrize("host", ["192.0.2.1", "8.8.8.8", "2001:db8::1", "generativelanguage.googleapis.com"])
def test_nothing_but_this_machine_can_be_reached(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for connect in ("connect", "connect_ex"):
        with socket.socket(family) as stranger, pytest.raises(ReachedOutError, match=host):
            getattr(stranger, connect)((host, 443))


def test_there_is_no_key_and_every_address_leads_nowhere(tmp_path: Path) -> None:
    assert not {"GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY"} & os.environ.keys()
    (tmp_path / ".env").write_text(
        "GEMINI_API_KEY=real\nGOOGLE_GEMINI_BASE_URL=https://example.org\nOPENAI_BASE_URL=https://example.org/v1\n"
    )
    read = load_settings(tmp_path / ".env").models
    assert str(read.gemini_base_url).startswith(NOWHERE)
    assert str(read.openai_base_url).startswith(NOWHERE)
    assert str(read.ollama_url).startswith(NOWHERE)
