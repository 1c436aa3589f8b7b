import { spawn } from 'node:child_process';
import { isIPv6 } from 'node:net';
import { abortReason } from './deadline';
import { IcmpUnavailableError } from './icmp-echo';
import { errorCode } from './net-error';

/**
 * Runs the system's `ping` program until a checked address replies; resolves with the round trip in
 * milliseconds. Throws `IcmpUnavailableError`, or the signal's reason.
 */
export async function pingWithProgram(
  address: string,
  signal: AbortSignal,
  program?: string,
): Promise<number> {
  for (;;) {
    const { exitCode, output } = await run(program ?? programFor(address), address, signal);
    const time = /time[=<]\s*([\d.]+)\s*ms/.exec(output)?.[1];
    if (exitCode === 0 && time !== undefined) return Number(time);
    // Exit code 1 (2 on macOS) with statistics: sent, but no reply.
    if (!/packets transmitted/.test(output)) {
      const reason = output.trim().split('\n')[0] || `ping exited with code ${exitCode}`;
      throw new IcmpUnavailableError(reason);
    }
  }
}

function programFor(address: string): string {
  return process.platform === 'darwin' && isIPv6(address) ? 'ping6' : 'ping';
}

function run(
  program: string,
  address: string,
  signal: AbortSignal,
): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortReason(signal));
    const isMac = process.platform === 'darwin';
    // Wait one second per attempt; macOS expects milliseconds, and its ping6 has no such option.
    const wait = isMac ? (isIPv6(address) ? [] : ['-W', '1000']) : ['-W', '1'];
    const child = spawn(program, ['-n', '-c', '1', ...wait, address], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const finish = (settle: () => void) => {
      signal.removeEventListener('abort', stop);
      settle();
    };
    const stop = () => {
      child.kill('SIGKILL');
      finish(() => reject(abortReason(signal)));
    };
    const collect = (chunk: Buffer) => {
      if (output.length < 4096) output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => {
      const reason =
        errorCode(error) === 'ENOENT'
          ? 'ICMP sockets are not permitted and no ping program is installed'
          : error.message;
      finish(() => reject(new IcmpUnavailableError(reason)));
    });
    child.on('close', (exitCode) => finish(() => resolve({ exitCode, output })));
    signal.addEventListener('abort', stop, { once: true });
  });
}
