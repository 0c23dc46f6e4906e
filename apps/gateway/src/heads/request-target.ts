/** The origin form of a request's target, or why it is invalid. The absolute form must name the host of the Host header (RFC 9112). */
export function originForm(method: string, target: string, host: string): { target: string } | 'request_invalid' | 'host_invalid' {
  if (target.includes('#')) return 'request_invalid';
  if (target.startsWith('/') || (target === '*' && method === 'OPTIONS')) return { target };
  const scheme = /^https?:\/\//i.exec(target)?.[0];
  if (scheme === undefined) return 'request_invalid';
  const end = authorityEnd(target, scheme.length);
  if (target.slice(scheme.length, end).toLowerCase() !== host.toLowerCase()) return 'host_invalid';
  const rest = target.slice(end);
  return { target: rest.startsWith('/') ? rest : `/${rest}` };
}

function authorityEnd(target: string, from: number): number {
  for (let at = from; at < target.length; at += 1) if (target[at] === '/' || target[at] === '?') return at;
  return target.length;
}
