"""Writes the samples of a client's README as programs, those that begin with an import: `readme.py README FOLDER`."""

import re
import sys
from pathlib import Path

text, folder = Path(sys.argv[1]).read_text(), Path(sys.argv[2])
samples = re.findall(r"```(python|typescript)\n((?:from|import) .*?)```", text, re.DOTALL)
if not samples:
    sys.exit(f"{sys.argv[1]} has no sample with an import")
for number, (language, sample) in enumerate(samples):
    # What the first sample of TypeScript declares, the others use.
    if language == "typescript":
        sample = "".join(before for _, before in samples[: number + 1])
    ending = {"python": "py", "typescript": "ts"}[language]
    (folder / f"readme_{number}.{ending}").write_text(sample)
