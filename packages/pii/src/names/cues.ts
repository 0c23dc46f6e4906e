/** The certainty that the words before a name give. */
export const sureness = { none: 0, weak: 1, likely: 2, sure: 3 } as const;
type Sureness = (typeof sureness)[keyof typeof sureness];
type Cue = { sure: Sureness; before?: readonly string[]; needs?: 'colon' | 'line' | 'space'; isTitle?: true };

const words = (text: string) => text.trim().split(/\s+/);

/** Cues by the word right before the name. `before` is the word before that one, `needs` the separator between the cue and the name. */
const cues = new Map<string, Cue[]>();
const cue = (list: string, made: Cue) => {
  for (const word of words(list)) cues.set(word, [...(cues.get(word) ?? []), made]);
};

cue('is', { sure: 3, before: words('name names'), needs: 'space' });
cue("name's i'm i’m", { sure: 3, needs: 'space' });
cue('am', { sure: 3, before: ['i'], needs: 'space' });
cue('is', { sure: 1, before: words('this it here he she that who'), needs: 'space' });
cue('me', { sure: 3, before: ['call'], needs: 'space' });
cue('named', { sure: 3, needs: 'space' });
cue('called', { sure: 2, needs: 'space' });
cue('ist', { sure: 3, before: ['name'], needs: 'space' });
cue('heisse heiße', { sure: 3, needs: 'space' });
cue('bin', { sure: 3, before: ['ich'], needs: 'space' });
cue("m'appelle m’appelle appelle", { sure: 3, needs: 'space' });
cue('suis', { sure: 3, before: ['je'], needs: 'space' });
cue('llamo soy chiamo sou chamo', { sure: 3, needs: 'space' });
cue('chamo-me', { sure: 3, needs: 'space' });
cue('es e', { sure: 3, before: words('nombre nome'), needs: 'space' });
cue('sono', { sure: 1, needs: 'space' });
cue('is', { sure: 3, before: ['naam'], needs: 'space' });
cue('ben', { sure: 3, before: ['ik'], needs: 'space' });
cue('heet', { sure: 3, needs: 'space' });
// Titles in lower case. Titles with a capital are part of the name (words-of-names.ts).
cue(
  'mr mrs ms dr prof dhr dhr. mevr. mw. heer mevrouw meneer señor señora senor senora signor signora signore senhor senhora don doña dona',
  { sure: 3, needs: 'space', isTitle: true },
);
cue('herr herrn frau monsieur madame aunt uncle officer agent sir', { sure: 3, needs: 'space', isTitle: true });
cue(
  'husband wife mother father mom dad brother sister son daughter friend colleague boss neighbor neighbour partner spouse girlfriend boyfriend',
  {
    sure: 2,
    needs: 'space',
  },
);
cue('roommate cousin nephew niece grandmother grandfather coworker assistant manager landlord tenant guest patient client customer', {
  sure: 1,
  needs: 'space',
});
cue('user employee caller applicant attorney lawyer professor doctor nurse author witness defendant plaintiff holder cardholder', {
  sure: 1,
  needs: 'space',
});
cue(
  'ask asked tell told call called contact email emailed with by and or from met meet to for about that remind thanks c/o attn under if whether',
  {
    sure: 1,
    needs: 'space',
  },
);
cue('said says wrote replied und von mit für bei dass bitte et avec chez par de à y con que a e ed da com para en van met of voor aan', {
  sure: 1,
  needs: 'space',
});
cue('name', { sure: 3, before: words('full first last given maiden middle family legal'), needs: 'space' });
cue('name name,', { sure: 1, needs: 'space' });
cue('between an a entre zwischen tussen tra', { sure: 1, needs: 'space' });

// The end of a letter. The name is on the next line.
cue(
  `best regards cheers thanks thx sincerely wishes faithfully truly yours respectfully warmly love grüße gruß grüßen grüsse gruss cordialement vous saludo saludos
  atentamente cordialmente saluti groet groeten atenciosamente cumprimentos abraço abraços you`,
  { sure: 3, needs: 'line' },
);

