import { readFile } from 'node:fs/promises';
import { StartupError } from '@/lib/core/errors';
import type { RunAs } from './run-program';

/** An account of this machine. */
export type Account = { name: string; uid: number; gid: number };

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
