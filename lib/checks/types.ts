import type { CheckType, FieldGroup, Target } from './check-type';
import { dns } from './dns/dns';
import { http } from './http/http';
import { ping } from './ping/ping';
import { tcp } from './tcp/tcp';

/** The check types, in the order in which they are offered. Their probes: `PROBES` in probe.ts. */
export const CHECK_TYPES = { http, tcp, ping, dns } satisfies Record<string, CheckType>;

export type MonitorType = keyof typeof CHECK_TYPES;

export const MONITOR_TYPES = Object.keys(CHECK_TYPES) as [MonitorType, ...MonitorType[]];

/** The type of that name, or undefined. */
export function findCheckType(name: string | undefined): CheckType | undefined {
  const type = MONITOR_TYPES.find((each) => each === name);
  return type && CHECK_TYPES[type];
}

/** Whom a monitor's checks reach; null where its `url` is no target of its type. */
export function readTarget({ type, url }: { type: MonitorType; url: string }): Target | null {
  return CHECK_TYPES[type].target.parse(url);
}

/** Whether monitors of the type of that name have a group of fields. */
export function hasFieldGroup(name: string | undefined, group: FieldGroup): boolean {
  return findCheckType(name)?.form.groups.includes(group) ?? false;
}
