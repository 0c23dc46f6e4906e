import type { FieldError } from '@paddock/contract';

/**
 * The texts in an input that cannot be stored unchanged: PostgreSQL cannot store NUL, and a lone surrogate would be
 * read back as another character.
 */
export function unstorable(value: unknown, path: string[] = []): FieldError[] {
  if (typeof value === 'string') {
    if (value.includes('\0')) return [{ path: path.join('.'), message: 'Text cannot contain a NUL character' }];
    return value.isWellFormed() ? [] : [{ path: path.join('.'), message: 'Text must be valid Unicode' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [...unstorable(name, [...path, '']), ...unstorable(one, [...path, name])]);
}
