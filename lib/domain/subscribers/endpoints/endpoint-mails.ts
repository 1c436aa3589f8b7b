import { fill } from '@/lib/core/text';
import type { Services } from '@/lib/domain/context/services';
import { pageWords } from '@/lib/domain/notices/page-texts';
import { readPageRow } from '@/lib/domain/status-pages/page-row';
import { lastingAddress } from '@/lib/domain/status-pages/public-address';
import type { Transaction } from '@/lib/platform/db/client';
import { type EndpointSubscriber, Prisma } from '@/lib/platform/db/generated/client';
import { type MailContent, oneLine, queueMail, unlinked } from '@/lib/platform/mail/queue-mail';
import { unsubscribeUrl } from '../unsubscribe-link';

/** That the endpoint is notified from now on, or was stopped, because it kept failing. */
type Kind = 'started' | 'stopped';

/** Emails the owner of an endpoint the link to manage it, and why. Does nothing while email is off, or the page has no URL. */
export async function mailOwner(
  tx: Transaction,
  services: Services,
  { id, pageId, host, email, language }: EndpointSubscriber,
  kind: Kind,
): Promise<void> {
  const page = await readPageRow(tx, Prisma.sql`id = ${pageId}`);
  const address = lastingAddress(page, services.appUrl);
  if (address === null || !services.mail.isOn) return;
  const url = unsubscribeUrl(services.keyring, address, id);
  await queueMail(tx, services, {
    organizationId: page.organizationId,
    kind: 'subscriber',
    to: email,
    content: compose(kind, { pageName: page.name, host, url, language }),
  });
}

type About = Pick<EndpointSubscriber, 'host' | 'language'> & { pageName: string; url: string };

function compose(kind: Kind, { pageName, host, url, language }: About): MailContent {
  const words = pageWords(language);
  const { [kind]: own, manage } = words.texts.endpoint;
  const values = { page: unlinked(oneLine(pageName, 80)), host: unlinked(oneLine(host, 80)) };
  return {
    language: words.language,
    subject: fill(own.subject, values),
    blocks: [{ paragraph: fill(own.text, values) }],
    button: { label: manage, url },
  };
}
