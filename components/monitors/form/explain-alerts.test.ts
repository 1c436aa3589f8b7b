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

describe('what the numbers come to', () => {
  it('is said in sentences', () => {
    expect(explainAlerts(TYPED)).toEqual([
      'Down after 3 failed checks in a row: about 2m after the first of them, and up to 30s more where nothing answers.',
      'Up again after 1 good check.',
      'Degraded after 3 checks in a row slower than 5 s.',
    ]);
  });

  it('names how many regions have to agree', () => {
    const [down] = explainAlerts({ ...TYPED, alertThreshold: '1', regions: 'us-east,eu-west,ap-southeast' });
    expect(down).toBe(
      'Down after 1 failed check from 2 of its 3 regions: at once, and up to 30s more where nothing answers.',
    );
  });

  it('says nothing of what is no number yet', () => {
    const typed = { ...TYPED, alertThreshold: 'x', recoveryThreshold: '', degradedThreshold: '-1' };
    expect(explainAlerts(typed)).toEqual([]);
  });
});
