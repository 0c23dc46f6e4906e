import { ApiError, normalizeProjectName, projectNameProblem } from '@paddock/contract';

/** The name as it is stored. Throws input_invalid for the field that it was typed in. */
export function checkedName(typed: string, path = 'name'): string {
  const message = projectNameProblem(typed);
  if (message) throw new ApiError('input_invalid', { detail: message, errors: [{ path, message }] });
  return normalizeProjectName(typed);
}
