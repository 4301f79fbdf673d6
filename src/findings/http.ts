export const httpFindings = {
  'http/status': {
    level: 'error',
    summary: 'The call was answered with an HTTP error, and not with an error of A2A.',
    fix: 'Look into the log of the agent, or of the proxy before it; check the address in the card.',
  },
  'http/unauthorized': {
    level: 'error',
    summary: 'The call was answered with HTTP 401 or 403.',
    fix: 'Give `credentials` or `headers` to `a2aAgent()`; declare in the card what the agent demands.',
  },
  'http/redirect': {
    level: 'error',
    summary: 'The call was redirected in a way that loses it, or to no address.',
    fix: 'Write the final address into the card, or redirect with 307 or 308.',
  },
  'http/not-json': {
    level: 'error',
    summary: 'The call was answered with a page, a text, an empty body or JSON that is cut off.',
    fix: "Check that the card names the agent's address and not that of a page or a proxy.",
  },
  'http/content-encoding': {
    level: 'error',
    summary: 'The body is not compressed in the way that its header says, or in one that was not asked for.',
    fix: 'Fix or remove the compression of the server or the proxy.',
  },
  'http/not-http': {
    level: 'error',
    summary: 'Something answered, but not in HTTP.',
    fix: 'Check the port; a server with TLS wants https.',
  },
  'rpc/error': {
    level: 'error',
    summary:
      'The agent answered with an error of JSON-RPC or A2A; its code, name and text are in the message.',
    fix: 'Fix what the error says: -32603 and other 5xx in the agent, -32602 in what it takes for valid.',
  },
  'rpc/nested-error': {
    level: 'error',
    summary: 'The `result` of a success holds an error.',
    fix: 'Answer with `error` in place of `result`.',
  },
} as const
