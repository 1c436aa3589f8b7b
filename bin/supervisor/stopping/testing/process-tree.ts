import { readdirSync, readFileSync } from 'node:fs';

/** A running process and what started it. */
type Running = { pid: number; parent: number; command: string };

/** Every process of this machine with its parent; zombies excepted, which have ended. Linux only. */
function listRunning(): Omit<Running, 'command'>[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readText(`/proc/${name}/stat`);
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return stat === '' || state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent) }];
  });
}

/** A process and all that it started, directly or not, also in sessions of their own: what a service manager knows as a group. */
export function listTree(pid: number): Running[] {
  const all = listRunning();
  const found = all.filter((one) => one.pid === pid);
  for (const { pid: parent } of found) found.push(...all.filter((one) => one.parent === parent));
  return found.map((one) => ({ ...one, command: readCommand(one.pid) }));
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
    .map(({ pid }) => ({ pid, command: readCommand(pid) }))
    .filter(
      ({ pid, command }) => command.includes(dataDir) || readText(`/proc/${pid}/environ`).includes(dataDir),
    )
    .map(({ command }) => command);
}

const readCommand = (pid: number) => readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();

/** The text of a file about a process; empty if that has just ended, or belongs to another user. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
