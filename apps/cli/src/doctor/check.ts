/** The result of one check: fine, not needed by everybody, or broken, and then how to mend it. */
export interface Check {
  name: string;
  state: 'ok' | 'notice' | 'problem';
  found: string;
  remedy?: string;
}
