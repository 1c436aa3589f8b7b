import { Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { version } from '@/package.json';
import { defineProbe } from './probe-command';

// The program of the package @pharos/probe.
try {
  await defineProbe(new Command('pharos-probe')).version(version).showHelpAfterError().parseAsync();
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${formatError(error)}\n`);
  // Whatever a failed start left open must not keep the process alive.
  setImmediate(() => process.exit());
}

/** One line with what to do, or the stack of a bug. */
function formatError(error: unknown): string | undefined {
  if (error instanceof StartupError) return error.message;
  return error instanceof Error ? error.stack : String(error);
}
