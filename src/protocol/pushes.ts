import { compact } from './encode.ts'
import type { PushConfig } from './model.ts'
import type { JsonObject } from './reading.ts'

/** A push notification config as 0.x writes it: with a list of schemes. 0.1 has no ids. */
export function listedPush(config: PushConfig | undefined, withId: boolean): JsonObject | undefined {
  if (config === undefined) return undefined
  const { id, url, token, authentication } = config
  return compact({
    id: withId ? id : undefined,
    url,
    token,
    authentication: authentication && {
      schemes: [authentication.scheme],
      ...compact({ credentials: authentication.credentials }),
    },
  })
}

/** A push notification config as 1.0 writes it: flat, with the ids around it in the order of the proto. */
export function flatPush(
  config: PushConfig | undefined,
  { tenant, taskId }: { tenant?: string | undefined; taskId?: string } = {},
): JsonObject | undefined {
  if (config === undefined) return undefined
  const { id, url, token, authentication } = config
  return compact({
    tenant,
    id,
    taskId,
    url,
    token,
    authentication: authentication && {
      scheme: authentication.scheme,
      ...compact({ credentials: authentication.credentials }),
    },
  })
}
