import { z } from 'zod';
import { emailAddress } from './email-address';
import { passwordSchema } from './organization';
import { instantSchema } from './text';

/** What a member may do, from the least to the most. */
export const MEMBER_ROLES = ['viewer', 'member', 'admin', 'owner'] as const;

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

const ignored = z.unknown().optional();

/** The body of PUT /members/:id: the role. Address and name are the person's own. */
export const updateMemberSchema = z
  .strictObject({
    role: role.optional(),
    id: ignored,
    email: ignored,
    name: ignored,
    createdAt: ignored,
    lastSeenAt: ignored,
  })
  .transform(({ role }) => ({ role }));

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
