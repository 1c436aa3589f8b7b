'use server';

import { redirect } from 'next/navigation';
import { act, actOnForm } from '@/app/(auth)/act';
import type { FormState } from '@/components/ui/forms/form-state';
import { DomainError } from '@/lib/core/errors';
import { acceptInvitation, acceptInvitationAsNewPerson } from '@/lib/domain/members/accept-invitation';
import { switchOrganization } from '@/lib/domain/organizations/create-organization';
import { newPasswordSchema } from '@/lib/schemas/people';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { findVisitorPerson, readVisitor } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { admitVisitor } from '@/lib/web/http/sign-in/admit-visitor';
import { requirePasswordSignIn } from '@/lib/web/http/sign-in/password-sign-in';
import { pathAfter, signInVisitorBy } from '@/lib/web/http/sign-in/visitor-sign-in';
import { endVisitorSession } from '../../session';

const SIGNED_OUT = 'You have been signed out. Sign in and open the invitation again.';

/** Accepts for the person who is signed in and switches to the new organization. */
export async function acceptAction(token: string): Promise<string | null> {
  const { services } = getWeb();
  const problem = await act(async () => {
    const person = await findVisitorPerson();
    if (person === null) throw new DomainError('UNAUTHORIZED', SIGNED_OUT);
    const { address } = await readVisitor();
    const { organizationId } = await acceptInvitation(services, {
      ...person,
      token: parseInput(nameOfObject, token),
      address,
    });
    await switchOrganization(services, { ...person, organizationId });
  });
  if (problem !== null) return problem;
  redirect('/monitors');
}

/** Accepts for a person without an account: creates one and signs them in. */
export async function joinAction(token: string, previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm(previous, form, async () => {
    requirePasswordSignIn();
    const { password } = parseInput(newPasswordSchema, { password: form.get('password') });
    const { address } = await readVisitor();
    const input = { token: parseInput(nameOfObject, token), address, password };
    const { user } = await acceptInvitationAsNewPerson(getWeb().services, input);
    const outcome = await signInVisitorBy({ userId: user.id, method: 'invitation' });
    redirect(pathAfter(outcome, '/monitors'));
  });
}

/** Signs out the current person, so that the invited one can continue. */
export async function changePersonAction(token: string): Promise<void> {
  await admitVisitor();
  await endVisitorSession();
  redirect(`/invitation/${encodeURIComponent(parseInput(nameOfObject, token))}`);
}
