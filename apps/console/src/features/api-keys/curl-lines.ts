const api = () => `${location.origin}/api/v1`;

/** The command that creates a key from a terminal. */
export const createLine = () =>
  `curl -sS ${api()}/api-keys -H "Authorization: Bearer $PADDOCK_TOKEN" -H "Content-Type: application/json" -d '{"name":"Deploy from CI","scopes":["agents:read","agents:deploy","projects:read"]}'`;

/** What a shell or a pipeline needs to use a key. */
export const environmentLines = (key: string) => `export PADDOCK_API_KEY=${key}\nexport PADDOCK_URL=${location.origin}`;

/** A first call with it. The key comes from the environment, so that it stays out of the shell's history. */
export const firstCall = () => `curl -sS ${api()}/api-keys/validate -H "Authorization: Bearer $PADDOCK_API_KEY"`;
