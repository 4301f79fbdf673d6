"""The lending desk of tests/interop/desk.ts: what it does next, in words that each executor puts into events."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import uvicorn

#: How long the desk takes over each piece of a search, in seconds.
PIECE = 0.12

PORT = int(os.environ['PORT'])
URL = f'http://127.0.0.1:{PORT}'
#: The card demands a bearer token; the desk keeps out who does not show it.
GUARDED = os.environ.get('GUARDED') == 'yes'
KEY = 'desk-key-4711'


@dataclass
class Status:
    state: str
    text: str | None = None


@dataclass
class Chunk:
    text: str
    append: bool = False
    last: bool = True


class LendingDesk:
    """Remembers what it was told in each context."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    async def serve(self, text: str, context_id: str, is_answer: bool) -> AsyncIterator[Status | Chunk]:
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
        else:
            yield Status('working', 'One moment …')
            if re.search('search', text, re.IGNORECASE):
                for index, piece in enumerate(('It is ', 'on shelf ', 'four.')):
                    await asyncio.sleep(PIECE)
                    yield Chunk(piece, append=index > 0, last=index == 2)
                await asyncio.sleep(PIECE)
            elif re.search('wait', text, re.IGNORECASE):
                await asyncio.Event().wait()
            else:
                yield Chunk('The book is due on Friday.')
        yield Status('completed')


def guard(app):
    """Refuses strangers in front of the SDK's routes, all but the public card."""

    async def guarded(scope, receive, send):
        is_public = scope['type'] != 'http' or scope['path'].startswith('/.well-known/')
        if is_public or dict(scope['headers']).get(b'authorization') == f'Bearer {KEY}'.encode():
            await app(scope, receive, send)
            return
        challenge = [(b'www-authenticate', b'Bearer realm="desk"'), (b'content-length', b'0')]
        await send({'type': 'http.response.start', 'status': 401, 'headers': challenge})
        await send({'type': 'http.response.body', 'body': b''})

    return guarded


def run(app) -> None:
    uvicorn.run(guard(app) if GUARDED else app, host='127.0.0.1', port=PORT, log_level='error')
