import type { AnswerCode } from '../pages/answers.ts';
import type { OwnAnswer } from '../pages/own-answer.ts';
import { pageFor } from '../pages/pages.ts';
import type { Route } from '../routes/route.ts';
import { directionOf } from './admission.ts';
import { type AskedRequest, requestHead } from './asked.ts';
import type { RelayParts } from './parts.ts';
import type { RequestOut } from './request-out.ts';
import type { VisitorSide } from './visitor-side.ts';

export interface IntakeEvents {
  /** The request may go to the agent of this route; its head stands in `requestHead`. */
  begin(route: Route): void;
  refuse(code: AnswerCode): void;
  answer(answer: OwnAnswer): void;
}

/** Reads what a visitor asks for, and finds out whether and where it may go. */
export class Intake {
  /** The connection may outlive the answer. */
  keepsAlive = true;
  readonly #asked: AskedRequest;
  readonly #request: RequestOut;
  readonly #parts: RelayParts;
  readonly #visitor: VisitorSide;
  readonly #events: IntakeEvents;
  /** The route is being read once more. */
  #look: Promise<Route | undefined> | undefined;

  constructor(
    { asked, request }: { asked: AskedRequest; request: RequestOut },
    parts: RelayParts,
    { visitor, events }: { visitor: VisitorSide; events: IntakeEvents },
  ) {
    this.#asked = asked;
    this.#request = request;
    this.#parts = parts;
    this.#visitor = visitor;
    this.#events = events;
  }

  /** A whole head of a request, without the empty line at its end. */
  ask(text: string): void {
    const asked = this.#asked;
    const problem = asked.read(text);
    this.keepsAlive = asked.keepsAlive && !this.#parts.isDraining();
    this.#request.body.begin(asked, { maxExtras: this.#parts.limits.chunkExtraBytes });
    if (problem !== '') return this.#events.refuse(problem);
    const direction = directionOf(requestHead, this.#parts);
    if (typeof direction === 'string') return this.#events.refuse(direction);
    if ('body' in direction) return this.#events.answer(direction);
    if (direction instanceof Promise) this.#lookAgain(direction);
    else this.#pass(direction);
  }

  /** What came is not a request; whatever follows it on the connection is not looked at. */
  refuseHead(code: AnswerCode): void {
    this.#asked.clear();
    this.keepsAlive = false;
    this.#request.body.begin(this.#asked, { maxExtras: 0 });
    this.#events.refuse(code);
  }

  #lookAgain(again: Promise<Route | undefined>): void {
    this.#look = again;
    this.#visitor.enter('looking', this.#parts.limits.databaseMs + 1_000);
    const go = (route: Route | undefined) => {
      // Another request may be looking for another route by now.
      if (this.#look !== again) return;
      this.#look = undefined;
      this.#asked.readAgain();
      this.#pass(route);
    };
    again.then(go).catch((err: unknown) => this.#visitor.broke(err));
  }

  /** Nobody waits for the route any more. */
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
