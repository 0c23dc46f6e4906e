/** The provider's response, from the query of the address. */
export type CallbackAnswer = Record<'code' | 'state' | 'error' | 'provider' | 'iss', string | null>;

const page = /^\/auth\/callback(?:\/([^/]*))?\/?$/;
// Read at import, before the router reads the address.
let answer: CallbackAnswer | null = readAddress();

/** Returns the provider's response of this page load once. */
export function takeAnswer(): CallbackAnswer {
  const taken = answer ?? readAddress() ?? { code: null, state: null, error: null, provider: null, iss: null };
  answer = null;
  return taken;
}

/** Reads the query and removes it from the address at once, so that no code stays in the history. */
function readAddress(): CallbackAnswer | null {
  const found = page.exec(location.pathname);
  if (!found) return null;
  const query = new URLSearchParams(location.search);
  if (location.search || location.hash) history.replaceState(history.state, '', location.pathname);
  return {
    code: query.get('code'),
    state: query.get('state'),
    error: query.get('error'),
    iss: query.get('iss'),
    provider: found[1] || query.get('provider'),
  };
}
