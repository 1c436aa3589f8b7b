import { describe, expect, it } from 'vitest';
import { explainAlerts } from './explain-alerts';

const TYPED = {
  interval: '60',
  timeout: '30',
  alertThreshold: '3',
  recoveryThreshold: '1',
  degradedThreshold: '5000',
  regions: 'us-east',
};

describe('explainAlerts', () => {
  it('explains the settings in sentences', () => {
    expect(explainAlerts(TYPED)).toEqual([
      'Down after 3 failed checks in a row. Alerts about 2 minutes after the first failure (up to 30 seconds later if requests time out).',
      'Recovers after 1 successful check.',
      'Degraded after 3 checks in a row slower than 5s.',
    ]);
  });

  it('explains the rule of a group, which has no checks of its own', () => {
    const typed = {
      ...TYPED,
      type: 'group',
      members: 'mon_1,mon_2,mon_3',
      memberRule: 'count',
      memberMinimum: '2',
    };
    const [down, ...others] = explainAlerts(typed);
    expect(down).toBe('Down when fewer than 2 members are up.');
    expect(others).toEqual([
      'Degraded when it is not down and a member is degraded.',
      'Members that are pending, paused, in maintenance or without data do not count.',
    ]);
    expect(explainAlerts({ ...typed, memberMinimum: '9' })[0]).toBe('Down when fewer than 3 members are up.');
    expect(explainAlerts({ ...typed, memberRule: 'share', memberMinimum: '' })).toEqual(others);
  });

  it('names how many regions must agree', () => {
    const [down] = explainAlerts({ ...TYPED, alertThreshold: '1', regions: 'us-east,eu-west,ap-southeast' });
    expect(down).toBe(
      'Down after 1 failed check in 2 of 3 regions. Alerts right after the first failure (up to 30 seconds later if requests time out).',
    );
  });

  it('explains what is gained by confirming', () => {
    const [down, confirmed] = explainAlerts({ ...TYPED, confirmInterval: '10' });
    expect(down).toBe(
      'Down after 3 failed checks in a row. Alerts about 20 seconds after the first failure (up to 1 minute 10 seconds later if requests time out).',
    );
    expect(confirmed).toBe(
      'After a first failure, checks every 10 seconds in all regions until the outage is confirmed or ruled out.',
    );
    expect(explainAlerts({ ...TYPED, confirmInterval: '' })).toEqual(explainAlerts(TYPED));
    expect(explainAlerts({ ...TYPED, interval: '30', confirmInterval: '30' })).toHaveLength(3);
  });

  it('explains those of a job', () => {
    expect(explainAlerts({ type: 'heartbeat', alertThreshold: '1', recoveryThreshold: '2' })).toEqual([
      'Down after 1 run without a call in time, or with a reported failure.',
      'Recovers after 2 successful calls in a row.',
    ]);
  });

  it('leaves out invalid numbers', () => {
    const typed = { ...TYPED, alertThreshold: 'x', recoveryThreshold: '', degradedThreshold: '-1' };
    expect(explainAlerts(typed)).toEqual([]);
  });
});
