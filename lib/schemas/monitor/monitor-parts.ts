import { compileOutput } from '@/lib/schemas/compile-output';
import { type Monitor, monitorSchema } from '.';
import { FIELD_NAMES, type FieldName } from './fields';

type ConfigName = 'id' | FieldName;

/** A monitor whose configuration is written as JSON, by `writeMonitorConfig`, and the rest is not. */
export type MonitorInParts = { config: string; current: Omit<Monitor, ConfigName> };

const configNames = Object.fromEntries(['id', ...FIELD_NAMES].map((name) => [name, true])) as Record<
  ConfigName,
  true
>;
const compileConfig = compileOutput(monitorSchema.pick(configNames), { isChecked: false });
const compileCurrent = compileOutput(monitorSchema.omit(configNames), { isChecked: false });

/** The beginning of a monitor as JSON: what changes only with its configuration. */
export function writeMonitorConfig(config: Pick<Monitor, ConfigName>): string {
  return `${compileConfig(config).slice(0, -1)},`;
}

/** A monitor as JSON: the same as `monitorSchema` writes. */
export function writeMonitor({ config, current }: MonitorInParts): string {
  return config + compileCurrent(current).slice(1);
}
