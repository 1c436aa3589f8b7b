import { once } from 'node:events';
import { startPharos } from '@/e2e/support/run-pharos';

/** Runs a command whose output nobody reads. */
export async function runUnread(...args: string[]) {
  const { child, stderr } = startPharos(args, { PHAROS_URL: 'http://127.0.0.1:9', PHAROS_API_KEY: 'k' });
  child.stdout?.destroy();
  const [code] = await once(child, 'close');
  return { code, stderr: stderr() };
}
