"""The API's document as a page to read: plain HTML, no script, nothing from elsewhere."""

import json
from html import escape
from typing import Any

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Innkeeper · API</title>
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }}
body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }}
summary {{ cursor: pointer; padding: .4rem 0; }}
summary:focus-visible {{ outline: 3px solid Highlight; outline-offset: 2px; }}
details {{ border-bottom: 1px solid; }}
code, pre {{ font-family: ui-monospace, monospace; }}
pre {{ overflow-x: auto; white-space: pre-wrap; }}
table {{ border-collapse: collapse; }}
td {{ padding: .1rem 1rem .1rem 0; vertical-align: top; }}
</style>
<h1>Innkeeper · API</h1>
<p>{about}</p>
<p><a href="openapi.json">openapi.json</a> is the same for programs.</p>
{operations}
<h2>Schemas</h2>
{schemas}
</html>
"""


def page_of(document: dict[str, Any]) -> str:
    found: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            found.setdefault(operation["tags"][0], []).append(_operation(method, path, operation))
    parts = [f"<h2>{escape(tag.capitalize())}</h2>" + "\n".join(each) for tag, each in found.items()]
    schemas = "\n".join(
        f'<details id="{escape(name)}"><summary><code>{escape(name)}</code></summary>{_json(schema)}</details>'
        for name, schema in document["components"]["schemas"].items()
    )
    return _PAGE.format(about=escape(document["info"]["description"]), operations="\n".join(parts), schemas=schemas)


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = [
        (one["name"], one["in"], _kind(one["schema"]), one.get("description", ""))
        for one in operation.get("parameters", ())
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    rows += [("body", "JSON", _kind(body), "")] if body else []
    for status, answer in operation["responses"].items():
        [content] = answer["content"].values()
        rows.append((status, "answer", _kind(content["schema"]), answer["description"]))
    table = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f"<details><summary><code>{method.upper()} {escape(path)}</code> {escape(operation['summary'])}</summary>"
        f"<p>{escape(operation.get('description', ''))}</p><table>{table}</table></details>"
    )


def _kind(schema: dict[str, Any]) -> str:
    """A schema in a word or two."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    return str(schema.get("type", "anything"))


def _json(schema: object) -> str:
    return f"<pre>{escape(json.dumps(schema, indent=1, ensure_ascii=False))}</pre>"
