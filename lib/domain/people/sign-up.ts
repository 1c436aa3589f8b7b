import type { Services } from '@/lib/domain/context/services';
import { createOrganization, type NewOrganization } from '@/lib/domain/organizations/create-organization';
import type { PlanId } from '@/lib/plans/catalogue';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { accountExistsMail, confirmSignUpMail } from './account-mails';
import {
  confirmSignUpPath,
  consumeToken,
  issueToken,
  MAILED_LINK_MS,
  mailedLinkBase,
  readToken,
} from './one-time-links';

const KIND = 'email_confirmation';

/**
 * Mails a link with which an account is made, or, to who has one, that they have. Answer the one who asks before this runs:
 * neither words nor time may tell which addresses have an account. Nothing else is asked for until the address is
 * confirmed, or strangers could prepare an account, with a password they know, for somebody else to confirm. Does nothing
 * where no link can be mailed (`mailedLinkBase`).
 */
export async function requestSignUp(services: Services, email: string): Promise<void> {
  const base = mailedLinkBase(services);
  if (base === null) return;
  await services.db.$transaction(async (tx) => {
    const send = (content: ReturnType<typeof confirmSignUpMail>) =>
      queueMail(tx, services, { organizationId: null, kind: 'sign-up', to: email, content });
    if ((await tx.user.count({ where: { email } })) > 0) return send(accountExistsMail(base));
    const { token } = await issueToken(
      tx,
      { kind: KIND, email },
      { now: services.clock.now(), lifetimeMs: MAILED_LINK_MS },
    );
    return send(confirmSignUpMail(base + confirmSignUpPath(token)));
  });
}

/** The address that a link confirms, for the page it opens. Throws NOT_FOUND, in words, for a link that is not good. */
export async function readSignUp({ db, clock }: Services, token: string): Promise<{ email: string }> {
  const { email } = await readToken(db, { kind: KIND, token, now: clock.now() });
  return { email };
}

/**
 * Makes the account of a confirmed address with its organization; the link is used up. Throws NOT_FOUND for a link that is
 * not good, and CONFLICT where the address got an account, with another password, in the meantime.
 */
export async function confirmSignUp(
  services: Services,
  { token, name, password, plan }: { token: string; name: string; password: string; plan: PlanId },
): Promise<NewOrganization & { email: string }> {
  const { email } = await readSignUp(services, token);
  const made = await createOrganization(services, { name, plan, email, password }, async (tx) => {
    await consumeToken(tx, { kind: KIND, token, now: services.clock.now() });
  });
  return { ...made, email };
}
