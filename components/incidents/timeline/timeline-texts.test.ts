import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '@/lib/core/formats/markdown';
import type { SentDelivery, TimelineEntry } from '@/lib/domain/timelines/timeline-entry';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { formatTimelineMarkdown } from './timeline-markdown';
import { describeEntry } from './timeline-texts';

const START = Date.parse('2026-03-01T23:59:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1000);
const monitor = { id: 'mon_1', name: 'Shop' };

const sent = (fields: Partial<SentDelivery>): SentDelivery => {
  const rest = { description: 'Pager', host: 'hooks.test', attempts: 1, settledAt: at(30) };
  return { id: 'del_1', status: 'delivered', ...rest, ...fields };
};

const FAILURES: TimelineEntry = {
  id: 'failures',
  kind: 'failures',
  at: at(0),
  until: at(120),
  monitor,
  region: 'loc_1',
  checks: 4,
  hasMore: false,
  error: 'connection refused by 10.0.0.5:443',
  evidenceId: 'evd_1',
};
const EVENT: TimelineEntry = {
  id: 'evt_1',
  kind: 'event',
  at: at(30),
  event: 'monitor.down',
  deliveries: [
    sent({}),
    sent({ id: 'del_2', description: null, attempts: 6, status: 'failed', settledAt: at(150) }),
    sent({ id: 'del_3', description: null, host: null, attempts: 2, status: 'pending', settledAt: null }),
  ],
};
const EMAILS: TimelineEntry = {
  id: 'emails',
  kind: 'emails',
  at: at(31),
  notice: 'monitor.down',
  emails: [
    { recipient: 'ada@example.com', sentAt: at(33), error: null },
    { recipient: 'bob@example.com', sentAt: null, error: 'mailbox full' },
    { recipient: 'eve@example.com', sentAt: null, error: null },
  ],
};
const ACKNOWLEDGED: TimelineEntry = {
  id: 'aud_1',
  kind: 'acknowledgement',
  at: at(90),
  by: 'Ada',
  isWithdrawn: false,
};

const update = (seconds: number, message: string) =>
  ({ createdAt: at(seconds).toISOString(), status: 'identified', message }) as Incident['updates'][number];

describe('an entry of a timeline', () => {
  it('names the region of the first failed check, counts the others, and links the evidence', () => {
    expect(describeEntry(FAILURES, { loc_1: 'Office' })).toEqual({
      text: 'Shop: first failed check from Office',
      details: [
        { text: 'connection refused by 10.0.0.5:443' },
        { text: '4 failed checks in 2m' },
        { text: 'View evidence', href: '/monitors/mon_1?evidence=evd_1#evidence' },
      ],
    });
    const many = describeEntry({ ...FAILURES, checks: 1000, hasMore: true, evidenceId: null, region: null });
    expect(many).toMatchObject({ text: 'Shop: first failed check' });
    expect(many.details[1]?.text).toBe('At least 1,000 failed checks in 2m');
    expect(describeEntry({ ...FAILURES, checks: 1, error: null, evidenceId: null }).details).toEqual([]);
  });

  it('says which channels and members were notified, how long that took, and what failed', () => {
    expect(describeEntry(EVENT)).toEqual({
      text: 'monitor.down delivered to 1 of 3 channels',
      details: [
        { text: 'Pager: delivered', href: '/notifications/deliveries/del_1', isFailure: false },
        {
          text: 'hooks.test: failed after 6 attempts, 2m later',
          href: '/notifications/deliveries/del_2',
          isFailure: true,
        },
        {
          text: 'Deleted channel: pending after 2 attempts',
          href: '/notifications/deliveries/del_3',
          isFailure: false,
        },
      ],
    });
    expect(describeEntry({ ...EVENT, deliveries: [sent({})] }).text).toBe(
      'monitor.down delivered to 1 channel',
    );
    expect(describeEntry(EMAILS)).toEqual({
      text: 'Outage emailed to 1 of 3 members',
      details: [
        { text: 'ada@example.com: sent, 2s later' },
        { text: 'bob@example.com: failed: mailbox full', isFailure: true },
        { text: 'eve@example.com: pending' },
      ],
    });
  });

  it('says who acknowledged, edited, and published', () => {
    expect(describeEntry(ACKNOWLEDGED)).toEqual({ text: 'Acknowledged', details: [{ text: 'By Ada' }] });
    expect(describeEntry({ ...ACKNOWLEDGED, isWithdrawn: true }).text).toBe('Acknowledgement withdrawn');
    const edit = {
      id: 'aud_2',
      kind: 'edit',
      at: at(0),
      subject: 'Shop',
      action: 'monitor.update',
      by: 'Ada',
    } as const;
    expect(describeEntry({ ...edit, fields: ['url', 'name'] })).toEqual({
      text: 'Shop was edited: url, name',
      details: [{ text: 'By Ada' }],
    });
    const cause = { id: 'mon_2', name: 'Gateway' };
    expect(describeEntry({ id: '1', kind: 'suppression', at: at(0), cause })).toEqual({
      text: 'No alerts sent: Gateway was down',
      details: [{ text: 'This monitor depends on it', href: '/monitors/mon_2' }],
    });
    expect(describeEntry({ id: 'sp_1', kind: 'publication', at: at(0), page: 'Acme' }).text).toBe(
      'Published on Acme',
    );
    const email = {
      id: 'sp_1',
      kind: 'subscribers',
      at: at(0),
      page: 'Acme',
      event: 'incident.updated',
    } as const;
    expect(describeEntry(email).text).toBe('Subscribers of Acme emailed an update');
  });
});

describe('a timeline as Markdown', () => {
  const entries = [FAILURES, EVENT, EMAILS, ACKNOWLEDGED];

  it('is a list in UTC, oldest first, that names a day once', () => {
    expect(formatTimelineMarkdown(entries, [update(120, 'A disk\nis full.')])).toBe(
      [
        '- **2026-03-01 23:59:00 UTC** Shop: first failed check from loc_1',
        '- **23:59:30** monitor.down delivered to 1 of 3 channels',
        '- **23:59:31** Outage emailed to 1 of 3 members',
        '- **2026-03-02 00:00:30 UTC** Acknowledged',
        '- **00:01:00** Identified: A disk is full.',
      ].join('\n'),
    );
  });

  it('names no person, channel, address or error, because a postmortem may be published', () => {
    const text = formatTimelineMarkdown(entries, []);
    for (const secret of ['Ada', 'example.com', 'Pager', 'hooks.test', '10.0.0.5', 'refused', 'mailbox']) {
      expect(text).not.toContain(secret);
    }
  });

  it('leaves room in a postmortem, and says how much it left out', () => {
    const text = formatTimelineMarkdown(Array(1000).fill(ACKNOWLEDGED), []);
    expect(text.length).toBeLessThan(8100);
    const [list] = parseMarkdown(text);
    const shown = list?.kind === 'list' ? list.items.length - 1 : 0;
    expect(text.split('\n').at(-1)).toBe(`- ${1000 - shown} more`);
  });
});
