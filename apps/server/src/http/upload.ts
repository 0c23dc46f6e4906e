import '@fastify/multipart';
import type { Readable } from 'node:stream';
import { ApiError } from '@paddock/contract';
import { archiveLimits } from '@paddock/contract/limits';
import type { FastifyRequest } from 'fastify';
import type { Blob } from '../blobs/blobs.ts';

export interface Upload {
  blob: Blob;
  file_name: string;
}

/** A sender that is silent for this long is cut off. */
const idleMs = 60_000;
/** A sender that continues after its upload was refused is cut off after this. */
const discardMs = 5_000;
const formOverhead = 64 * 1024;

const formLimits = {
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 8192,
  files: 1,
  fileSize: archiveLimits.zipBytes + 1,
  parts: 22,
  headerPairs: 20,
};

interface Form {
  fileField: string;
  receive: (stream: Readable) => Promise<Blob>;
  /** Removes the stored upload of a form that is refused. */
  drop: (blob_id: string) => Promise<unknown>;
}

/** Reads a multipart form of one file and a few small fields, in any order; the file goes straight to the blob store. */
export async function receiveForm(
  request: FastifyRequest,
  { fileField, receive, drop }: Form,
): Promise<{ fields: Record<string, unknown>; upload: Upload }> {
  if (!request.isMultipart()) throw new ApiError('media_type_unsupported');
  if (Number(request.headers['content-length'] ?? 0) > archiveLimits.zipBytes + formOverhead) throw new ApiError('archive_too_large');
  const fields: Record<string, unknown> = Object.create(null);
  let upload: Upload | undefined;
  let over = false;
  const idle = watchIdle(request);
  const read = async () => {
    for await (const part of request.parts({ limits: formLimits })) {
      if (part.type === 'field') {
        if (part.fieldnameTruncated || part.valueTruncated)
          throw new ApiError('upload_invalid', { detail: `The form field ${part.fieldname.slice(0, 40)} is too long.` });
        if (part.value !== '') fields[part.fieldname] = part.value; // an empty form field counts as missing
        continue;
      }
      if (part.fieldname !== fileField)
        throw new ApiError('upload_invalid', {
          detail: `Send the archive in the form field "${fileField}", not "${part.fieldname.slice(0, 40)}".`,
        });
      const blob = await receive(part.file);
      if (over) return void (await drop(blob.id)); // the sender disconnected while it was being stored
      upload = { blob, file_name: cleanName(part.filename) };
    }
  };
  try {
    // The parser does not report a form that ends between two parts to the code that waits for the next part.
    await Promise.race([read(), gone(request)]);
  } catch (error) {
    over = true;
    discardRest(request);
    if (upload) await drop(upload.blob.id);
    if (!idle.fired()) throw formError(error);
    throw new ApiError('upload_invalid', { detail: `The upload stalled for ${idleMs / 1000} seconds and was given up.`, cause: error });
  } finally {
    idle.stop();
  }
  if (!upload) throw new ApiError('input_invalid', { errors: [{ path: fileField, message: 'Choose a ZIP file' }] });
  return { fields, upload };
}

/** Rejects when the sender disconnects before the request is complete. */
function gone({ raw }: FastifyRequest): Promise<never> {
  return new Promise((_, reject) => {
    raw.once('close', () => {
      if (!raw.complete) reject(new Error('upload aborted'));
    });
  });
}

/** Reads the rest of a refused upload for a short time, so that the sender receives the response and the connection can end. */
function discardRest({ raw }: FastifyRequest) {
  raw.unpipe();
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), discardMs);
  raw.once('close', () => clearTimeout(timer));
}

function watchIdle(request: FastifyRequest) {
  let fired = false;
  const give = () => {
    fired = true;
    request.raw.destroy(new Error('upload stalled'));
  };
  let timer = setTimeout(give, idleMs);
  const seen = () => {
    clearTimeout(timer);
    timer = setTimeout(give, idleMs);
  };
  request.raw.on('data', seen);
  return {
    fired: () => fired,
    stop: () => {
      clearTimeout(timer);
      request.raw.off('data', seen);
    },
  };
}

function formError(error: unknown) {
  if (error instanceof ApiError) return error;
  const code = (error as { code?: string }).code ?? '';
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new ApiError('archive_too_large', { cause: error });
  if (code.startsWith('FST_') || /multipart|form|premature|aborted|boundary|stream/i.test((error as Error).message))
    return new ApiError('upload_invalid', { cause: error });
  return error;
}

/** Only for display: the name never becomes a path. */
const cleanName = (name: string | undefined) => (name ?? 'archive.zip').replace(/[\p{C}/\\]/gu, '_').slice(0, 200) || 'archive.zip';
