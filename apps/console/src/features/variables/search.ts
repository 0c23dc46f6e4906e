/** What of the variables page lives in its address; production is the default and left out. */
export type VariablesSearch = { environment?: 'preview' };

export const variablesSearch = (given: Record<string, unknown>): VariablesSearch =>
  given.environment === 'preview' ? { environment: 'preview' } : {};
