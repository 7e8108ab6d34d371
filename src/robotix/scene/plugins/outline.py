"""What the source text of a plug-in says, read without executing it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

__all__ = ["Outline", "read_outline"]

# Built-in functions that reach files, or run text as code.
NOTABLE_BUILTINS = frozenset({"__import__", "compile", "eval", "exec", "open"})


@dataclass(frozen=True)
class Outline:
    """Names in a Python source text."""

    functions: tuple[str, ...]  # that the module may define, in any branch
    imports: tuple[str, ...]  # modules, sorted
    builtins: tuple[str, ...]  # of `NOTABLE_BUILTINS`, sorted
    texts: tuple[str, ...]  # string literals


def read_outline(source: bytes, filename: str) -> Outline:
    """Return the outline of a Python source text; raise `SyntaxError` if it is not Python."""
    try:
        tree = ast.parse(source, filename=filename)
        nodes = tuple(ast.walk(tree))
        functions = tuple(dict.fromkeys(_names(tree.body)))
    except (MemoryError, RecursionError, ValueError) as error:
        raise SyntaxError(f"too deeply nested, or not a text ({type(error).__name__})") from None
    return Outline(
        functions,
        tuple(sorted({name for node in nodes for name in _imports(node)})),
        tuple(sorted({n.id for n in nodes if isinstance(n, ast.Name)} & NOTABLE_BUILTINS)),
        tuple(
            dict.fromkeys(
                node.value
                for node in nodes
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            )
        ),
    )


def _imports(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (each.name for each in names)
        case ast.ImportFrom(module=module, level=level):
            yield "." * level + (module or "")


def _names(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements may define, in any branch."""
    for statement in statements:
        match statement:
            case ast.FunctionDef(name=name):
                yield name
            case ast.Assign() | ast.AnnAssign():
                names = (each for each in ast.walk(statement) if isinstance(each, ast.Name))
                yield from (each.id for each in names if isinstance(each.ctx, ast.Store))
            case ast.ClassDef() | ast.AsyncFunctionDef():
                pass
            case _:
                for inner in ast.iter_child_nodes(statement):
                    if isinstance(inner, ast.stmt):
                        yield from _names([inner])
                    elif isinstance(inner, ast.ExceptHandler | ast.match_case):
                        yield from _names(inner.body)
