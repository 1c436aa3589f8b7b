import { styleText } from 'node:util';
import type { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { getEnvironment } from '@/lib/env';
import { emailAddress } from '@/lib/schemas/email-address';
import { migrationsPath } from '../cli/paths';
import { printJson } from '../remote/output/print';
import { examine } from './examine';
import { formatFindings, worstStatus } from './finding';
import { describeVersion } from './version';

/** `pharos doctor`. Exits with 1 if anything is wrong. */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Inspect this installation and its machine, and show what to do. Changes nothing.')
    .option('--json', 'print one JSON document')
    .option('--send-test <email>', 'also send an email to this address')
    .action(async ({ json, sendTest }: { json?: true; sendTest?: string }) => {
      const findings = await examine({
        readEnvironment: getEnvironment,
        version: describeVersion(),
        migrations: migrationsPath,
        recipient: sendTest === undefined ? null : parseRecipient(sendTest),
      });
      const status = worstStatus(findings);
      if (json) printJson({ status, findings });
      else process.stdout.write(`${formatFindings(findings, (color, text) => styleText(color, text))}\n`);
      if (status === 'wrong') process.exitCode = 1;
    });
}

function parseRecipient(text: string): string {
  const parsed = emailAddress.safeParse(text);
  if (!parsed.success) throw new StartupError(`--send-test ${text} is not an email address`);
  return parsed.data;
}
