"""Fails if a generated model is no schema of the OpenAPI document: `names.py DOCUMENT FOLDER`."""

import json
import sys
from pathlib import Path


def plain(name: str) -> str:
    """The name as every language spells it: `FlatError`, `flat_error` and `model_flat_error.go` are one."""
    return name.removeprefix("model_").replace("_", "").lower()


document, folder = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
known = {plain(name) for name in document["components"]["schemas"]}
# Files that list the models.
lists = {"__init__", "index", "mod"}
models = {path.stem for path in folder.iterdir() if path.suffix in {".go", ".py", ".rs", ".ts"}} - lists
if not folder.name.endswith("models"):
    models = {name for name in models if name.startswith("model_")}
if not models:
    sys.exit(f"{folder} has no models")
made_up = sorted(name for name in models if plain(name) not in known)
if made_up:
    sys.exit(f"{len(made_up)} models have no schema of their name: {', '.join(made_up)}")
print(f"{len(models)} models, each a schema of the document")
