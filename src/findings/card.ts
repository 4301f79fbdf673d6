export const cardFindings = {
  'card/found': {
    level: 'error',
    summary: 'No agent card was found at any location; the message lists what each location answered.',
    fix: 'Serve it at /.well-known/agent-card.json, or pass cardUrl if it is served somewhere else.',
    source: 'A2A 1.0 §8.2',
  },
  'card/not-a2a': {
    level: 'error',
    summary: 'The document is JSON but not an agent card: an OpenAPI document, a web manifest, an error.',
    fix: 'Serve the agent card at this path, or pass the option cardUrl if it is somewhere else.',
  },
  'card/ambiguous': {
    level: 'error',
    summary: 'The card mixes the forms of two versions, so no rules apply; the outcome is _inconclusive_.',
    fix: "Pass version: '0.3' or version: '1.0'; better, write the card in the form of one version.",
    source: 'A2A 0.3 §5.5; A2A 1.0 §4.4.1, §4.4.6',
  },
  'card/version-header': {
    level: 'note',
    summary:
      'The card is refused to clients that announce 1.0, but served to clients that announce no version.',
    fix: 'Serve the card whatever version the client asks for.',
    source: 'A2A 1.0 §3.6',
  },
  'card/no-interface': {
    level: 'error',
    summary:
      "The card lists no interface that this client can call, and the agent's own address does not answer either.",
    fix: 'List a JSONRPC or HTTP+JSON interface, or pass the options `endpoint`, `binding` and `version`.',
  },
  'card/no-skill': {
    level: 'error',
    summary: 'The card does not advertise the skill that the test expects.',
    fix: 'Add the skill to the card, or correct its id in the test.',
  },
  'card/skill-differs': {
    level: 'error',
    summary: 'The card advertises the skill, but not as the test describes it.',
    fix: 'Change the skill in the card, or the description in the test.',
  },
  'card/no-capability': {
    level: 'error',
    summary: 'The card does not advertise the capability that the test expects.',
    fix: 'Set it to true in `capabilities` once the agent has it.',
  },
  'card/no-extension': {
    level: 'error',
    summary: 'The card does not list the extension that the test expects.',
    fix: 'List its URI in `capabilities.extensions`.',
  },
  'card/not-at-endpoint': {
    level: 'error',
    summary: 'GET at the endpoint does not return an agent card.',
    fix: 'Return the card for GET at the endpoint that answers POST.',
  },
  'card/endpoint-differs': {
    level: 'error',
    summary: 'GET at the endpoint returns a different card from the published one.',
    fix: 'Serve both from one source.',
  },
  'card/signature-mismatch': {
    level: ['error', 'warning'],
    summary:
      'The signature does not match the card in any known form; a warning if another signature is valid.',
    fix: 'Sign the card as it is served, after the last change to it, with the key that its kid names.',
  },
  'card/signature-refused': {
    level: ['error', 'warning'],
    summary:
      'No verifier may accept the signature: it lacks alg or kid, uses `alg: none`, `crit` or `b64`, or cannot be read.',
    fix: 'Sign again with a JWS library, and copy `protected` and `signature` as they are.',
  },
  'card/signature-key-expired': {
    level: 'error',
    summary:
      'The signature matches, but its key has expired (`exp` of its JWK, or its certificate) or is not valid yet.',
    fix: 'Sign the card with a key that is valid, and publish that one.',
  },
  'card/signature-kid': {
    level: 'error',
    summary:
      'The signature was made with a known key but names a different kid, so verifiers do not find the key.',
    fix: 'Write the kid of the key that signs into the protected header.',
  },
  'card/signature-unverifiable': {
    level: 'warning',
    summary:
      'The key is missing, so the signature could not be checked; the outcome is _error_ if it could change the result.',
    fix: 'Pass the key with the option `keys` or `secret`, or allow its address with `allowJku`.',
  },
  'card/signature-form': {
    level: 'warning',
    summary:
      'The signature was made over a form of the card other than the one in the specification; the message names the form.',
    fix: 'Sign the canonical form of A2A 1.0 §8.4.1.',
  },
  'card/signature-uncovered': {
    level: 'warning',
    summary: 'The card has members that the signature does not cover.',
    fix: 'Sign only members that A2A 1.0 defines.',
    source: 'A2A 1.0 §8.4.1',
  },
  'card/signature-own-key': {
    level: 'note',
    summary:
      "The key came from the agent's own origin: the card is intact, but nobody else confirms the key.",
    fix: 'Pass the key that you trust with the option keys.',
    source: 'A2A 1.0 §8.4.3',
  },
  'card/signature-shared-secret': {
    level: 'note',
    summary: 'The signature was made with a shared secret, so everybody who can check it can also forge it.',
    fix: 'Sign with a key pair, for example with ES256, if others should be able to check the card.',
    source: 'RFC 7515 §10.1',
  },
} as const
