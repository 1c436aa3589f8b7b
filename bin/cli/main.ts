import { type Command, CommanderError, program } from 'commander';
import sourceMapSupport from 'source-map-support';
import { DomainError, StartupError } from '@/lib/core/errors';
import { whyUnavailable } from '@/lib/platform/db/wait-for-database';

// A stack names lines of the sources. Node's own support would read every map of Next's at the start and keep it, 90 MB;
// this one reads the map of a file when a stack names that file.
sourceMapSupport.install({ environment: 'node', handleUncaughtExceptions: false, hookRequire: false });

program
  .name('pharos')
  .description('Uptime monitoring: checks, incidents, webhooks and status pages.')
  .showHelpAfterError()
  .exitOverride();

/** The commands by their first word. Each is loaded when it is asked for, and all of them for the help. */
const COMMANDS = new Map<string, () => Promise<(program: Command) => void>>([
  ['start', async () => (await import('./start')).registerStart],
  ['prepare', async () => (await import('./prepare')).registerPrepare],
  ['web', async () => (await import('./web')).registerWeb],
  ['worker', async () => (await import('./worker')).registerWorker],
  ['migrate', async () => (await import('./migrate')).registerMigrate],
  ['setup-link', async () => (await import('./setup-link')).registerSetupLink],
  ['org', async () => (await import('./organization')).registerOrganizationCommands],
  ['key', async () => (await import('./key')).registerKeyCommands],
  ['user', async () => (await import('./user')).registerUserCommands],
  ['demo', async () => (await import('./demo')).registerDemo],
  ['secrets', async () => (await import('./secrets')).registerSecrets],
]);

try {
  const asked = COMMANDS.get(process.argv[2] ?? '');
  for (const load of asked === undefined ? COMMANDS.values() : [asked]) (await load())(program);
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
  process.stderr.write(`${explain(error)}\n`);
  return 1;
}

function explain(error: unknown): string | undefined {
  if (error instanceof StartupError) return error.message;
  const reason = whyUnavailable(error);
  if (reason !== null) {
    return `the database cannot be reached: ${reason}; check that PostgreSQL runs, then run the command again`;
  }
  return error instanceof Error ? error.stack : String(error);
}
