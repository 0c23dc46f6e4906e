import { useSyncExternalStore } from 'react';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** '42 s ago', '3 h ago', 'in 2 d'. Within five seconds of now it is 'just now', and so is the next minute, since clocks differ. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1000);
  const size = Math.abs(seconds);
  if (size < 5 || (seconds < 0 && size < minute)) return 'just now';
  const words = inLargestUnit(size);
  return seconds > 0 ? `${words} ago` : `in ${words}`;
}

function inLargestUnit(seconds: number): string {
  if (seconds < minute) return `${seconds} s`;
  if (seconds < hour) return `${Math.floor(seconds / minute)} min`;
  if (seconds < day) return `${Math.floor(seconds / hour)} h`;
  return `${Math.floor(seconds / day)} d`;
}

/** The date and time with the zone: '20 Nov 2026, 14:02:07 GMT+1'. */
export function absoluteTime(at: number, zone: 'local' | 'utc'): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  }).format(at);
}

/** '20 Nov': a day of the UTC calendar, whatever the zone. */
export const utcDay = (at: number) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at);

/** '0:42', '12:07', '1:02:33'. */
export function clockDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const h = Math.floor(seconds / hour);
  const m = Math.floor((seconds % hour) / minute);
  const s = seconds % minute;
  const two = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// A single clock for all timestamps on the page, running only while one is shown.
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

const watch = (changed: () => void) => {
  watchers.add(changed);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of watchers) tell();
  }, 5000);
  return () => {
    watchers.delete(changed);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The current time, updated every five seconds. */
export const useNow = () =>
  useSyncExternalStore(watch, () => {
    if (timer === undefined) now = Date.now();
    return Math.floor(now / 1000) * 1000;
  });

/** The day alone: '20 Nov 2026'. */
export const absoluteDate = (at: number, zone: 'local' | 'utc'): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  }).format(at);

/** The time of day alone, to the minute: '14:02'. */
export const absoluteClock = (at: number, zone: 'local' | 'utc'): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...(zone === 'utc' ? { timeZone: 'UTC' } : {}) }).format(at);
