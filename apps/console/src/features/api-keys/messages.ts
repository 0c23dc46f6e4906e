/** Messages on the screens of API keys, exactly as specified. */
export const messages = {
  load: 'Failed to load API keys',
  create: 'Failed to create API key',
  revoke: 'Failed to revoke API key',
  rotate: 'Failed to rotate API key',
  revoked: 'API key revoked successfully',
  copied: 'API key copied to clipboard',
  created: 'API Key Created Successfully!',
} as const;
