/** Rules that the console and the server share, with identical messages. Each returns a message, or null if the value is valid. */

export const maxProjectNameLength = 48;

/** Expects the name as typed; checks it trimmed and in lower case. */
export function projectNameProblem(typed: string): string | null {
  const name = normalizeProjectName(typed);
  if (name === '') return 'Project name cannot be empty';
  if (!/^[a-z0-9-]+$/.test(name))
    return 'Project name can only contain lowercase letters, numbers, and hyphens (no spaces or special characters)';
  if (name.startsWith('-') || name.endsWith('-')) return 'Project name cannot start or end with a hyphen';
  if (name.includes('--')) return 'Project name cannot have consecutive hyphens';
  // The name becomes a DNS label with a suffix of up to 13 characters; a label has at most 63.
  if (name.length > maxProjectNameLength) return `Project name cannot be longer than ${maxProjectNameLength} characters`;
  return null;
}

export const normalizeProjectName = (typed: string) => typed.trim().toLowerCase();

export const minPasswordLength = 8;
/** A longer password would only cost hashing time. */
export const maxPasswordLength = 1024;
/** The rule that needs the server's list of common passwords, as the API reference states it. */
export const passwordRule =
  'Not one of the most common passwords, nor made of the name of the product, the name of the person or the address';

export function passwordProblem(password: string): string | null {
  if (Array.from(password).length < minPasswordLength) return `Password must be at least ${minPasswordLength} characters`;
  if (password.length > maxPasswordLength) return `Password cannot be longer than ${maxPasswordLength} characters`;
  return null;
}

/**
 * Variables that the platform always sets. A user's variable with such a name would be ignored, so it is refused. `DATABASE_URL` and
 * `REDIS_URL` may be a user's own if no database is deployed, such as an address of SQLite. The deployment's log shows when a database
 * replaces them.
 */
const reservedKeys = /^(PORT|PADDOCK_.*)$/;

export function variableKeyProblem(key: string): string | null {
  if (key === '') return 'Name cannot be empty';
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
    return 'Name can only contain letters, numbers, and underscores, and cannot start with a number';
  if (key.length > 128) return 'Name cannot be longer than 128 characters';
  if (reservedKeys.test(key)) return `${key} is set by Paddock and cannot be overridden`;
  return null;
}
