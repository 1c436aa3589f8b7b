import { describe, expect, it } from 'vitest';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import { compareStatuses, formatStatus, parseStatus } from './message-status';

const parse = (text: string) => {
  const status = parseStatus(text);
  if (!status) throw new Error(text);
  return status;
};

describe('what a change of an incident means to those who read', () => {
  it.each([
    ['investigating minor', 'investigating critical', 'loud', 'is worse'],
    ['monitoring minor', 'monitoring major', 'loud', 'is worse'],
    ['monitoring critical', 'investigating critical', 'loud', 'is down again'],
    ['identified major', 'resolved major', 'loud', 'is over'],
    ['resolved critical', 'investigating critical', 'loud', 'is open again'],
    ['resolved critical', 'monitoring minor', 'loud', 'is open again'],
    ['investigating critical', 'identified critical', 'quiet', 'makes progress'],
    ['identified critical', 'monitoring critical', 'quiet', 'makes progress'],
    ['investigating critical', 'monitoring minor', 'quiet', 'makes progress and is less severe'],
    ['investigating critical', 'investigating critical', 'same', 'is as it was'],
    ['investigating critical', 'investigating minor', 'same', 'is only less severe'],
    ['resolved minor', 'resolved critical', 'same', 'is over as before'],
  ])('%s → %s is %s: it %s', (before, after, step) => {
    expect(compareStatuses(parse(before), parse(after))).toBe(step);
  });

  it('is the first if they heard nothing of it', () => {
    expect(compareStatuses(null, parse('resolved minor'))).toBe('first');
  });
});

describe('a stored status', () => {
  it('is read as it was written', () => {
    for (const status of INCIDENT_STATUSES) {
      for (const severity of INCIDENT_SEVERITIES) {
        expect(parseStatus(formatStatus({ status, severity }))).toEqual({ status, severity });
      }
    }
  });

  it.each([null, '', 'investigating', 'closed minor', 'resolved worst'])(
    'that is not known is none: %s',
    (text) => {
      expect(parseStatus(text)).toBeNull();
    },
  );
});
