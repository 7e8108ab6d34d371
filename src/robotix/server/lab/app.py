"""The web application of the laboratory.

Everything under `/participant` belongs to the participant whose cookie comes with the request; no
address names another one. Everything under `/experimenter` needs the experimenter's cookie.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from importlib import resources
from typing import Any, Literal

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from robotix.errors import RobotixError
from robotix.experiments.session import LabSession, NotNow
from robotix.server.http.access import Access
from robotix.server.lab.access import COOKIE_TIME, EXPERIMENTER, LabAccess

__all__ = ["make_lab_app"]

MAX_BODY = 64_000  # bytes
MAX_NOTE = 4000  # characters
NO_STORE = {"cache-control": "no-store"}
LOOPBACK = "http://127.0.0.1"  # in the addresses of rooms
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; frame-src http://127.0.0.1:* {host}; object-src 'none';"
        " base-uri 'none'; form-action 'self'; frame-ancestors 'none'; script-src 'self';"
        " style-src 'self'"
    ),
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    **NO_STORE,
}
FILES = {
    "lab.css": "text/css",
    "participant.js": "text/javascript",
    "experimenter.js": "text/javascript",
}
HOME_WORDS = (
    'This is a study. Open <a href="/experimenter">the experimenter\'s page</a> or'
    ' <a href="/participant">the page of a participant</a>.'
)
EXPIRED_WORDS = (
    "This address was used before, or has expired. Ask the experimenter for a new one: the button"
    " <i>Invite</i> makes it."
)
Role = Literal["participant", "experimenter"]
Handler = Callable[[str, dict[str, Any]], Any]


def make_lab_app(
    session: LabSession, access: Access, lab: LabAccess, others: Sequence[str] = ()
) -> Starlette:
    """Return the application; `access` knows the host names, `lab` the people.

    `others` are the origins by which other machines come in.
    """
    return Starlette(routes=_LabPages(session, access, lab, others).routes())


class _LabPages:
    def __init__(
        self, session: LabSession, access: Access, lab: LabAccess, others: Sequence[str]
    ) -> None:
        self._session, self._access, self._lab, self._others = session, access, lab, others

    def routes(self) -> list[Route]:
        session = self._session
        participant: dict[str, Handler] = {
            "consent": lambda who, body: session.consent(who, _step(body)),
            "go_on": lambda who, body: session.go_on(who, _step(body)),
            "answer": lambda who, body: session.answer(who, _step(body), _answers(body)),
            "begin": lambda who, body: session.begin(who, _step(body)),
            "room": lambda who, body: {"address": session.drive_address(who)},
        }
        experimenter: dict[str, Handler] = {
            "add": lambda who, body: {"participant": session.add_participant()},
            "invite": self._invite,
            "note": lambda who, body: session.add_note(_text(body), body.get("participant")),
            "next": lambda who, body: session.next(_name(body), _step(body)),
            "repeat": lambda who, body: session.repeat(_name(body)),
            "abort": lambda who, body: session.abort(),
            "stop": lambda who, body: session.stop(),
            "resume": lambda who, body: session.resume(),
            "try": lambda who, body: session.try_room(*_choice(body)),
            "tried": lambda who, body: {"address": session.tried_address()},
        }
        return [
            Route("/", self._home),
            Route("/login", self._login),
            Route("/files/{name}", self._file),
            Route("/participant", self._page("participant")),
            Route("/participant/state", self._get("participant", session.view)),
            *(
                Route(f"/participant/{name}", self._post("participant", each), methods=["POST"])
                for name, each in participant.items()
            ),
            Route("/experimenter", self._page("experimenter")),
            Route("/experimenter/state", self._get("experimenter", lambda who: session.overview())),
            *(
                Route(f"/experimenter/{name}", self._post("experimenter", each), methods=["POST"])
                for name, each in experimenter.items()
            ),
        ]

    def _invite(self, who: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return a one-time address for a participant; for other machines also as a QR code."""
        name = _name(body)
        self._session.store.participant(name)
        address = f"/login?c={self._lab.make_code(name)}"
        others = [f"{origin}{address}" for origin in self._others]
        return {
            "address": address,
            "others": others,
            "squares": _qr_code(others[0]) if others else [],
        }

    # -- who asks ---------------------------------------------------------------------------

    def _who(self, request: Request, role: Role) -> str | Response:
        """Return who asks, or why not."""
        if not self._access.is_known_host(request.headers):
            return _refused(421, "unknown host name")
        who = self._lab.who(request.cookies.get(self._lab.cookie_name, ""))
        if who is None:
            return _refused(401, "not logged in; ask for a new address")
        if (who == EXPERIMENTER) != (role == "experimenter"):
            return _refused(403, "this is not yours")
        is_read = request.method in ("GET", "HEAD")
        if ("origin" in request.headers or not is_read) and not self._access.is_own_origin(request):
            return _refused(403, "this request comes from another site")
        return who

    async def _home(self, request: Request) -> Response:
        if not self._access.is_known_host(request.headers):
            return _refused(421, "unknown host name")
        return _page(401, HOME_WORDS)

    async def _login(self, request: Request) -> Response:
        """Log in; the cookie goes to the pages of its role only, so one browser can hold both."""
        if not self._access.is_known_host(request.headers):
            return _refused(421, "unknown host name")
        who = self._lab.use_code(request.query_params.get("c", ""))
        if who is None:
            return _page(401, EXPIRED_WORDS)
        target = "/experimenter" if who == EXPERIMENTER else "/participant"
        response = RedirectResponse(target, status_code=303)
        response.set_cookie(
            self._lab.cookie_name, self._lab.cookie(who), max_age=COOKIE_TIME, httponly=True,
            samesite="strict", secure=request.url.scheme == "https", path=target,
        )  # fmt: skip
        return _sent(response)

    # -- answers ----------------------------------------------------------------------------

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in FILES:
            return _refused(404, "not found")
        return _sent(Response(_read(name), media_type=FILES[name]))

    def _page(self, role: Role) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            who = self._who(request, role)
            if isinstance(who, Response):
                words = msgspec.json.decode(who.body, type=dict[str, str])["error"]
                return _page(who.status_code, f"{words[:1].upper()}{words[1:]}.")
            shown = _sent(Response(_read(f"{role}.html"), media_type="text/html"))
            if request.url.scheme == "https":  # rooms are other ports of the same host
                policy = HEADERS["content-security-policy"]
                rooms = f"https://{request.url.hostname}:*"
                shown.headers["content-security-policy"] = policy.format(host=rooms)
            return shown

        return page

    def _get(
        self, role: Role, read: Callable[[str], dict[str, Any]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def get(request: Request) -> Response:
            who = self._who(request, role)
            if isinstance(who, Response):
                return who
            return await _answered(lambda: _from_here(read(who), request))

        return get

    def _post(self, role: Role, act: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def post(request: Request) -> Response:
            who = self._who(request, role)
            if isinstance(who, Response):
                return who
            raw = b""
            async for part in request.stream():
                raw += part
                if len(raw) > MAX_BODY:
                    return _refused(413, f"at most {MAX_BODY} bytes")
            try:
                body = msgspec.json.decode(raw or b"{}", type=dict[str, Any])
            except msgspec.DecodeError:
                return _refused(422, "not JSON")
            return await _answered(lambda: _from_here(act(who, body), request))

        return post


async def _answered(act: Callable[[], Any]) -> Response:
    """Act in a thread, since the disk is flushed, and return the result."""
    try:
        result = await asyncio.to_thread(act)
    except NotNow as error:
        return _refused(409, str(error))
    except (RobotixError, ValueError) as error:
        return _refused(422, str(error))
    return _sent(JSONResponse({} if result is None else result))


def _read(name: str) -> bytes:
    return (resources.files("robotix.server.lab") / "pages" / name).read_bytes()


def _from_here(found: Any, request: Request) -> Any:
    """Return an answer whose addresses of rooms fit the machine that asks."""
    if request.url.scheme != "https" or not isinstance(found, dict):
        return found
    rooms = f"https://{request.url.hostname}"
    return {
        name: value.replace(LOOPBACK, rooms, 1) if name == "address" else value
        for name, value in found.items()
    }


def _qr_code(text: str) -> list[str]:
    """Return the squares of a QR code, row by row: 1 is dark."""
    import segno

    return ["".join(str(int(each)) for each in row) for row in segno.make(text, error="l").matrix]


def _sent(response: Response) -> Response:
    response.headers.update(HEADERS)
    policy = HEADERS["content-security-policy"].format(host="")
    response.headers["content-security-policy"] = policy
    return response


def _page(status: int, words: str) -> Response:
    """Return words for people, in place of a page."""
    text = _read("words.html").decode().replace("WORDS", words)
    return _sent(Response(text, status_code=status, media_type="text/html"))


def _refused(status: int, words: str) -> Response:
    return _sent(JSONResponse({"error": words}, status_code=status))


def _step(body: dict[str, Any]) -> int:
    if not isinstance(body.get("step"), int):
        raise ValueError("the number of the step is missing")
    return int(body["step"])


def _name(body: dict[str, Any]) -> str:
    if not isinstance(body.get("participant"), str):
        raise ValueError("the participant is missing")
    return str(body["participant"])


def _choice(body: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the task and the levels that were chosen from the menu."""
    task, levels = body.get("task"), body.get("levels")
    if not isinstance(task, str) or not isinstance(levels, dict):
        raise ValueError("a task and levels are missing")
    return task, {str(name): str(level) for name, level in levels.items()}


def _text(body: dict[str, Any]) -> str:
    text = body.get("text")
    if not isinstance(text, str) or not 0 < len(text.strip()) <= MAX_NOTE:
        raise ValueError(f"a note has 1 to {MAX_NOTE} characters")
    return text.strip()


def _answers(body: dict[str, Any]) -> dict[str, int]:
    answers = body.get("answers")
    if not isinstance(answers, dict) or not all(
        isinstance(v, int) and not isinstance(v, bool) for v in answers.values()
    ):
        raise ValueError("answers are whole numbers by item")
    return {str(name): int(value) for name, value in answers.items()}
