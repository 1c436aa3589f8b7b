import { toStateConfig } from '../types';

/** The configuration of a group. Its thresholds, regions and times mean nothing. */
export const GROUP_CONFIG = toStateConfig({
  type: 'group',
  interval: 60,
  timeout: 30,
  regions: ['us-east'],
  alertThreshold: 3,
  recoveryThreshold: 1,
  degradedThreshold: 5000,
  confirmInterval: null,
  tlsExpiryDays: null,
  configVersion: 1,
});
