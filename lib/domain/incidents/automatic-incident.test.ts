import { describe, expect, it } from 'vitest';
import { decideIncident, type OpenIncident } from './follow-status';

const minor: OpenIncident = { id: 'inc_1', status: 'investigating', severity: 'minor' };
const critical: OpenIncident = { id: 'inc_1', status: 'investigating', severity: 'critical' };

describe('automatic incident', () => {
  it('opens critical when the monitor goes down', () => {
    expect(decideIncident(null, 'down', 'Shop')).toMatchObject({
      action: 'open',
      title: 'Shop is down',
      status: 'investigating',
      severity: 'critical',
    });
  });

  it('opens minor when it goes degraded', () => {
    expect(decideIncident(null, 'degraded', 'Shop')).toMatchObject({ action: 'open', severity: 'minor' });
  });

  it('becomes critical and investigating when degraded turns into down', () => {
    expect(decideIncident(minor, 'down', 'Shop')).toMatchObject({
      action: 'update',
      status: 'investigating',
      severity: 'critical',
    });
  });

  it('moves to monitoring when down turns into degraded, once', () => {
    expect(decideIncident(critical, 'degraded', 'Shop')).toMatchObject({
      action: 'update',
      status: 'monitoring',
    });
    expect(decideIncident({ ...critical, status: 'monitoring' }, 'degraded', 'Shop').action).toBe('none');
  });

  it('resolves when the monitor is operational again', () => {
    expect(decideIncident(critical, 'operational', 'Shop').action).toBe('resolve');
    expect(decideIncident(null, 'operational', 'Shop').action).toBe('none');
  });

  it('does not change if the status is already reported', () => {
    expect(decideIncident(critical, 'down', 'Shop').action).toBe('none');
    expect(decideIncident(minor, 'degraded', 'Shop').action).toBe('none');
  });
});
