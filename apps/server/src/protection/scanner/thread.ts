// Scans strangers' texts for personal data, outside of the server's event loop.
import { parentPort } from 'node:worker_threads';
import { detect, mask, redact } from '@paddock/pii';
import { addFound, type TypeCounts } from '../masking.ts';
import { createReplacement } from '../replacement.ts';
import type { Answer, Found, MaskedTexts, MaskTexts, Question, Ready } from './questions.ts';

/** CPU time of the thread, which a busy machine does not increase. */
const spentMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

function maskAll({ texts, masking, budgetMs }: MaskTexts): MaskedTexts {
  const types = new Set(masking.types);
  const replacement = createReplacement(masking);
  const counts: TypeCounts = {};
  const end = spentMs() + budgetMs;
  const masked = texts.map((text) => {
    if (spentMs() > end) return null;
    const { text: replaced, findings } = mask(text, { format: 'json', types, replacement });
    addFound(counts, findings);
    return replaced;
  });
  return { texts: masked, counts };
}

function find(text: string): Found {
  const findings = detect(text);
  return { findings, redacted: redact(text, findings) };
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
const tell = (message: Answer | Ready) => parentPort!.postMessage(message);

parentPort!.on('message', (question: Question) => tell('texts' in question ? maskAll(question) : find(question.text)));
tell({ ready: true });
