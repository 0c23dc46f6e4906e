import { standardOutput } from '@paddock/output';
import { pino } from 'pino';

export type Log = pino.Logger;

/** Structured logs. Every field that could contain a secret is redacted here. */
export const createLog = (level: string, to?: pino.DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'token',
          'password',
          'authorization',
          'cookie',
          '*.token',
          '*.password',
          '*.authorization',
          '*.cookie',
          'headers.authorization',
          'headers.cookie',
          'env',
          '*.env',
        ],
        censor: '[redacted]',
      },
      serializers: { err: pino.stdSerializers.err },
    },
    to ?? standardOutput(),
  );
