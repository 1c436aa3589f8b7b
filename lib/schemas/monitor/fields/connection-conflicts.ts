import { hasFieldGroup, readTarget } from '@/lib/checks/types';
import { ipVersion as versionOf } from '@/lib/core/addresses';
import type { MonitorConfig } from '.';

type Connection = Pick<MonitorConfig, 'type' | 'url' | 'ipVersion'>;

/** Conflicts between the fields about the connection of a check, and with its target. */
export function findConnectionConflicts(config: Connection): { path: string; message: string }[] {
  if (!hasFieldGroup(config.type, 'connection')) return [];
  const { ipVersion } = config;
  const version = versionOf(unbracketed(readTarget(config)?.host ?? ''));
  if (ipVersion === 'any' || version === 0 || ipVersion === String(version)) return [];
  return [
    {
      path: 'ipVersion',
      message: `must be "any" or "${version}" for a target that is an IPv${version} address`,
    },
  ];
}

function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
