"""Serves the library agent by a2a-sdk 0.3."""

import base64

import httpx
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    DataPart,
    FilePart,
    FileWithBytes,
    HTTPAuthSecurityScheme,
    Part,
    SecurityScheme,
    TaskState,
    TextPart,
)
from a2a.utils import new_task
from a2a.utils.signing import create_agent_card_signer

from library_agent import FURNISHED, GUARDED, SIGNING_KEY, URL, Chunk, LibraryAgent, Loan, run


class LibraryExecutor(AgentExecutor):
    def __init__(self, agent: LibraryAgent) -> None:
        self._agent = agent

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task
        is_answer = task is not None
        if task is None:
            task = new_task(context.message)
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        async for step in self._agent.serve(task.id, context.get_user_input(), task.context_id, is_answer):
            if isinstance(step, Chunk):
                await updater.add_artifact(
                    parts(step.text),
                    artifact_id='answer',
                    name='Answer',
                    append=step.append,
                    last_chunk=step.last,
                )
                continue
            if isinstance(step, Loan):
                await updater.add_artifact(loan_parts(step), artifact_id='loan', name='Loan')
                continue
            message = updater.new_agent_message(parts(step.text)) if step.text else None
            final = step.state not in ('working', 'auth_required')
            await updater.update_status(TaskState[step.state], message=message, final=final)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def parts(text: str) -> list[Part]:
    return [Part(root=TextPart(text=text))]


def loan_parts(loan: Loan) -> list[Part]:
    receipt = FileWithBytes(
        bytes=base64.b64encode(loan.receipt.encode()).decode(), name='receipt.txt', mime_type='text/plain'
    )
    return [Part(root=DataPart(data=loan.loans)), Part(root=FilePart(file=receipt))]


security = (
    {
        'security_schemes': {'key': SecurityScheme(root=HTTPAuthSecurityScheme(scheme='bearer'))},
        'security': [{'key': []}],
    }
    if GUARDED
    else {}
)
card = AgentCard(
    name='Library',
    description='Tells when a book is due.',
    version='1.0.0',
    url=f'{URL}/rpc',
    preferred_transport='JSONRPC',
    additional_interfaces=[
        AgentInterface(url=f'{URL}/rpc', transport='JSONRPC'),
        AgentInterface(url=f'{URL}/rest', transport='HTTP+JSON'),
    ],
    capabilities=AgentCapabilities(streaming=True, push_notifications=True),
    supports_authenticated_extended_card=GUARDED,
    default_input_modes=['text/plain'],
    default_output_modes=['text/plain'],
    skills=[
        AgentSkill(
            id='due-date',
            name='Due date',
            description='Looks up when a book must be back.',
            tags=['books'],
        )
    ],
    **security,
)
extended = card.model_copy(update={'name': 'Library for members'})
if SIGNING_KEY:
    create_agent_card_signer(SIGNING_KEY, {'kid': 'library', 'alg': 'ES256', 'jku': None, 'typ': 'JOSE'})(card)
agent = LibraryAgent()
configs = InMemoryPushNotificationConfigStore()
handler = DefaultRequestHandler(
    agent_executor=LibraryExecutor(agent),
    task_store=InMemoryTaskStore(),
    push_config_store=configs,
    push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
)

served = {'agent_card': card, 'http_handler': handler, 'extended_agent_card': extended}
rest_card = '' if FURNISHED else '/agent-card.json'
app = A2ARESTFastAPIApplication(**served).build(rpc_url='/rest', agent_card_url=rest_card)
rpc = A2AStarletteApplication(**served)
rpc.add_routes_to_app(app, rpc_url='/rpc')
if FURNISHED:
    rpc.add_routes_to_app(app, rpc_url='/rpc', agent_card_url='/rpc')
run(app, agent)
