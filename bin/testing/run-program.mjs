import { spawn } from 'node:child_process';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * Runs a program with the output of this process, in its own process group. Resolves to whether it succeeded.
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
    child.once('close', (code) => {
      running.delete(child);
      resolve(code === 0);
    });
  });
}

/**
 * Sends a signal to the process group of every running program.
 * @param {NodeJS.Signals} signal
 */
export function signalPrograms(signal) {
  for (const { pid } of running) {
    try {
      if (pid) process.kill(-pid, signal);
    } catch {
      // It has already ended.
    }
  }
}
