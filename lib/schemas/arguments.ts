import { z } from 'zod';
import { boundedRecord, storable } from './text';

/**
 * What names an object in a call from a browser: an id, a slug, the token of a link. Text of bounded length that
 * PostgreSQL can hold; whether there is such an object is for the verb to find out.
 */
export const nameOfObject = storable(z.string().max(200));

/** A switch in a call from a browser. */
export const flag = z.boolean();

/** The fields of a form that is still being filled in, as typed. */
export const typedFields = boundedRecord(z.string().max(100), z.string().max(10_000), 100);
