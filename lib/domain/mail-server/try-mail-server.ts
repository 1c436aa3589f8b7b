import { createId } from '@/lib/core/ids';
import { guardedSmtp } from '@/lib/domain/context/live-mail';
import type { Services } from '@/lib/domain/context/services';
import { renderMail } from '@/lib/platform/mail/render-mail';
import { createMailTransport } from '@/lib/platform/mail/smtp-transport';
import type { Mailbox } from '@/lib/schemas/email-address';

type Trial = { url: string; from: Mailbox; to: string; serviceName: string };

/** Sends an email through a mail server that is not in use yet. Null: the server accepted it; otherwise why not. Never throws. */
export async function tryMailServer(
  services: Pick<Services, 'targetPolicy' | 'clock'>,
  { url, from, to, serviceName }: Trial,
): Promise<string | null> {
  const transport = createMailTransport(guardedSmtp(services, { url, from }));
  const content = {
    subject: `Test email from ${serviceName}`,
    blocks: [{ paragraph: `Email works: ${serviceName} can send email through this mail server.` }],
    footnote: 'You receive this email because you are setting up the mail server.',
  };
  try {
    const mail = renderMail(content, { serviceName });
    const outcome = await transport.send({ ...mail, id: createId('mail'), to, date: services.clock.now() });
    return outcome.sent ? null : outcome.error;
  } finally {
    transport.close();
  }
}
