// The meaning of a JSON object's key for its value: `customerPhone`, `client-ip`, `date_of_birth`.
import { BIRTH, CUES, EMAIL, KEY_CUES, PERSON, PHONE, SECOND, SSN, THING } from './cue-words.ts';

const LONGEST_KEY = 64;
/** Bound of the cache. Agents repeat their keys, but a stranger's keys could be endless. */
const MOST_KEPT = 4096;
const kept = new Map<string, number>();

const OF_PEOPLE = PERSON | EMAIL | PHONE | SSN | BIRTH;

/** Bits of `cue-words.ts`. A neutral key (`value`, `number`) gets the bits of the surrounding object's key. */
export function keyBits(key: string, parent?: string): number {
  return lookUpBits(key) & ~THING || (parent === undefined ? 0 : lookUpBits(parent) & ~THING);
}

/** Whether the key marks its object as describing a person. */
export const isOfPerson = (key: string): boolean => (lookUpBits(key) & OF_PEOPLE) !== 0;

/** Whether the key marks its object as describing a thing, whose name is not a person's. */
export const isOfThing = (key: string): boolean => (lookUpBits(key) & THING) !== 0;

/** The subject that such a key gives to its object. */
export function detectSubject(key: string): 'person' | 'thing' | undefined {
  const bits = lookUpBits(key);
  if ((bits & OF_PEOPLE) !== 0) return 'person';
  return (bits & THING) !== 0 ? 'thing' : undefined;
}

function lookUpBits(key: string): number {
  if (key.length > LONGEST_KEY) return 0;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const bits = readKey(key);
  if (kept.size >= MOST_KEPT) kept.clear();
  if (!mayBeValue(key)) kept.set(key, bits);
  return bits;
}

/** A key that may itself be personal data is not cached. */
const mayBeValue = (key: string) => key.includes('@') || /\d{4}/.test(key);

/** The last meaningful word decides: `order_phone` is a phone number, `phone_order_id` is not. */
function readKey(key: string): number {
  const words = splitWords(key);
  for (let at = words.length - 1; at >= 0; at--) {
    const pair = at > 0 ? `${words[at - 1]} ${words[at]}` : '';
    const bits = bitsOfWord(pair) || bitsOfWord(words[at]!);
    if (bits) return bits;
  }
  return 0;
}

const bitsOfWord = (word: string) => ((CUES.get(word) ?? 0) | (KEY_CUES.get(word) ?? 0)) & ~SECOND;

/** Splits `clientIPAddress`, `client-ip` and `client ip` into lower-case words. */
function splitWords(key: string): string[] {
  const spaced = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return spaced.toLowerCase().split(/[\s_.:/-]/);
}
