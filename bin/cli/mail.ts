import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { changeMailServerByOperator } from '@/lib/domain/mail-server/change-mail-server';
import { parseEnvironment } from '@/lib/env';
import type { Mailbox } from '@/lib/schemas/email-address';
import { showMailServer } from '@/lib/schemas/mail-server';
import { ask, canAsk } from '../remote/output/ask';
import { printResult, withServices } from './open-database';

const FIXED = 'SMTP_URL is set in the environment and is used instead. Change it there.';

/** `pharos mail set`, `show` and `clear`. */
export function registerMailCommands(program: Command): void {
  const mail = program
    .command('mail')
    .description('Set, show and clear the mail server that this service sends with.');

  mail
    .command('set')
    .description(
      'Set the mail server; asks for its URL, such as smtp://user:password@mail.example.com:587, or smtps:// for TLS. SMTP_URL wins. Prints it without the password.',
    )
    .option(
      '--from <address>',
      'sender, such as "Pharos <pharos@example.com>" (default: derived from the URL)',
    )
    .option('--url-file <file>', 'read the URL from a file, such as /dev/stdin')
    .action(async ({ from, urlFile }: { from?: string; urlFile?: string }) => {
      const url = await readUrl(urlFile);
      const shown = await withServices(async (services, environment) => {
        if (services.mail.isFixed) throw new StartupError(FIXED);
        const server = { url, from: services.mail.fixedSender ?? readSender(url, from, environment) };
        await changeMailServerByOperator(services, server);
        return showMailServer(server.url, server.from);
      });
      printResult(shown);
    });

  mail
    .command('show')
    .description(
      'Show the mail server in use, without its password; prints {setBy, server}, null if email is off.',
    )
    .action(async () => {
      printResult(
        await withServices(async ({ mail: { smtp, isFixed } }) => ({
          setBy: smtp === null ? null : isFixed ? 'environment' : 'database',
          server: smtp && showMailServer(smtp.url, smtp.from),
        })),
      );
    });

  mail
    .command('clear')
    .description(
      'Forget the mail server that was set here or in the browser: this service sends no email, unless SMTP_URL is set; prints {setBy}.',
    )
    .action(async () => {
      const isFixed = await withServices(async (services) => {
        await changeMailServerByOperator(services, null);
        return services.mail.isFixed;
      });
      printResult({ setBy: isFixed ? 'environment' : null });
    });
}

/** Not an argument, which other users of the machine could see: it contains the password. What is typed is not shown. */
async function readUrl(file: string | undefined): Promise<string> {
  if (file !== undefined) return (await readFile(file, 'utf8')).trim();
  if (!canAsk())
    throw new StartupError(
      '--url-file must name a file with the URL of the mail server, because nobody can be asked',
    );
  return ask('URL of the mail server: ', { isSecret: true });
}

/** Validates the URL as SMTP_URL is, and derives the sender that MAIL_FROM would have. */
function readSender(
  url: string,
  from: string | undefined,
  { APP_URL, SERVICE_NAME }: { APP_URL?: string | undefined; SERVICE_NAME: string },
): Mailbox {
  const given = { SMTP_URL: url, MAIL_FROM: from, APP_URL, SERVICE_NAME };
  return parseEnvironment(given).MAIL_FROM;
}
