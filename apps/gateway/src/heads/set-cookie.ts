import { isBlank } from './characters.ts';

const domain = 'domain';

/**
 * Removes a Domain attribute that reaches beyond the host; without one a cookie goes only to the host that set it. The text is scanned only
 * around `domain`: splitting a cookie of 64 KiB into attributes costs too much, and a regular expression takes cubic time on its whitespace.
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

/** Some clients strip whitespace above ASCII as well. */
const isPassedOver = (byte: number) => isBlank(byte) || byte === 0x85 || byte === 0xa0;

/** The host without its port and trailing dot. */
function hostName(host: string): string {
  const lower = host.toLowerCase();
  const colon = lower.startsWith('[') ? lower.indexOf(':', lower.indexOf(']')) : lower.indexOf(':');
  const name = colon < 0 ? lower : lower.slice(0, colon);
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
