"""`protocol.ts` is what the Python messages say."""

from __future__ import annotations

from pathlib import Path

from robotix.server.wire.typescript import main, to_typescript

PROTOCOL_TS = Path(__file__).parents[3] / "web" / "src" / "net" / "protocol.ts"


def test_protocol_ts_is_fresh() -> None:
    written = PROTOCOL_TS.read_text(encoding="utf-8")
    assert written == to_typescript(), "run `python -m robotix.server.wire.typescript`"


def test_what_comes_from_the_server_is_whole_and_what_goes_there_need_not_be() -> None:
    text = to_typescript()
    assert (
        "export interface ConsoleLine {\n  kind: 'command'\n  id: number\n  line: string\n}" in text
    )
    assert "  take?: boolean\n" in text
    assert "  problem: string\n" in text
    assert "  quaternion: [number, number, number, number]\n" in text
    assert "  lower: number | null\n" in text
    assert "  shape: ShapeInfo\n" in text


def test_it_can_be_written_anywhere(tmp_path: Path) -> None:
    assert main([str(tmp_path / "protocol.ts")]) == 0
    assert (tmp_path / "protocol.ts").read_text(encoding="utf-8") == to_typescript()
