import { expect, it } from 'vitest';
import { visiblePath } from './visible-path';

it.each([
  ['/api/monitors?cursor=abc', '/api/monitors'],
  ['/acknowledge/tok_secret', '/acknowledge/…'],
  ['/invitation/tok_secret?next=/monitors', '/invitation/…'],
  ['https://pharos.example.com/invitation/tok_secret', 'https://pharos.example.com/invitation/…'],
  ['/incidents/inc_1', '/incidents/inc_1'],
])('%s is shown as %s', (url, shown) => {
  expect(visiblePath(url)).toBe(shown);
});
