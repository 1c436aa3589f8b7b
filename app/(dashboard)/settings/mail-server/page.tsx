import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ConfirmNote } from '@/components/auth/confirm-note';
import { ClearMailServer, MailServerForm } from '@/components/mail-server/mail-server-form';
import { TitledCode } from '@/components/ui/code-block';
import { SettingsSection } from '@/components/ui/settings-section';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';
import { formatCommand } from '@/lib/command-line';
import { permits } from '@/lib/domain/context/permissions';
import { type MailServerState, readMailServer } from '@/lib/domain/mail-server/change-mail-server';
import { listWaysIn } from '@/lib/domain/members/identities/linked-identities';
import { findPerson } from '@/lib/domain/people/profile';
import { formatSender } from '@/lib/schemas/mail-security';
import type { Session } from '@/lib/web/auth/session';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { isPasswordSignInOn } from '@/lib/web/http/sign-in/password-sign-in';
import { clearMailServerAction, saveMailServerAction } from './actions';
import { readInstallation } from './installation';

export const metadata: Metadata = { title: 'Mail server' };

const PATH = '/settings/mail-server';

export default async function MailServerPage() {
  const session = await requireSession();
  const { ctx } = session;
  if (!permits(ctx, 'mail-server.change')) notFound();
  const state = await readMailServer({ ...ctx, installation: readInstallation() });
  return (
    <>
      <SettingsSection
        title="Mail server"
        lead="This service sends alerts, invitations and links to reset passwords through one mail server. Anyone who sets it can read them all, and so sign in as anyone."
      >
        <InUse {...state} now={ctx.clock.now().toISOString()} />
      </SettingsSection>
      {state.lock === null ? <Change session={session} {...state} /> : <Locked lock={state.lock} />}
    </>
  );
}

function InUse({ server, set, now }: MailServerState & { now: string }) {
  if (server === null) return <p className="font-medium">This service cannot send email yet.</p>;
  const { host, port, user, from } = server;
  return (
    <p className="wrap-anywhere">
      Email is sent through{' '}
      <span className="font-mono text-xs">
        {user === '' ? '' : `${user} at `}
        {host}:{port}
      </span>
      , from {formatSender(from)}.
      {set === null ? null : (
        <>
          {' '}
          Set by {set.by} <Moment at={set.at.toISOString()} now={now} />.
        </>
      )}
    </p>
  );
}

const LOCKS: Record<NonNullable<MailServerState['lock']>, string> = {
  environment:
    'SMTP_URL is set in the environment of this service, and wins over what people set. To change it, change SMTP_URL and MAIL_FROM there, and restart the service.',
  shared:
    'Others share this service or can sign up, so the mail server is not set in the browser. Its operator sets it in the environment, as SMTP_URL and MAIL_FROM, or with this command on the machine of the service. It asks for the URL.',
};

function Locked({ lock }: { lock: NonNullable<MailServerState['lock']> }) {
  return (
    <SettingsSection title="Change it" lead={LOCKS[lock]}>
      {lock === 'shared' ? (
        <TitledCode title="Command line" text={formatCommand('mail set')} label="Copy the command" />
      ) : null}
    </SettingsSection>
  );
}

async function Change({ session, server, set }: MailServerState & { session: Session }) {
  const { id, ctx, userId, email } = session;
  const [person, { hasPassword }] = await Promise.all([findPerson(ctx, id), listWaysIn(ctx.db, userId)]);
  const hasFactor = person?.hasFactor ?? false;
  if (person?.isFactorStale) return <ConfirmNote path={PATH} what="Changing the mail server" />;
  if (!hasFactor && !(hasPassword && isPasswordSignInOn())) {
    return (
      <p className="text-muted">
        Changing it requires a second factor or a password. Set one up in your{' '}
        <TextLink href="/settings/profile#second-factor">profile</TextLink>.
      </p>
    );
  }
  const { fixedSender } = readInstallation().mail;
  return (
    <>
      <SettingsSection title={server === null ? 'Set it up' : 'Change it'}>
        <MailServerForm
          key={set?.at.toISOString()}
          server={server}
          fixedSender={fixedSender && formatSender(fixedSender)}
          email={email}
          asksPassword={!hasFactor}
          save={saveMailServerAction}
        />
      </SettingsSection>
      {set === null ? null : (
        <SettingsSection
          title="Remove it"
          lead="This service then sends no email: no alerts, no invitations, and no links to reset passwords."
        >
          <ClearMailServer asksPassword={!hasFactor} clear={clearMailServerAction} />
        </SettingsSection>
      )}
    </>
  );
}
