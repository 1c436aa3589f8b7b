import type { Metadata } from 'next';
import { deleteAccountAction } from '@/app/(auth)/organizations/actions';
import type { PageProps } from '@/app/page-props';
import { formatProviderProblem } from '@/components/auth/provider-problems';
import { DeleteAccountForm } from '@/components/profile/delete-account-form';
import { EmailForm } from '@/components/profile/email-form';
import { FactorSection } from '@/components/profile/factor-section';
import { LinkedAccounts } from '@/components/profile/linked-accounts';
import { PasskeyList } from '@/components/profile/passkey-list';
import { PasswordForm, ProfileForm } from '@/components/profile/profile-form';
import { PushBrowsers } from '@/components/profile/push-browsers';
import { SessionList } from '@/components/profile/session-list';
import { TestMailButton } from '@/components/profile/test-mail-button';
import { buttonLook } from '@/components/ui/button';
import { SettingsSection } from '@/components/ui/settings-section';
import { TextLink } from '@/components/ui/text-link';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import { permits } from '@/lib/domain/context/permissions';
import { listWaysIn } from '@/lib/domain/members/identities/linked-identities';
import { readMailPreferences } from '@/lib/domain/people/mail-preferences';
import { listPasskeys } from '@/lib/domain/people/passkeys/own-passkeys';
import { readSecondFactor } from '@/lib/domain/people/second-factor/enroll-second-factor';
import { type Factors, readFactors } from '@/lib/domain/people/second-factor/has-second-factor';
import { listSessions } from '@/lib/domain/people/sessions';
import { listBrowsers } from '@/lib/domain/push/list-browsers';
import { formatBrowser } from '@/lib/web/auth/format-browser';
import { requireSession } from '@/lib/web/http/dashboard-session';
import {
  isPasswordSignInOn,
  readOpenWays,
  readPasskeyProblem,
} from '@/lib/web/http/sign-in/password-sign-in';
import { nameProvider, showProviders } from '@/lib/web/http/sign-in/provider-sign-in';
import { readRuleChoices } from '../../notifications/read-rule-choices';
import {
  addBrowserAction,
  changePasswordAction,
  endOthersAction,
  endSessionAction,
  prepareLinkAction,
  readPushKeyAction,
  removeBrowserAction,
  removeFactorAction,
  removePasskeyAction,
  renamePasskeyAction,
  renewCodesAction,
  saveEmailsAction,
  saveProfileAction,
  sendTestMailAction,
  testBrowserAction,
  unlinkAction,
} from './actions';

const PASSKEYS_LEAD = {
  alone: 'Sign in with your fingerprint, face, or PIN, without a password or a code.',
  second: 'Your fingerprint, face, or PIN instead of a code, after your usual sign-in.',
};

export const metadata: Metadata = { title: 'Profile' };

export default async function ProfilePage({ searchParams }: PageProps) {
  const { id: own, ctx, userId, email, name, organizationName } = await requireSession();
  const [sessions, pushed, ruleChoices, preferences, factor, factors, passkeys, ways, { error }] =
    await Promise.all([
      listSessions(ctx, userId),
      listBrowsers(ctx, userId),
      readRuleChoices(ctx),
      readMailPreferences(ctx, userId),
      readSecondFactor(ctx, userId),
      readFactors(ctx.db, userId, ctx.clock.now()),
      listPasskeys(ctx, userId),
      listWaysIn(ctx.db, userId),
      searchParams,
    ]);
  const { hasPassword, identities } = ways;
  const now = ctx.clock.now().toISOString();
  return (
    <>
      <SettingsSection id="profile" title="Profile" lead="Your name and address.">
        <ProfileForm name={name} email={email} save={saveProfileAction} />
      </SettingsSection>
      <EmailSection
        preferences={preferences}
        ruleChoices={ruleChoices}
        email={email}
        organizationName={organizationName}
        isMailOn={ctx.mail.isOn}
        maySetUp={permits(ctx, 'mail-server.change')}
        hasBrowser={pushed.length > 0}
      />
      <PushSection pushed={pushed} session={own} organizationName={organizationName} now={now} />
      <PasswordSection hasPassword={hasPassword} email={email} />
      <SettingsSection
        id="second-factor"
        title="Second factor"
        lead="A code from an app on your phone, after your usual sign-in."
      >
        <FactorSection
          since={factor.since?.toISOString() ?? null}
          hasPasskey={passkeys.length > 0}
          isRequired={factors.isRequired}
          recoveryCodesLeft={factor.recoveryCodesLeft}
          now={now}
          renewCodes={renewCodesAction}
          remove={removeFactorAction}
        />
      </SettingsSection>
      <PasskeySection passkeys={passkeys} factors={factors} now={now} />
      <AccountSection identities={identities} error={error} now={now} />
      <SettingsSection id="sessions" title="Sessions" lead="The browsers in which you are signed in.">
        <SessionList
          sessions={nameSessions(sessions, own)}
          now={now}
          endOne={endSessionAction}
          endOthers={endOthersAction}
        />
      </SettingsSection>
      <SettingsSection id="your-data" title="Your data" lead="Everything stored about you, as JSON.">
        <a className={buttonLook()} href="/settings/profile/export" download>
          Export your data
        </a>
      </SettingsSection>
      <SettingsSection id="delete-account" title="Delete account" lead="Permanently, in every organization.">
        <DeleteAccountForm email={email} remove={deleteAccountAction} />
      </SettingsSection>
    </>
  );
}

