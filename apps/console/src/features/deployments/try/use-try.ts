import type { TryEnd, TryHead } from '@paddock/contract';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { type AnswerBody, answerBody, type ShownBody } from './answer-body.ts';
import type { Wish } from './request-text.ts';

export interface Progress {
  head?: TryHead;
  body?: ShownBody;
  end?: TryEnd;
  /** All bytes that came, to save them. */
  file?: AnswerBody['file'];
  wasCancelled?: boolean;
}

/** Sends requests to an agent, one at a time, and tells how far the answer is. The answer ends with the component. */
export function useTry(id: string) {
  const [progress, setProgress] = useState<Progress>();
  const under = useRef<AbortController>(undefined);
  useEffect(() => () => under.current?.abort(), []);

  const { mutate, error, isPending } = useAction({
    mutationFn: async (wish: Wish) => {
      const call = new AbortController();
      under.current = call;
      setProgress({});
      try {
        await follow(await api.deployments.try({ id, ...wish }, { signal: call.signal }), setProgress);
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

/** Shows the events of an answer. What comes within one frame is drawn together. */
async function follow(events: Awaited<ReturnType<typeof api.deployments.try>>, show: (progress: Progress) => void) {
  let head: TryHead | undefined;
  let body: AnswerBody | undefined;
  let frame = 0;
  const draw = (end?: TryEnd) => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (!head || !body) return show(end ? { end } : {});
    const shown = { head, body: body.shown(end?.outcome === 'complete'), file: body.file };
    return show(end ? { ...shown, end } : shown);
  };
  try {
    for await (const event of events) {
      if (event.head) {
        head = event.head;
        body = answerBody(head);
      }
      if (event.chunk !== undefined) body?.add(bytesOf(event.chunk));
      if (event.end) return draw(event.end);
      frame ||= requestAnimationFrame(() => draw());
    }
    // The server itself went away in between.
    return draw({ outcome: 'broken', detail: 'The connection to the server ended before the answer was whole.', bytes: 0, total_ms: 0 });
  } catch (failure) {
    draw();
    throw failure;
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}
