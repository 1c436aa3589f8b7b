import { createId } from '@/lib/core/ids';
import type { Environment } from '@/lib/env';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { renderMail } from '@/lib/platform/mail/render-mail';
import { createMailTransport } from '@/lib/platform/mail/smtp-transport';
import { type Finding, ok, wrong } from './finding';

type Settings = Pick<Environment, 'SMTP_URL' | 'MAIL_FROM' | 'SERVICE_NAME'>;

const REMEDY = 'Check SMTP_URL: host, port, user and password, and whether this machine may connect there.';

/** Signs in to the mail server, and sends an email to `recipient` unless that is null. Nothing without SMTP_URL. */
export async function inspectMail(
  { SMTP_URL: url, MAIL_FROM: from, SERVICE_NAME: serviceName }: Settings,
  recipient: string | null,
): Promise<Finding[]> {
  if (url === undefined) {
    const message = `No email was sent to ${recipient}: SMTP_URL is not set.`;
    return recipient === null ? [] : [wrong('test email', message, 'Set SMTP_URL to your mail server.')];
  }
  const transport = createMailTransport({ url, from });
  const { host } = new URL(url);
  try {
    const reason = await transport.verify();
    if (reason !== null) return [wrong('email', `The mail server ${host} refuses: ${reason}.`, REMEDY)];
    const accepted = ok('email', `The mail server ${host} accepts email from ${from.address}.`);
    if (recipient === null) return [accepted];
    const mail = renderMail(composeTestMail(serviceName), { serviceName });
    const outcome = await transport.send({ ...mail, id: createId('mail'), to: recipient, date: new Date() });
    if (outcome.sent) return [accepted, ok('test email', `An email was sent to ${recipient}.`)];
    const message = `The mail server refused an email to ${recipient}: ${outcome.error}.`;
    return [accepted, wrong('test email', message, 'Check MAIL_FROM, and what your mail server accepts.')];
  } finally {
    transport.close();
  }
}

function composeTestMail(serviceName: string): MailContent {
  return {
    subject: `Test email from ${serviceName}`,
    blocks: [{ paragraph: `Email works: ${serviceName} can send email through this mail server.` }],
    footnote: 'You receive this email because it was requested with pharos doctor.',
  };
}
