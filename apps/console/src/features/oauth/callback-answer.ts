/** What came back with the browser, as the address has it. */
export type CallbackAnswer = Record<'code' | 'state' | 'error' | 'provider' | 'iss', string | null>;

const page = /^\/auth\/callback(?:\/([^/]*))?\/?$/;
// Before the router reads the address: it would turn a code that looks like a number into one.
let answer: CallbackAnswer | null = readAddress();

/** The answer that this page was opened with, once. */
export function takeAnswer(): CallbackAnswer {
  const taken = answer ?? readAddress() ?? { code: null, state: null, error: null, provider: null, iss: null };
  answer = null;
  return taken;
}

/** Takes the query out of the address at once, so that no code stays in the history. */
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
