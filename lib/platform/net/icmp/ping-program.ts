import { type ExecFileException, execFile } from 'node:child_process';
import { isIPv6 } from 'node:net';
import { promisify } from 'node:util';
import { abortReason, type StopSignal } from '../deadline';
import { errorCode } from '../net-error';
import { IcmpUnavailableError } from './icmp-echo';

/** Pings with the system's program; resolves with milliseconds. Throws `IcmpUnavailableError`, or the signal's reason. */
export async function pingWithProgram(
  address: string,
  signal: StopSignal,
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

async function run(program: string, address: string, signal: StopSignal) {
  if (signal.aborted) throw abortReason(signal);
  const isMac = process.platform === 'darwin';
  // Wait one second per attempt; macOS expects milliseconds, and its ping6 has no such option.
  const wait = isMac ? (isIPv6(address) ? [] : ['-W', '1000']) : ['-W', '1'];
  const controller = new AbortController();
  const kill = () => controller.abort();
  signal.addEventListener('abort', kill, { once: true });
  const options = { signal: controller.signal, killSignal: 'SIGKILL' } as const;
  try {
    const words = ['-n', '-c', '1', ...wait, address];
    const { stdout, stderr } = await promisify(execFile)(program, words, options);
    return { exitCode: 0, output: stdout + stderr };
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    const { code, stdout = '', stderr = '', message } = error as ExecFileException;
    if (errorCode(error) === 'ENOENT') {
      throw new IcmpUnavailableError('no ping program is installed');
    }
    return { exitCode: typeof code === 'number' ? code : null, output: stdout + stderr || message };
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
