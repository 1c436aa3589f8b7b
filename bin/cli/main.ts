import { CommanderError, program } from 'commander';
import { DomainError, StartupError } from '@/lib/core/errors';
import { registerDemo } from './demo';
import { registerKeyCommands } from './key';
import { registerMigrate } from './migrate';
import { registerOrganizationCommands } from './organization';
import { registerSecrets } from './secrets';
import { registerStart } from './start';
import { registerUserCommands } from './user';
import { registerWeb } from './web';
import { registerWorker } from './worker';

program
  .name('pharos')
  .description('Uptime monitoring: checks, incidents, webhooks and status pages.')
  .showHelpAfterError()
  .exitOverride();

registerStart(program);
registerWeb(program);
registerWorker(program);
registerMigrate(program);
registerOrganizationCommands(program);
registerKeyCommands(program);
registerUserCommands(program);
registerDemo(program);
registerSecrets(program);

try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
  // Whatever a failed start left open must not keep the process.
  setImmediate(() => process.exit());
}

/** Tells the operator in a line what to do; a fault of ours comes with its stack. Answers the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof DomainError) {
    const details = error.details?.map(({ path, message }) => `${path} ${message}`).join('; ');
    process.stderr.write(`${error.message}${details ? ` ${details}.` : ''}\n`);
    return 1;
  }
  const text =
    error instanceof StartupError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  return 1;
}
