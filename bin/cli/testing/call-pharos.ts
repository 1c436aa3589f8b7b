import { type CommandResult, onlyThese } from '@/e2e/support/run-pharos';
import { replaceEnvironment } from '@/lib/env';
import { runCommand } from '../run-command';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a `pharos` command in this process: arguments, environment, output and exit code are those of a command, without the
 * start of a process. `env` is added to an environment without any other Pharos settings. One after another, because they share
 * what belongs to the process.
 */
export function callPharos(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const result = last.then(() => call(args, env));
  last = result.catch(() => undefined);
  return result;
}

async function call(args: string[], env: Record<string, string>): Promise<CommandResult> {
  const restoreEnvironment = replaceEnvironment(onlyThese(env));
  const streams = [capture(process.stdout), capture(process.stderr)] as const;
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    await runCommand(args);
    const [stdout, stderr] = streams.map(({ read }) => read());
    return { code: Number(process.exitCode ?? 0), stdout: stdout ?? '', stderr: stderr ?? '' };
  } finally {
    process.exitCode = exitCode;
    for (const { release } of streams) release();
    restoreEnvironment();
  }
}

/** Keeps what is written to a stream instead of writing it. */
function capture(stream: NodeJS.WriteStream): { read(): string; release(): void } {
  const { write } = stream;
  let text = '';
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  };
  return {
    read: () => text,
    release: () => {
      stream.write = write;
    },
  };
}
