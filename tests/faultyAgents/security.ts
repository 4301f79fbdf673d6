import type { Json } from '../../src/testing/index.ts'
import type { FaultyAgent } from './faultyAgent.ts'
import { card03, card10, signed } from './baseCards.ts'
import { faultyCards } from './rows.ts'

const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
const device = { deviceAuthorizationUrl: 'https://a.example/d', tokenUrl: 'https://a.example/t', scopes: {} }
const code = { authorizationUrl: 'https://a.example/a', tokenUrl: 'https://a.example/t', scopes: {} }
const helpdesk = (scheme: unknown): Json => ({ securitySchemes: { helpdesk: scheme } })
const oauth = (flows: Json): Json => helpdesk({ oauth2SecurityScheme: { flows } })

/** Security and signatures of the card. */
export const security: FaultyAgent[] = faultyCards([
  [
    'card/security-schemes',
    'error',
    card03,
    'lists its schemes',
    'securitySchemes must be an object, not an empty list',
    { securitySchemes: [] },
  ],
  [
    'card/scheme-kind',
    'error',
    card03,
    'does not say what kind of scheme it has',
    'securitySchemes.helpdesk.type is missing',
    helpdesk({ in: 'header', name: 'X' }),
  ],
  [
    'card/scheme-kind',
    'error',
    card10,
    'writes its scheme as 0.3 does',
    'securitySchemes.helpdesk is written as in 0.3 (type "http")',
    helpdesk({ type: 'http', scheme: 'bearer' }),
  ],
  [
    'card/scheme-api-key',
    'error',
    card03,
    'does not say where its key goes',
    'securitySchemes.helpdesk.in is missing',
    helpdesk({ ...key, in: undefined }),
  ],
  [
    'card/scheme-api-key',
    'error',
    card03,
    'smuggles a header into the name of its key',
    'cannot be the name of a header',
    helpdesk({ ...key, name: 'X-Key\r\nHost: evil.example' }),
  ],
  [
    'card/scheme-http',
    'error',
    card03,
    'does not name its HTTP scheme',
    'securitySchemes.helpdesk.scheme is missing',
    helpdesk({ type: 'http' }),
  ],
  [
    'card/scheme-openid',
    'error',
    card03,
    'does not say where its provider is',
    'openIdConnectUrl is missing',
    helpdesk({ type: 'openIdConnect' }),
  ],
  [
    'card/scheme-https',
    'error',
    card03,
    'sends tokens over plain http',
    'tokenUrl "http://a.example/t" must be an https URL',
    helpdesk({ type: 'oauth2', flows: { authorizationCode: { ...code, tokenUrl: 'http://a.example/t' } } }),
  ],
  [
    'card/scheme-oauth2',
    'error',
    card03,
    'has OAuth 2 without flows',
    'securitySchemes.helpdesk.flows is missing',
    helpdesk({ type: 'oauth2' }),
  ],
  [
    'card/scheme-flow-deprecated',
    'warning',
    card10,
    'asks for passwords',
    'uses password, which is deprecated',
    oauth({ password: {} }),
  ],
  [
    'card/scheme-pkce',
    'warning',
    card10,
    'lets codes be stolen',
    'flows.authorizationCode does not require PKCE',
    oauth({ authorizationCode: code }),
  ],
  [
    'card/in-memory-form',
    'warning',
    card10,
    'serves the in-memory form of its SDK',
    '{"$case", "value"} instead of the JSON form',
    helpdesk({ scheme: { $case: 'httpAuthSecurityScheme', value: { scheme: 'bearer' } } }),
  ],
  [
    'card/security-requirements',
    'error',
    card10,
    'writes its requirements as 0.3 does',
    '{"name": [scopes]} is the form of 0.3',
    { ...oauth({ deviceCode: device }), securityRequirements: [{ helpdesk: [] }] },
  ],
  [
    'card/security-undeclared',
    'error',
    card03,
    'requires a scheme that it does not have',
    'security refers to "secondHelpdesk", which is not in securitySchemes',
    { ...helpdesk(key), security: [{ secondHelpdesk: [] }] },
  ],
  [
    'card/extended-card-security',
    'warning',
    card03,
    'shows everybody its extended card',
    'supportsAuthenticatedExtendedCard is true, but securitySchemes declares nothing',
    { supportsAuthenticatedExtendedCard: true },
  ],
  [
    'card/signatures',
    'error',
    card10,
    'signs without a header',
    'signatures[0].protected is missing',
    { signatures: [{ signature: 'c2ln' }] },
  ],
  [
    'card/signature-typ',
    'warning',
    card10,
    'does not say what its signature is',
    'signatures[0].protected has no typ',
    { signatures: signed({ alg: 'ES256', kid: 'k1' }) },
  ],
  [
    'card/unsigned',
    'note',
    card10,
    'does not sign its card',
    'the card is not signed',
    { signatures: undefined },
  ],
])
