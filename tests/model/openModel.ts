import { afterEach } from 'vitest'
import { createOpenaiModel, type OpenaiModelOptions } from '../../src/model/openai.ts'
import type { Model, ModelRequest } from '../../src/model/types.ts'
import {
  startModelServer,
  type ModelReply,
  type ModelServer,
  type SeenRequest,
} from '../support/modelServer.ts'
import { request, thrown } from './request.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

export const key = 'sk-test-0123456789abcdefghij'

export interface OpenedModel {
  server: ModelServer
  model: Model
  ask(changes?: Partial<ModelRequest>): ReturnType<Model['generate']>
  /** The error of the request, with the port hidden. */
  refused(changes?: Partial<ModelRequest>): Promise<Record<string, unknown>>
}

/** A model at a server that plays these replies. */
export async function open(
  replies: readonly ModelReply[] | ((seen: SeenRequest, index: number) => ModelReply),
  options: Partial<OpenaiModelOptions> = {},
  deps: Parameters<typeof createOpenaiModel>[2] = {},
): Promise<OpenedModel> {
  const server = await startModelServer(replies)
  servers.push(server)
  const model = createOpenaiModel(
    { model: 'gpt-x', apiKey: key, baseURL: server.baseURL, ...options },
    {},
    deps,
  )
  const ask: OpenedModel['ask'] = (changes) => model.generate(request(changes))
  return {
    server,
    model,
    ask,
    async refused(changes) {
      const error = await thrown(ask(changes))
      for (const name of ['message', 'fix']) {
        error[name] = String(error[name]).replaceAll(server.origin, 'http://127.0.0.1:1')
      }
      return error
    },
  }
}
