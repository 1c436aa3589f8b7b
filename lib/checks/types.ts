import type { CheckType, FieldGroup, Target } from './check-type';
import { dns } from './dns/dns';
import { group } from './group/group';
import { heartbeat } from './heartbeat/heartbeat';
import { http } from './http/http';
import { ping } from './ping/ping';
import { tcp } from './tcp/tcp';

/** The check types, in display order. Their probes are in `PROBES` (probe.ts). */
export const CHECK_TYPES = { http, tcp, ping, dns, heartbeat, group } satisfies Record<string, CheckType>;
export type MonitorType = keyof typeof CHECK_TYPES;

export const MONITOR_TYPES = Object.keys(CHECK_TYPES) as [MonitorType, ...MonitorType[]];

/** The check type with this name, or undefined. */
export function findCheckType(name: string | undefined): CheckType | undefined {
  const type = MONITOR_TYPES.find((each) => each === name);
  return type && CHECK_TYPES[type];
}

/** What a monitor's checks reach; null when its `url` is not a valid target of its type. */
export function readTarget({ type, url }: { type: MonitorType; url: string }): Target | null {
  return CHECK_TYPES[type].target.parse(url);
}

/** The types whose targets workers probe. */
export const PROBED_TYPES: readonly MonitorType[] = MONITOR_TYPES.filter(
  (type) => CHECK_TYPES[type].isProbed,
);

/** Whether workers probe the target of a monitor. */
export function isProbed({ type }: { type: MonitorType }): boolean {
  return CHECK_TYPES[type].isProbed;
}

/** Whether a job calls a URL of the monitor. */
export function isCalled({ type }: { type: MonitorType }): boolean {
  const { isProbed, follows }: CheckType = CHECK_TYPES[type];
  return !isProbed && follows === undefined;
}

/** The types whose status follows from that of other monitors. */
export const GROUP_TYPES: readonly MonitorType[] = MONITOR_TYPES.filter((type) => isGroup({ type }));

/** Whether the status of a monitor follows from that of others, its members. */
export function isGroup({ type }: { type: MonitorType }): boolean {
  const { follows }: CheckType = CHECK_TYPES[type];
  return follows === 'members';
}

/** Whether monitors of the named type have a group of fields. */
export function hasFieldGroup(name: string | undefined, group: FieldGroup): boolean {
  return findCheckType(name)?.form.groups.includes(group) ?? false;
}
