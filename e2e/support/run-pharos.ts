import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';

const root = fileURLToPath(new URL('../..', import.meta.url));

type CommandResult = { code: number; stdout: string; stderr: string };

/** Runs a `pharos` command. `env` is added to an environment without any other Pharos settings. */
export function runPharos(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const options = { cwd: root, env: childEnvironment({ ...unset, ...env }), timeout: 60_000 };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'bin', 'pharos.mjs'), ...args],
      options,
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ code, stdout, stderr });
      },
    );
  });
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
