import type { TryEnd, TryHead } from '@paddock/contract';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { type AnswerBody, answerBody, type ShownBody } from './answer-body.ts';
import { mcpSession } from './mcp-session.ts';
import type { Wish } from './request-text.ts';
import type { Spoken } from './speak.ts';

export interface Asking {
  wish: Wish;
  /** The protocol of the form; undefined for a handwritten request. */
  kind?: Spoken['kind'];
}

export interface Progress {
  kind?: Spoken['kind'] | undefined;
  head?: TryHead;
  body?: ShownBody;
  end?: TryEnd;
  /** All received bytes, for saving. */
  file?: AnswerBody['file'];
  wasCancelled?: boolean;
}

/** Sends requests to an agent, one at a time, and reports the progress of the response. Unmounting aborts the request. */
export function useTry(id: string) {
  const [progress, setProgress] = useState<Progress>();
  const under = useRef<AbortController>(undefined);
  const session = useRef<Wish['headers']>(undefined);
  useEffect(() => () => under.current?.abort(), []);

  const { mutate, error, isPending } = useAction({
    mutationFn: async ({ wish, kind }: Asking) => {
      const call = new AbortController();
      const { signal } = call;
      under.current = call;
      const ask = (each: Wish) => api.deployments.try({ id, ...each }, { signal });
      const show = (next: Progress) => setProgress({ ...next, kind });
      show({});
      try {
        if (kind === 'mcp') session.current ??= await mcpSession(ask, wish.path);
        const headers = kind === 'mcp' ? [...wish.headers, ...(session.current ?? [])] : wish.headers;
        const last = await follow(await ask({ ...wish, headers }), show);
        // A restart of the agent may have ended the session: the next call starts another one.
        if (last?.head && last.head.status >= 400) session.current = undefined;
        return last;
      } catch (failure) {
        if (call.signal.aborted) setProgress((before) => ({ ...before, wasCancelled: true }));
        throw failure;
      }
    },
  });
  return {
    send: mutate,
    cancel: () => under.current?.abort(),
    progress,
    error: progress?.wasCancelled ? null : error,
    isUnderWay: isPending,
  };
}
export type Trying = ReturnType<typeof useTry>;

/** Shows the events of a response, and returns the last state shown. Events within one frame are drawn together. */
async function follow(events: Awaited<ReturnType<typeof api.deployments.try>>, show: (progress: Progress) => void): Promise<Progress> {
  let head: TryHead | undefined;
  let body: AnswerBody | undefined;
  let frame = 0;
  const draw = (end?: TryEnd): Progress => {
    cancelAnimationFrame(frame);
    frame = 0;
    const shown = head && body ? { head, body: body.shown(end?.outcome === 'complete'), file: body.file } : {};
    const progress = end ? { ...shown, end } : shown;
    show(progress);
    return progress;
  };
  try {
    for await (const event of events) {
      if (event.head) {
        head = event.head;
        body = answerBody(head);
      }
      if (event.chunk !== undefined) body?.add(decodeBase64(event.chunk));
      if (event.end) return draw(event.end);
      frame ||= requestAnimationFrame(() => draw());
    }
    // The connection to the Paddock server was lost.
    return draw({
      outcome: 'broken',
      detail: 'The connection to the server closed before the response was complete.',
      bytes: 0,
      total_ms: 0,
    });
  } catch (failure) {
    draw();
    throw failure;
  }
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}
