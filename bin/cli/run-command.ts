import { Command, CommanderError } from 'commander';
import { formatProgram } from '@/lib/command-line';
import { DomainError, formatProblem, StartupError } from '@/lib/core/errors';
import { isLockTimeout } from '@/lib/platform/db/locks/lock-timeout';
import { whyUnavailable } from '@/lib/platform/db/unavailable';
import { version } from '@/package.json';
import { describeVersion } from '../doctor/version';

/** Commands by their first word. Each is loaded only when used; all of them are loaded for the help. */
const COMMANDS = new Map<string, () => Promise<(program: Command) => void>>([
  ['start', async () => (await import('./start')).registerStart],
  ['prepare', async () => (await import('./prepare')).registerPrepare],
  ['web', async () => (await import('./web')).registerWeb],
  ['worker', async () => (await import('./worker')).registerWorker],
  ['probe', async () => (await import('../probe/probe-command')).registerProbe],
  ['migrate', async () => (await import('./migrate')).registerMigrate],
  ['doctor', async () => (await import('../doctor/doctor-command')).registerDoctor],
  ['backup', async () => (await import('./backup/backup')).registerBackup],
  ['restore', async () => (await import('./backup/restore')).registerRestore],
  ['move', async () => (await import('./backup/move')).registerMove],
  ['upgrade-database', async () => (await import('./backup/upgrade-database')).registerUpgradeDatabase],
  ['setup-link', async () => (await import('./setup-link')).registerSetupLink],
  ['org', async () => (await import('./organization')).registerOrganizationCommands],
  ['region', async () => (await import('../probe/token-commands')).registerRegionCommands],
  ['key', async () => (await import('./key')).registerKeyCommands],
  ['user', async () => (await import('./user')).registerUserCommands],
  ['mail', async () => (await import('./mail')).registerMailCommands],
  ['demo', async () => (await import('./demo')).registerDemo],
  ['secrets', async () => (await import('./secrets')).registerSecrets],
  ['login', async () => (await import('../remote/commands/login')).registerLogin],
  ['logout', async () => (await import('../remote/commands/login')).registerLogout],
  ['monitors', async () => (await import('../remote/commands/monitors')).registerMonitors],
  ['incidents', async () => (await import('../remote/commands/incidents')).registerIncidents],
  ['checks', async () => (await import('../remote/commands/checks')).registerChecks],
  ['markers', async () => (await import('../remote/commands/markers')).registerMarkers],
  ['mark', async () => (await import('../remote/commands/markers')).registerMark],
  ['export', async () => (await import('../as-code/commands')).registerExport],
  ['plan', async () => (await import('../as-code/commands')).registerPlan],
  ['apply', async () => (await import('../as-code/commands')).registerApply],
  ['schema', async () => (await import('../as-code/commands')).registerSchema],
  ['convert', async () => (await import('../as-code/convert-command')).registerConvert],
  ['import', async () => (await import('../remote/import/import-command')).registerImport],
]);

/**
 * Runs `pharos` with these words. Writes why it failed, if it did, and sets the exit code of the process. Returns whether it
 * ended as it should.
 */
export async function runCommand(words: readonly string[]): Promise<boolean> {
  const [first = ''] = words;
  const program = new Command();
  program
    .name(formatProgram())
    .description('Uptime monitoring: checks, incidents, webhooks and status pages.')
    .version(/^(-V|--version)$/.test(first) ? describeVersion() : version)
    .showHelpAfterError()
    .exitOverride();
  try {
    const requested = COMMANDS.get(first);
    for (const load of requested === undefined ? COMMANDS.values() : [requested]) (await load())(program);
    await program.parseAsync(words, { from: 'user' });
    return true;
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
    if (!(error instanceof CommanderError)) process.stderr.write(`${formatError(error)}\n`);
    return false;
  }
}

/** One line with what to do, or the stack of a bug. */
function formatError(error: unknown): string | undefined {
  if (error instanceof DomainError) return formatProblem(error);
  if (error instanceof StartupError) return error.message;
  if (isLockTimeout(error)) {
    return 'gave up after 60 s: a lock in the database is held by another connection. End what holds it, then run the command again';
  }
  const reason = whyUnavailable(error);
  if (reason !== null) {
    return `cannot reach the database: ${reason}; check that PostgreSQL is running, then run the command again`;
  }
  return error instanceof Error ? error.stack : String(error);
}
