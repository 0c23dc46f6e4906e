import { hash, readTexts } from './make/texts.ts';
import type { Labelled } from './read.ts';

/**
 * Texts without personal data whose words and numbers look like it. They were written before the detector was run on them. Rules may be
 * tuned on the texts of `tuned`, and never on those of `blind`.
 */
export const readClean = (half: 'tuned' | 'blind'): Labelled[] =>
  readTexts('clean/*.txt')
    .map(({ id, lang, kind, marked }) => ({ id: `clean-${id}`, lang, kind, text: marked, spans: [] }))
    .filter(({ id }) => (hash(id) % 2 === 1) === (half === 'blind'));
