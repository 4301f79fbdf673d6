import { isAgentCard } from './isAgentCard.ts'
import { normalise } from './normalise.ts'
import { isObject, isText, listed, show } from './values.ts'

interface Kind {
  is: (document: Record<string, unknown>) => boolean
  named: (document: Record<string, unknown>) => string
}

/** Formats that are found at the paths of agent cards, most telling first. */
const kinds: Kind[] = [
  {
    is: (d) => /(?:eip|erc)-?8004/i.test(text(d['type'])) || /(?:eip|erc)-?8004/i.test(text(d['protocol'])),
    named: (d) =>
      isText(d['type'])
        ? `an ERC-8004 registration file (type ${show(d['type'])})`
        : `an ERC-8004 registration file (protocol ${show(d['protocol'])})`,
  },
  {
    is: (d) =>
      /\bmcp\b/i.test(text(d['type'])) ||
      /\bmcp\b/i.test(text(d['protocol'])) ||
      isObject(d['mcpServers']) ||
      isObject(d['serverInfo']) ||
      /modelcontextprotocol/i.test(text(d['$schema'])),
    named: () => 'an MCP server manifest',
  },
  { is: (d) => isText(d['openapi']) || isText(d['swagger']), named: () => 'an OpenAPI document' },
  { is: (d) => isText(d['name_for_model']), named: () => 'a plugin manifest (ai-plugin.json)' },
  {
    is: (d) => isText(d['issuer']) || isText(d['authorization_endpoint']),
    named: () => 'an OAuth or OpenID Connect metadata document',
  },
  { is: (d) => isText(d['start_url']), named: () => 'a web app manifest' },
  { is: (d) => isObject(d['dependencies']) || isObject(d['devDependencies']), named: () => 'a package.json' },
  { is: (d) => d['jsonrpc'] === '2.0', named: jsonRpc },
  { is: (d) => wrapper(d) !== undefined, named: (d) => `an agent card wrapped in ${show(wrapper(d))}` },
  { is: (d) => errorText(d) !== undefined, named: (d) => `an error body (${show(errorText(d))})` },
  {
    is: (d) => Array.isArray(d['agents']) && d['skills'] === undefined,
    named: () => 'a list of agents, such as a registry serves',
  },
  {
    is: (d) => Array.isArray(d['skills']),
    named: () => 'a plugin or skill list: it has skills, but neither url nor supportedInterfaces',
  },
  {
    is: (d) => Array.isArray(d['capabilities']),
    named: (d) =>
      `another agent description: a JSON object whose capabilities are a list, without ${lacking(d)}`,
  },
]

/** Completes "it looks like …" for a document that is not an agent card. */
export function looksLike(document: unknown): string {
  if (!isObject(document)) {
    if (Array.isArray(document)) return `a JSON list of ${document.length} items`
    return document === null ? 'JSON null' : `a JSON ${typeof document} (${show(document)})`
  }
  if (Object.keys(document).length === 0) return `an empty JSON object, without ${lacking(document)}`
  const kind = kinds.find(({ is }) => is(document))
  if (kind !== undefined) return kind.named(document)
  return `a JSON object without ${lacking(document)} (it has ${listed(Object.keys(document).sort())})`
}

function lacking(document: Record<string, unknown>): string {
  const core = [
    'name',
    'description',
    'version',
    'url or supportedInterfaces',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
  ]
  const missing = core.filter((name) => name.split(' or ').every((part) => document[part] === undefined))
  return missing.length === 0 ? 'the members of an agent card' : missing.join(', ')
}

/** The key under which the real card stands, where a server wraps it. */
function wrapper(document: Record<string, unknown>): string | undefined {
  return Object.keys(document)
    .sort()
    .find((key) => {
      const inner = document[key]
      return isObject(inner) && isText(inner['name']) && isAgentCard(normalise(inner).card)
    })
}

function jsonRpc(document: Record<string, unknown>): string {
  const error = document['error']
  const said = isObject(error) ? ` with error ${show(error['code'])} ${show(error['message'])}` : ''
  return `a JSON-RPC response${said}`
}

function errorText(document: Record<string, unknown>): string | undefined {
  if (document['name'] !== undefined) return undefined
  const { error, detail, message } = document
  const said = [isObject(error) ? error['message'] : error, detail, message].find(isText)
  return said
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
