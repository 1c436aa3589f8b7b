import { z } from 'zod';
import { isTimeZone } from '@/lib/core/time/zoned-time';
import { described } from '@/lib/schemas/described';
import { emailAddress } from './email-address';
import { changesOf, createdAtSchema, instantSchema, nameText, text, versionSchema } from './text';
import { memberRulesSchema, type Rule } from './webhooks/rules';

/** A password of any characters. The upper bound limits the cost of hashing. */
export const passwordSchema = z
  .string('must be a string')
  .min(8, 'must be at least 8 characters')
  .max(256, 'must be at most 256 characters');

export const planSchema = z.enum(['free', 'pro', 'enterprise'], 'must be free, pro or enterprise');

/** Input for creating the first organization, on the setup page and at the command line. */
export const createOrganizationSchema = z.strictObject({
  name: nameText(1, 100),
  plan: planSchema,
  email: emailAddress,
  password: passwordSchema,
});

/** An organization name, for creating, renaming or confirming deletion. */
export const organizationNameSchema = createOrganizationSchema.pick({ name: true });

/** The email address of an account, which confirms its deletion. */
export const accountDeletionSchema = z.strictObject({ confirmation: text(1, 254) });

export type CreateOrganization = z.output<typeof createOrganizationSchema>;
export type OrganizationName = z.output<typeof organizationNameSchema>;

/** From least to most permissions. */
export const MEMBER_ROLES = ['viewer', 'member', 'admin', 'owner'] as const;

const role = z.enum(MEMBER_ROLES, 'must be viewer, member, admin or owner');

const ROLES_TEXT =
  'owner, admin, member (cannot manage members, API keys or the plan) or viewer (read-only). Only an owner can add, change or remove owners. API keys with write scope have admin permissions.';

/** A member of the organization; the ID is the user's. */
export const memberSchema = z
  .strictObject({
    id: described(z.string().regex(/^usr_/), 'The ID of the user', 'usr_01kxk1x0c3f6j9m2q5s8v1y4ae'),
    email: described(z.string(), 'The email address', 'ada@example.com'),
    name: described(z.string().nullable(), 'The name of the user; null if they gave none', 'Ada'),
    role: described(role, ROLES_TEXT, 'member'),
    version: versionSchema,
    createdAt: instantSchema.describe('When the user joined'),
    lastSeenAt: instantSchema
      .nullable()
      .describe('Last activity in the dashboard; null if there was none recently'),
  })
  .meta({ id: 'Member' });

/** The body of PUT /members/:id: the role. Only the user can change the address and the name. */
export const updateMemberSchema = changesOf(
  { role: described(role, 'What the member may do', 'member') },
  memberSchema,
);

/** The body of POST /invitations. */
export const createInvitationSchema = z.strictObject({
  email: described(emailAddress, 'The email address', 'ada@example.com'),
  role: role.default('member').describe('What the member may do'),
});

/** The password of a new user who accepts an invitation. */
export const newPasswordSchema = z.strictObject({ password: passwordSchema });

/** A pending invitation. */
export const invitationSchema = z
  .strictObject({
    id: described(z.string(), 'The ID of the invitation', 'inv_01kxk1j7c2e5x8q3n6w4r9t0zb'),
    email: described(z.string(), 'The email address', 'ada@example.com'),
    role: described(role, 'What the member may do', 'member'),
    invitedBy: described(
      z.string().nullable(),
      'The user who sent it; null if sent with an API key',
      'ada@example.com',
    ),
    createdAt: createdAtSchema,
    expiresAt: described(
      instantSchema,
      'When the link stops working; the invitation stays listed',
      '2028-03-01T10:00:00.000Z',
    ),
  })
  .meta({ id: 'Invitation' });

/** A new invitation: the only response that includes its link. */
export const newInvitationSchema = invitationSchema
  .extend({
    url: described(
      z.string(),
      'The single-use link for the invited person',
      'https://api.example.com/health',
    ),
    mailed: described(z.boolean(), 'Whether the link was also emailed', true),
  })
  .meta({ id: 'NewInvitation' });

export type MemberRole = z.output<typeof role>;
export type Member = z.output<typeof memberSchema>;
export type MemberChanges = z.output<typeof updateMemberSchema>;
export type CreateInvitation = z.output<typeof createInvitationSchema>;
export type Invitation = z.output<typeof invitationSchema>;
export type NewInvitation = z.output<typeof newInvitationSchema>;

/** A password to verify. The upper bound is checked before hashing. */
const currentPassword = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(256, 'must be at most 256 characters');

/** Credentials for sign-in. */
export const signInSchema = z.strictObject({ email: emailAddress, password: currentPassword });

/** A code of an authenticator app, or a recovery code. */
export const factorCodeSchema = z.strictObject({
  code: z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(40, 'must be at most 40 characters'),
});

/** From when members need a second factor: after so many days; null: they do not. */
export const factorRequirementSchema = z.strictObject({
  graceDays: z
    .number('must be a number')
    .int('must be whole')
    .min(0, 'must be 0–90')
    .max(90, 'must be 0–90')
    .nullable(),
});

export type FactorRequirement = z.output<typeof factorRequirementSchema>;

/** The address that a password reset or sign-up link is sent to. */
export const linkRequestSchema = z.strictObject({ email: emailAddress });

/** An account at a provider, to unlink it. */
export const linkedAccountSchema = z.strictObject({
  issuer: z.url().max(2000),
  subject: z.string().max(1000),
});

/** A new password, set with a reset link. */
export const resetPasswordSchema = z.strictObject({
  token: z.string().max(200),
  password: passwordSchema,
});

/** A new password, confirmed with the current one. */
export const changePasswordSchema = z.strictObject({ currentPassword, newPassword: passwordSchema });

/** The editable profile. An empty name is stored as null. */
export const profileSchema = z.strictObject({
  name: nameText(0, 100).transform((name) => name || null),
});

/** Input for creating an account after its email address was confirmed. */
export const signUpSchema = z.strictObject({
  token: z.string().max(200),
  name: nameText(1, 100),
  password: passwordSchema,
});

const part = z.string().max(200);

/** What members receive by email from an organization, and turn off by a link. */
export const MAIL_LISTS = ['alerts', 'digest'] as const;

/** The query of the link in an email to a member: who it is for, what it turns off, and its token. */
export const memberLinkSchema = z.object({
  organization: part,
  user: part,
  list: z.enum(MAIL_LISTS).default('alerts'),
  token: part,
});

export type MemberLink = z.output<typeof memberLinkSchema>;

/** What a member wants to receive by email from an organization. */
export const mailPreferencesSchema = z.strictObject({
  alertMail: z.boolean(),
  alertRules: memberRulesSchema.describe('Which alerts about monitors; empty: all'),
  digestTimeZone: z
    .string('must be a string')
    .max(100, 'must be at most 100 characters')
    .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
    .nullable()
    .describe('Where the weekly digest arrives on Monday morning; null: it is off'),
});

export type MailPreferences = Omit<z.output<typeof mailPreferencesSchema>, 'alertRules'> & {
  alertRules: Rule[];
};
