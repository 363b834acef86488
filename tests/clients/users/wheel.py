"""Fails if a wheel lacks what a registry shows, or what a checker of types needs: `wheel.py WHEEL`."""

import email
import sys
import zipfile

wheel = zipfile.ZipFile(sys.argv[1])
names = wheel.namelist()
[path] = [name for name in names if name.endswith(".dist-info/METADATA")]
metadata = email.message_from_bytes(wheel.read(path))
urls = {url.split(",")[0] for url in metadata.get_all("Project-URL") or []}
found = {
    "a licence": metadata["License-Expression"] == "MIT OR Apache-2.0"
    and len(metadata.get_all("License-File") or []) == 2,
    "addresses": urls >= {"Homepage", "Repository", "Changelog", "Issues"},
    "an author": bool(metadata["Author"]),
    "a text": bool(metadata["Summary"]) and "## Use" in wheel.read(path).decode(),
    "classifiers": "Typing :: Typed" in (metadata.get_all("Classifier") or []),
    "types": "unified_ads/py.typed" in names,
    "the generated core": "unified_ads/flat/models/flat_create.py" in names,
    "nothing else": all(name.startswith(("unified_ads/", "unified_ads-")) for name in names),
}
missing = [what for what, is_there in found.items() if not is_there]
if missing:
    sys.exit(f"the wheel lacks {', '.join(missing)}")
