/**
 * What acts beyond the one answer and beyond the agent's own host: all agents share a domain, and an address may be another agent's tomorrow.
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
  // A proxy before the gateway reads a file of its own for it, as it does for most of the prefixes below.
  'x-lighttpd-send-file',
];

/** The platform's own, and families that make a proxy before the gateway read files and other addresses of its own: beginnings of names. */
export const proxyOrders = ['paddock-', 'x-paddock-', 'x-accel-', 'x-litespeed-', 'x-reproxy-', 'x-sendfile'];
