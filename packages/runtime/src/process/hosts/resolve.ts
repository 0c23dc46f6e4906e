import { fairPlaces } from '@paddock/network';
import type { StringAnswer } from 'dns-packet';
import type { HostIndex } from '../../host-index.ts';
import type { HostRule } from '../../hosts.ts';
import type { AllowedAddresses } from './allowed-addresses.ts';
import { addressTtlSeconds } from './allowed-addresses.ts';
import type { DnsAnswer, DnsQuestion } from './dns-message.ts';
import type { QuestionBudget } from './questions.ts';
import type { DnsQuery } from './upstream.ts';

/** A sandbox with host rules, as the resolver sees it. */
export interface DnsClient {
  /** Sandboxes of one owner share the bounds that apply to all. */
  owner: string;
  rules: readonly HostRule[];
  /** The index of `rules`. */
  index: HostIndex;
  opened: AllowedAddresses;
  /** Called with each refused host, which the developer wants to know. */
  refused(name: string): void;
  /** Questions that are not answered yet. */
  inFlight: number;
  /** Shared by all sandboxes of the owner. */
  budget: QuestionBudget;
}

interface Bounds {
  each: number;
  all: number;
}
type Answer = Pick<DnsAnswer, 'code' | 'answers'> & { isTruncated?: boolean };

/** Bounds of unanswered questions, for one sandbox and for all. */
export const inFlightBounds: Bounds = { each: 64, all: 512 };
const maxAddresses = 64;
/** Record types that do not contain an address. The names in them are looked up separately. */
const harmless = new Set(['CNAME', 'MX', 'TXT', 'SRV', 'NS', 'SOA', 'PTR', 'CAA', 'NAPTR']);
const nothing = (code: string): Answer => ({ code, answers: [] });

/** Answers questions for allowed names, once the found addresses are open. Never throws. */
export function createResolver(queryUpstream: (asked: DnsQuery, transport: 'udp' | 'tcp') => Promise<DnsAnswer | undefined>) {
  const places = fairPlaces(inFlightBounds.all);
  return async (by: DnsClient, question: DnsQuestion, transport: 'udp' | 'tcp'): Promise<Answer> => {
    if (!by.index.allows(question.name)) {
      by.refused(question.name);
      return nothing('NXDOMAIN'); // Programs understand this at once. After a refusal they would retry again and again.
    }
    const leave = by.inFlight < inFlightBounds.each ? places.take(by.owner) : undefined;
    if (!leave) return nothing('SERVFAIL');
    by.inFlight++;
    try {
      return await answer(by, question, transport);
    } catch {
      return nothing('SERVFAIL'); // the address could not be opened; the program may retry
    } finally {
      leave();
      by.inFlight--;
    }
  };

  async function answer(by: DnsClient, { name, type }: DnsQuestion, transport: 'udp' | 'tcp'): Promise<Answer> {
    const onlySome = by.rules.some(({ effect }) => effect === 'only');
    // Sandboxes have no IPv6, and records that contain addresses (HTTPS) would lead to addresses that are not open.
    if (onlySome && type !== 'A' && !harmless.has(type)) return nothing('NOERROR');
    const said = await queryUpstream({ name, type }, transport);
    if (!said) return nothing('SERVFAIL');
    if (!onlySome || type !== 'A' || said.isTruncated) return said;
    const answers = said.answers.filter(isLeading).slice(0, maxAddresses);
    const found = answers.filter((one) => one.type === 'A');
    const ttl = Math.min(...found.map((one) => one.ttl ?? 0));
    const { rules } = by;
    if (found.length > 0) await by.opened.add(name, [...new Set(found.map((one) => one.data))], ttl);
    // A change of rules in the meantime may have closed the address again.
    if (by.rules !== rules && !by.index.allows(name)) return nothing('NXDOMAIN');
    return { code: said.code, answers: answers.map((one) => ({ ...one, ttl: Math.min(one.ttl ?? 0, addressTtlSeconds.most) })) };
  }
}

/** Whether a record is the address, or another name on the way to it. */
const isLeading = (one: DnsAnswer['answers'][number]): one is StringAnswer => one.type === 'CNAME' || one.type === 'A';
