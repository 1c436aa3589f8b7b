import { expect, it } from 'vitest';
import { mailContentSchema } from '@/lib/platform/mail/queue-mail';
import { renderMail } from '@/lib/platform/mail/render-mail';
import { composeDigestMail } from './digest-mail';
import type { Digest } from './read-digest';

const NOW = new Date('2026-11-30T08:00:00.000Z');
const QUIET: Digest = {
  report: 'A report covers at most 40,000 days of monitors.',
  incidents: { count: 0, open: 0, longest: null },
  certificates: { first: [], count: 0 },
};

function textOf(digest: Partial<Digest>, appUrl: string | null = 'https://pharos.test'): string {
  const week = { from: '2026-11-23', to: '2026-11-29', timeZone: 'UTC', now: NOW };
  const content = composeDigestMail({ ...QUIET, ...digest }, { ...week, organizationName: 'Acme', appUrl });
  return renderMail(mailContentSchema.parse(content), { serviceName: 'Pharos' }).text;
}

const longest = { id: 'inc_1', title: 'Shop is down', lastedMs: 7_500_000, isOpen: false };
const endingIn = (days: number, name: string) => ({
  monitorId: 'mon_1',
  name,
  endsAt: new Date(NOW.getTime() + days * 86_400_000),
});

it('a digest without a report says why, and still has incidents', () => {
  const text = textOf({});
  expect(text).toMatch(
    /^Acme, Nov 23 – 29: 0 incidents\n\nA report covers at most 40,000 days of monitors\.\n/,
  );
  expect(text).toContain('Incidents\n\nNo incidents began.\n');
  expect(text).not.toContain('Certificates');
});

it('incidents are counted, with the longest and those still open', () => {
  expect(textOf({ incidents: { count: 1, open: 0, longest } })).toContain(
    '1 incident began.\n\n- Shop is down: lasted 2h 5m\n  https://pharos.test/incidents/inc_1\n',
  );
  const open = { ...longest, isOpen: true };
  const text = textOf({ incidents: { count: 1200, open: 2, longest: open } });
  expect(text).toMatch(/^Acme, Nov 23 – 29: 1,200 incidents\n/);
  expect(text).toContain('1,200 incidents began; 2 are still open. The longest:');
  expect(text).toContain('- Shop is down: still open, 2h 5m by the end of the week\n');
});

it('certificates say when they end, or that they ended, and how many more there are', () => {
  const first = [endingIn(-2, 'Old'), endingIn(0.5, 'Soon'), endingIn(1, 'Next')];
  const text = textOf({ certificates: { first, count: 40 } }, null);
  expect(text).toContain(`Certificates that expire within 30 days

- Old: expired on Nov 28, 2026
- Soon: expires on Nov 30, 2026, in less than a day
- Next: expires on Dec 1, 2026, in 1 day
- and 37 more
`);
  expect(text, 'no links without APP_URL').not.toContain('http');
});
