import type { Metadata } from 'next';
import Link from 'next/link';
import type { PageProps } from '@/app/page-props';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { LinkForm } from '@/components/auth/link-form';
import { LinkedIncidents, linkToIncidents } from '@/components/auth/linked-incidents';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import type { LinkedIncident } from '@/lib/domain/incidents/acknowledge/acknowledge-by-link';
import { isOffered, readMessageLink } from '@/lib/domain/incidents/acknowledge/acknowledge-from-message';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { getWeb } from '@/lib/web/http/server-services';
import { readLink } from '../../read-link';
import { acknowledgeFromMessageAction } from '../actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Acknowledge', referrer: 'no-referrer' };

/** Has a button, because chat products follow links to preview them, but press no buttons. */
export default async function AcknowledgeFromMessagePage({ params }: PageProps<'token'>) {
  const { token } = await params;
  const session = await findVisitorSession();
  const reading = readMessageLink(getWeb().services, token, { userId: session?.userId ?? null });
  const { found: link, reason } = await readLink(reading);
  if (link === null) {
    return (
      <AuthCard title="This link is not valid">
        <DeadLink reason={reason} href="/incidents" label="View incidents" />
      </AuthCard>
    );
  }
  const { incidents } = link;
  const { href, label } = linkToIncidents(incidents);
  const offered = incidents.some(isOffered);
  return (
    <AuthCard title={titleOf(incidents)} lead={offered ? LEAD : undefined}>
      <LinkedIncidents incidents={incidents} />
      {offered ? (
        <>
          <p className="text-muted wrap-anywhere">
            {link.isMember
              ? `It will be recorded under ${session?.email}, your account.`
              : `It will be recorded under “someone in ${link.readers}”. Sign in first to use your name.`}
          </p>
          <LinkForm action={acknowledgeFromMessageAction} link={{ token }} label="Acknowledge" />
          <Link href={href} className="self-center text-muted underline underline-offset-2">
            {label}
          </Link>
        </>
      ) : (
        <ButtonLink size="large" href={href}>
          {label}
        </ButtonLink>
      )}
    </AuthCard>
  );
}

const LEAD =
  'This tells your team that someone is on it, and stops reminders. The status and public pages do not change.';

function titleOf(incidents: readonly LinkedIncident[]): string {
  const offered = incidents.filter(isOffered).length;
  if (offered > 0)
    return incidents.length === 1 ? 'Acknowledge this incident?' : `Acknowledge ${offered} incidents?`;
  if (incidents.every(({ isResolved }) => isResolved)) return 'Already resolved';
  return incidents.some(({ acknowledgedBy }) => acknowledgedBy !== null)
    ? 'Acknowledged'
    : 'This link was already used';
}
