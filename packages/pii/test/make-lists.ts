// Regenerates src/names/words.gen.ts: node packages/pii/test/make-lists.ts FAKER NAMES SCOWL STDLIB
// The four folders are the unpacked packages that src/names/README.md names. Nothing else of Paddock needs them.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { encodeWords, knownWord } from '../src/names/word-list.ts';

/** Locales whose names are written in Latin letters. */
const locales =
  `af_ZA az cs_CZ da de de_CH en en_AU en_GH en_HK en_IN en_NG en_ZA es es_MX fi fr fr_BE fr_CH fr_SN hr hu it nb_NO nl nl_BE pl pt_BR pt_PT ro
  sk sl_SI sr_RS_latin sv tr yo_NG zu_ZA`.split(/\s+/);
const commonFirstNames = 900;
const commonLastNames = 8000;

type Names = Record<string, (string | { value: string })[]>;
type Faker = { allLocales: Record<string, { person: { first_name?: Names; last_name?: Names } }> };

const [fakerFolder, namesFolder, scowlFolder, stdlibFolder] = process.argv.slice(2);
if (!fakerFolder || !namesFolder || !scowlFolder || !stdlibFolder) throw new Error('usage: make-lists.ts FAKER NAMES SCOWL STDLIB');
const faker = createRequire(import.meta.url)(fakerFolder) as Faker;
const flags = new Map<string, number>();

for (const locale of locales) {
  const { first_name, last_name } = faker.allLocales[locale]!.person;
  // The English list of first names is long and odd; only the census shows which of them are common.
  for (const name of allOf(first_name)) note(name, locale === 'en' ? knownWord.first : knownWord.first | knownWord.commonFirst);
  for (const name of allOf(last_name)) note(name, knownWord.last);
}
for (const file of ['dist.female.first', 'dist.male.first'])
  for (const [rank, name] of census(file).entries())
    note(name, rank < commonFirstNames ? knownWord.first | knownWord.commonFirst : knownWord.first);
for (const kind of ['female', 'male'])
  for (const name of readFileSync(join(stdlibFolder, `datasets-${kind}-first-names-en/data/names.txt`), 'utf8').split('\n'))
    note(name, knownWord.first);
for (const name of census('dist.all.last').slice(0, commonLastNames)) note(name, knownWord.last);
// Davis is a first name too, but alone it is read as a family or a firm.
const shareOfFirst = new Map(['dist.female.first', 'dist.male.first'].flatMap((file) => [...shares(file)]));
for (const [name, share] of shares('dist.all.last')) {
  const known = flags.get(name) ?? 0;
  if ((known & knownWord.first) !== 0 && share > 4 * (shareOfFirst.get(name) ?? 0) && share > 0.004)
    flags.set(name, known | knownWord.mostlyLast);
}
for (const size of ['10', '20']) for (const word of scowl(size)) flags.set(word, (flags.get(word) ?? 0) | knownWord.everyday);
// Rarer words: some are names too (Heather, Ruby), others are the last words of things (Salad, Lipstick). Most inflected ones are left out.
for (const word of scowl('35'))
  if (flags.has(word) || !/(?:s|ed|ing|ly|er|able|ation)$/.test(word)) flags.set(word, (flags.get(word) ?? 0) | knownWord.rareWord);

writeFileSync(join(import.meta.dirname, '../src/names/words.gen.ts'), encodeWords(flags));
console.log(`${flags.size} words`);

/** Names of several words count by each word: "van der Veen" as "veen". */
function note(name: string, flag: number) {
  for (const word of plain(name).split(' ')) if (/^[a-z][a-z'-]{1,15}$/.test(word)) flags.set(word, (flags.get(word) ?? 0) | flag);
}

function plain(name: string): string {
  const letters: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae' };
  const lower = name.toLowerCase().replace(/[ßøłđıæ]/g, (letter) => letters[letter]!);
  return lower.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

function allOf(names: Names | undefined): string[] {
  return Object.values(names ?? {})
    .flat()
    .map((name) => (typeof name === 'string' ? name : name.value));
}

function census(file: string): string[] {
  const lines = readFileSync(join(namesFolder!, file), 'utf8').trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/)[0]!.toLowerCase());
}

/** Percentages of all people. */
function shares(file: string): [string, number][] {
  const lines = readFileSync(join(namesFolder!, file), 'utf8').trim().split('\n');
  return lines.map((line) => line.trim().toLowerCase().split(/\s+/)).map(([name, share]) => [name!, Number(share)]);
}

function scowl(size: string): string[] {
  const lists = ['english', 'american'].map((kind) => readFileSync(join(scowlFolder!, `${kind}-words.${size}`), 'latin1'));
  return lists.flatMap((list) => list.split('\n')).filter((word) => /^[a-z]{2,16}$/.test(word));
}
