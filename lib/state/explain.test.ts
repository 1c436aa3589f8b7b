import { describe, expect, it } from 'vitest';
import { formatCause } from './explain';
import { countResult, SILENT_REGION } from './region';
import { configOf, MINUTE, resultOf, START, Story } from './testing/story';
import { CALLER } from './types';

const THREE = configOf({ regions: ['us', 'eu', 'ap'], alertThreshold: 2 });

function rulesOf(config: typeof THREE, steps: string): string[] {
  const story = new Story(config);
  story.run(steps);
  return story.changes().map((change) => change.why.rule);
}

describe('the rule behind a change', () => {
  it('is without regions for a job that calls', () => {
    const config = configOf({ isProbed: false, regions: [CALLER], alertThreshold: 1 });
    const job = (steps: string) => rulesOf(config, steps.replaceAll('job', CALLER));
    const refused = `connection refused (${CALLER})`;
    expect(job('0 job ok \n 60 job fail \n 120 job ok')).toEqual([
      'Operational since a call',
      `Failed: ${refused}`,
      'Recovered with a call',
    ]);
    const twice = { ...config, alertThreshold: 2 };
    expect(rulesOf(twice, `0 ${CALLER} fail \n 60 ${CALLER} fail`)).toEqual([
      `Failed 2 times in a row: ${refused}`,
    ]);
  });

  it('names the only region that reports', () => {
    expect(rulesOf(configOf(), '0 us ok \n 60 us fail \n 120 us fail \n 180 us fail \n 240 us ok')).toEqual([
      'Operational in us',
      'us failed 3 checks in a row: connection refused (us)',
      'Recovered in us',
    ]);
  });

  it('counts the regions of a quorum', () => {
    const steps = `0 us ok \n 1 eu ok \n 2 ap ok \n 60 us fail \n 61 eu fail \n 62 ap ok
      120 us fail \n 121 eu fail \n 122 ap ok \n 180 us ok \n 181 eu fail \n 182 ap ok`;
    expect(rulesOf(THREE, steps).slice(1)).toEqual([
      '2 of 3 regions failed 2 checks in a row: connection refused (eu)',
      '1 of 3 regions is still failing; the rest recovered: connection refused (eu)',
    ]);
  });

  it('counts the regions that fail without a quorum', () => {
    const steps =
      '0 us ok \n 1 eu ok \n 2 ap ok \n 60 us fail \n 61 eu ok \n 62 ap ok \n 120 us fail \n 121 eu ok';
    expect(rulesOf(THREE, `${steps} \n 122 ap ok`)).toEqual([
      'Operational in 2 of 3 regions',
      '1 of 3 regions is failing: connection refused (us)',
    ]);
    const five = configOf({ regions: ['a', 'b', 'c', 'd', 'e'], alertThreshold: 1 });
    const begun = ['0 a ok', '0 b ok', '0 c ok', '1 d ok', '1 e ok', '60 a fail', '61 b fail'];
    expect(rulesOf(five, [...begun, '62 c ok', '62 d ok', '62 e ok', '120 a fail'].join('\n')).at(-1)).toBe(
      '2 of 5 regions are failing: connection refused (a)',
    );
  });

  it('all regions have recovered, without a cause', () => {
    const failed = '0 us fail \n 1 eu fail \n 2 ap fail';
    const steps = `${failed} \n 60 us ok \n 61 eu ok \n 62 ap ok \n 120 us ok \n 121 eu ok`;
    expect(rulesOf({ ...THREE, alertThreshold: 1 }, steps).at(-1)).toBe('Recovered in all 3 regions');
    const slowly = '0 us fail \n 60 us slow';
    expect(rulesOf(configOf({ alertThreshold: 1 }), slowly)[0]).toBe(
      'us failed a check: connection refused (us)',
    );
    expect(
      rulesOf(configOf({ alertThreshold: 2 }), `${slowly.replace('60', '30 us fail \n 60')}`).at(-1),
    ).toBe('Recovered in us');
  });

  it('states that a quorum is slow', () => {
    const steps = '0 us slow \n 1 eu slow \n 2 ap ok \n 60 us slow \n 61 eu slow \n 62 ap ok \n 120 us slow';
    expect(rulesOf(THREE, steps).at(-1)).toBe(
      '2 of 3 regions responded slowly to 2 checks in a row: responded in 6000 ms, slower than 5000 ms',
    );
  });
});

describe('the cause', () => {
  it('of a success in which something is wrong nevertheless is that', () => {
    const error = { code: 'dns', message: 'the query for AAAA failed' };
    const region = countResult(configOf(), SILENT_REGION, { ...resultOf('us', 'ok', START), error }, START);
    expect(formatCause(configOf(), region, 'event')).toBe('the query for AAAA failed');
  });

  const config = configOf({ tlsExpiryDays: 30 });
  const causeOf = (leftMs: number) => {
    const result = { ...resultOf('us', 'ok', START), certificateExpiresAt: new Date(START + leftMs) };
    return formatCause(config, countResult(config, SILENT_REGION, result, START), 'event');
  };

  it.each([
    [-1, 'the certificate has expired'],
    [0, 'the certificate expires within a day'],
    [60 * MINUTE, 'the certificate expires within a day'],
    [1440 * MINUTE, 'the certificate expires in 1 day'],
    [6.5 * 1440 * MINUTE, 'the certificate expires in 6 days'],
    [31 * 1440 * MINUTE, null],
  ])('of a certificate with %d ms left is: %s', (leftMs, words) => expect(causeOf(leftMs)).toBe(words));

  it('of a certificate that is not the target’s own names it', () => {
    const certificateExpiresAt = new Date(START + 3 * 1440 * MINUTE);
    const result = { ...resultOf('us', 'ok', START), certificateExpiresAt };
    const named = { ...result, certificateName: 'intermediate certificate “R3” of b.test' };
    const { latest, ...region } = countResult(config, SILENT_REGION, named, START);
    expect(formatCause(config, { ...region, latest }, 'event')).toBe(
      'the intermediate certificate “R3” of b.test expires in 3 days',
    );
    // An absent name takes no space in the state.
    expect(
      countResult(config, SILENT_REGION, { ...result, certificateName: null }, START).latest,
    ).not.toHaveProperty('certificateName');
  });

  it('of a failure without a text is that the check failed', () => {
    const region = countResult(
      config,
      SILENT_REGION,
      { ...resultOf('us', 'fail', START), error: null },
      START,
    );
    expect(formatCause(config, region, 'event')).toBe('the check failed');
  });

  it('of a failure shows what the target sent to members only', () => {
    const error = { code: 'assertion', message: 'body is not as expected', detail: 'body is “secret”' };
    const failed = { ...resultOf('us', 'fail', START), error };
    const region = countResult(config, SILENT_REGION, failed, START);
    expect(formatCause(config, region, 'event')).toBe('body is not as expected');
    expect(formatCause(config, region, 'member')).toBe('body is “secret”');
  });

  it('of a region without results is none', () =>
    expect(formatCause(config, SILENT_REGION, 'event')).toBeNull());
});
