/**
 * Which members an agent card has, in every version and in their camelCase spelling: the map by which a card is read.
 * Only what stands here is renamed or has its nulls dropped; unknown members pass untouched.
 */
export type Node =
  | { kind: 'leaf' }
  | { kind: 'object'; fields: ReadonlyMap<string, Node> }
  | { kind: 'list'; of: Node }
  /** Free keys, known values. */
  | { kind: 'map'; of: Node }

const leaf: Node = { kind: 'leaf' }
const list = (of: Node): Node => ({ kind: 'list', of })
const map = (of: Node): Node => ({ kind: 'map', of })
const object = (fields: Record<string, Node>): Node => ({
  kind: 'object',
  fields: new Map(Object.entries(fields)),
})
const leaves = (...names: string[]): Record<string, Node> =>
  Object.fromEntries(names.map((name) => [name, leaf]))

const flow = object(
  leaves('authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes', 'pkceRequired'),
)
const flows = object({
  authorizationCode: flow,
  clientCredentials: flow,
  deviceCode: flow,
  implicit: flow,
  password: flow,
})
const schemeFields: Record<string, Node> = {
  ...leaves(
    'type',
    'description',
    'in',
    'location',
    'name',
    'scheme',
    'bearerFormat',
    'openIdConnectUrl',
    'oauth2MetadataUrl',
  ),
  flows,
}
const scheme = object({
  ...schemeFields,
  apiKeySecurityScheme: object(schemeFields),
  httpAuthSecurityScheme: object(schemeFields),
  oauth2SecurityScheme: object(schemeFields),
  openIdConnectSecurityScheme: object(schemeFields),
  mtlsSecurityScheme: object(schemeFields),
})
// `schemes` is a member of a 1.0 requirement; in 0.x the keys are the users' own scheme names.
const requirement = object({ schemes: map(object(leaves('list'))) })
const agentInterface = object(leaves('url', 'transport', 'protocolBinding', 'protocolVersion', 'tenant'))

/** The agent card. The order is the order in which messages list members. */
export const cardNode: Node = object({
  ...leaves('name', 'description', 'url'),
  provider: object(leaves('organization', 'url')),
  ...leaves('version', 'protocolVersion', 'documentationUrl', 'iconUrl', 'preferredTransport'),
  additionalInterfaces: list(agentInterface),
  supportedInterfaces: list(agentInterface),
  capabilities: object({
    ...leaves('streaming', 'pushNotifications', 'stateTransitionHistory', 'extendedAgentCard'),
    extensions: list(object(leaves('uri', 'description', 'required', 'params'))),
  }),
  authentication: object(leaves('schemes', 'credentials')),
  securitySchemes: map(scheme),
  security: leaf,
  securityRequirements: list(requirement),
  ...leaves('defaultInputModes', 'defaultOutputModes'),
  skills: list(
    object({
      ...leaves('id', 'name', 'description', 'tags', 'examples', 'inputModes', 'outputModes', 'security'),
      securityRequirements: list(requirement),
    }),
  ),
  supportsAuthenticatedExtendedCard: leaf,
  signatures: list(object(leaves('protected', 'signature', 'header'))),
})

/** Members whose null is an error of its own, so that it is not also counted among the harmless ones. */
export const requiredPath: RegExp =
  /^(?:name|description|version|url|capabilities|defaultInputModes|defaultOutputModes|skills|supportedInterfaces|skills\[\d+\]\.(?:id|name|description|tags)|supportedInterfaces\[\d+\]\.(?:url|protocolBinding|protocolVersion))$/
