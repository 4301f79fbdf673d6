"""The library agent of tests/interop/libraryAgent.ts: the steps of a task, which each executor turns into events of its SDK."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import uvicorn
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

#: How long the agent takes over each piece of a search, in seconds.
PIECE = 0.12
#: How long it takes before it finds something in the cellar, in seconds: long enough to interrupt its stream and resume it.
PONDER = 1.0

PORT = int(os.environ['PORT'])
URL = f'http://127.0.0.1:{PORT}'
#: The card requires a bearer token, and the agent rejects requests without it.
GUARDED = os.environ.get('GUARDED') == 'yes'
KEY = 'library-key-4711'
#: The app adds what it can around the SDK's routes: CORS, the card at the endpoints, and a signature by this key (PEM).
FURNISHED = os.environ.get('FURNISHED') == 'yes'
SIGNING_KEY = os.environ.get('SIGNING_KEY')


@dataclass
class Status:
    state: str
    text: str | None = None


@dataclass
class Chunk:
    text: str
    append: bool = False
    last: bool = True


@dataclass
class Loan:
    loans: dict[str, str | int]
    receipt: str


class LibraryAgent:
    """Remembers what it was told in each context."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}
        self._approved: dict[str, asyncio.Event] = {}

    async def serve(
        self, task_id: str, text: str, context_id: str, is_answer: bool
    ) -> AsyncIterator[Status | Chunk | Loan]:
        told = re.search(r'(?:my name is|ask you for it later:) ([\w-]+)', text, re.IGNORECASE)
        if told:
            self._told[context_id] = told[1]

        if is_answer:
            yield Chunk(f'Renewed: {text}.')
        elif re.search('renew', text, re.IGNORECASE):
            yield Status('input_required', 'Which book?')
            return
        elif re.search('who am i|which code word', text, re.IGNORECASE):
            yield Chunk(f'I was told: {self._told.get(context_id, "nothing")}.')
        elif re.search('reserve', text, re.IGNORECASE):
            approved = self._approved[task_id] = asyncio.Event()
            yield Status('auth_required', 'A librarian must allow this.')
            await approved.wait()
            yield Chunk('It is reserved.')
        else:
            yield Status('working', 'One moment …')
            if re.search('search', text, re.IGNORECASE):
                if re.search('cellar', text, re.IGNORECASE):
                    await asyncio.sleep(PONDER)
                for index, piece in enumerate(('It is ', 'on shelf ', 'four.')):
                    await asyncio.sleep(PIECE)
                    yield Chunk(piece, append=index > 0, last=index == 2)
                await asyncio.sleep(PIECE)
            elif re.search('lend', text, re.IGNORECASE):
                yield Loan({'book': 'Momo', 'days': 28}, 'Momo: 28 days')
            elif re.search('wait', text, re.IGNORECASE):
                await asyncio.Event().wait()
            else:
                yield Chunk('The book is due on Friday.')
        yield Status('completed')

    def approve(self, task_id: str) -> bool:
        """Approves what a task is waiting for; false if no such task is waiting."""
        approved = self._approved.get(task_id)
        if approved:
            approved.set()
        return approved is not None


def guard(app):
    """Rejects unauthenticated requests before the SDK's routes, except for the public card."""

    async def guarded(scope, receive, send):
        is_public = scope['type'] != 'http' or scope['path'].startswith('/.well-known/')
        if is_public or dict(scope['headers']).get(b'authorization') == f'Bearer {KEY}'.encode():
            await app(scope, receive, send)
            return
        challenge = [(b'www-authenticate', b'Bearer realm="library"'), (b'content-length', b'0')]
        await send({'type': 'http.response.start', 'status': 401, 'headers': challenge})
        await send({'type': 'http.response.body', 'body': b''})

    return guarded


def run(app, agent: LibraryAgent) -> None:
    async def approve(request: Request) -> Response:
        return Response(status_code=204 if agent.approve(request.path_params['task_id']) else 404)

    app.routes.insert(0, Route('/approve/{task_id}', approve, methods=['POST']))
    if FURNISHED:
        app.add_middleware(CORSMiddleware, allow_origins=['*'], allow_methods=['*'], allow_headers=['*'])
    uvicorn.run(guard(app) if GUARDED else app, host='127.0.0.1', port=PORT, log_level='error')
