import { type ExecFileException, execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StartupError } from '@/lib/core/errors';

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
export async function runProgram(program: string, args: string[], runAs: RunAs): Promise<ProgramResult> {
  // Our own working directory may be closed to the other user.
  const options = { cwd: '/', env: SERVER_ENVIRONMENT, maxBuffer: 64 * 1024 * 1024, ...runAs };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, options);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '', message } = error as ExecFileException;
    return { code: typeof code === 'number' ? code : null, output: stdout + stderr || message };
  }
}

type Account = { name: string; uid: number; gid: number };

const CANDIDATES = ['postgres', '_postgres', 'nobody'];

async function readAccounts(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid || name.startsWith('#')) return [];
    // macOS writes nobody's uid as -2.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}

/** True when this process is root, which PostgreSQL refuses to be run by. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** `name (uid 1)`, for messages. */
export async function describeUser(uid: number): Promise<string> {
  const account = (await readAccounts()).find((each) => each.uid === uid);
  return account ? `${account.name} (uid ${uid})` : `uid ${uid}`;
}

/**
 * As whom PostgreSQL is to run: ourselves (null), unless we are root. Then the owner of the data there is, or else the
 * first of postgres and nobody that exists. Throws StartupError when root finds no such user.
 */
export async function chooseServerUser(owner: { uid: number; gid: number } | null): Promise<RunAs> {
  if (!isRoot()) return null;
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readAccounts();
  for (const name of CANDIDATES) {
    const account = accounts.find((each) => each.name === name && each.uid !== 0);
    if (account) return { uid: account.uid, gid: account.gid };
  }
  throw new StartupError(
    'PostgreSQL does not run as root, and there is no user postgres or nobody: start Pharos as another user, or set DATABASE_URL',
  );
}

/**
 * Whether that user can enter a directory, given by its real path. Tried for real instead of computed from modes, so that
 * access lists and the like count too.
 */
export async function canEnter(directory: string, runAs: RunAs): Promise<boolean> {
  const { code } = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], runAs);
  return code === 0;
}

/**
 * Makes `directory` enterable for the server's user where that takes nothing from anybody, and says whether it is.
 *
 * A DATA_DIR that only root can enter (mode 0700, as we make it) is handed to the server's group with mode 0710: the server
 * may pass through but not list, what else lies in it is 0600, and nobody had access by the group before. That beats keeping
 * the data elsewhere, since a backup or a container's volume of DATA_DIR then holds the database. Parent directories are
 * the operator's and never changed.
 */
export async function letEnter(directory: string, runAs: RunAs): Promise<boolean> {
  if (!runAs || (await canEnter(directory, runAs))) return true;
  const { uid, gid, mode } = await stat(directory);
  // Root's own group may lose its passage: so a DATA_DIR looks after root restored it from a backup.
  const groupHasNothing = (mode & 0o070) === 0 || (gid === 0 && (mode & 0o060) === 0);
  if (uid !== 0 || !groupHasNothing || !(await canEnter(dirname(directory), runAs))) return false;
  await chown(directory, uid, runAs.gid);
  await chmod(directory, (mode & 0o7777) | 0o010);
  if (await canEnter(directory, runAs)) return true;
  await chmod(directory, mode & 0o7777);
  await chown(directory, uid, gid);
  return false;
}

/**
 * Makes the directory that holds what root stages for the server's user. Throws StartupError when that user cannot reach
 * it either.
 */
export async function createStagingBase(stagingBase: string, runAs: RunAs): Promise<void> {
  await mkdir(stagingBase, { recursive: true });
  await chmod(stagingBase, 0o755);
  if (await canEnter(stagingBase, runAs)) return;
  throw new StartupError(
    `the user of PostgreSQL cannot reach ${stagingBase}: chmod a+x the directories above it`,
  );
}
