import type { Json } from './event.ts';

/** Why a body is not in a record: there was none, the project keeps none, no text, an encoding that cannot be read, no time or memory, or no room in the spool. */
export type LeftOut = 'empty' | 'setting' | 'binary' | 'encoding' | 'budget' | 'spool';

/** A body as it was recorded: redacted, and cut to its first and last part. */
interface RecordedBody {
  /** Of the body as it passed, without framing. */
  size_bytes: number;
  content_type: string | null;
  /** JSON if the whole body was that, else text; null if it was left out. */
  body: Json;
  left_out: LeftOut | null;
  /** Between its first and its last part something is missing. */
  is_cut: boolean;
  /** Whether the receiver got other bytes than were sent: masked on the way. */
  was_changed: boolean;
}

/** `input_data` of a visitor's request. */
export interface RequestData extends RecordedBody {
  method: string;
  path: string;
  /** Redacted. */
  query: string | null;
  host: string;
  deployment_id: string;
  /** When the body was scanned, and when the first byte went on to the agent; null where that did not happen. */
  scanned_at: string | null;
  forwarded_at: string | null;
}

/** `output_data` of its answer. */
export interface AnswerData extends RecordedBody {
  /** 0 if the visitor left before there was one. */
  status: number;
  /** Why the gateway answered in place of the agent. */
  failure: string | null;
  deployment_id: string;
  first_byte_at: string | null;
  scanned_at: string | null;
}
