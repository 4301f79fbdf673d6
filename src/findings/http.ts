export const httpFindings = {
  'http/status': {
    level: 'error',
    summary: 'The call got an HTTP error that is not an A2A error.',
    fix: 'Check the log of the agent, or of the proxy in front of it; check the address in the card.',
  },
  'http/unauthorized': {
    level: 'error',
    summary: 'The call was answered with HTTP 401 or 403.',
    fix: 'Pass `credentials` or `headers` to `a2aAgent()`; declare the authentication in the card.',
  },
  'http/redirect': {
    level: 'error',
    summary: 'The call was redirected in a way that drops its body, or without an address.',
    fix: 'Write the final address into the card, or redirect with 307 or 308.',
  },
  'http/not-json': {
    level: 'error',
    summary: 'The call was answered with a page, plain text, an empty body or truncated JSON.',
    fix: "Check that the card names the agent's address, not that of a page or a proxy.",
  },
  'http/content-encoding': {
    level: 'error',
    summary: 'The body is not compressed as its header says, or in a way that was not requested.',
    fix: 'Fix or remove the compression of the server or the proxy.',
  },
  'http/not-http': {
    level: 'error',
    summary: 'Something answered, but not in HTTP.',
    fix: 'Check the port; a server with TLS needs https.',
  },
  'rpc/error': {
    level: 'error',
    summary: 'The agent answered with a JSON-RPC or A2A error; its code, name and text are in the message.',
    fix: 'Fix what the error reports: in the agent for -32603 and other 5xx, in its validation for -32602.',
  },
  'rpc/nested-error': {
    level: 'error',
    summary: 'The `result` of a successful response contains an error.',
    fix: 'Answer with `error` instead of `result`.',
  },
} as const
