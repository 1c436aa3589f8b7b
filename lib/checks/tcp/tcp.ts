import { parseHostAndPort } from '@/lib/core/addresses';
import type { CheckType } from '../check-type';

/** Checks that a port accepts connections, and speaks a protocol if one is chosen. */
export const tcp: CheckType = {
  isProbed: true,
  target: { shape: 'host:port with a port from 1 to 65535', parse: parseHostAndPort },
  form: {
    label: 'Host and port',
    placeholder: 'db.example.com:5432',
    groups: ['probe', 'thresholds', 'connection', 'protocol', 'certificate', 'assertions', 'banner'],
  },
  texts: { label: 'TCP', request: () => 'tcp' },
  phases: ['dns', 'connect', 'tls', 'firstByte', 'transfer'],
  assertions: ['banner', 'responseTime', 'certificateDays'],
};
