"""The web application of the laboratory.

Everything under `/participant` belongs to the participant whose cookie comes with the request; no
address names another one. Everything under `/experimenter` needs the experimenter's cookie.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
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
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; frame-src http://127.0.0.1:*; object-src 'none'; base-uri 'none';"
        " form-action 'self'; frame-ancestors 'none'; script-src 'self'; style-src 'self'"
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


def make_lab_app(session: LabSession, access: Access, lab: LabAccess) -> Starlette:
    """Return the application; `access` knows the host names, `lab` the people."""
    return Starlette(routes=_LabPages(session, access, lab).routes())


class _LabPages:
    def __init__(self, session: LabSession, access: Access, lab: LabAccess) -> None:
        self._session, self._access, self._lab = session, access, lab

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

    def _invite(self, who: str, body: dict[str, Any]) -> dict[str, str]:
        """Return a one-time address for a participant."""
        name = _name(body)
        self._session.store.participant(name)
        return {"address": f"/login?c={self._lab.make_code(name)}"}

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
            return _sent(Response(_read(f"{role}.html"), media_type="text/html"))

        return page

    def _get(
        self, role: Role, read: Callable[[str], dict[str, Any]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def get(request: Request) -> Response:
            who = self._who(request, role)
            if isinstance(who, Response):
                return who
            return await _answered(lambda: read(who))

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
            return await _answered(lambda: act(who, body))

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


def _sent(response: Response) -> Response:
    response.headers.update(HEADERS)
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
