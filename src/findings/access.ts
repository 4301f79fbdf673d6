export const accessFindings = {
  'auth/not-enforced': {
    level: 'error',
    summary: 'A request without credentials got an answer, although authentication is required.',
    fix: 'Check credentials first on every route of the agent, and answer HTTP 401 without them.',
  },
  'auth/malformed-accepted': {
    level: 'error',
    summary:
      'A request with an incomplete credential got an answer, for example `Authorization: Bearer` without a token.',
    fix: 'Verify the credential itself, not only its presence.',
  },
  'auth/wrong-accepted': {
    level: 'error',
    summary: 'A request with a random credential got an answer.',
    fix: 'Verify the credential itself, not only its presence.',
  },
  'auth/good-not-served': {
    level: 'error',
    summary: 'A request with the valid credentials of the test was rejected, or failed.',
    fix: 'Accept the credential in the place the card declares, or correct the credentials of the test.',
    source: 'A2A 0.3 §4.2, A2A 1.0 §7.3',
  },
  'auth/odd-refusal': {
    level: 'error',
    summary:
      'An unauthenticated request got something other than a rejection: a 500, a redirect, a login page.',
    fix: 'Answer HTTP 401, or 403 for credentials without sufficient permission.',
  },
  'auth/refused-in-body': {
    level: 'warning',
    summary: 'An unauthenticated request was rejected by an error in the body only, without HTTP 401 or 403.',
    fix: 'Answer HTTP 401, or 403 for credentials without sufficient permission.',
  },
  'auth/refused-in-stream': {
    level: 'error',
    summary: 'An unauthenticated request got an event stream, with the rejection as its first event.',
    fix: 'Check credentials before starting the response, and answer HTTP 401.',
  },
  'auth/no-challenge': {
    level: 'warning',
    summary: 'A rejection with HTTP 401 has no `WWW-Authenticate` header.',
    fix: 'Name the scheme to use: WWW-Authenticate: Bearer realm="…".',
    source: 'RFC 9110 §11.6.1, A2A 1.0 §7.4',
  },
  'auth/optional': {
    level: 'warning',
    summary: 'The card declares security schemes, but lets clients in without them.',
    fix: 'If unauthenticated requests must be rejected, require a scheme in security (0.x) or securityRequirements (1.0).',
    source: 'A2A 0.3 §5.5, A2A 1.0 §4.4.1',
  },
  'auth/undeclared': {
    level: 'warning',
    summary: 'Requests without credentials are rejected, but the card does not declare any authentication.',
    fix: 'Declare what the agent requires: securitySchemes, and security (0.x) or securityRequirements (1.0).',
    source: 'A2A 0.3 §5.5, A2A 1.0 §4.4.1',
  },
  'auth/good-not-tried': {
    level: 'note',
    summary: 'The test has no credentials, so it was not checked that valid ones are accepted.',
    fix: 'Pass the option credentials, or pass credentials or headers to a2aAgent().',
  },
  'auth/undecided': {
    level: 'error',
    summary:
      'The address knows none of the operations that were tried, so nothing shows whether it rejects unauthenticated requests.',
    fix: 'Name operations that the agent supports (option `operations`), or correct the address in the card.',
  },
  'cors/preflight': {
    level: 'error',
    summary: 'The preflight request, OPTIONS at the endpoint, did not succeed.',
    fix: 'Answer OPTIONS with the three CORS headers, before credentials are checked.',
  },
  'cors/origin': {
    level: 'error',
    summary: 'The response to a preflight does not allow the origin.',
    fix: 'Send `Access-Control-Allow-Origin` with `*`, or with the origin of the page.',
  },
  'cors/methods': {
    level: 'error',
    summary: 'The response to a preflight does not allow the method.',
    fix: 'Send `Access-Control-Allow-Methods: GET, POST, OPTIONS`.',
  },
  'cors/headers': {
    level: 'error',
    summary:
      'The response to a preflight does not allow a header that clients send; `*` does not cover `Authorization`.',
    fix: 'Name each header in `Access-Control-Allow-Headers`.',
  },
  'cors/answer': {
    level: 'error',
    summary: 'The response to a call does not allow the origin, so a page cannot read it.',
    fix: 'Send `Access-Control-Allow-Origin` with every response, errors included.',
  },
  'cors/card': {
    level: 'warning',
    summary: 'A page cannot read the card.',
    fix: 'Send `Access-Control-Allow-Origin` with the card, too.',
  },
  'cors/credentials': {
    level: 'warning',
    summary:
      'Credentials are allowed together with the origin `*`, which browsers refuse for requests with cookies.',
    fix: 'Name the origin, or leave `Access-Control-Allow-Credentials` out.',
  },
  'cors/vary': {
    level: 'note',
    summary: 'The response depends on the origin, but has no `Vary: Origin`.',
    fix: 'Send `Vary: Origin` if the allowed origin depends on the request.',
  },
} as const
