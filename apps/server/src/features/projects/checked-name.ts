import { ApiError, normalizeProjectName, projectNameProblem } from '@paddock/contract';

/** The name in stored form. Throws input_invalid for the field in which it was entered. */
export function checkedName(typed: string, path = 'name'): string {
  const message = projectNameProblem(typed);
  if (message) throw new ApiError('input_invalid', { detail: message, errors: [{ path, message }] });
  return normalizeProjectName(typed);
}
