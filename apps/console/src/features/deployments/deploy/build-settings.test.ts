import { expect, test } from 'vitest';
import { givenSettings, type KeptSettings, keptNote, shownSettings, type TypedSettings, untyped } from './build-settings.ts';

const bot: KeptSettings = { root: 'bot', start: 'node a.js' };

const cases: [what: string, typed: Partial<TypedSettings>, kept: KeptSettings, given: object, note: string | undefined][] = [
  ['untouched, nothing kept', {}, null, {}, undefined],
  ['untouched', {}, bot, {}, 'Saved for this project. Clear the fields to remove them.'],
  ['typed, nothing kept', { start: 'x' }, null, { start: 'x' }, undefined],
  ['typed to be kept', { start: 'x', keep: true }, null, { start: 'x', keep: 'true' }, undefined],
  ['emptied', { root: '', start: '' }, bot, { keep: 'true' }, 'Removed with this deployment: node a.js, folder bot'],
  ['one emptied', { start: '' }, bot, { root: 'bot', keep: 'true' }, 'Replaced with this deployment: node a.js, folder bot'],
  ['changed', { start: 'x' }, bot, { root: 'bot', start: 'x', keep: 'true' }, 'Replaced with this deployment: node a.js, folder bot'],
  [
    'given packages',
    { packages: 'ddgs' },
    bot,
    { ...bot, packages: 'ddgs', keep: 'true' },
    'Replaced with this deployment: node a.js, folder bot',
  ],
  ['rid of packages', { packages: '' }, { packages: 'ddgs' }, { keep: 'true' }, 'Removed with this deployment: packages ddgs'],
  [
    'changed once',
    { start: 'x', keep: false },
    bot,
    { root: 'bot', start: 'x' },
    'Still saved for later deployments: node a.js, folder bot',
  ],
];
for (const [what, typed, kept, given, note] of cases)
  test(`build settings that are ${what} are sent and explained`, () => {
    const all = { ...untyped, ...typed };
    expect(givenSettings(all, kept)).toEqual(given);
    expect(keptNote(shownSettings(all, kept), kept)).toBe(note);
  });
