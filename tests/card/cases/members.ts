import { card03, card10, local, skill, without } from '../cards.ts'
import type { Cases } from './types.ts'

const schemes10 = (scheme: unknown): Record<string, unknown> =>
  card10({ securitySchemes: { helpdesk: scheme } })

/** What the card says about itself, and the form it is written in. */
export const members: Cases = {
  'card/camel-case': [
    {
      broken: { ...without(card10(), 'defaultInputModes'), default_input_modes: ['text/plain'] },
      repaired: card10(),
      level: 'error',
      says: 'field names must be camelCase (the spec uses camelCase): default_input_modes → defaultInputModes',
    },
    {
      broken: { ...without(card03(), 'defaultInputModes'), default_input_modes: ['text/plain'] },
      repaired: card03(),
      level: 'warning',
      says: 'default_input_modes → defaultInputModes',
    },
  ],
  'card/capabilities': {
    broken: card10({ capabilities: ['chat'] }),
    repaired: card10({ capabilities: {} }),
    level: 'error',
    says: 'capabilities must be an object, not a list',
  },
  'card/capability-extensions': [
    {
      broken: card03({ capabilities: { extensions: [{}] } }),
      repaired: card03({ capabilities: { extensions: [{ uri: 'https://a.example/x/v1' }] } }),
      level: 'warning',
      says: 'capabilities.extensions[0].uri is missing',
    },
    {
      broken: card10({ capabilities: { extensions: {} } }),
      repaired: card10({ capabilities: { extensions: [] } }),
      level: 'warning',
      says: 'capabilities.extensions must be a list, not an object',
    },
    {
      broken: card10({ capabilities: { extensions: ['https://a.example'] } }),
      repaired: card10(),
      level: 'warning',
      says: 'capabilities.extensions[0] must be an object',
    },
  ],
  'card/capability-flags': [
    {
      broken: card03({ capabilities: { streaming: 'true' } }),
      repaired: card03(),
      level: 'warning',
      says: 'capabilities.streaming must be true or false, not "true"',
    },
    {
      broken: card10({ capabilities: { extendedAgentCard: 1 } }),
      repaired: card10(),
      level: 'error',
      says: 'capabilities.extendedAgentCard must be true or false, not 1',
    },
    {
      broken: card03({ supportsAuthenticatedExtendedCard: 'no' }),
      repaired: card03({ supportsAuthenticatedExtendedCard: false }),
      level: 'warning',
      says: 'supportsAuthenticatedExtendedCard must be true or false, not "no"',
    },
  ],
  'card/default-input-modes': {
    broken: card10({ defaultInputModes: [] }),
    repaired: card10(),
    level: 'error',
    says: 'defaultInputModes is empty',
  },
  'card/default-output-modes': {
    broken: card10({ defaultOutputModes: 'text/plain' }),
    repaired: card10(),
    level: 'error',
    says: 'defaultOutputModes must be a list of strings',
  },
  'card/description': {
    broken: card10({ description: '' }),
    repaired: card10(),
    level: 'error',
    says: 'description is empty',
  },
  'card/documentation-url': [
    {
      broken: card10({ documentationUrl: 'docs' }),
      repaired: card10({ documentationUrl: '' }),
      level: 'warning',
      says: 'documentationUrl "docs" must be an http(s) URL',
    },
    {
      broken: card10({ documentationUrl: 5 }),
      repaired: card10({ documentationUrl: 'https://a.example' }),
      level: 'error',
      says: 'documentationUrl 5',
    },
  ],
  'card/icon-url': {
    broken: card03({ iconUrl: 'icon.png' }),
    repaired: card03({ iconUrl: 'http://a.example/icon.png' }),
    level: 'warning',
    says: 'iconUrl "icon.png" must be an http(s) URL',
  },
  'card/in-memory-form': {
    broken: schemes10({ scheme: { $case: 'httpAuthSecurityScheme', value: { scheme: 'bearer' } } }),
    repaired: schemes10({ httpAuthSecurityScheme: { scheme: 'bearer' } }),
    level: 'warning',
    says: '{"$case", "value"} instead of the JSON form at securitySchemes.helpdesk',
  },
  'card/legacy-members': {
    broken: card10({ url: 'http://127.0.0.1:4100/rpc', capabilities: { stateTransitionHistory: false } }),
    repaired: card10({ url: 'http://127.0.0.1:4100/rpc', protocolVersion: '0.3.0', security: [] }),
    level: 'warning',
    says: 'leftovers of 0.x, which 1.0 clients ignore: url, capabilities.stateTransitionHistory',
  },
  'card/media-types': [
    {
      broken: card03({ defaultInputModes: ['text', 'text/plain'] }),
      repaired: card03({ defaultInputModes: ['text/plain; charset=utf-8', 'image/*'] }),
      level: 'warning',
      says: 'defaultInputModes has "text", which is not a media type (type/subtype)',
    },
    {
      broken: card10({ skills: [skill({ outputModes: ['json', 'md'] })] }),
      repaired: card10({ skills: [skill({ outputModes: ['application/vnd.a+json'] })] }),
      level: 'warning',
      says: 'skills[0].outputModes has "json", "md", which are not media types',
    },
  ],
  'card/name': { broken: card10({ name: null }), repaired: card10(), level: 'error', says: 'name is null' },
  'card/null-members': {
    broken: card03({ provider: null, iconUrl: null }),
    repaired: card03(),
    level: 'warning',
    says: 'null instead of absent: provider, iconUrl',
  },
  'card/protocol-version': [
    {
      broken: card03({ protocolVersion: 3 }),
      repaired: card03(),
      level: 'error',
      says: 'protocolVersion must be a string such as "0.3.0", not 3',
    },
    {
      broken: without(card03(), 'protocolVersion'),
      repaired: card03(),
      level: 'warning',
      says: 'protocolVersion is missing; the card is treated as 0.2',
    },
  ],
  'card/protocol-version-mix': [
    {
      broken: card03({ authentication: { schemes: [] } }),
      repaired: card03(),
      level: 'warning',
      says: 'authentication belongs to A2A 0.1; clients of 0.3 read securitySchemes and security',
    },
    {
      broken: card03({ protocolVersion: '0.2.6', signatures: [] }),
      repaired: card03({ protocolVersion: '0.2.6' }),
      level: 'warning',
      says: 'signatures came with A2A 0.3, but protocolVersion is "0.2.6"',
    },
    {
      broken: card03({ protocolVersion: '1.0' }),
      repaired: card03(),
      from: { ...local, version: '0.3' },
      level: 'warning',
      says: 'protocolVersion "1.0" stands in the layout of 0.3',
    },
  ],
  'card/provider': [
    {
      broken: card10({ provider: { name: 'A', url: 'https://a.example' } }),
      repaired: card10({ provider: { organization: 'A', url: 'https://a.example' } }),
      level: 'warning',
      says: 'provider has no organization',
    },
    {
      broken: card03({ provider: 'A' }),
      repaired: card03({ provider: { organization: 'A' } }),
      level: 'warning',
      says: 'provider must be an object with an organization, not "A"',
    },
    {
      broken: card10({ provider: { organization: 'A' } }),
      repaired: card10(),
      level: 'warning',
      says: 'provider has no url',
    },
  ],
  'card/required-extension': {
    broken: card10({ capabilities: { extensions: [{ uri: 'https://a.example/x', required: true }] } }),
    repaired: card10({ capabilities: { extensions: [{ uri: 'https://a.example/x' }] } }),
    level: 'warning',
    says: 'clients that do not opt in to "https://a.example/x" are rejected',
  },
  'card/version': {
    broken: without(card10(), 'version'),
    repaired: card10(),
    level: 'error',
    says: 'version is missing',
  },
}
