import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEST_MS } from '@/bin/testing/patience.mjs';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type CommandResult = { code: number; stdout: string; stderr: string };

/** Runs a `pharos` command. `env` is added to an environment without any other Pharos settings. */
export function runPharos(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  return startPharos(args, env).result;
}

/** The same, for a command that a test interacts with while it runs. */
export function startPharos(
  args: string[],
  env: Record<string, string> = {},
): { child: ChildProcess; stderr: () => string; result: Promise<CommandResult> } {
  const options = { cwd: root, env: onlyThese(env), timeout: TEST_MS };
  const child = spawn(process.execPath, [join(root, 'bin', 'pharos.mjs'), ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const result = once(child, 'close').then(([code]) => ({
    code: typeof code === 'number' ? code : -1,
    ...output,
  }));
  return { child, stderr: () => output.stderr, result };
}

/** An environment without any other Pharos settings than these. */
export function onlyThese(env: Record<string, string>): NodeJS.ProcessEnv {
  return childEnvironment({ ...Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ''])), ...env });
}

/** Creates an organization in a running service with the command line. */
export async function createOrganizationByCommand(
  dataDir: string,
  { plan = 'enterprise', email = 'owner@example.com' }: { plan?: string; email?: string } = {},
): Promise<{ organizationId: string; userId: string; apiKey: string }> {
  const args = [
    'org',
    'create',
    '--name',
    'Acme',
    '--plan',
    plan,
    '--email',
    email,
    '--password',
    'correct horse',
  ];
  const { code, stdout, stderr } = await runPharos(args, { DATA_DIR: dataDir });
  if (code !== 0) throw new Error(`org create failed: ${stderr}`);
  return JSON.parse(stdout);
}
