import { z } from 'zod';
import { isAddressRange } from '@/lib/core/address-ranges';
import { described } from '@/lib/schemas/described';
import { passwordSchema } from '@/lib/schemas/people';
import { oneOf } from '@/lib/schemas/text';
import { VISIBILITIES } from './visibility';

const MAX_CIDRS = 100;
const RANGE = 'must be an IP address or a range such as 203.0.113.0/24';

const cidr = z.string(RANGE).trim().max(50, RANGE).refine(isAddressRange, RANGE);

/** The fields of a page that decide who may see it. */
export const accessFields = {
  visibility: described(
    oneOf(VISIBILITIES),
    'Who may see the page once it is published: everyone, those who enter its password, visitors from `allowedCidrs`, or members of the organization who are signed in. All but `public` are not included in the Free plan',
    'public',
  ),
  password: described(
    passwordSchema.nullable(),
    'What visitors enter with the visibility `password`. Never returned; null removes it, and `[hidden]` keeps it. A change ends the access of everyone who entered the old one',
    null,
  ),
  allowedCidrs: described(
    z
      .array(cidr, 'must be an array of IP addresses and ranges')
      .max(MAX_CIDRS, `must have at most ${MAX_CIDRS} entries`),
    'IP addresses and ranges from which the page can be seen with the visibility `ip`',
    ['203.0.113.0/24'],
  ),
};

/** Everyone may see a page. */
export const ACCESS_DEFAULTS = {
  visibility: 'public',
  password: null,
  allowedCidrs: [],
} as const;

/** How the fields are returned: without the password. */
export const shownAccessFields = {
  visibility: described(z.enum(VISIBILITIES), 'Who may see the page once it is published', 'public'),
  hasPassword: z.boolean().meta({ description: 'Whether a password is set; it is never returned' }),
  allowedCidrs: described(
    z.array(z.string()),
    'IP addresses and ranges from which the page can be seen with the visibility `ip`',
    ['203.0.113.0/24'],
  ),
};

/** What visitors enter. The upper bound is checked before hashing. */
export const enteredPasswordSchema = z.string().min(1).max(256);
