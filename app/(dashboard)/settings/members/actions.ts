'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { readBaseUrl } from '@/app/base-url';
import type { InviteState } from '@/components/members/invite-form';
import type { ResetState } from '@/components/members/reset-form';
import { readTyped, refusedState } from '@/components/ui/forms/form-state';
import {
  changeRole,
  leaveOrganization,
  removeMember,
  transferOwnership,
} from '@/lib/domain/members/change-members';
import { inviteMember, revokeInvitation } from '@/lib/domain/members/invitations';
import { getMember } from '@/lib/domain/members/read-members';
import { createPasswordReset } from '@/lib/domain/people/reset-password';
import { createInvitationSchema, updateMemberSchema } from '@/lib/schemas/people';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { type ActionProblem, act } from '../../act';

/** Invites like `POST /invitations` and returns the link, which is shown only once. */
export async function inviteAction(previous: InviteState, form: FormData): Promise<InviteState> {
  const { ctx } = await requireSession();
  const values = readTyped(form);
  const baseUrl = await readBaseUrl();
  const outcome = await attempt(() => {
    const { email, role } = values;
    return inviteMember(ctx, parseInput(createInvitationSchema, { email, role }), { baseUrl });
  });
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, values), created: null };
  const { email, url, mailed } = outcome.value;
  refresh();
  return {
    ...previous,
    message: null,
    errors: {},
    values: { ...values, email: '' },
    created: { email, url, mailed },
  };
}

/** Creates a password reset link for an admin to pass on. */
export async function resetPasswordAction(previous: ResetState, form: FormData): Promise<ResetState> {
  const { ctx } = await requireSession();
  const values = readTyped(form);
  const outcome = await attempt(async () => {
    const { email } = await getMember(ctx, values.member ?? '');
    return { email, ...(await createPasswordReset(ctx, values.member ?? '')) };
  });
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, values), created: null };
  const { email, path } = outcome.value;
  const created = { email, url: `${await readBaseUrl()}${path}` };
  return { ...previous, message: null, errors: {}, values, created };
}

export async function revokeInvitationAction(id: string): Promise<ActionProblem> {
  return act((ctx) => revokeInvitation(ctx, parseInput(nameOfObject, id)));
}

export async function changeRoleAction(id: string, role: string): Promise<ActionProblem> {
  return act(async (ctx) =>
    changeRole(ctx, parseInput(nameOfObject, id), parseInput(updateMemberSchema, { role })),
  );
}

export async function removeMemberAction(id: string): Promise<ActionProblem> {
  return act((ctx) => removeMember(ctx, parseInput(nameOfObject, id)));
}

export async function transferOwnershipAction(id: string): Promise<ActionProblem> {
  return act((ctx) => transferOwnership(ctx, parseInput(nameOfObject, id)));
}

/** Leaves the organization and redirects to the list of organizations. */
export async function leaveAction(): Promise<ActionProblem> {
  const { ctx } = await requireSession();
  const outcome = await attempt(() => leaveOrganization(ctx));
  if (!outcome.ok) return outcome.error.message;
  redirect('/organizations');
}
