/**
 * Headers that act beyond one response and beyond the agent's own host: all agents share a domain, and a host may belong to another agent tomorrow.
 * Browsers clear cookies for the whole domain, and keep the others for months, some for every name below the host.
 */
export const beyondHost = [
  'clear-site-data',
  'strict-transport-security',
  'public-key-pins',
  'public-key-pins-report-only',
  'expect-ct',
  'alt-svc',
  'nel',
  'report-to',
  'set-cookie2',
  // A proxy before the gateway reads one of its own files for it, as it does for most of the prefixes below.
  'x-lighttpd-send-file',
];

/** Prefixes of the platform's own headers, and of headers that make a proxy before the gateway serve its own files and addresses. */
export const proxyOrders = ['paddock-', 'x-paddock-', 'x-accel-', 'x-litespeed-', 'x-reproxy-', 'x-sendfile'];
