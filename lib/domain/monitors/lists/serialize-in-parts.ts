import { type MonitorInParts, writeMonitorConfig } from '@/lib/schemas/monitor/monitor-parts';
import { currentPart, type MonitorRow, type Serializing, withConfigs } from '../find-monitor';
import type { StoredConfig } from '../stored-configs';
import type { CurrentMonitor } from './current-monitors';

/**
 * Monitors as `serializeMonitors` returns them, with the configuration as JSON, which is written once for each version. In a file of its own,
 * because what compiles the writer is not for processes that write no monitors.
 */
export async function serializeInParts(
  ctx: Serializing,
  monitors: readonly CurrentMonitor<MonitorRow>[],
): Promise<MonitorInParts[]> {
  return withConfigs(ctx, monitors, (stored, monitor) => ({
    config: writeConfig(stored),
    current: currentPart(ctx, stored, monitor),
  }));
}

/** A configuration as the beginning of its monitor's JSON, written once. */
export function writeConfig(stored: StoredConfig): string {
  stored.json ??= writeMonitorConfig({ id: stored.id, ...stored.config });
  return stored.json;
}
