import { ipVersion, isHostname } from '@/lib/core/addresses';
import type { CheckType } from '../check-type';

/** Checks that a host replies to an ICMP echo request. */
export const ping: CheckType = {
  isProbed: true,
  target: {
    shape: 'a host name or an IP address',
    parse: (text) => {
      const host = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
      return ipVersion(host) !== 0 || (host === text && isHostname(host)) ? { host } : null;
    },
  },
  form: {
    label: 'Host',
    placeholder: 'gateway.example.com',
    groups: ['probe', 'thresholds', 'connection', 'assertions'],
  },
  texts: { label: 'Ping', request: () => 'ping' },
  phases: ['dns'],
  assertions: ['responseTime'],
};
