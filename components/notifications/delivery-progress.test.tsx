import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '@/lib/schemas/webhooks/delivery';
import { DeliveryProgress } from './delivery-progress';
import { DeliverySubject } from './delivery-subject';

const NOW = '2026-03-01T12:00:00.000Z';

const failedTwice: Delivery = {
  id: 'del_1',
  event: 'monitor.down',
  subject: null,
  webhookId: 'whk_1',
  status: 'pending',
  reason: null,
  attempts: 2,
  nextAttemptAt: '2026-03-01T12:04:30.000Z',
  nextAttempt: { number: 3, of: 6 },
  manualAttemptAt: null,
  createdAt: NOW,
  settledAt: null,
  lastAttemptAt: NOW,
  lastStatusCode: 500,
  lastError: 'responded with 500, expected 2xx',
};

const textOf = (element: React.ReactElement) => renderToStaticMarkup(element).replace(/<[^>]+>/g, '');

describe('the progress of a delivery', () => {
  it.each<[string, Partial<Delivery>, string]>([
    ['after failures', {}, 'Retrying, next in 4m (3 of 6)'],
    ['whose retry is due', { nextAttemptAt: NOW }, 'Retrying, next now (3 of 6)'],
    [
      'before its first attempt',
      { nextAttemptAt: NOW, nextAttempt: { number: 1, of: 6 } },
      'First attempt now (1 of 6)',
    ],
    ['that is replayed', { manualAttemptAt: NOW }, 'Replaying now'],
    ['of a test', { event: 'webhook.test', nextAttempt: null, manualAttemptAt: NOW }, 'Sending now'],
    ['that is finished', { status: 'failed', nextAttemptAt: null, nextAttempt: null }, ''],
  ])('%s', (_, fields, text) => {
    const delivery = { ...failedTwice, ...fields };
    expect(textOf(<DeliveryProgress delivery={delivery} now={NOW} />)).toBe(text);
  });
});

describe('the subject of a delivery', () => {
  const shop = { type: 'monitor', id: 'mon_1', name: 'Shop', deleted: false } as const;

  it('is a link to the monitor or incident', () => {
    expect(renderToStaticMarkup(<DeliverySubject subject={shop} />)).toContain('href="/monitors/mon_1"');
    const outage = { ...shop, type: 'incident', id: 'inc_1' } as const;
    expect(renderToStaticMarkup(<DeliverySubject subject={outage} />)).toContain('href="/incidents/inc_1"');
  });

  it('is its name once it is deleted, and “Test” for a test', () => {
    const deleted = renderToStaticMarkup(<DeliverySubject subject={{ ...shop, deleted: true }} />);
    expect(deleted).toContain('Shop');
    expect(deleted).not.toContain('href');
    expect(textOf(<DeliverySubject subject={null} />)).toBe('Test');
  });
});
