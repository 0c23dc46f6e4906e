import type { AuditLog } from '@paddock/contract';

const textIn = (data: unknown, name: string): string | undefined => {
  const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** The deployment that a record names: the target of the action, or the one that served the request. */
export function findDeploymentId({ targets, input_data, output_data }: AuditLog): string | undefined {
  const named = targets.find(({ type }) => type === 'deployment')?.id;
  const id = named ?? textIn(input_data, 'deployment_id') ?? textIn(output_data, 'deployment_id');
  return id?.startsWith('dep_') ? id : undefined;
}

const reasons: Readonly<Record<string, string>> = {
  setting: 'The body was not recorded: the settings of the project exclude it.',
  binary: 'The body was not recorded: it is not text.',
  encoding: 'The body was not recorded: its encoding cannot be read.',
  budget: 'The body was not recorded: it was too large, or took too long to scan.',
  spool: 'The body was not recorded: the gateway had no room for it while the database was unavailable.',
};

/** Remarks about a recorded body, as sentences. */
export function bodyNotes(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  const { is_cut, was_changed } = data as Record<string, unknown>;
  const reason = reasons[textIn(data, 'left_out') ?? ''];
  return [
    ...(reason ? [reason] : []),
    ...(is_cut === true ? ['Only the first and the last part of the body are stored.'] : []),
    ...(was_changed === true ? ['The receiver got the redacted version, too.'] : []),
  ];
}
