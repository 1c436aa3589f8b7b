import { z } from 'zod';
import { emailAddress } from './email-address';
import { text } from './text';

/** A password: length counts, not its letters. The upper bound keeps hashing cheap. */
export const passwordSchema = z
  .string('must be a string')
  .min(8, 'must be at least 8 characters')
  .max(256, 'must be at most 256 characters');

export const planSchema = z.enum(['free', 'pro', 'enterprise'], 'must be free, pro or enterprise');

/** What the first organization is made from, on the set-up page and at the command line. */
export const createOrganizationSchema = z.strictObject({
  name: text(1, 100),
  plan: planSchema,
  email: emailAddress,
  password: passwordSchema,
});

/** What a signed-in person names: an organization to add, to rename, or, typed once more, to delete. */
export const organizationNameSchema = createOrganizationSchema.pick({ name: true });

export type CreateOrganization = z.output<typeof createOrganizationSchema>;
export type OrganizationName = z.output<typeof organizationNameSchema>;
