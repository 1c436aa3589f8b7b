import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcesses, type RunningProcess } from './process-list';
import { nameCluster } from './server-settings';

/** The pids of one server. */
export type ServerProcesses = { postmasters: number[]; children: number[] };

/** The pid in postmaster.pid, which may be stale, or null when there is none. */
export function readPid(directory: string): Promise<number | null> {
  return readFile(join(directory, 'postmaster.pid'), 'utf8').then(
    (text) => Number.parseInt(text, 10) || null,
    () => null,
  );
}

function isPostmaster({ command, workingDirectory }: RunningProcess, directory: string): boolean {
  if (command.includes(`/postgres -D ${directory} `)) return true;
  // Started by hand, with the directory named in another way.
  return workingDirectory === directory && /^\S*postgres\s/.test(command);
}

function isChild({ command, workingDirectory }: RunningProcess, directory: string): boolean {
  if (!command.startsWith('postgres: ')) return false;
  return command.startsWith(`postgres: ${nameCluster(directory)}: `) || workingDirectory === directory;
}

/** The processes of the server of this very data directory, and of no other. */
export async function findServerProcesses(directory: string): Promise<ServerProcesses> {
  const recorded = await readPid(directory);
  const processes = await listProcesses();
  return {
    // The pid and the title must both say so: a pid may be another's by now, and a wrapper's title may quote the server's.
    postmasters: processes
      .filter((each) => each.pid === recorded && isPostmaster(each, directory))
      .map(({ pid }) => pid),
    children: processes.filter((each) => isChild(each, directory)).map(({ pid }) => pid),
  };
}
