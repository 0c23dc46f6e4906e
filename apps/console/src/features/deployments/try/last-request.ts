import { storedRequests } from '../../../api/session.ts';
import { type Draft, isMethod } from './request-text.ts';

const maxKept = 20;
/** A longer request is not stored, since session storage is small. */
const maxLetters = 100_000;

/** The last request sent to a deployment in this session. */
export function lastRequest(id: string): Draft | undefined {
  const draft = read()[id];
  if (!draft) return undefined;
  const { method, path, headers, body } = draft;
  const isWhole = isMethod(method) && [path, headers, body].every((text) => typeof text === 'string');
  return isWhole ? { method, path, headers, body } : undefined;
}

/** Remembers a request until the session ends: signing out forgets it. */
export function keepRequest(id: string, draft: Draft): void {
  const { [id]: _before, ...others } = read();
  const kept = Object.fromEntries([...Object.entries(others), [id, draft]].slice(-maxKept));
  const text = JSON.stringify(kept);
  if (text.length > maxLetters) return;
  try {
    sessionStorage.setItem(storedRequests, text);
  } catch (error) {
    console.warn('The request could not be kept in this browser.', error);
  }
}

function read(): Record<string, Draft | undefined> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(storedRequests) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, Draft>) : {};
  } catch {
    return {}; // the next request overwrites unreadable data
  }
}
