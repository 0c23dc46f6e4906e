/**
 * All texts of the gateway's own responses. Codes are stable, sentences may be reworded.
 * `refreshS`: the page reloads itself, and Retry-After tells programs to.
 */
export const ownResponses = {
  agent_not_found: {
    status: 404,
    title: 'No agent at this address',
    detail: 'Nothing is deployed under this name. Check the address, or deploy an agent to it.',
  },
  agent_starting: {
    status: 503,
    title: 'The agent is starting',
    detail: 'A deployment is on its way and will answer here as soon as it is ready. This page asks again every 2 seconds.',
    refreshS: 2,
  },
  agent_stopped: {
    status: 503,
    title: 'The agent is stopped',
    detail: 'Its owner has stopped it. It answers again once it is deployed again.',
  },
  agent_crashed: {
    status: 502,
    title: 'The agent has crashed',
    detail: 'It exited and is no longer running. Its owner can see the cause in the log.',
  },
  agent_unreachable: {
    status: 502,
    title: 'The agent does not answer',
    detail: 'It runs, but accepted no connection. It may be restarting; try again in a moment.',
  },
  agent_elsewhere: {
    status: 503,
    title: 'The agent runs on another machine',
    detail: 'This gateway reaches agents of its own machine only. The gateway beside the agent serves it.',
  },
  agent_answer_broken: {
    status: 502,
    title: 'The agent gave a broken answer',
    detail: 'It closed the connection too early, or what it sent was not valid HTTP. Its log may say why.',
  },
  agent_timed_out: {
    status: 504,
    title: 'The agent took too long',
    detail: 'It accepted the request, but no answer began within 5 minutes.',
  },
  agent_busy: {
    status: 503,
    title: 'The agent is busy',
    detail: 'Too many requests are waiting for it already. Try again in a moment.',
    refreshS: 2,
  },
  blocked_by_policy: {
    status: 403,
    title: 'Blocked by a policy',
    detail: 'A policy of the agent’s owner does not let this pass. The owner sees why in the console.',
  },
  policy_failed: {
    status: 503,
    title: 'Not checked',
    detail: 'A policy of the agent’s owner wants this checked before it passes, and the check could not be made. Try again in a moment.',
  },
  audit_unavailable: {
    status: 503,
    title: 'Not recorded',
    detail: 'Requests to this agent are recorded, and there is no room for records at the moment. Try again in a moment.',
    refreshS: 5,
  },
  routes_unknown: {
    status: 503,
    title: 'Not ready yet',
    detail: 'The gateway has just started and does not know the agents yet. Try again in a moment.',
    refreshS: 2,
  },
  host_invalid: { status: 400, title: 'Invalid host', detail: 'The request needs exactly one valid Host header.' },
  request_invalid: { status: 400, title: 'Invalid request', detail: 'The request is not valid HTTP/1.1, or it is ambiguous.' },
  method_not_allowed: { status: 405, title: 'Method not allowed', detail: 'This method is not passed on to agents.' },
  request_timed_out: { status: 408, title: 'The request took too long', detail: 'The request did not arrive whole in time.' },
  body_too_large: { status: 413, title: 'Too large', detail: 'The request body is larger than 100 MB.' },
  uri_too_long: { status: 414, title: 'Address too long', detail: 'The address is longer than 8 KiB.' },
  expectation_unknown: { status: 417, title: 'Unknown expectation', detail: 'Only "Expect: 100-continue" is understood.' },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    detail: 'The request has more than 100 headers, 16 KiB of them, or 64 names in Connection.',
  },
  internal: { status: 500, title: 'Internal error', detail: 'Something broke in the gateway. The request id helps to find it.' },
} as const satisfies Record<string, { status: number; title: string; detail: string; refreshS?: number }>;

export type ResponseCode = keyof typeof ownResponses;
