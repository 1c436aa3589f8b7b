'use server';

import { redirect } from 'next/navigation';
import { actOnForm } from '@/app/(auth)/act';
import { attempt } from '@/app/attempt';
import type { FormState } from '@/components/ui/forms/form-state';
import { addOrganization, switchOrganization } from '@/lib/domain/organizations/create-organization';
import { deleteAccount } from '@/lib/domain/people/account/delete-account';
import type { Person } from '@/lib/domain/people/profile';
import { getEnvironment } from '@/lib/env';
import { accountDeletionSchema, organizationNameSchema } from '@/lib/schemas/people';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { clearSessionCookie, findVisitorPerson, readVisitor } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { admitVisitor } from '@/lib/web/http/sign-in/admit-visitor';

/** Switches this browser to another of the person's organizations. Any other id has no effect. */
export async function switchAction(organizationId: string): Promise<void> {
  await admitVisitor();
  const person = await requirePerson();
  await attempt(async () => {
    const chosen = parseInput(nameOfObject, organizationId);
    return switchOrganization(getWeb().services, { ...person, organizationId: chosen });
  });
  redirect('/monitors');
}

/** Creates an organization owned by the person and switches to it. */
export async function addOrganizationAction(previous: FormState, form: FormData): Promise<FormState> {
  const { services } = getWeb();
  return actOnForm(previous, form, async () => {
    const person = await requirePerson();
    const { name } = parseInput(organizationNameSchema, { name: form.get('name') });
    const { address } = await readVisitor();
    const { userId } = person;
    const plan = getEnvironment().DEFAULT_PLAN;
    const { organizationId } = await addOrganization(services, { userId, name, plan, address });
    await switchOrganization(services, { ...person, organizationId });
    redirect('/monitors');
  });
}

/** Deletes the person's account, and signs this browser out. */
export async function deleteAccountAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm(previous, form, async () => {
    const person = await requirePerson();
    const { confirmation } = parseInput(accountDeletionSchema, { confirmation: form.get('confirmation') });
    const { address } = await readVisitor();
    await deleteAccount(getWeb().services, { ...person, confirmation, address });
    await clearSessionCookie();
    redirect('/sign-in?notice=account-deleted');
  });
}

async function requirePerson(): Promise<Person> {
  return (await findVisitorPerson()) ?? redirect('/sign-in');
}
