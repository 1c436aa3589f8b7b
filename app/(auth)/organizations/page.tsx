import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { signOutAction } from '@/app/(dashboard)/actions';
import { AuthCard } from '@/components/auth/auth-card';
import { ROLE_TEXTS } from '@/components/members/role-texts';
import { NameForm } from '@/components/organization/name-form';
import { DeleteAccountForm } from '@/components/profile/delete-account-form';
import { Button } from '@/components/ui/button';
import { Section } from '@/components/ui/section';
import { listOwnOrganizations } from '@/lib/domain/organizations/create-organization';
import { findVisitorPerson } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { addOrganizationAction, deleteAccountAction, switchAction } from './actions';

export const metadata: Metadata = { title: 'Your organizations' };

/** Lists the person's organizations and creates new ones. Also shown to people without an organization. */
export default async function OrganizationsPage() {
  const person = await findVisitorPerson();
  if (person === null) redirect('/sign-in?callbackUrl=%2Forganizations');
  const organizations = await listOwnOrganizations(getWeb().services, person.userId);
  return (
    <AuthCard title="Your organizations" lead={`You are signed in as ${person.email}.`}>
      {organizations.length > 0 ? (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {organizations.map(({ id, name, role }) => (
            <li key={id} className="flex items-center gap-3 px-3 py-2.5">
              <span className="min-w-0 flex-1">
                <span className="block font-medium wrap-anywhere">{name}</span>
                <span className="text-xs text-muted">{ROLE_TEXTS[role].label}</span>
              </span>
              <form action={switchAction.bind(null, id)}>
                <Button type="submit" aria-label={`Open ${name}`}>
                  Open
                </Button>
              </form>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted">
          You are not a member of any organization. Accept an invitation or create your own organization.
        </p>
      )}
      <Section title="New organization" isLarge>
        <NameForm save={addOrganizationAction} name="" submit="Create" />
      </Section>
      {organizations.length === 0 ? (
        <Section title="Delete account" isLarge>
          <DeleteAccountForm email={person.email} remove={deleteAccountAction} />
        </Section>
      ) : null}
      <form action={signOutAction}>
        <Button type="submit" tone="bare">
          Sign out
        </Button>
      </form>
    </AuthCard>
  );
}
