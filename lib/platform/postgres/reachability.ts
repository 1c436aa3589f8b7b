import { chmod, chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type RunAs, runProgram } from './run-program';

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
