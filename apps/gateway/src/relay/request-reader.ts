import type { OwnAnswer } from '../pages/own-answer.ts';
import type { ResponseCode } from '../pages/own-responses.ts';
import { pageFor } from '../pages/pages.ts';
import type { Route } from '../routes/route.ts';
import { admit } from './admission.ts';
import type { ClientSide } from './client-side.ts';
import { type ParsedRequest, requestHead } from './parsed-request.ts';
import type { RelayDeps } from './relay-deps.ts';
import type { RequestWriter } from './request-writer.ts';

export interface RequestEvents {
  /** The request may be sent to the agent of this route; its head is in `requestHead`. */
  begin(route: Route): void;
  refuse(code: ResponseCode): void;
  answer(answer: OwnAnswer): void;
}

/** Reads a visitor's request, and determines whether and where it is forwarded. */
export class RequestReader {
  /** The connection may stay open after the response. */
  keepsAlive = true;
  readonly #asked: ParsedRequest;
  readonly #request: RequestWriter;
  readonly #parts: RelayDeps;
  readonly #visitor: ClientSide;
  readonly #events: RequestEvents;
  /** The pending reread of the route. */
  #look: Promise<Route | undefined> | undefined;

  constructor(
    { asked, request }: { asked: ParsedRequest; request: RequestWriter },
    parts: RelayDeps,
    { visitor, events }: { visitor: ClientSide; events: RequestEvents },
  ) {
    this.#asked = asked;
    this.#request = request;
    this.#parts = parts;
    this.#visitor = visitor;
    this.#events = events;
  }

  /** Reads a complete head of a request, without the empty line at its end. */
  ask(text: string): void {
    const asked = this.#asked;
    const problem = asked.read(text);
    this.keepsAlive = asked.keepsAlive && !this.#parts.isDraining();
    this.#request.body.begin(asked, { maxExtras: this.#parts.limits.chunkExtraBytes });
    if (problem !== '') return this.#events.refuse(problem);
    const direction = admit(requestHead, this.#parts);
    if (typeof direction === 'string') return this.#events.refuse(direction);
    if ('body' in direction) return this.#events.answer(direction);
    if (direction instanceof Promise) this.#lookAgain(direction);
    else this.#pass(direction);
  }

  /** The received bytes are not a request; everything after them on the connection is ignored. */
  refuseHead(code: ResponseCode): void {
    this.#asked.clear();
    this.keepsAlive = false;
    this.#request.body.begin(this.#asked, { maxExtras: 0 });
    this.#events.refuse(code);
  }

  #lookAgain(again: Promise<Route | undefined>): void {
    this.#look = again;
    this.#visitor.enter('looking', this.#parts.limits.databaseMs + 1_000);
    const go = (route: Route | undefined) => {
      // By now another request may be waiting for another route.
      if (this.#look !== again) return;
      this.#look = undefined;
      this.#asked.readAgain();
      this.#pass(route);
    };
    again.then(go).catch((err: unknown) => this.#visitor.broke(err));
  }

  /** The route is no longer needed. */
  stop(): void {
    this.#look = undefined;
  }

  #pass(route: Route | undefined): void {
    const asked = this.#asked;
    if (route?.deployment_id) asked.beginTrace();
    if (!route?.target || !route.deployment_id) this.#events.refuse(pageFor(route));
    else if (asked.length > this.#parts.limits.bodyBytes) this.#events.refuse('body_too_large');
    else if (asked.isWebSocket && asked.webSocketKey === undefined) this.#events.refuse('request_invalid');
    else this.#events.begin(route);
  }
}
