import { expect, it } from 'vitest';
import { planChanges } from '@/lib/as-code/plan';
import { readResourceFile } from '@/lib/as-code/read-file';
import { DomainError, StartupError } from '@/lib/core/errors';
import type { Api } from '../remote/api';
import { applyPlan, formatFailure } from './apply-plan';

const TEXT = `version: 1
monitors:
  - { ref: shop, name: Shop, url: "http://shop.example.com/" }
  - { ref: blog, name: Blog, url: "http://blog.example.com/" }
webhooks:
  - { ref: chat, url: "http://chat.example.com/" }`;

/** What a person reads who applies the file, and what was requested for it. */
async function apply(refusal: Error) {
  const requests: string[] = [];
  const api: Api = {
    connection: { url: 'http://pharos.test', key: 'ph_live_x' },
    call: async (method, path) => {
      requests.push(`${method} ${path}`);
      throw refusal;
    },
    list: async function* () {},
  };
  const { plan } = planChanges(readResourceFile(TEXT).file, { monitors: [] }, () => undefined, false);
  const failures = await applyPlan(api, plan, { monitors: [] }, () => {});
  return { requests, lines: failures.map((failure) => formatFailure('pharos.yaml', failure)) };
}

it.each([
  ['a service that is away', new StartupError('cannot reach it')],
  ['a key that is refused', new DomainError('UNAUTHORIZED', 'cannot reach it')],
  ['a key that may not write', new DomainError('FORBIDDEN', 'cannot reach it')],
])('apply says once why nothing is written: %s', async (_, refusal) => {
  const { requests, lines } = await apply(refusal);
  expect(requests).toEqual(['POST /monitors/bulk']);
  expect(lines).toEqual([
    'pharos.yaml:3: monitor "shop": cannot reach it',
    'pharos.yaml:4: monitor "blog": Not written, because of the failure above.',
    'pharos.yaml:6: webhook endpoint "chat": Not written, because of the failure above.',
  ]);
});

it('a failure of something that the file does not name has no line', () => {
  expect(formatFailure('pharos.yaml', { section: 'monitor', key: 'old', line: null, message: 'No.' })).toBe(
    'monitor "old": No.',
  );
});
