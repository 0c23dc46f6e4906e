import { ApiError, normalAddress, passwordProblem } from '@paddock/contract';

/** The person's own names: passwords made of them are guessed first. */
export interface Whose {
  email: string;
  name: string;
}

/** Why this cannot be the person's password, as a sentence for the form; null if it can. Checked wherever a password is set. */
export async function passwordRefusal(password: string, whose: Whose): Promise<string | null> {
  const problem = passwordProblem(password);
  if (problem) return problem;
  const typed = password.normalize('NFC').toLowerCase();
  if ((await commonPasswords()).has(typed))
    return 'This password is among the most common ones, which are guessed first. Choose another one.';
  if (isPaddedWord(typed, ['paddock'])) return "Password cannot be made of the product's name. Choose another one.";
  if (isPaddedWord(typed, ownWords(whose))) return 'Password cannot be made of your name or e-mail address. Choose another one.';
  return null;
}

/** Throws the refusal, if there is one, for the field of that name. */
export async function refusePassword(password: string, whose: Whose, path = 'password') {
  const message = await passwordRefusal(password, whose);
  if (message) throw new ApiError('input_invalid', { detail: message, errors: [{ path, message }] });
}

/** Leaked passwords, in lower case, without those that are too short: about 18,000. Loaded on first use: most processes need none. */
const commonPasswords = once(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']?.filter((one) => passwordProblem(one) === null));
});

// Common suffixes of guessed passwords: years, a few digits, an exclamation mark, `admin`.
const maxFillerLength = 6;
const leet: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' };

/** True if the password is one of the words with few additional characters. */
function isPaddedWord(typed: string, words: string[]): boolean {
  const spelled = typed.replace(/[013457@$!]/g, (sign) => leet[sign] ?? sign);
  return [typed, spelled].some((text) =>
    words.some(
      (word) => text.includes(word) && Array.from(text.replaceAll(word, '').replace(/[^\p{L}\p{N}]/gu, '')).length <= maxFillerLength,
    ),
  );
}

function ownWords({ email, name }: Whose): string[] {
  const whole = normalAddress(email);
  const parts = [whole.slice(0, whole.lastIndexOf('@')), ...name.toLowerCase().split(/\s+/), name.toLowerCase().replace(/\s+/g, '')];
  // Short names are part of too many words.
  return [whole, ...parts.filter((part) => part.length >= 5)];
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
