// Running texts whose parts arrive in many events. Values are searched in the running text, and masked in its parts.
import { type DetectOptions, findSpots, type Spot } from '../find.ts';
import type { Piece } from '../pieces.ts';

/** A part of a running text. `edits` are in offsets of the piece. */
export interface Part {
  piece: Piece;
  /** Number of its characters that are decided. */
  decided: number;
  edits: Edit[];
}

interface Edit {
  start: number;
  end: number;
  /** The finding, only set in the first part of a value. The mask is written there, and the other parts lose their characters. */
  spot: Spot | undefined;
}

/** The longest value and the text read after it. */
const HELD = 128;
const STEP = 32;
const CONTEXT = 256;
const MOST_CHANNELS = 64;

interface Channel {
  context: string;
  pending: string;
  parts: Part[];
}

export interface Channels {
  /** Adds the next part of a running text. */
  add(name: string, part: Part): void;
  /** Decides everything that is still held back. */
  finish(): void;
}

export function channels(options: DetectOptions): Channels {
  const open = new Map<string, Channel>();
  const finish = () => {
    for (const channel of open.values()) decide(channel, options, true);
    open.clear();
  };
  return {
    add(name, part) {
      let channel = open.get(name);
      if (!channel) {
        if (open.size >= MOST_CHANNELS) finish();
        channel = { context: '', pending: '', parts: [] };
        open.set(name, channel);
      }
      channel.pending += part.piece.text;
      channel.parts.push(part);
      if (channel.pending.length >= HELD + STEP) decide(channel, options, false);
    },
    finish,
  };
}

function decide(channel: Channel, options: DetectOptions, isLast: boolean): void {
  const { context, pending } = channel;
  const all = context + pending;
  const from = context.length;
  const spots = findSpots(all, options, false).filter(({ start }) => start >= from);
  let to = isLast ? all.length : Math.max(from, all.length - HELD);
  const crossing = spots.find(({ start, end }) => start < to && end > to);
  if (crossing) to = crossing.start;
  for (const spot of spots) if (spot.end <= to) place(channel.parts, spot, from);
  advance(channel, to - from);
  channel.context = all.slice(Math.max(0, to - CONTEXT), to);
  channel.pending = all.slice(to);
}

/** Writes a value into the parts that contain it. */
function place(parts: Part[], spot: Spot, context: number): void {
  let at = context - (parts[0]?.decided ?? 0);
  let isFirst = true;
  for (const part of parts) {
    const end = at + part.piece.text.length;
    if (end > spot.start && at < spot.end) {
      part.edits.push({
        start: Math.max(0, spot.start - at),
        end: Math.min(part.piece.text.length, spot.end - at),
        spot: isFirst ? spot : undefined,
      });
      isFirst = false;
    }
    if (end >= spot.end) return;
    at = end;
  }
}

/** Marks the first `length` undecided characters as decided. */
function advance(channel: Channel, length: number): void {
  let left = length;
  let done = 0;
  for (const part of channel.parts) {
    const undecided = part.piece.text.length - part.decided;
    const now = Math.min(undecided, left);
    part.decided += now;
    left -= now;
    if (part.decided < part.piece.text.length) break;
    done++;
  }
  channel.parts.splice(0, done);
}
