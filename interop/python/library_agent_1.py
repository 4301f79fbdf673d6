"""Serves the library agent by a2a-sdk 1."""

import httpx
from a2a.helpers.proto_helpers import new_data_part, new_raw_part, new_task, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
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
    HTTPAuthSecurityScheme,
    SecurityRequirement,
    SecurityScheme,
    StringList,
    TaskState,
)
from a2a.utils.signing import create_agent_card_signer
from starlette.applications import Starlette

from library_agent import FURNISHED, GUARDED, SIGNING_KEY, URL, Chunk, LibraryAgent, Loan, run


class LibraryExecutor(AgentExecutor):
    def __init__(self, agent: LibraryAgent) -> None:
        self._agent = agent

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task
        is_answer = task is not None
        if task is None:
            submitted = TaskState.TASK_STATE_SUBMITTED
            task = new_task(context.task_id, context.context_id, submitted, history=[context.message])
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        async for step in self._agent.serve(task.id, context.get_user_input(), task.context_id, is_answer):
            if isinstance(step, Chunk):
                await updater.add_artifact(
                    [new_text_part(step.text)],
                    artifact_id='answer',
                    name='Answer',
                    append=step.append,
                    last_chunk=step.last,
                )
                continue
            if isinstance(step, Loan):
                receipt = new_raw_part(step.receipt.encode(), 'text/plain', 'receipt.txt')
                await updater.add_artifact(
                    [new_data_part(step.loans, 'application/json'), receipt], artifact_id='loan', name='Loan'
                )
                continue
            message = updater.new_agent_message([new_text_part(step.text)]) if step.text else None
            await updater.update_status(TaskState.Value(f'TASK_STATE_{step.state.upper()}'), message=message)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


security = (
    {
        'security_schemes': {
            'key': SecurityScheme(http_auth_security_scheme=HTTPAuthSecurityScheme(scheme='bearer'))
        },
        'security_requirements': [SecurityRequirement(schemes={'key': StringList()})],
    }
    if GUARDED
    else {}
)
card = AgentCard(
    name='Library',
    description='Tells when a book is due.',
    version='1.0.0',
    supported_interfaces=[
        AgentInterface(url=f'{URL}/rpc', protocol_binding='JSONRPC', protocol_version='1.0'),
        AgentInterface(url=f'{URL}/rest', protocol_binding='HTTP+JSON', protocol_version='1.0'),
    ],
    capabilities=AgentCapabilities(
        streaming=True, push_notifications=True, extended_agent_card=GUARDED
    ),
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
extended = AgentCard()
extended.CopyFrom(card)
extended.name = 'Library for members'
if SIGNING_KEY:
    create_agent_card_signer(SIGNING_KEY, {'kid': 'library', 'alg': 'ES256', 'jku': None, 'typ': 'JOSE'})(card)
agent = LibraryAgent()
configs = InMemoryPushNotificationConfigStore()
handler = DefaultRequestHandler(
    agent_executor=LibraryExecutor(agent),
    task_store=InMemoryTaskStore(),
    agent_card=card,
    push_config_store=configs,
    push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
    extended_agent_card=extended,
)
app = Starlette(
    routes=[
        *create_agent_card_routes(card),
        *create_jsonrpc_routes(handler, '/rpc'),
        *create_rest_routes(handler, path_prefix='/rest'),
    ]
)
if FURNISHED:
    for endpoint in ('/rpc', '/rest'):
        app.routes.extend(create_agent_card_routes(card, card_url=endpoint))
run(app, agent)
