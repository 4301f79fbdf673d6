import { catalogue, type FindingId } from './catalogue.ts'
import type { CatalogueEntry, Finding, Level } from './types.ts'

/** What one finding says beyond the catalogue. */
export interface FindingDetail {
  path?: string | undefined
  /** Where the catalogue has two levels: which one. Default: the first. */
  level?: Level | undefined
  /** A more precise fix than the catalogue's; `undefined` omits it, because the message says enough. */
  fix?: string | undefined
  source?: string | undefined
}

/** A finding with the level, the fix and the source that the catalogue has for its id, unless `detail` has its own. */
export function finding(id: FindingId, message: string, detail: FindingDetail = {}): Finding {
  const entry = (catalogue as Partial<Record<string, CatalogueEntry>>)[id]
  const level = detail.level ?? levelOf(entry)
  const fix = 'fix' in detail ? detail.fix : entry?.fix
  const source = 'source' in detail ? detail.source : entry?.source
  const { path } = detail
  return {
    id,
    level,
    ...(path !== undefined && { path }),
    message,
    ...(fix !== undefined && { fix }),
    ...(source !== undefined && { source }),
  }
}

function levelOf(entry: CatalogueEntry | undefined): Level {
  if (entry === undefined) return 'error'
  return typeof entry.level === 'string' ? entry.level : entry.level[0]
}
