import { A2AModelError } from '../core/errors.ts'
import type { ModelCalls, ModelRole } from './types.ts'

const variables: Record<'simulator' | 'judge', string> = {
  simulator: 'A2A_SIMULATOR_MODEL',
  judge: 'A2A_JUDGE_MODEL',
}

/**
 * Throws A2AModelError `NO_MODEL` if a role that will be needed has no model, before anything is sent to the agent. `why` completes
 * "… because".
 */
export async function needModel(
  calls: Pick<ModelCalls, 'idOf'>,
  role: Extract<ModelRole, 'simulator' | 'judge'>,
  why: string,
): Promise<void> {
  if ((await calls.idOf(role)) !== undefined) return
  throw new A2AModelError(
    'NO_MODEL',
    `no model is configured for the ${role}, which is needed because ${why}`,
    {
      fix: `Set ${role}: { model } here, model in configureA2A(), or the environment variable ${variables[role]}.`,
    },
  )
}
