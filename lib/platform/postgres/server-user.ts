import { type ExecFileException, execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StartupError } from '@/lib/core/errors';

/** The user a program runs as; null: the current one. */
export type RunAs = { uid: number; gid: number } | null;

/** How a program ended, with stdout and stderr. `code` is null if it did not start or was ended by a signal. */
export type ProgramResult = { code: number | null; output: string };

/** The environment of PostgreSQL's programs. Fixed, so that PGDATA, PGPORT, LC_ALL and the like have no effect. */
export const SERVER_ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
  // Not used by these programs, but required by Next's types.
  NODE_ENV: 'production',
} as const;

/** Runs a program in PostgreSQL's environment until it ends. Never throws: failures are in the result. */
export async function runProgram(program: string, args: string[], runAs: RunAs): Promise<ProgramResult> {
  // Our working directory may be inaccessible to the other user.
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

/** Whether this process is root, as which PostgreSQL does not run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Formats a user for messages: `name (uid 1)`. */
export async function formatUser(uid: number): Promise<string> {
  const account = (await readAccounts()).find((each) => each.uid === uid);
  return account ? `${account.name} (uid ${uid})` : `uid ${uid}`;
}

/**
 * Chooses the user to run PostgreSQL as: the current one (null), unless that is root. Then the owner of the
 * existing data, or else the first existing of postgres and nobody. Throws StartupError if root finds no such
 * user.
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
    'PostgreSQL cannot run as root, and there is no user postgres or nobody: start Pharos as another user, or set DATABASE_URL',
  );
}

/** Whether a user can enter a directory, given by its real path. Attempted, because access lists count too. */
export async function canEnter(directory: string, runAs: RunAs): Promise<boolean> {
  const { code } = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], runAs);
  return code === 0;
}

/**
 * Makes `directory` enterable for the server's user if that reduces no one's access, and returns whether it
 * is.
 *
 * A DATA_DIR that only root can enter (mode 0700, as created by Pharos) gets the server's group and mode
 * 0710: the server can pass through but not list it, other files in it are 0600, and no group had access
 * before. This way a backup or a container volume of DATA_DIR includes the database. Parent directories
 * belong to the operator and are never changed.
 */
export async function letEnter(directory: string, runAs: RunAs): Promise<boolean> {
  if (!runAs || (await canEnter(directory, runAs))) return true;
  const { uid, gid, mode } = await stat(directory);
  // Root's group may lose access: a DATA_DIR looks like this after root restored it from a backup.
  const groupHasNothing = (mode & 0o070) === 0 || (gid === 0 && (mode & 0o060) === 0);
  if (uid !== 0 || !groupHasNothing || !(await canEnter(dirname(directory), runAs))) return false;
  await chown(directory, uid, runAs.gid);
  await chmod(directory, (mode & 0o7777) | 0o010);
  if (await canEnter(directory, runAs)) return true;
  await chmod(directory, mode & 0o7777);
  await chown(directory, uid, gid);
  return false;
}

/** Creates the directory for what root stages. Throws StartupError if the server's user cannot reach it either. */
export async function createStagingBase(stagingBase: string, runAs: RunAs): Promise<void> {
  await mkdir(stagingBase, { recursive: true });
  await chmod(stagingBase, 0o755);
  if (await canEnter(stagingBase, runAs)) return;
  throw new StartupError(
    `the PostgreSQL user cannot reach ${stagingBase}: chmod a+x the directories above it`,
  );
}
