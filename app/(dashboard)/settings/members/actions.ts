'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { readBaseUrl } from '@/app/base-url';
import type { InviteState } from '@/components/members/invite-form';
import type { ResetState } from '@/components/members/reset-form';
import { readTyped, refusedState } from '@/components/ui/form-state';
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

/** Invites as `POST /invitations` would, and hands over the link for the only time. */
export async function inviteAction(previous: InviteState, form: FormData): Promise<InviteState> {
  const { ctx } = await requireSession();
  const values = readTyped(form);
  const baseUrl = await readBaseUrl();
  const outcome = await attempt(() => {
    const { email, role } = values;
    return inviteMember(ctx, parseInput(createInvitationSchema, { email, role }), { baseUrl });
  });
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, values), made: null };
  const { email, url, mailed } = outcome.value;
  refresh();
  return {
    ...previous,
    message: null,
    errors: {},
    values: { ...values, email: '' },
    made: { email, url, mailed },
  };
}

/** Makes a link to a new password, for an admin to hand over. */
export async function resetPasswordAction(previous: ResetState, form: FormData): Promise<ResetState> {
  const { ctx } = await requireSession();
  const values = readTyped(form);
  const outcome = await attempt(async () => {
    const { email } = await getMember(ctx, values.member ?? '');
    return { email, ...(await createPasswordReset(ctx, values.member ?? '')) };
  });
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, values), made: null };
  const { email, path } = outcome.value;
  const made = { email, url: `${await readBaseUrl()}${path}` };
  return { ...previous, message: null, errors: {}, values, made };
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

export async function handOverAction(id: string): Promise<ActionProblem> {
  return act((ctx) => transferOwnership(ctx, parseInput(nameOfObject, id)));
}

/** Leaves, and goes to where the person chooses another organization. */
export async function leaveAction(): Promise<ActionProblem> {
  const { ctx } = await requireSession();
  const outcome = await attempt(() => leaveOrganization(ctx));
  if (!outcome.ok) return outcome.error.message;
  redirect('/organizations');
}
