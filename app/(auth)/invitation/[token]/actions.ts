'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { type FormState, refusedState } from '@/components/ui/forms/form-state';
import { DomainError } from '@/lib/core/errors';
import { acceptInvitation, acceptInvitationAsNewPerson } from '@/lib/domain/members/accept-invitation';
import { switchOrganization } from '@/lib/domain/organizations/create-organization';
import { newPasswordSchema } from '@/lib/schemas/people';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { findVisitorPerson, readVisitor } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { endVisitorSession, startSession } from '../../session';

/** Accepts for the person who is signed in and switches to the new organization. */
export async function acceptAction(token: string): Promise<string | null> {
  const { services } = getWeb();
  const outcome = await attempt(async () => {
    const person = await findVisitorPerson();
    if (person === null)
      throw new DomainError(
        'UNAUTHORIZED',
        'You have been signed out. Sign in and open the invitation again.',
      );
    const { address } = await readVisitor();
    const { organizationId } = await acceptInvitation(services, {
      ...person,
      token: parseInput(nameOfObject, token),
      address,
    });
    await switchOrganization(services, { ...person, organizationId });
  });
  if (!outcome.ok) return outcome.error.message;
  redirect('/monitors');
}

/** Accepts for a person without an account: creates one and signs them in. */
export async function joinAction(token: string, previous: FormState, form: FormData): Promise<FormState> {
  const outcome = await attempt(async () => {
    const { password } = parseInput(newPasswordSchema, { password: form.get('password') });
    const { address } = await readVisitor();
    const link = parseInput(nameOfObject, token);
    return acceptInvitationAsNewPerson(getWeb().services, { token: link, address, password });
  });
  if (!outcome.ok) return refusedState(previous, outcome.error, {});
  await startSession(outcome.value.user);
  redirect('/monitors');
}

/** Signs out the current person, so that the invited one can continue. */
export async function changePersonAction(token: string): Promise<void> {
  await endVisitorSession();
  redirect(`/invitation/${encodeURIComponent(parseInput(nameOfObject, token))}`);
}
