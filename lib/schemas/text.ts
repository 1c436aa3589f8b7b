import { z } from 'zod';

/** A text field: trimmed, of `minimum` to `maximum` characters, and none that Postgres or UTF-8 cannot hold. */
export const text = (minimum: number, maximum: number) =>
  z
    .string('must be a string')
    .trim()
    .min(minimum, minimum === 1 ? 'must not be empty' : `must be at least ${minimum} characters`)
    .max(maximum, `must be at most ${maximum} characters`)
    .refine((value) => !value.includes('\0'), 'must not contain NUL')
    .refine((value) => !/\p{Surrogate}/u.test(value), 'must not contain half a character');

/** A moment on the wire: ISO 8601, UTC, milliseconds. */
export const instantSchema = z.iso.datetime({ precision: 3 });

const GIVEN_INSTANT = 'must be an ISO 8601 date and time with its offset, such as 2027-01-31T12:00:00Z';
const EARLIEST = Date.parse('1900-01-01T00:00:00Z');
const LATEST = Date.parse('3000-01-01T00:00:00Z');

/** A moment that a caller names, as a Date; within years that every part of the service can hold. */
export const givenInstantSchema = z.iso
  .datetime({ offset: true, error: GIVEN_INSTANT })
  .refine((text) => {
    const instant = Date.parse(text);
    return instant >= EARLIEST && instant < LATEST;
  }, 'must lie between the years 1900 and 3000')
  .transform((text) => new Date(text));
