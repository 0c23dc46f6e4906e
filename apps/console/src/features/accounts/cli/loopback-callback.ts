/** The address at which the command line waits for its key. */
export interface LoopbackCallback {
  /** Target of the form; the address contains nothing of the login. */
  action: string;
  /** The state value by which the command line recognises its login. */
  state: string;
  /** The address as displayed: scheme, host and port. */
  shown: string;
}
export type CallbackFound = { callback: LoopbackCallback } | { problem: 'missing' } | { problem: 'refused'; given: string };

/**
 * Matched as text, character by character: anything that a URL parser would have to interpret is refused. This leaves no user, no other
 * notation of the host, no encoding and no second meaning.
 */
const form = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost):([1-9]\d{3,4})(\/[A-Za-z0-9/_-]*)?(?:\?state=([A-Za-z0-9_-]{1,128}))?$/;
/** Ports of services that run on many machines and obey any POST. */
const services = [1433, 2375, 2379, 3306, 5432, 5672, 6379, 8086, 9000, 9200, 10_250, 11_211, 27_017];
const maxShown = 120;

export const isCliLogin = (search: string) => new URLSearchParams(search).getAll('cli').includes('true');

/** Parses the query of /login in CLI mode: a callback is accepted only on this machine, over http, with a port, given once. */
export function loopbackCallback(search: string): CallbackFound {
  const given = new URLSearchParams(search).getAll('callback');
  const [address = '', ...others] = given;
  if (address === '' && others.length === 0) return { problem: 'missing' };
  const refused = { problem: 'refused', given: given.join(' and ').slice(0, maxShown) } as const;
  const [whole, host, port, path = '/', state = ''] = form.exec(address) ?? [];
  if (whole === undefined || others.length > 0 || path.includes('//')) return refused;
  const number = Number(port);
  if (number < 1024 || number > 65_535 || services.includes(number)) return refused;
  const shown = `http://${host}:${port}`;
  return { callback: { action: `${shown}${path}`, state, shown } };
}
