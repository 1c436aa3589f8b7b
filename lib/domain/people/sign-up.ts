import type { Services } from '@/lib/domain/context/services';
import { createOrganization, type NewOrganization } from '@/lib/domain/organizations/create-organization';
import type { PlanId } from '@/lib/plans/catalogue';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { accountExistsMail, confirmSignUpMail } from './account-mails';
import { consumeToken, issueToken, MAILED_LINK_MS, mailedLinkBase, readToken } from './one-time-links';

const KIND = 'email_confirmation';

/**
 * Emails a link for creating an account or, if the address has one, a note. Respond to the request before this runs, so that
 * neither text nor timing reveals whether the account exists. The password is requested only after the confirmation, otherwise
 * a stranger could prepare an account with a known password. Does nothing if links cannot be mailed (`mailedLinkBase`).
 */
export async function requestSignUp(services: Services, email: string): Promise<void> {
  const base = mailedLinkBase(services);
  if (base === null) return;
  await services.db.$transaction(async (tx) => {
    const send = (content: ReturnType<typeof confirmSignUpMail>) =>
      queueMail(tx, services, { organizationId: null, kind: 'sign-up', to: email, content });
    if ((await tx.user.count({ where: { email } })) > 0) return send(accountExistsMail(base));
    const [now, lifetimeMs] = [services.clock.now(), MAILED_LINK_MS];
    const { token } = await issueToken(tx, { kind: KIND, email }, { now, lifetimeMs });
    return send(confirmSignUpMail(`${base}/sign-up/confirm?token=${token}`));
  });
}

/** The address that a link confirms. Throws NOT_FOUND with a message for the holder of the link. */
export async function readSignUp({ db, clock }: Services, token: string): Promise<{ email: string }> {
  const { email } = await readToken(db, { kind: KIND, token, now: clock.now() });
  return { email };
}

/**
 * Creates the account of a confirmed address with its organization and uses the link up. Throws NOT_FOUND for an invalid link,
 * and VALIDATION_ERROR if the address has got an account with a different password in the meantime.
 */
export async function confirmSignUp(
  services: Services,
  { token, name, password, plan }: { token: string; name: string; password: string; plan: PlanId },
): Promise<NewOrganization & { email: string }> {
  const { email } = await readSignUp(services, token);
  const created = await createOrganization(services, { name, plan, email, password }, async (tx) => {
    await consumeToken(tx, { kind: KIND, token, now: services.clock.now() });
  });
  return { ...created, email };
}
