import { z } from 'zod';
import { clearTokenField, createTokenSchema, tokenFields } from '@/lib/schemas/token';

const KIND = {
  id: 'pgt',
  token: 'ph_page_',
  holder: 'Who reads the page with it, for people',
  example: 'Feed reader of the support team',
};

/** The body of POST /status-pages/:slug/tokens. */
export const createPageTokenSchema = createTokenSchema(KIND.holder);

/** A token of a private page as the API returns it: without the token itself. */
export const pageTokenSchema = z.strictObject(tokenFields(KIND)).meta({ id: 'PageToken' });

/** A new token: the only response that includes the token itself. */
export const newPageTokenSchema = pageTokenSchema.extend(clearTokenField(KIND)).meta({ id: 'NewPageToken' });

export type PageToken = z.output<typeof pageTokenSchema>;
export type NewPageToken = z.output<typeof newPageTokenSchema>;