/** Labels of forms that only persons have: "Patient: …". */
const sureLabels = new Set(
  words(`fullname firstname lastname surname givenname middlename maidenname familyname displayname customername clientname contactname patientname
  guestname employeename patient reporter caller applicant co-applicant coapplicant insured beneficiary tenant landlord guest passenger cardholder
  accountholder accountname borrower employee attn attention interviewer interviewee candidate student physician witness plaintiff defendant attendees
  participants apologies assignee spouse father mother signatory nominee
  kunde kundin vorname nachname familienname ansprechpartner versicherter nomcomplet prénom destinataire nombrecompleto apellido apellidos paciente titular
  cognome nomecompleto intestatario apelido sobrenome voornaam achternaam klant`),
);
/** Labels that things have too. */
const likelyLabels = new Set(
  words(`name names customer client contact seller buyer manager supervisor author authors sender recipient from to cc bcc signed signature speaker speakers
  teacher doctor nurse present owner holder agent user member lead host by
  name absender empfänger nom client cliente expéditeur nombre nome naam geadresseerde afzender`),
);
/** After "name of" one of these, the name is not a person's. */
const things = new Set(
  words(`product company business file project host domain brand event server table column database package app application model team store shop
  class function variable tool branch city country street bank school user display code-name firma produkt produit entreprise empresa azienda bedrijf`),
);

const separators = /[\s"'*_:=,;(<>|\\\-–—]/;

/** Examines the few words before `at`, at most 60 characters. */
export function surenessBefore(text: string, at: number): Sureness {
  let end = at;
  let gap = '';
  while (end > 0 && at - end < 8 && separators.test(text[end - 1]!)) gap += text[--end];
  if (end === 0) return 0;
  if (isAnswer(text, end, gap)) return 3;
  const last = wordBefore(text, end);
  if (last === '') return 0;
  if (/[:=>]/.test(gap)) return labelBefore(text, end, last);
  const found = cues.get(last);
  if (!found) return 0;
  const needs = gap.includes('\n') || gap.includes('\\') ? 'line' : 'space';
  let second: string | undefined;
  let sure: Sureness = 0;
  for (const one of found) {
    if (one.needs !== needs) continue;
    // Only blanks, a comma and a bracket are allowed between: "my sister (Ann)".
    if (needs === 'space' && /["|;=<>]/.test(gap)) continue;
    // "Croque Madame, Tarte Tatin": the title belongs to the words before the comma.
    if (one.isTitle && gap.includes(',')) continue;
    second ??= one.before && wordBefore(text, startOfWordBefore(text, end) - 1);
    if (one.before && !one.before.includes(second ?? '')) continue;
    if (one.sure > sure) sure = one.sure;
  }
  return sure;
}

/** "What's your name? Ann Bell": the answer to a question for a name. */
function isAnswer(text: string, end: number, gap: string): boolean {
  const before = gap.includes(':') ? text.slice(Math.max(0, end - 20), end).lastIndexOf('?') - Math.min(end, 20) : -1;
  const question = end + before;
  if (text.charCodeAt(question) !== 63) return false;
  return /\bname(?:s| on the \w{1,12})?$/i.test(text.slice(Math.max(0, question - 30), question));
}

function labelBefore(text: string, end: number, last: string): Sureness {
  const start = startOfWordBefore(text, end);
  const second = text[start - 1] === ' ' || text[start - 1] === '_' ? wordBefore(text, start - 1) : '';
  if (sureLabels.has(`${second}${last}`)) return 3;
  if (things.has(second)) return 0;
  if (sureLabels.has(last)) return 3;
  return likelyLabels.has(last) ? 2 : 0;
}

const wordBefore = (text: string, end: number) => text.slice(startOfWordBefore(text, end), Math.max(end, 0)).toLowerCase();

function startOfWordBefore(text: string, end: number): number {
  let start = Math.max(end, 0);
  while (start > 0 && end - start < 20 && isOfWord(text.charCodeAt(start - 1))) start--;
  return start;
}

/** A letter, an apostrophe, a full stop, a slash or a hyphen. */
const isOfWord = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code >= 0xc0 || code === 39 || code === 46 || code === 47 || code === 45;
