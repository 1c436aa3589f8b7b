import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { judgeReport } from './judge-report.mjs';

const ADVISORY = {
  name: 'left-pad',
  title: 'Pads with anything',
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  severity: 'high',
};
const REPORT = { vulnerabilities: { 'left-pad': { via: [ADVISORY] }, right: { via: ['left-pad'] } } };
const EXCEPTION = {
  advisory: 'GHSA-aaaa-bbbb-cccc',
  package: 'left-pad',
  why: 'Never called.',
  until: '2026-06-01',
};

it('lists each advisory without an exception once', () => {
  expect(judgeReport(REPORT, [], '2026-01-01')).toEqual([
    'high: GHSA-aaaa-bbbb-cccc left-pad: Pads with anything (https://github.com/advisories/GHSA-aaaa-bbbb-cccc)',
  ]);
});

it('accepts an exception until its date, for its package and advisory only', () => {
  expect(judgeReport(REPORT, [EXCEPTION], '2026-06-01')).toEqual([]);
  expect(judgeReport(REPORT, [EXCEPTION], '2026-06-02')).toHaveLength(1);
  expect(judgeReport(REPORT, [{ ...EXCEPTION, package: 'other' }], '2026-01-01')).toHaveLength(2);
});

it('lists obsolete exceptions', () => {
  expect(judgeReport({ vulnerabilities: {} }, [EXCEPTION], '2026-01-01')).toEqual([
    'obsolete exception: GHSA-aaaa-bbbb-cccc left-pad',
  ]);
});

it('every exception of this repository has a reason and a date', () => {
  const exceptions = JSON.parse(readFileSync(new URL('exceptions.json', import.meta.url), 'utf8'));
  for (const exception of exceptions) {
    expect(exception).toEqual({
      advisory: expect.stringMatching(/^GHSA(-[0-9a-z]{4}){3}$/),
      package: expect.any(String),
      why: expect.stringMatching(/.{20}/),
      until: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    });
  }
});
