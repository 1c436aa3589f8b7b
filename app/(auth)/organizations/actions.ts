'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { type FormState, readTyped, refusedState } from '@/components/ui/forms/form-state';
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
  const values = readTyped(form);
  const outcome = await attempt(async () => {
    const { name } = parseInput(organizationNameSchema, { name: values.name });
    const { address } = await readVisitor();
    const { userId } = person;
    const plan = getEnvironment().DEFAULT_PLAN;
    const { organizationId } = await addOrganization(services, { userId, name, plan, address });
    await switchOrganization(services, { ...person, organizationId });
  });
  if (!outcome.ok) return refusedState(previous, outcome.error, values);
  redirect('/monitors');
}

async function requirePerson(): Promise<Person> {
  return (await findVisitorPerson()) ?? redirect('/sign-in');
}
