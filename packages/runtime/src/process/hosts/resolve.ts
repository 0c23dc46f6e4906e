import { fairPlaces } from '@paddock/network';
import type { StringAnswer } from 'dns-packet';
import type { HostIndex } from '../../host-index.ts';
import type { HostRule } from '../../hosts.ts';
import type { Question, Said } from './message.ts';
import type { Opened } from './opened.ts';
import { openSeconds } from './opened.ts';
import type { QuestionBudget } from './questions.ts';
import type { Asked } from './upstream.ts';

/** A sandbox that is held to rules, as the resolver sees it. */
export interface Asking {
  /** Sandboxes of one owner share what is bounded for all. */
  owner: string;
  rules: readonly HostRule[];
  /** Of these rules. */
  index: HostIndex;
  opened: Opened;
  /** The developer wants to know which host was refused. */
  refused(name: string): void;
  /** Questions that are not answered yet. */
  inFlight: number;
  /** Of all sandboxes of its owner. */
  budget: QuestionBudget;
}

interface Bounds {
  each: number;
  all: number;
}
type Answer = Pick<Said, 'code' | 'answers'> & { isTruncated?: boolean };

/** Questions in flight, of one sandbox and of all. */
export const inFlightBounds: Bounds = { each: 64, all: 512 };
const maxAddresses = 64;
/** Records that lead to no address by themselves: the names in them are asked for again. */
const harmless = new Set(['CNAME', 'MX', 'TXT', 'SRV', 'NS', 'SOA', 'PTR', 'CAA', 'NAPTR']);
const nothing = (code: string): Answer => ({ code, answers: [] });

/** Answers for names that the rules allow, once the addresses that were found are open. Never fails. */
export function resolving(askUpstream: (asked: Asked, transport: 'udp' | 'tcp') => Promise<Said | undefined>) {
  const places = fairPlaces(inFlightBounds.all);
  return async (by: Asking, question: Question, transport: 'udp' | 'tcp'): Promise<Answer> => {
    if (!by.index.allows(question.name)) {
      by.refused(question.name);
      return nothing('NXDOMAIN'); // what programs understand at once: after a refusal they would ask again and again
    }
    const leave = by.inFlight < inFlightBounds.each ? places.take(by.owner) : undefined;
    if (!leave) return nothing('SERVFAIL');
    by.inFlight++;
    try {
      return await answer(by, question, transport);
    } catch {
      return nothing('SERVFAIL'); // the address could not be opened: nothing is known of it, and it may be asked for again
    } finally {
      leave();
      by.inFlight--;
    }
  };

  async function answer(by: Asking, { name, type }: Question, transport: 'udp' | 'tcp'): Promise<Answer> {
    const onlySome = by.rules.some(({ effect }) => effect === 'only');
    // Sandboxes have no IPv6, and records that bring addresses along (HTTPS) would lead to ones that are closed.
    if (onlySome && type !== 'A' && !harmless.has(type)) return nothing('NOERROR');
    const said = await askUpstream({ name, type }, transport);
    if (!said) return nothing('SERVFAIL');
    if (!onlySome || type !== 'A' || said.isTruncated) return said;
    const answers = said.answers.filter(isLeading).slice(0, maxAddresses);
    const found = answers.filter((one) => one.type === 'A');
    const ttl = Math.min(...found.map((one) => one.ttl ?? 0));
    const { rules } = by;
    if (found.length > 0) await by.opened.add(name, [...new Set(found.map((one) => one.data))], ttl);
    // Rules that changed meanwhile may have closed the address again.
    if (by.rules !== rules && !by.index.allows(name)) return nothing('NXDOMAIN');
    return { code: said.code, answers: answers.map((one) => ({ ...one, ttl: Math.min(one.ttl ?? 0, openSeconds.most) })) };
  }
}

/** The address, or another name on the way to it. */
const isLeading = (one: Said['answers'][number]): one is StringAnswer => one.type === 'CNAME' || one.type === 'A';
