/** The result of a check: fine, optional, or broken with a remedy. */
export interface Check {
  name: string;
  state: 'ok' | 'notice' | 'problem';
  found: string;
  remedy?: string;
}
