'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { readBaseUrl } from '@/app/base-url';
import type { ActionProblem } from '@/components/ui/action-result';
import { freshState, readTyped } from '@/components/ui/forms/form-state';
import {
  changeRole,
  leaveOrganization,
  removeMember,
  transferOwnership,
} from '@/lib/domain/members/change-members';
import { inviteMember, revokeInvitation } from '@/lib/domain/members/invitations';
import { getMember } from '@/lib/domain/members/read-members';
import { createPasswordReset } from '@/lib/domain/people/passwords';
import { resetSecondFactor } from '@/lib/domain/people/second-factor/reset-second-factor';
import { createInvitationSchema, updateMemberSchema } from '@/lib/schemas/people';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { requirePasswordSignIn } from '@/lib/web/http/sign-in/password-sign-in';
import { act, actionOn, formAction } from '../../act';

/** Invites like `POST /invitations` and returns the link, which is shown only once. */
export const inviteAction = formAction('invitation.create', async (ctx, form) => {
  const values = readTyped(form);
  const input = parseInput(createInvitationSchema, { email: values.email, role: values.role });
  const { email, url, mailed } = await inviteMember(ctx, input, { baseUrl: await readBaseUrl() });
  refresh();
  return { ...freshState({ ...values, email: '' }), created: { email, url, mailed } };
});

/** Creates a password reset link for an admin to pass on. */
export const resetPasswordAction = formAction('member.reset-password', async (ctx, form) => {
  requirePasswordSignIn();
  const values = readTyped(form);
  const { email } = await getMember(ctx, values.member ?? '');
  const { path } = await createPasswordReset(ctx, values.member ?? '');
  return { ...freshState(values), created: { email, url: `${await readBaseUrl()}${path}` } };
});

export const revokeInvitationAction = actionOn('invitation.revoke', revokeInvitation);

export async function changeRoleAction(id: string, role: string): Promise<ActionProblem> {
  return act('member.change', async (ctx) =>
    changeRole(ctx, parseInput(nameOfObject, id), parseInput(updateMemberSchema, { role })),
  );
}

export const resetFactorAction = actionOn('member.reset-second-factor', resetSecondFactor);
export const removeMemberAction = actionOn('member.remove', removeMember);
export const transferOwnershipAction = actionOn('organization.transfer', transferOwnership);

/** Leaves the organization and redirects to the list of organizations. */
export async function leaveAction(): Promise<ActionProblem> {
  return act('session', async (ctx) => {
    await leaveOrganization(ctx);
    redirect('/organizations');
  });
}
