"""Update the JSON Schema of scene files: `python docs/make_schema.py`."""

import json
from pathlib import Path

from robotix.authoring import scene_schema

if __name__ == "__main__":
    path = Path(__file__).parent / "scene.schema.json"
    path.write_text(json.dumps(scene_schema(), indent=1, ensure_ascii=False) + "\n")
    print(f"wrote {path.name}")
