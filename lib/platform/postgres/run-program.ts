import { spawn } from 'node:child_process';

/** As whom a program runs; null: as ourselves. */
export type RunAs = { uid: number; gid: number } | null;

/** How a program ended, and its stdout and stderr together. `code` is null when it did not start or a signal ended it. */
export type ProgramResult = { code: number | null; output: string };

/** The environment of PostgreSQL's programs. Fixed, so that PGDATA, PGPORT, LC_ALL and the like change nothing. */
export const SERVER_ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
  // Means nothing to these programs; Next's types demand it of every environment.
  NODE_ENV: 'production',
} as const;

/** Runs a program to its end in PostgreSQL's environment. Never throws: what failed is in the result. */
export function runProgram(program: string, args: string[], runAs: RunAs): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      // Our own working directory may be closed to the other user.
      cwd: '/',
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...runAs,
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}
