/** A cookie's text without a Domain that reaches beyond the host: without one it goes to the host that set it and nowhere else. */
export function cookieForHost(cookie: string, host: string): string {
  const own = hostName(host);
  const parts = cookie.split(';');
  // The first part is the cookie's own name and value.
  const kept = parts.filter((part, index) => index === 0 || !reachesBeyond(part, own));
  return kept.length === parts.length ? cookie : kept.join(';');
}

/** By hand: a pattern for it takes cubic time on a value of blanks. */
function reachesBeyond(attribute: string, own: string): boolean {
  const equals = attribute.indexOf('=');
  if (equals < 0 || attribute.slice(0, equals).trim().toLowerCase() !== 'domain') return false;
  const value = unquoted(attribute.slice(equals + 1).trim()).toLowerCase();
  return (value.startsWith('.') ? value.slice(1) : value) !== own;
}

const unquoted = (text: string) => (text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text);

/** Without the port and the dot that may end a name. */
function hostName(host: string): string {
  const lower = host.toLowerCase();
  const colon = lower.startsWith('[') ? lower.indexOf(':', lower.indexOf(']')) : lower.indexOf(':');
  const name = colon < 0 ? lower : lower.slice(0, colon);
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
