import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { AuthCard, DeadLink } from '@/components/auth/auth-card';
import { LinkForm } from '@/components/auth/link-form';
import { LinkedIncidents, linkToIncidents } from '@/components/auth/linked-incidents';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import {
  canAcknowledge,
  type LinkedIncident,
  readLinkedIncidents,
} from '@/lib/domain/incidents/acknowledge/acknowledge-by-link';
import { acknowledgeLinkSchema } from '@/lib/schemas/incidents/acknowledge-link';
import { getWeb } from '@/lib/web/http/server-services';
import { readLink } from '../read-link';
import { acknowledgeByLinkAction } from './actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Acknowledge', referrer: 'no-referrer' };

const NO_LINK = { incidents: '', user: '', expires: 0, token: '' };

/** Has a button, because mail scanners and chat previews follow links but press no buttons. */
export default async function AcknowledgePage({ searchParams }: PageProps) {
  const link = acknowledgeLinkSchema.safeParse(await searchParams).data ?? NO_LINK;
  const { found: incidents, reason } = await readLink(readLinkedIncidents(getWeb().services, link));
  if (incidents === null) {
    return (
      <AuthCard title="This link is not valid">
        <DeadLink reason={reason} href="/incidents" label="View incidents" />
      </AuthCard>
    );
  }
  const isOpen = incidents.some(canAcknowledge);
  const { href, label } = linkToIncidents(incidents);
  return (
    <AuthCard title={titleOf(incidents)} lead={isOpen ? LEAD : undefined}>
      <LinkedIncidents incidents={incidents} />
      {isOpen ? (
        <LinkForm action={acknowledgeByLinkAction} link={link} label="Acknowledge" />
      ) : (
        <ButtonLink size="large" href={href}>
          {label}
        </ButtonLink>
      )}
    </AuthCard>
  );
}

const LEAD =
  'This tells your team that you are on it, and stops reminders. The status and public pages do not change.';

function titleOf(incidents: readonly LinkedIncident[]): string {
  const isOne = incidents.length === 1;
  if (incidents.some(canAcknowledge)) {
    return isOne ? 'Acknowledge this incident?' : `Acknowledge ${incidents.length} incidents?`;
  }
  if (incidents.every(({ acknowledgedBy }) => acknowledgedBy !== null)) return 'Acknowledged';
  return incidents.every(({ isResolved }) => isResolved) ? 'Already resolved' : 'This link was already used';
}
