import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LocalTime, Moment } from './moment';

const NOW = '2026-03-10T12:00:00.000Z';
const textOf = (at: string, as?: 'ago' | 'until' | 'duration') =>
  renderToStaticMarkup(<Moment at={at} now={NOW} as={as} />).replaceAll(/<[^>]+>/g, '');

describe('a moment', () => {
  it.each([
    ['2026-03-10T11:56:00.000Z', '4m ago'],
    ['2026-03-09T12:00:01.000Z', '23h 59m ago'],
    ['2026-03-09T12:00:00.000Z', 'Mar 9, 12:00 UTC'],
    ['2025-11-20T14:02:00.000Z', 'Nov 20, 2025, 14:02 UTC'],
  ])('at %s is %s: relative within a day, and a date before that', (at, text) =>
    expect(textOf(at)).toBe(text),
  );

  it.each([
    ['2026-03-10T12:04:00.000Z', 'in 4m'],
    ['2026-03-14T12:00:00.000Z', 'Mar 14, 12:00 UTC'],
  ])('in the future, at %s, is %s', (at, text) => expect(textOf(at, 'until')).toBe(text));

  it('stays a duration, however long it is', () =>
    expect(textOf('2026-03-01T12:00:00.000Z', 'duration')).toBe('9d'));

  it.each([Moment, LocalTime])('has the exact time for those who hover, %#', (Time) => {
    const html = renderToStaticMarkup(<Time at="2026-03-01T12:00:07.000Z" now={NOW} />);
    expect(html).toContain('<time dateTime="2026-03-01T12:00:07.000Z" title="2026-03-01 12:00:07 UTC">');
  });
});
