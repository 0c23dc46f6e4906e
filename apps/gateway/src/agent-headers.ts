import { hopByHop } from './hop-by-hop.ts';

/**
 * What acts beyond the one answer and beyond the agent's own host: all agents share a domain, and an address may be another agent's tomorrow.
 * Browsers clear cookies for the whole domain, and keep the others for months, some for every name below the host.
 */
const beyondHost = [
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

/** The request's id is the platform's own to say. */
const dropped = new Set([...hopByHop, ...beyondHost, 'x-request-id']);
/** The platform's own, and families that make a proxy before the gateway read files and other addresses of its own. */
const droppedPrefixes = ['paddock-', 'x-paddock-', 'x-accel-', 'x-litespeed-', 'x-reproxy-', 'x-sendfile'];

/** Whether a header of an agent's answer, by its lower-case name, ends at the gateway. */
export const isAgentHeaderDropped = (name: string): boolean =>
  dropped.has(name) || droppedPrefixes.some((prefix) => name.startsWith(prefix));
