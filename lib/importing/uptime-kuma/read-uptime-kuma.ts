import type { ReadFile } from '../plan/plan';
import { convertMonitor } from './convert-monitor';
import { findGroups } from './groups';
import { readKumaFile } from './kuma-file';

/** Reads `kuma.db` or a backup of Uptime Kuma. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export async function readUptimeKuma(file: Uint8Array): Promise<ReadFile> {
  const { monitors, others, expiryDays, notes } = await readKumaFile(file);
  const context = { groups: findGroups(monitors), expiryDays };
  const items = monitors.map((monitor) => convertMonitor(monitor, context));
  return { items: [...items, ...others], notes };
}
