/** The token of a mailed link, once: it leaves the address bar with this, so that neither history nor a shared screen keeps it. */
export function takeLinkToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(history.state, '', location.pathname);
  return token;
}
