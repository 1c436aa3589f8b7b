import { z } from 'zod';

/** A text field: trimmed, without NUL (Postgres refuses it), of `minimum` to `maximum` characters. */
export const text = (minimum: number, maximum: number) =>
  z
    .string('must be a string')
    .trim()
    .min(minimum, minimum === 1 ? 'must not be empty' : `must be at least ${minimum} characters`)
    .max(maximum, `must be at most ${maximum} characters`)
    .refine((value) => !value.includes('\0'), 'must not contain NUL');

/** A moment on the wire: ISO 8601, UTC, milliseconds. */
export const instantSchema = z.iso.datetime({ precision: 3 });
