import type { Metadata } from 'next';
import Link from 'next/link';
import { DeleteForm, NameForm } from '@/components/organization/name-form';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { deleteOrganizationAction, renameAction } from './actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Organization' };

export default async function OrganizationPage() {
  const { ctx, organizationName } = await requireSession();
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="organization-title" className="flex flex-col gap-3">
        <h2 id="organization-title" className="text-base font-semibold">
          Organization
        </h2>
        {permits(ctx, 'organization.rename') ? (
          <NameForm save={renameAction} name={organizationName} submit="Rename" />
        ) : (
          <p className="font-medium">{organizationName}</p>
        )}
        <p className="font-mono text-xs text-muted">{ctx.organizationId}</p>
      </section>
      <section aria-labelledby="people-title" className="flex flex-col gap-2">
        <h3 id="people-title" className="text-sm font-semibold">
          Leave or transfer ownership
        </h3>
        <p className="text-muted">
          You can do both under{' '}
          <Link
            prefetch={false}
            href="/settings/members"
            className="text-accent underline underline-offset-2"
          >
            Members
          </Link>
          .
        </p>
      </section>
      {permits(ctx, 'organization.delete') ? (
        <section
          aria-labelledby="delete-title"
          className="flex flex-col gap-3 rounded-lg border border-bad/30 p-4"
        >
          <h3 id="delete-title" className="text-sm font-semibold text-bad">
            Delete {organizationName}
          </h3>
          <p className="max-w-2xl text-muted">
            This permanently deletes: monitors and their history, incidents, status pages, webhook endpoints
            and their pending deliveries, API keys, and the audit log. Checks and notifications stop. Members
            keep their accounts.
          </p>
          <DeleteForm remove={deleteOrganizationAction} name={organizationName} />
        </section>
      ) : null}
    </div>
  );
}
