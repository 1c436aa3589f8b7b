import { z } from 'zod';
import { parseCursor } from './cursor';
import { REGION_IDS } from './regions';

/** A query parameter that names a region. */
export const regionQuery = z.enum(REGION_IDS, `must be one of ${REGION_IDS.join(', ')}`);

const LIMIT = 'must be a whole number from 1 to 100';

/** The parameters of every list that grows by itself: how many (1 to 100, 50 by default), and after which. */
export const pageQuery = {
  limit: z
    .string(LIMIT)
    .max(3, LIMIT)
    .regex(/^\d{1,3}$/, LIMIT)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 100, LIMIT)
    .default(50),
  cursor: z
    .string('must be a text')
    .max(1000, 'must be the cursor of a page that was answered before')
    .transform((text, ctx) => {
      const cursor = parseCursor(text);
      if (cursor) return cursor;
      ctx.issues.push({
        code: 'custom',
        input: text,
        message: 'must be the cursor of a page that was answered before',
      });
      return z.NEVER;
    })
    .optional(),
};
