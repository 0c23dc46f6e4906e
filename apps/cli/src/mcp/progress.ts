import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

/** Progress of a call, for clients that request it. */
export interface Progress {
  isWanted: boolean;
  report: (message: string) => void;
  stop: () => void;
}

/** Interval at which the last message is repeated, since clients time out on silence. */
const repeatMs = 10_000;

export function reportProgress({ _meta, sendNotification }: RequestHandlerExtra<ServerRequest, ServerNotification>): Progress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { isWanted: false, report: () => undefined, stop: () => undefined };
  let progress = 0;
  let last: string | undefined;
  const send = () => {
    if (last === undefined) return;
    progress += 1;
    // The call does not fail because its client has disconnected.
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message: last } }).catch(() => undefined);
  };
  const timer = setInterval(send, repeatMs);
  return {
    isWanted: true,
    report(message) {
      if (message === last) return;
      last = message;
      send();
    },
    stop: () => clearInterval(timer),
  };
}
