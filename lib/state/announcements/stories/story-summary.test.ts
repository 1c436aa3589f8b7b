import { describe, expect, it } from 'vitest';
import type { MonitorStatus } from '@/lib/state/types';
import { summarizeStory } from './story-summary';

const change = (name: string, status: MonitorStatus = 'down') => {
  return { monitorId: name, monitorName: name, status };
};
const first = { ...change('Shop'), isOver: false };

describe('the summary of a story', () => {
  it('names the first monitor, counts the others and names them with what they have in common', () => {
    expect(summarizeStory(first, [change('Blog'), change('Docs')], 'same host shop.test')).toEqual({
      status: 'down',
      title: 'Shop is down, and 2 more',
      text: 'Blog, Docs.\nSame host shop.test.',
    });
  });

  it('counts all for those who heard of none, or of one that is over', () => {
    expect(summarizeStory(null, [change('Blog'), change('Docs')], '').title).toBe('2 monitors are down');
    expect(summarizeStory(null, [change('Blog')], '').title).toBe('1 monitor is down');
    const over = { ...first, isOver: true };
    expect(summarizeStory(over, [change('Blog'), change('Docs')], '').title).toBe('2 more monitors are down');
  });

  it('names at most 20', () => {
    const many = Array.from({ length: 5000 }, (_, index) => change(`Shop ${index}`));
    const { title, text } = summarizeStory(first, many, '');
    expect(title).toBe('Shop is down, and 5000 more');
    expect(text).toMatch(/^Shop 0, .*, Shop 19 and 4980 more\.$/);
  });

  it.each([
    [['Blog'], 'Blog, Docs.\n1 of them has recovered since.'],
    [['Blog', 'Docs'], 'Blog, Docs.\nAll of them have recovered since.'],
  ])('mentions what has recovered since: %j', (names, text) => {
    const changes = [change('Blog'), change('Docs'), ...names.map((name) => change(name, 'operational'))];
    expect(summarizeStory(first, changes, '')).toEqual({
      status: 'down',
      title: 'Shop is down, and 2 more',
      text,
    });
  });

  it('is about degraded monitors if none is down, and about recoveries if all are', () => {
    expect(summarizeStory(null, [change('Blog', 'degraded')], '').title).toBe('1 monitor is degraded');
    const up = { ...change('Shop', 'operational'), isOver: false };
    const recovered = [change('Blog', 'operational'), change('Docs', 'operational')];
    expect(summarizeStory(up, recovered, '')).toMatchObject({
      status: 'operational',
      title: 'Shop is up again, and 2 more',
    });
  });
});
