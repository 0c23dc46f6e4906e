import type { DataSubjectRequest } from '@paddock/contract';
import type { Look } from '../../compliance/words.ts';

const looks: Record<DataSubjectRequest['status'], Look> = {
  queued: { tone: 'info', glyph: 'ring', word: 'Queued' },
  running: { tone: 'warning', glyph: 'arc', word: 'Running' },
  completed: { tone: 'success', glyph: 'tick', word: 'Completed' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
};
const overdue: Look = { tone: 'error', glyph: 'triangle', word: 'Overdue' };

export const isLate = ({ status, due_at }: DataSubjectRequest) => status !== 'completed' && Date.parse(due_at) < Date.now();

export const requestLook = (request: DataSubjectRequest): Look =>
  isLate(request) && request.status !== 'failed' ? overdue : looks[request.status];

export const kindWords = { find: 'Find', erase: 'Erase' } as const satisfies Record<DataSubjectRequest['kind'], string>;

export const placeWords: Record<string, { word: string; says: string }> = {
  records: {
    word: 'Records',
    says: 'Bodies, addresses and names in the audit trail. Erasing removes them with the rest of the record’s content.',
  },
  facts: { word: 'Record facts', says: 'Actions and agent names. They are part of the chain and are never erased.' },
  logs: { word: 'Logs', says: 'Lines of all deployments. Erasing replaces the value with [ERASED].' },
  traces: { word: 'Traces', says: 'Names, states and attributes. Erasing replaces the value with [ERASED].' },
  accounts: { word: 'Accounts', says: 'Members of the team. Each person deletes their own account in Settings.' },
};

const sum = ({ places }: DataSubjectRequest, of: 'found' | 'erased') =>
  places.reduce((all, place) => all + place[of], 0).toLocaleString('en');

/** '12 found', '12 found, 10 erased', or a dash until the request is completed. */
export function outcomeText(request: DataSubjectRequest): string {
  if (request.status !== 'completed') return '–';
  return request.kind === 'find' ? `${sum(request, 'found')} found` : `${sum(request, 'found')} found, ${sum(request, 'erased')} erased`;
}

export const messages = {
  list: 'The requests could not be loaded. Those in progress continue.',
  one: 'The request could not be loaded. If it is in progress, it continues.',
  profile: 'Your profile could not be loaded, so nothing can be erased now.',
  preview: 'The matches could not be counted. Try again.',
  create: 'The request could not be made. Your input is still here.',
} as const;
