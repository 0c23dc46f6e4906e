import { api } from '../../../api/api.ts';
import { isDemo, readSession } from '../../../api/session.ts';
import type { OpenStream } from './log-stream.ts';
import { webSocketStream } from './web-socket-stream.ts';

const overSocket = webSocketStream((id, signal) => api.logs.ticket({ id }, { signal }).then(({ ticket }) => ticket));

/** The live log of the session: from the server, or from the demo. */
export const openStream: OpenStream = (request, events) => {
  if (!isDemo(readSession()?.token)) return overSocket(request, events);
  import('../demo/stream.ts').then(({ openDemoStream }) => openDemoStream(request, events), events.onLost);
};
