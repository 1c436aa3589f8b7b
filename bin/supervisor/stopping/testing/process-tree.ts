import { readdirSync, readFileSync } from 'node:fs';

/** A running process and what started it. */
type Running = { pid: number; parent: number; command: string };

/** Every process of this machine; zombies excepted, which have ended. Linux only. */
function listRunning(): Running[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      // It has just ended.
      return [];
    }
  });
}

/** A process and all that it started, directly or not, also in sessions of their own: what a service manager knows as a group. */
export function listTree(pid: number): Running[] {
  const all = listRunning();
  const found = all.filter((one) => one.pid === pid);
  for (const { pid: parent } of found) found.push(...all.filter((one) => one.parent === parent));
  return found;
}

/** Sends a signal to a process and all that it started, as service managers do by default. Returns them. */
export function signalTree(pid: number, signal: NodeJS.Signals): Running[] {
  const tree = listTree(pid);
  for (const one of tree) {
    try {
      process.kill(one.pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
  return tree;
}

/** The commands of all processes that serve a data directory: it is among their settings or arguments. */
export function listServing(dataDir: string): string[] {
  return listRunning()
    .filter(({ pid, command }) => command.includes(dataDir) || readSettings(pid).includes(dataDir))
    .map(({ command }) => command);
}

function readSettings(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // It has ended, or belongs to another user.
    return '';
  }
}
