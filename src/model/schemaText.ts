import type { ModelRequest } from './types.ts'

/** The system text of a request, with its schema in words. */
export function systemWithSchema({ system, schema }: Pick<ModelRequest, 'system' | 'schema'>): string {
  if (schema === undefined) return system
  const instruction = `Answer with one JSON object and nothing else: no other words, no Markdown fence. It must fit this JSON Schema:\n${JSON.stringify(schema.definition)}`
  return system === '' ? instruction : `${system}\n\n${instruction}`
}
