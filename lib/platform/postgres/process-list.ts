import { readdir, readFile, readlink } from 'node:fs/promises';
import { runProgram } from './run-program';

/** A running process. `command` is its title: its arguments joined by spaces. */
export type RunningProcess = { pid: number; command: string; workingDirectory: string | null };

async function readProcess(pid: number): Promise<RunningProcess[]> {
  try {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    // Empty for kernel threads, and for zombies, which hold nothing any more.
    if (title === '') return [];
    const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    return [{ pid, command: title.replaceAll('\0', ' '), workingDirectory }];
  } catch {
    return [];
  }
}

/** The processes that run now. Working directories are known on Linux only, and there not of everybody's. */
export async function listProcesses(): Promise<RunningProcess[]> {
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    return (await Promise.all(pids.map(readProcess))).flat();
  }
  const { output } = await runProgram('ps', ['-axww', '-o', 'pid=,command='], null);
  return output.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid && command ? [{ pid: Number(pid), command: `${command} `, workingDirectory: null }] : [];
  });
}