type EmailSectionProps = {
  preferences: Awaited<ReturnType<typeof readMailPreferences>>;
  ruleChoices: Awaited<ReturnType<typeof readRuleChoices>>;
  email: string;
  organizationName: string;
  isMailOn: boolean;
  maySetUp: boolean;
  hasBrowser: boolean;
};

function EmailSection(props: EmailSectionProps) {
  const { preferences, ruleChoices, email, organizationName, isMailOn, maySetUp, hasBrowser } = props;
  return (
    <SettingsSection id="email" title="Email" lead={`Emails you receive from ${organizationName}.`}>
      <div className="flex flex-col gap-6">
        <EmailForm
          {...preferences}
          ruleChoices={ruleChoices}
          timeZones={listTimeZones(preferences.digestTimeZone ?? undefined)}
          isMailOn={isMailOn}
          hasBrowser={hasBrowser}
          save={saveEmailsAction}
        />
        <TestMailButton email={email} maySetUp={maySetUp} send={isMailOn ? sendTestMailAction : null} />
      </div>
    </SettingsSection>
  );
}

type PushSectionProps = {
  pushed: Awaited<ReturnType<typeof listBrowsers>>;
  /** The ID of this one. */
  session: string;
  organizationName: string;
  now: string;
};

function PushSection({ pushed, session: own, organizationName, now }: PushSectionProps) {
  const browsers = pushed.map(({ id, sessionId, session, createdAt, lastUsedAt }) => ({
    id,
    browser: formatBrowser(session.userAgent),
    isThis: sessionId === own,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
  return (
    <SettingsSection
      id="push"
      title="Push notifications"
      lead={`Alerts of ${organizationName} in your browsers, even when no page of this service is open.`}
    >
      <p className="max-w-xl text-muted">
        The same alerts as by email, with the same rules. Each browser gets them until you sign out there.
      </p>
      <PushBrowsers
        browsers={browsers.toSorted((a, b) => Number(b.isThis) - Number(a.isThis))}
        now={now}
        readKey={readPushKeyAction}
        add={addBrowserAction}
        remove={removeBrowserAction}
        test={testBrowserAction}
      />
    </SettingsSection>
  );
}

function PasswordSection({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  if (!isPasswordSignInOn()) return null;
  return (
    <SettingsSection id="password" title="Password" lead="Changing it ends your other sessions.">
      {hasPassword ? (
        <PasswordForm email={email} change={changePasswordAction} />
      ) : (
        <p className="text-muted">
          You have no password. <TextLink href="/forgot-password">Request a link</TextLink> to set one.
        </p>
      )}
    </SettingsSection>
  );
}

type PasskeySectionProps = {
  passkeys: Awaited<ReturnType<typeof listPasskeys>>;
  factors: Factors;
  now: string;
};

function PasskeySection({ passkeys, factors, now }: PasskeySectionProps) {
  return (
    <SettingsSection
      id="passkeys"
      title="Passkeys"
      lead={PASSKEYS_LEAD[readOpenWays().passkeys ? 'alone' : 'second']}
    >
      <PasskeyList
        passkeys={passkeys.map(({ createdAt, lastUsedAt, ...passkey }) => ({
          ...passkey,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        }))}
        now={now}
        hasApp={factors.hasApp}
        isRequired={factors.isRequired}
        problem={readPasskeyProblem()}
        rename={renamePasskeyAction}
        remove={removePasskeyAction}
      />
    </SettingsSection>
  );
}

type AccountSectionProps = Pick<Awaited<ReturnType<typeof listWaysIn>>, 'identities'> & {
  /** Why the last attempt to link one failed. */
  error: unknown;
  now: string;
};

/** Nothing if there is no account, and no provider of one. */
function AccountSection({ identities, error, now }: AccountSectionProps) {
  const providers = showProviders();
  const linked = identities.map(({ lastUsedAt, ...identity }) => ({
    ...identity,
    provider: nameProvider(identity.issuer),
    lastUsedAt: lastUsedAt.toISOString(),
  }));
  if (providers.length + linked.length === 0) return null;
  return (
    <SettingsSection
      id="accounts"
      title="Linked accounts"
      lead="Accounts at other services that sign you in."
    >
      <LinkedAccounts
        linked={linked}
        providers={providers}
        now={now}
        problem={typeof error === 'string' ? formatProviderProblem(error, providers) : null}
        prepare={prepareLinkAction}
        unlink={unlinkAction}
      />
    </SettingsSection>
  );
}

/** The sessions with the names of their browsers, the current one first. */
function nameSessions(sessions: Awaited<ReturnType<typeof listSessions>>, own: string) {
  return sessions
    .map(({ id, userAgent, address, lastSeenAt, createdAt }) => ({
      id,
      browser: formatBrowser(userAgent),
      address,
      lastSeenAt: lastSeenAt.toISOString(),
      createdAt: createdAt.toISOString(),
      isThis: id === own,
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis));
}
