export const cardFindings = {
  'card/found': {
    level: 'error',
    summary: 'No location has an agent card; the message lists what each one answered.',
    fix: 'Serve it at /.well-known/agent-card.json, or pass cardUrl if it is served somewhere else.',
    source: 'A2A 1.0 §8.2',
  },
  'card/not-a2a': {
    level: 'error',
    summary: 'What is served is JSON, but no agent card: an OpenAPI document, a web manifest, an error.',
    fix: 'Serve the agent card at this path, or pass the option cardUrl if it is somewhere else.',
  },
  'card/ambiguous': {
    level: 'error',
    summary:
      'The card mixes the forms of two versions, so no rules can judge it; the outcome is _inconclusive_.',
    fix: "Pass version: '0.3' or version: '1.0'; better, write the card in the form of one version.",
    source: 'A2A 0.3 §5.5; A2A 1.0 §4.4.1, §4.4.6',
  },
  'card/version-header': {
    level: 'note',
    summary: 'The card is refused to a client that announces 1.0, and given to one that announces nothing.',
    fix: 'Answer the card whatever version the client asks for.',
    source: 'A2A 1.0 §3.6',
  },
  'card/no-interface': {
    level: 'error',
    summary:
      "The card lists nothing that this client can call, and nothing answers at the agent's own address.",
    fix: 'List a JSONRPC or HTTP+JSON interface, or pass the options `endpoint`, `binding` and `version`.',
  },
  'card/no-skill': {
    level: 'error',
    summary: 'The card does not advertise the skill that the test asks for.',
    fix: 'Add the skill to the card, or correct its id in the test.',
  },
  'card/skill-differs': {
    level: 'error',
    summary: 'The card advertises the skill, but not as the test describes it.',
    fix: 'Change the skill in the card, or what the test says of it.',
  },
  'card/no-capability': {
    level: 'error',
    summary: 'The card does not advertise the capability that the test asks for.',
    fix: 'Set it to true in `capabilities`, once the agent has it.',
  },
  'card/no-extension': {
    level: 'error',
    summary: 'The card does not list the extension that the test asks for.',
    fix: 'List its URI in `capabilities.extensions`.',
  },
  'card/not-at-endpoint': {
    level: 'error',
    summary: 'GET at the endpoint does not give an agent card.',
    fix: 'Return the card for GET at the endpoint that answers POST.',
  },
  'card/endpoint-differs': {
    level: 'error',
    summary: 'GET at the endpoint gives another card than the one that is published.',
    fix: 'Serve both from one source.',
  },
  'card/signature-mismatch': {
    level: ['error', 'warning'],
    summary:
      'The signature does not match the card, in any form that signers use; beside a valid one this is a warning.',
    fix: 'Sign the card as it is served, after the last change to it, with the key that its kid names.',
  },
  'card/signature-refused': {
    level: ['error', 'warning'],
    summary:
      'No verifier may accept the signature: it has no alg or kid, `alg: none`, `crit` or `b64`, or cannot be read.',
    fix: 'Sign again with a JWS library, and copy `protected` and `signature` as they are.',
  },
  'card/signature-key-expired': {
    level: 'error',
    summary:
      'The signature matches, but its key is past the `exp` of its JWK or the end of its certificate, or not yet valid.',
    fix: 'Sign the card with a key that is valid, and publish that one.',
  },
  'card/signature-kid': {
    level: 'error',
    summary:
      'The signature was made with a given key, but names another one, so that verifiers do not find it.',
    fix: 'Write the kid of the key that signs into the protected header.',
  },
  'card/signature-unverifiable': {
    level: 'warning',
    summary:
      'The key is not there, so nothing can be said of the signature; the outcome is _error_ where it could matter.',
    fix: 'Pass the key with the option `keys` or `secret`, or allow its address with `allowJku`.',
  },
  'card/signature-form': {
    level: 'warning',
    summary:
      "The signature was made over another form of the card than the specification's; the message names which.",
    fix: 'Sign the canonical form of A2A 1.0 §8.4.1.',
  },
  'card/signature-uncovered': {
    level: 'warning',
    summary: 'The card has members that the signature does not cover.',
    fix: 'Leave out of a signed card what A2A 1.0 does not know.',
    source: 'A2A 1.0 §8.4.1',
  },
  'card/signature-own-key': {
    level: 'note',
    summary: "The key came from the agent's own origin: the card is intact, but nobody vouches for it.",
    fix: 'Pass the key that you trust with the option keys.',
    source: 'A2A 1.0 §8.4.3',
  },
  'card/signature-shared-secret': {
    level: 'note',
    summary:
      'The signature was made with a shared secret, with which anybody who checks it can also forge it.',
    fix: 'Sign with a key pair, for example with ES256, if others than you shall check the card.',
    source: 'RFC 7515 §10.1',
  },
} as const
