import type { Json } from './event.ts';

/**
 * The reason why a body is not in a record: it was empty, the project keeps none, it is not text, its encoding cannot be read, the scan had
 * no time or memory, or the spool had no room.
 */
export type LeftOut = 'empty' | 'setting' | 'binary' | 'encoding' | 'budget' | 'spool';

/** A body as recorded: redacted, and cut to its first and last part. */
interface RecordedBody {
  /** Size of the original body, without framing. */
  size_bytes: number;
  content_type: string | null;
  /** JSON if the whole body was JSON, otherwise text; null if it was left out. */
  body: Json;
  left_out: LeftOut | null;
  /** Part of the body between its beginning and its end is missing. */
  is_cut: boolean;
  /** The receiver got other bytes than were sent, because they were masked on the way. */
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
  /** The times when the body was scanned, and when its first byte was forwarded to the agent; null if that did not happen. */
  scanned_at: string | null;
  forwarded_at: string | null;
}

/** `output_data` of the response to a visitor's request. */
export interface AnswerData extends RecordedBody {
  /** 0 if the visitor disconnected before there was a response. */
  status: number;
  /** The reason why the gateway responded in place of the agent. */
  failure: string | null;
  deployment_id: string;
  first_byte_at: string | null;
  scanned_at: string | null;
}
