"""The API's document has an example for whatever is sent and answered, and each keeps to its schema."""

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from web.api.app import Api
from web.guard import Doors


def contents(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, ways in document["paths"].items():
        for method, operation in ways.items():
            answers = [answer for status, answer in operation["responses"].items() if int(status) < 400]
            assert answers
            for holder in [*filter(None, [operation.get("requestBody")]), *answers]:
                yield f"{method} {path}", holder["content"]["application/json"]


def test_every_route_shows_an_example_that_its_schema_allows() -> None:
    def nowhere() -> None:
        return None

    document = Api(Doors(nowhere, is_tls=False)).app.openapi()
    found = list(contents(document))
    assert len(found) > 30
    for route, content in found:
        validator = Draft202012Validator(content["schema"] | {"components": document["components"]})
        assert (route, [error.message for error in validator.iter_errors(content["example"])]) == (route, [])
