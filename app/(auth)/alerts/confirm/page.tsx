import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { AuthCard } from '@/components/auth/auth-card';
import { LinkForm } from '@/components/auth/link-form';
import { readConfirmation } from '@/lib/domain/email-recipients/confirm-recipient';
import { getWeb } from '@/lib/web/http/server-services';
import { readLink, readTokenParam } from '../../read-link';
import { confirmAddressAction } from './actions';

/** The URL contains the token, so it must not be sent as a referrer. */
export const metadata: Metadata = { title: 'Confirm alerts', referrer: 'no-referrer' };

/** Confirms an address with a button, because mail scanners follow links but press no buttons. */
export default async function ConfirmAlertsPage(props: PageProps) {
  if ((await props.searchParams).confirmed !== undefined) {
    return (
      <AuthCard
        title="Address confirmed"
        lead="Alerts are sent to it from now on. Every email has a link that stops them."
      />
    );
  }
  const token = await readTokenParam(props);
  const { found, reason } = await readLink(readConfirmation(getWeb().services, token));
  if (found === null) return <AuthCard title="This link is not valid" lead={reason} />;
  return (
    <AuthCard
      title="Receive alerts?"
      lead={`${found.organizationName} will email this address when its monitors go down or recover.`}
    >
      <LinkForm action={confirmAddressAction} link={{ token }} label="Confirm" />
    </AuthCard>
  );
}
