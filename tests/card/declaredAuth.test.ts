import { expect, test } from 'vitest'
import { readDeclaredAuth } from '../../src/card/declaredAuth.ts'

const bearer = { bearer: { type: 'http', scheme: 'bearer' } }
const both = { ...bearer, key: { type: 'apiKey', in: 'header', name: 'X-Key' } }
const bearer10 = { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } }

test.each([
  ['nothing at all', {}, { kind: 'nothing', schemes: [] }],
  [
    'empty members',
    { securitySchemes: {}, security: [], authentication: {} },
    { kind: 'nothing', schemes: [] },
  ],
  ['0.1', { authentication: { schemes: ['Bearer'] } }, { kind: 'required', schemes: ['Bearer'] }],
  ['0.1 with no scheme', { authentication: { schemes: [] } }, { kind: 'nothing', schemes: [] }],
  ['0.3', { securitySchemes: bearer, security: [{ bearer: [] }] }, { kind: 'required', schemes: ['bearer'] }],
  [
    '1.0',
    { securitySchemes: bearer10, securityRequirements: [{ schemes: { bearer: { list: [] } } }] },
    { kind: 'required', schemes: ['bearer'] },
  ],
  [
    'alternatives',
    { securitySchemes: both, security: [{ bearer: [] }, { key: [] }] },
    { kind: 'required', schemes: ['bearer', 'key'] },
  ],
  [
    'an empty alternative of 0.3',
    { securitySchemes: bearer, security: [{ bearer: [] }, {}] },
    { kind: 'without', schemes: ['bearer'], why: 'empty-alternative' },
  ],
  [
    'an empty alternative of 1.0',
    { securitySchemes: bearer10, securityRequirements: [{ schemes: {} }] },
    { kind: 'without', schemes: ['bearer'], why: 'empty-alternative' },
  ],
  [
    'schemes and no requirement',
    { securitySchemes: bearer },
    { kind: 'without', schemes: ['bearer'], why: 'no-requirement' },
  ],
  [
    'a requirement of a skill',
    { securitySchemes: bearer, skills: [{ id: 'a', security: [{ bearer: [] }] }] },
    { kind: 'without', schemes: ['bearer'], why: 'skills-only' },
  ],
  [
    'a requirement that names no scheme of the card',
    { security: [{ bearer: [] }] },
    { kind: 'required', schemes: ['bearer'] },
  ],
])('%s', (_, card, declared) => {
  expect(readDeclaredAuth(card)).toEqual(declared)
})
