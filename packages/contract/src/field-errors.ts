import * as z from 'zod';
import type { FieldError } from './errors.ts';
import { plural } from './plural.ts';

type Issue = z.core.$ZodRawIssue;

/** Unknown fields that are named; a body may have thousands. */
const maxUnknown = 20;
const maxNameLetters = 100;

/**
 * Checks an input. The errors are sentences for people that name the field, such as "limit must be at least 1". A message that the schema gives
 * itself stays as it is.
 */
export function readFields<S extends z.core.$ZodType>(schema: S, fields: unknown): { data: z.output<S> } | { errors: FieldError[] } {
  const read = z.safeParse(schema, fields, { error: (issue) => `${nameOf(issue)} ${describeIssue(issue)}` });
  return read.success ? { data: read.data } : { errors: read.error.issues.flatMap(toFieldErrors) };
}

/** All errors in one line. A sentence that begins with the field's name is not given the name again. */
export const joinFieldErrors = (errors: readonly FieldError[]): string =>
  errors.map(({ path, message }) => (path === '' || message.startsWith(`${path} `) ? message : `${path}: ${message}`)).join('; ');

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path.join('.'), message: issue.message }];
  return issue.keys.slice(0, maxUnknown).map((key) => {
    const path = [...issue.path, key.slice(0, maxNameLetters)].join('.');
    return { path, message: `${path} is not a known field` };
  });
}

const nameOf = ({ path = [] }: Issue) => (path.length === 0 ? 'The input' : path.join('.'));

function describeIssue(issue: Issue): string {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      return describeMinimum(issue);
    case 'too_big':
      return describeMaximum(issue);
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in the right form'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return 'is not valid';
  }
}

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formats: Record<string, string> = {
  datetime: 'a time in UTC such as 2026-11-01T00:00:00.000Z',
  date: 'a date such as 2026-11-01',
  email: 'an e-mail address',
  url: 'a URL',
};

const units: Record<string, string> = { string: 'character', array: 'item', set: 'item', map: 'entry' };

function describeMinimum({ origin, minimum, exact, inclusive }: Issue & { code: 'too_small' }): string {
  const unit = units[origin];
  if (!unit) return `must be ${inclusive === false ? 'greater than' : 'at least'} ${minimum}`;
  if (exact) return `must have exactly ${plural(Number(minimum), unit)}`;
  return Number(minimum) === 1 ? 'cannot be empty' : `must have at least ${plural(Number(minimum), unit)}`;
}

function describeMaximum({ origin, maximum, exact, inclusive }: Issue & { code: 'too_big' }): string {
  const unit = units[origin];
  if (!unit) return `must be ${inclusive === false ? 'less than' : 'at most'} ${maximum}`;
  return `must have ${exact ? 'exactly' : 'at most'} ${plural(Number(maximum), unit)}`;
}
