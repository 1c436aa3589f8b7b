import { type Command, CommanderError, program } from 'commander';
import sourceMapSupport from 'source-map-support';
import { DomainError, formatProblem, StartupError } from '@/lib/core/errors';
import { isLockTimeout } from '@/lib/platform/db/locks/lock-timeout';
import { whyUnavailable } from '@/lib/platform/db/unavailable';
import { version } from '@/package.json';
import { describeVersion } from '../doctor/version';

// Maps stack traces to source lines. Node's own support would load every source map of Next at startup and keep 90 MB;
// this one reads the map of a file when a stack trace names it.
sourceMapSupport.install({ environment: 'node', handleUncaughtExceptions: false, hookRequire: false });

program
  .name('pharos')
  .description('Uptime monitoring: checks, incidents, webhooks and status pages.')
  .version(/^(-V|--version)$/.test(process.argv[2] ?? '') ? describeVersion() : version)
  .showHelpAfterError()
  .exitOverride();

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
  ['import', async () => (await import('../remote/import/import-command')).registerImport],
]);

/** They serve until they are stopped: that nobody reads what they write is a failure, which restarts them. */
const SERVING = ['start', 'web', 'worker', 'probe'];
if (!SERVING.includes(process.argv[2] ?? '')) ignoreClosedOutput();

/** A reader that has enough, as in `pharos monitors list | head -1`, changes neither what a command does nor how it ends. */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

try {
  const requested = COMMANDS.get(process.argv[2] ?? '');
  for (const load of requested === undefined ? COMMANDS.values() : [requested]) (await load())(program);
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
  if (!(error instanceof CommanderError)) process.stderr.write(`${formatError(error)}\n`);
  // Whatever a failed start left open must not keep the process alive.
  setImmediate(() => process.exit());
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
