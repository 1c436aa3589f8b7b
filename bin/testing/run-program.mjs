import { spawn } from 'node:child_process';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * Runs a program with the output of this process, in its own process group. Resolves to whether it succeeded; what it has left running then
 * is killed.
 * @param {string[]} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<boolean>}
 */
export function runProgram([program = '', ...words], options) {
  const child = spawn(program, words, {
    ...options,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  running.add(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      signalGroup(child, 'SIGKILL');
      running.delete(child);
      resolve(code === 0);
    });
  });
}

/**
 * Sends a signal to the process group of every running program.
 * @param {NodeJS.Signals} name
 */
export function signalPrograms(name) {
  for (const child of running) signalGroup(child, name);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} name
 */
function signalGroup({ pid }, name) {
  if (pid) signal(-pid, name);
}

/**
 * Sends a signal to a process, or to a group if `pid` is negative; none of them may be left.
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // They have already ended.
  }
}
