import { isBlank } from './characters.ts';

const domain = 'domain';

/**
 * A cookie's text without a Domain that reaches beyond the host: without one the cookie is only sent to the host that set it. Written by hand, and
 * run only where the word occurs: a list of all attributes is too expensive for a cookie of 64 KiB, and a regular expression takes cubic time on its
 * spaces.
 */
export function cookieForHost(cookie: string, host: string): string {
  const lower = cookie.toLowerCase();
  let kept = '';
  let keptFrom = 0;
  for (let at = lower.indexOf(domain); at >= 0; at = lower.indexOf(domain, at)) {
    const semicolon = beforeBlanks(lower, at - 1);
    const equals = behindBlanks(lower, at + domain.length);
    at += domain.length;
    if (lower[semicolon] !== ';' || lower[equals] !== '=') continue;
    const next = lower.indexOf(';', equals);
    at = next < 0 ? lower.length : next;
    if (isOwn(lower.slice(equals + 1, at), host)) continue;
    kept += cookie.slice(keptFrom, semicolon);
    keptFrom = at;
  }
  return keptFrom === 0 ? cookie : kept + cookie.slice(keptFrom);
}

function isOwn(attribute: string, host: string): boolean {
  const value = unquoted(attribute.trim());
  return (value.startsWith('.') ? value.slice(1) : value) === hostName(host);
}

const unquoted = (text: string) => (text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text);

function beforeBlanks(text: string, from: number): number {
  let at = from;
  while (at >= 0 && isPassedOver(text.charCodeAt(at))) at -= 1;
  return at;
}

function behindBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isPassedOver(text.charCodeAt(at))) at += 1;
  return at;
}

/** Some clients also strip whitespace above ASCII. */
const isPassedOver = (byte: number) => isBlank(byte) || byte === 0x85 || byte === 0xa0;

/** The host without the port and a trailing dot. */
function hostName(host: string): string {
  const lower = host.toLowerCase();
  const colon = lower.startsWith('[') ? lower.indexOf(':', lower.indexOf(']')) : lower.indexOf(':');
  const name = colon < 0 ? lower : lower.slice(0, colon);
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
