export const accessFindings = {
  'auth/not-enforced': {
    level: 'error',
    summary: 'A request without credentials was answered, although they are demanded.',
    fix: 'Check credentials first on every route of the agent, and answer HTTP 401 without them.',
  },
  'auth/malformed-accepted': {
    level: 'error',
    summary:
      'A request with half a credential was answered, such as `Authorization: Bearer` without a token.',
    fix: 'Verify the credential itself, not only its presence.',
  },
  'auth/wrong-accepted': {
    level: 'error',
    summary: 'A request with a random credential was answered.',
    fix: 'Verify the credential itself, not only its presence.',
  },
  'auth/good-not-served': {
    level: 'error',
    summary: 'A request with the credentials of the test was refused, or broke down.',
    fix: 'Accept the credential in the place the card declares, or correct the credentials of the test.',
    source: 'A2A 0.3 §4.2, A2A 1.0 §7.3',
  },
  'auth/odd-refusal': {
    level: 'error',
    summary: 'A stranger was answered with something that is no refusal: a 500, a redirect, a login page.',
    fix: 'Answer HTTP 401, or 403 for credentials without sufficient permission.',
  },
  'auth/refused-in-body': {
    level: 'warning',
    summary: 'A stranger was refused by an error in the body only, without HTTP 401 or 403.',
    fix: 'Answer HTTP 401, or 403 for credentials without sufficient permission.',
  },
  'auth/refused-in-stream': {
    level: 'error',
    summary: 'A stranger got an event stream, and the refusal as its first event.',
    fix: 'Check credentials before starting the response, and answer HTTP 401.',
  },
  'auth/no-challenge': {
    level: 'warning',
    summary: 'A refusal with HTTP 401 has no `WWW-Authenticate` header.',
    fix: 'Name the scheme to use: WWW-Authenticate: Bearer realm="…".',
    source: 'RFC 9110 §11.6.1, A2A 1.0 §7.4',
  },
  'auth/optional': {
    level: 'warning',
    summary: 'The card declares schemes, but lets clients in without them.',
    fix: 'If unauthenticated requests must be rejected, require a scheme in security (0.x) or securityRequirements (1.0).',
    source: 'A2A 0.3 §5.5, A2A 1.0 §4.4.1',
  },
  'auth/undeclared': {
    level: 'warning',
    summary: 'Requests without credentials are refused, of which the card says nothing.',
    fix: 'Declare what the agent requires: securitySchemes, and security (0.x) or securityRequirements (1.0).',
    source: 'A2A 0.3 §5.5, A2A 1.0 §4.4.1',
  },
  'auth/good-not-tried': {
    level: 'note',
    summary: 'No credentials were given to the test, so it was not tried whether good ones are served.',
    fix: 'Pass the option credentials, or give credentials or headers to a2aAgent().',
  },
  'auth/undecided': {
    level: 'error',
    summary: 'No operation that was tried is known at the address, so nothing shows who is let in.',
    fix: 'Name operations that the agent supports (option `operations`), or correct the address in the card.',
  },
  'cors/preflight': {
    level: 'error',
    summary: 'OPTIONS at the endpoint is not answered with a success.',
    fix: 'Answer OPTIONS with the three CORS headers, before credentials are checked.',
  },
  'cors/origin': {
    level: 'error',
    summary: 'The answer to a preflight does not allow the origin.',
    fix: 'Answer `Access-Control-Allow-Origin` with `*`, or with the origin of the page.',
  },
  'cors/methods': {
    level: 'error',
    summary: 'The answer to a preflight does not allow the method.',
    fix: 'Answer `Access-Control-Allow-Methods: GET, POST, OPTIONS`.',
  },
  'cors/headers': {
    level: 'error',
    summary:
      'The answer to a preflight does not allow a header that clients send; a `*` does not stand for `Authorization`.',
    fix: 'Name each of them in `Access-Control-Allow-Headers`.',
  },
  'cors/answer': {
    level: 'error',
    summary: 'The answer to a call does not allow the origin, so a page cannot read it.',
    fix: 'Send `Access-Control-Allow-Origin` with every answer, errors included.',
  },
  'cors/card': {
    level: 'warning',
    summary: 'A page cannot read the card.',
    fix: 'Send `Access-Control-Allow-Origin` with the card, too.',
  },
  'cors/credentials': {
    level: 'warning',
    summary:
      'Credentials are allowed beside the origin `*`, which browsers refuse for requests with cookies.',
    fix: 'Name the origin, or leave `Access-Control-Allow-Credentials` out.',
  },
  'cors/vary': {
    level: 'note',
    summary: 'The answer depends on the origin, but has no `Vary: Origin`.',
    fix: 'Answer `Vary: Origin` where the allowed origin depends on who asks.',
  },
} as const
