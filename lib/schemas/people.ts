import { z } from 'zod';
import { emailAddress } from './email-address';
import { changesOf, instantSchema, text } from './text';

/** A password: length counts, not its letters. The upper bound keeps hashing cheap. */
const passwordSchema = z
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

/** What a member may do, from the least to the most. */
const MEMBER_ROLES = ['viewer', 'member', 'admin', 'owner'] as const;

const role = z.enum(MEMBER_ROLES, 'must be viewer, member, admin or owner');

const ROLES_TEXT =
  'owner, admin, member (no members, keys or plan) or viewer (reads only). Only an owner makes, changes or removes an owner; a write key may what an admin may.';

/** A member of the organization; the id is the person's. */
export const memberSchema = z
  .strictObject({
    id: z.string().regex(/^usr_/),
    email: z.string(),
    name: z.string().nullable(),
    role: role.meta({ description: ROLES_TEXT }),
    createdAt: instantSchema.meta({ description: 'Since when the person is a member' }),
    lastSeenAt: instantSchema.nullable().meta({ description: 'In the dashboard; null: not lately' }),
  })
  .meta({ id: 'Member' });

/** The body of PUT /members/:id: the role. Address and name are the person's own. */
export const updateMemberSchema = changesOf({ role }, memberSchema);

/** The body of POST /invitations. */
export const createInvitationSchema = z.strictObject({
  email: emailAddress,
  role: role.default('member'),
});

/** What somebody without an account chooses when they accept. */
export const newPasswordSchema = z.strictObject({ password: passwordSchema });

/** An invitation that nobody has accepted yet. */
export const invitationSchema = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    role,
    invitedBy: z.string().nullable().meta({ description: 'The person who invited; null: an API key' }),
    createdAt: instantSchema,
    expiresAt: instantSchema.meta({ description: 'It is listed after that, and worth nothing' }),
  })
  .meta({ id: 'Invitation' });

/** A new invitation: the only answer that shows its link. */
export const newInvitationSchema = invitationSchema
  .extend({
    url: z.string().meta({ description: 'The link, for that person alone; it works once' }),
    mailed: z.boolean().meta({ description: 'Whether the link was mailed as well' }),
  })
  .meta({ id: 'NewInvitation' });

export type MemberRole = z.output<typeof role>;

export type Member = z.output<typeof memberSchema>;

export type MemberChanges = z.output<typeof updateMemberSchema>;

export type CreateInvitation = z.output<typeof createInvitationSchema>;

export type Invitation = z.output<typeof invitationSchema>;

export type NewInvitation = z.output<typeof newInvitationSchema>;

/** A password as it is tried: any that may have been set. The upper bound is looked at before anything is hashed. */
const triedPassword = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(256, 'must be at most 256 characters');

/** What a person signs in with. */
export const signInSchema = z.strictObject({ email: emailAddress, password: triedPassword });

/** An address that asks for a link: to a new password, or to an account. */
export const linkRequestSchema = z.strictObject({ email: emailAddress });

/** A new password set by a link. */
export const resetPasswordSchema = z.strictObject({ token: z.string().max(200), password: passwordSchema });

/** A new password set by who knows the old one. */
export const changePasswordSchema = z.strictObject({
  currentPassword: triedPassword,
  newPassword: passwordSchema,
});

/** What a person may say of themselves. An empty name is none. */
export const profileSchema = z.strictObject({
  name: text(0, 100)
    .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be on one line')
    .transform((name) => name || null),
});

/** What an account begins with, once its address is confirmed. */
export const signUpSchema = z.strictObject({
  token: z.string().max(200),
  name: text(1, 100),
  password: passwordSchema,
});
