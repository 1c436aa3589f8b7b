import { z } from 'zod';

/** The incidents that one link acknowledges: those of an email about several monitors. */
export const MAX_LINKED_INCIDENTS = 20;
const MAX_ID = 44;

const part = z.string().max(200);

/** The query of the link in an alert: what it acknowledges, for which member, until when in Unix seconds, and its token. */
export const acknowledgeLinkSchema = z.object({
  incidents: z.string().max(MAX_LINKED_INCIDENTS * (MAX_ID + 1)),
  user: part,
  expires: z.coerce.number().pipe(z.int().nonnegative()),
  token: part,
});

export type AcknowledgeLink = z.output<typeof acknowledgeLinkSchema>;
