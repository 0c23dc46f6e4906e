import { isIP } from 'node:net';

/**
 * Whether a program may parse a host as a numeric IPv4 address although it does not look like one: 2130706433, 0x7f.1, 0177.0.0.1 or 127.1.
 * Programs disagree about which.
 */
export const isDisguised = (host: string): boolean => !isIP(host) && /^(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+))*$/i.test(host);
