import { countToErase } from '@paddock/contract';
import type { Api } from './server.ts';

export const ownPassword = 'correct horse battery';

const maxTurns = 3;

/** Finds the identifiers and asks for their erasure, as a person does who confirms what was found. `work` has waiting requests worked on. */
export async function askErasure(api: Api, identifiers: string[], work: () => Promise<unknown>) {
  const { id } = await api.dataSubjects.create({ kind: 'find', identifiers });
  // Ten are worked on at once; others may wait as well.
  for (let turn = 1; turn <= maxTurns && (await api.dataSubjects.get({ id })).status !== 'completed'; turn++) await work();
  const { places } = await api.dataSubjects.get({ id });
  return api.dataSubjects.erase({ id, identifiers, password: ownPassword, confirmed_count: countToErase(places) });
}
