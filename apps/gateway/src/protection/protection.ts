import type { DataProtectionSettings } from '@paddock/contract/data-protection';
import { piiTypes } from '@paddock/pii';
import { parseBoundary, parseMediaType } from '../bodies/media-type.ts';
import type { Exchange, Hold, TailHold, Tap, WholeHold } from '../taps/tap.ts';
import { type BodyHead, bodyKind } from './body-kind.ts';
import { rulesFor } from './direction.ts';
import type { HoldContext, ProtectionDeps } from './hold-context.ts';
import { KnownValueSet } from './scan.ts';
import { streamHold } from './stream-hold.ts';
import { wholeHold } from './whole-hold.ts';

/** Changes or refuses bodies according to the project's settings. Undefined if they change nothing. */
export function protectionTap(settings: DataProtectionSettings, parts: ProtectionDeps): Tap | undefined {
  const tokenised = piiTypes.filter((type) => settings.rules[type].action === 'tokenise');
  const [requests, answers] = (['requests', 'answers'] as const).map((way): HoldContext | undefined => {
    const direction = rulesFor(settings, way);
    return direction && { ...parts, direction, settings, tokenised, way: way === 'requests' ? 'request' : 'answer' };
  });
  if (requests === undefined && answers === undefined) return undefined;
  return { hold };

  function hold(exchange: Exchange): Hold {
    const request = requests && exchange.hasBody ? createHold(requests, exchange) : undefined;
    return { request, ...(answers && { answer: () => createHold(answers, exchange) }) };
  }
}

function createHold(held: HoldContext, exchange: Exchange): WholeHold | TailHold {
  const head = readBodyHead(held, exchange);
  const kind = bodyKind(head);
  const record = held.recordOf(exchange);
  const known = record?.known(exchange) ?? new KnownValueSet();
  if (held.way === 'request') record?.holds(kind === 'whole' ? 'whole' : 'stream');
  return kind === 'whole' ? wholeHold(held, { head, record, known }) : streamHold(held, { head, kind, record, known });
}

function readBodyHead({ way }: HoldContext, exchange: Exchange): BodyHead {
  const header = (name: string) => (way === 'request' ? exchange.requestHeader(name) : exchange.answerHeader(name));
  return {
    type: parseMediaType(header('content-type')),
    boundary: parseBoundary(header('content-type')),
    encoding: header('content-encoding')?.trim().toLowerCase() ?? '',
    length: Number(header('content-length') ?? -1),
    isRequest: way === 'request',
  };
}
