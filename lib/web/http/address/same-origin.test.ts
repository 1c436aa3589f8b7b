import { expect, it } from 'vitest';
import { requireSameOrigin } from './request-address';

const OURS = ['https://pharos.test'];
const send = (method: string, headers: Record<string, string>) => () =>
  requireSameOrigin({ method, headers: new Headers(headers) }, OURS);

it.each([
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://pharos.test' }],
  [{ 'sec-fetch-site': 'none' }],
  [{ origin: 'https://pharos.test' }],
  [{}],
])('takes what %j sends', (headers) => {
  expect(send('POST', headers)).not.toThrow();
});

it.each([
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://pharos.test' }],
  [{ origin: 'https://evil.test' }],
  [{ origin: 'https://pharos.test.evil.test' }],
  [{ origin: 'null' }],
])('refuses what %j sends, but lets it read', (headers) => {
  expect(send('POST', headers)).toThrow('another site');
  expect(send('GET', headers)).not.toThrow();
});
