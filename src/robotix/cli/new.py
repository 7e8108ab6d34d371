"""`robotix new` and `robotix examples`: a room to start from, and rooms to look at."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json

__all__ = ["examples", "new"]

SCHEMA_FILE = "scene.schema.json"
ROOM = """# yaml-language-server: $schema={schema}
# Run it with `robotix run {file}`, check it with `robotix check {file}`.
robotix: 1
name: {name}

objects:
  floor: {{plane: true}}
  table: {{box: [0.8, 1.2, 0.05], at: [0.7, 0, 0.4], material: {{colour: brown}}}}   # m, kg, s
  cup: {{cylinder: [0.04, 0.1], at: [0.6, 0.1, 0.475], material: {{colour: red}}}}

robots:
  arm: {{model: {robot}, q_deg: {{{joint}: 30}}}}

rules:
  - when: {{key: Space}}
    mode: reflect
    do: {{hide: cup}}   # while the space bar is held; `mode` says when
"""


def new(
    room: Annotated[Path, typer.Argument(metavar="ROOM.yaml", help="The scene file to write.")],
    *,
    robot: Annotated[
        str, typer.Option(help="Its robot: a name from `robotix robots`, or a file beside it.")
    ] = "kuka_lwr",
) -> None:
    """Write a small room to start from: a floor, a table, a robot, a rule.

    The JSON Schema of scene files is written beside it, so that editors complete and check it.
    """
    import json

    from robotix.authoring import scene_schema
    from robotix.files.backup import keep_backups
    from robotix.model.robots import load

    if room.suffix.lower() not in (".yaml", ".yml"):
        raise typer.BadParameter(f"a scene file ends in .yaml, got {room}")
    if room.exists():
        raise typer.BadParameter(f"{room} exists already; choose another name")
    known = load(robot if "." not in robot else room.parent / robot)
    if not known.n_dof:
        raise ValueError(f"{robot} has no moving joints")
    text = ROOM.format(
        schema=SCHEMA_FILE, file=room.name, name=room.stem.replace("_", " ").capitalize(),
        robot=robot, joint=known.dof_names[0],
    )  # fmt: skip
    room.write_text(text, encoding="utf-8")
    schema = room.with_name(SCHEMA_FILE)
    with keep_backups(schema) as path:
        path.write_text(json.dumps(scene_schema(), ensure_ascii=False) + "\n", encoding="utf-8")
    typer.echo(f"wrote {room} and {schema.name}; run it with: robotix run {room}")


def examples(
    *,
    copy: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Copy them all into a new folder.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """List the example rooms and programs, or copy them to a folder of one's own.

    The copy also holds the flat that `robotix run` opens, in `rooms/`.
    """
    from robotix.authoring.rooms import default_room, examples_folder

    folder = examples_folder()
    known = [
        {"file": str(path.relative_to(folder)), "title": _title(path)}
        for path in sorted([*folder.glob("scenes/*.yaml"), *folder.glob("*.py")])
    ]
    if copy is not None:
        if copy.exists():
            raise typer.BadParameter(f"{copy} exists already; choose a new folder")
        ignored = shutil.ignore_patterns("__pycache__", "__init__.py")
        shutil.copytree(folder, copy, ignore=ignored)
        shutil.copytree(default_room().parent, copy / "rooms", ignore=ignored)
    if json:
        print_json(known)
        return
    width = max(len(each["file"]) for each in known)
    for each in known:
        typer.echo(f"{each['file']:<{width}}  {each['title']}")
    typer.echo(f"copied to {copy}" if copy else "robotix examples --copy DIR copies them.")


def _title(path: Path) -> str:
    """Return the name of a room, or the first sentence of a program."""
    text = path.read_text(encoding="utf-8")
    for line in text.splitlines():
        if path.suffix == ".yaml" and line.startswith("name:"):
            return line.removeprefix("name:").split("#")[0].strip().strip("\"'")
        if path.suffix == ".py" and line.startswith('"""'):
            return line.strip('"').strip()
    return path.stem
