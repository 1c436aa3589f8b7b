import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isLogFormatted, writeLog } from '@/lib/core/logger';
import { childEnvironment } from '@/lib/env';

/**
 * Runs a program of this command as a child process that can send messages. Its output goes to stderr: directly, or line by line through the format of
 * this process, so that only one process loads it and lines of several stay whole. `close` follows the last line.
 */
export function spawnCommand(args: string[], environment: Record<string, string>): ChildProcess {
  const isFormatted = isLogFormatted();
  const output = isFormatted ? 'pipe' : process.stderr;
  const child = spawn(process.execPath, args, {
    env: childEnvironment({
      NODE_ENV: 'production',
      ...environment,
      ...(isFormatted ? { LOG_FORMAT: 'json' } : {}),
    }),
    stdio: ['ignore', output, output, 'ipc'],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on('line', (line) => writeLog(`${line}\n`));
  }
  return child;
}
