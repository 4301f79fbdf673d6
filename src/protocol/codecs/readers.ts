import type { Codec } from '../codec.ts'
import { decodeEvent, decodeReply, decodeTask } from '../decode.ts'
import type { WireForm } from '../reading.ts'
import { decodeCard, decodePushConfig, decodePushConfigs, decodeTaskList } from '../results.ts'

type Readers = Pick<
  Codec,
  | 'dialect'
  | 'binding'
  | 'readReply'
  | 'readTask'
  | 'readEvent'
  | 'readTaskList'
  | 'readPushConfig'
  | 'readPushConfigs'
  | 'readCard'
>

/** What every codec reads, and whose form it takes for right. */
export function readers(form: WireForm): Readers {
  return {
    dialect: form.dialect,
    binding: form.binding,
    readReply: (result) => decodeReply(form, result),
    readTask: (result, operation) => decodeTask(form, result, operation),
    readEvent: (result) => decodeEvent(form, result),
    readTaskList: (result) => decodeTaskList(form, result),
    readPushConfig: (result) => decodePushConfig(form, result),
    readPushConfigs: (result) => decodePushConfigs(form, result),
    readCard: (result) => decodeCard(form, result),
  }
}
