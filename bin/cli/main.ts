import sourceMapSupport from 'source-map-support';
import { runCommand } from './run-command';

// Maps stack traces to source lines. Node's own support would load every source map of Next at startup and keep 90 MB;
// this one reads the map of a file when a stack trace names it.
sourceMapSupport.install({ environment: 'node', handleUncaughtExceptions: false, hookRequire: false });

const words = process.argv.slice(2);

/** They serve until they are stopped: that nobody reads what they write is a failure, which restarts them. */
const SERVING = ['start', 'web', 'worker', 'probe'];
if (!SERVING.includes(words[0] ?? '')) ignoreClosedOutput();

/** A reader that has enough, as in `pharos monitors list | head -1`, changes neither what a command does nor how it ends. */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

// Whatever a failed start left open must not keep the process alive.
if (!(await runCommand(words))) setImmediate(() => process.exit());
