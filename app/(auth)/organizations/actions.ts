'use server';

import { redirect } from 'next/navigation';
import { attempt, attemptForm } from '@/app/attempt';
import type { FormState } from '@/components/ui/forms/form-state';
import { addOrganization, switchOrganization } from '@/lib/domain/organizations/create-organization';
import type { Person } from '@/lib/domain/people/profile';
import { getEnvironment } from '@/lib/env';
import { organizationNameSchema } from '@/lib/schemas/people';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { findVisitorPerson, readVisitor } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';

/** Switches this browser to another of the person's organizations. Any other id has no effect. */
export async function switchAction(organizationId: string): Promise<void> {
  const person = await requirePerson();
  await attempt(async () => {
    const chosen = parseInput(nameOfObject, organizationId);
    return switchOrganization(getWeb().services, { ...person, organizationId: chosen });
  });
  redirect('/monitors');
}

/** Creates an organization owned by the person and switches to it. */
export async function addOrganizationAction(previous: FormState, form: FormData): Promise<FormState> {
  const person = await requirePerson();
  const { services } = getWeb();
  return attemptForm(previous, form, async () => {
    const { name } = parseInput(organizationNameSchema, { name: form.get('name') });
    const { address } = await readVisitor();
    const { userId } = person;
    const plan = getEnvironment().DEFAULT_PLAN;
    const { organizationId } = await addOrganization(services, { userId, name, plan, address });
    await switchOrganization(services, { ...person, organizationId });
    redirect('/monitors');
  });
}

async function requirePerson(): Promise<Person> {
  return (await findVisitorPerson()) ?? redirect('/sign-in');
}
