"""Has a model put an answer into words, and says in health how the model is doing."""

import logging
import secrets
from collections.abc import Mapping

from ai_clients.base import LanguageModel
from ai_clients.errors import ModelError
from memory.core.model import Question
from memory.core.outcomes import Answer
from memory.health import Health
from memory.prompts.answer import Material
from memory.prompts.answer_by_model import read, render

logger = logging.getLogger(__name__)


class Speaker:
    def __init__(self, model: LanguageModel | None, health: Health) -> None:
        self._model = model
        self._part = health.part("model") if model is not None else None
        if self._part is not None:
            self._part.active()

    @property
    def is_there(self) -> bool:
        """Whether there is a model at all; it may still not answer."""
        return self._model is not None

    async def answer(self, material: Material, question: Question, names: Mapping[int, str]) -> Answer | None:
        """None where there is no model, or none that answers: then others have to find the words."""
        if self._model is None or self._part is None or not material.question.strip(" ?!.,\n"):
            return None
        asked = render(
            material,
            asker_id=question.asker_id,
            names=names,
            language=question.language,
            fence=secrets.token_hex(8),
        )
        self._part.count("asked")
        try:
            answer = read((await self._model.generate(asked.prompt)).text, asked)
        except ModelError as error:
            logger.warning("no answer by the model: %s", error, extra={"model": self._model.name})
            self._part.failing(f"{self._model.name} does not answer ({type(error).__name__}); replies quote instead.")
            return None
        self._part.active()
        return answer

    async def close(self) -> None:
        if self._model is not None:
            await self._model.close()
