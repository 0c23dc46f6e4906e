/**
 * Headers that act beyond the one response and the agent's own host. All agents share a domain, and an address may belong to another agent
 * tomorrow. Browsers clear cookies for the whole domain, and keep the other settings for months, some for every name below the host.
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
  // A proxy before the gateway would send one of its own files for this header, as for most of the prefixes below.
  'x-lighttpd-send-file',
];

/** Name prefixes of the platform's own headers, and of headers that make a proxy before the gateway read its own files or other addresses. */
export const proxyOrders = ['paddock-', 'x-paddock-', 'x-accel-', 'x-litespeed-', 'x-reproxy-', 'x-sendfile'];
