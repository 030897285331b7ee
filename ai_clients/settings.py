"""Which models serve, and how they are reached. Names are settings because providers retire them."""

from pydantic import Field, HttpUrl, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class ModelOptions(BaseSettings):
    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore")

    gemini_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="GEMINI_API_KEY",
        description="Key of the Gemini API. Unset: no model, answers quote what was found.",
    )
    gemini_base_url: HttpUrl | None = Field(
        default=None,
        validation_alias="GOOGLE_GEMINI_BASE_URL",
        description="Another address that speaks the Gemini API.",
    )
    answer_model: str = Field(
        default="gemini-3.8-flash", min_length=1, validation_alias="ANSWER_MODEL", description="Model that answers."
    )
    summarise_model: str = Field(
        default="gemini-3.8-flash",
        min_length=1,
        validation_alias="SUMMARISE_MODEL",
        description="Model that summarises a day.",
    )
    small_model: str = Field(
        default="gemini-3.5-flash-lite",
        min_length=1,
        validation_alias="SMALL_MODEL",
        description="Cheaper model for merging facts and routing.",
    )
    embed_model: str = Field(
        default="gemini-embedding-2",
        min_length=1,
        validation_alias="EMBED_MODEL",
        description="Model that makes vectors.",
    )

    answer_seconds: float = Field(
        default=20.0,
        ge=1,
        le=120,
        validation_alias="ANSWER_SECONDS",
        description="How long a model may take over an answer before quotations serve instead (1 to 120).",
    )

    def names_by_purpose(self) -> dict[str, str]:
        return {
            "answer": self.answer_model,
            "summarise": self.summarise_model,
            "small": self.small_model,
            "embed": self.embed_model,
        }
