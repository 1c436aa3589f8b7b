import { hasFieldGroup, readTarget } from '@/lib/checks/types';
import { parseHostWithPort, ipVersion as versionOf } from '@/lib/core/addresses';
import type { MonitorConfig } from '.';

type Connection = Pick<MonitorConfig, 'type' | 'url' | 'ipVersion' | 'connectTo'>;

/** Conflicts between the fields about the connection of a check, and with its target. */
export function findConnectionConflicts(config: Connection): { path: string; message: string }[] {
  if (!hasFieldGroup(config.type, 'connection')) return [];
  const { ipVersion } = config;
  const version = versionOf(hostOf(config));
  if (ipVersion === 'any' || version === 0 || ipVersion === String(version)) return [];
  const message = `must be "any" or "${version}" for a target that is an IPv${version} address`;
  return [{ path: 'ipVersion', message }];
}

/** The host that is connected to, without brackets. */
function hostOf(config: Connection): string {
  const host = placeToConnect(config)?.host ?? readTarget(config)?.host ?? '';
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Where a target is connected to in place of its host; null: to its host. */
export function placeToConnect({
  type,
  connectTo,
}: Pick<MonitorConfig, 'type' | 'connectTo'>): ReturnType<typeof parseHostWithPort> {
  return connectTo && hasFieldGroup(type, 'request') ? parseHostWithPort(connectTo) : null;
}
