import { expect, it } from 'vitest';
import { formatTable } from './table';

it('columns are aligned by what a terminal shows, and names cannot move its cursor', () => {
  const rows = [
    ['東京', 'up'],
    ['Cafe\u0301', 'down'],
    ['a\u001b[2J', 'up'],
  ];
  expect(formatTable(['NAME', 'STATUS'], rows)).toBe(
    ['NAME   STATUS', '東京   up', 'Cafe\u0301   down', 'a�[2J  up', ''].join('\n'),
  );
});
