const api = () => `${location.origin}/api/v1`;

/** The command that creates a key from a terminal. */
export const createLine = () =>
  `curl -sS ${api()}/api-keys -H "Authorization: Bearer $PADDOCK_TOKEN" -H "Content-Type: application/json" -d '{"name":"Deploy from CI","scopes":["agents:read","agents:deploy","projects:read"]}'`;

/** Environment variables with which a shell or a pipeline uses a key. */
export const environmentLines = (key: string) => `export PADDOCK_API_KEY=${key}\nexport PADDOCK_URL=${location.origin}`;

/** A first call with the key. The key comes from the environment, so that it stays out of the shell's history. */
export const firstCall = () => `curl -sS ${api()}/api-keys/validate -H "Authorization: Bearer $PADDOCK_API_KEY"`;
