import { describe, expect, it } from 'vitest';
import { joinStories, type OpenStory, type StoryChange } from './join-stories';

const NOW = 1_000_000;
const change = (monitorId: string, ...causes: string[]): StoryChange => {
  return { organizationId: 'org', monitorId, causes, endsStoryId: null };
};
const recovery = (monitorId: string, endsStoryId: string | null): StoryChange => {
  return { organizationId: 'org', monitorId, causes: [], endsStoryId };
};
const outage: OpenStory = {
  id: 'outage',
  organizationId: 'org',
  startedAt: NOW - 59_999,
  causes: ['host', 'range', 'error'],
  firstMonitorId: 'first',
  monitorIds: ['first'],
};

function join(open: OpenStory[], ...changes: StoryChange[]) {
  let count = 0;
  const joined = joinStories(open, changes, NOW, () => `new-${++count}`);
  const places = changes.map((change) => joined.places.get(change) ?? null);
  return { ...joined, places, ids: places.map((place) => place?.storyId ?? null) };
}

describe('a change', () => {
  it('joins the oldest story of the last 60 seconds with which it shares a cause', () => {
    const later = { ...outage, id: 'later', startedAt: NOW };
    expect(join([outage, later], change('shop', 'other', 'range')).places).toEqual([
      { storyId: 'outage', isFirst: false },
    ]);
    expect(join([{ ...outage, startedAt: NOW - 60_000 }], change('shop', 'range')).places).toEqual([
      { storyId: 'new-1', isFirst: true },
    ]);
    expect(join([outage], { ...change('shop', 'range'), organizationId: 'other' }).ids).toEqual(['new-1']);
  });

  it('narrows what its story has in common, so that unrelated changes do not follow', () => {
    const { ids, stories } = join([outage], change('shop', 'range', 'error'), change('blog', 'host'));
    expect(ids).toEqual(['outage', 'new-1']);
    expect(stories[0]?.causes).toEqual(['range', 'error']);
  });

  it('stands alone without a cause, and if its monitor is already in the story', () => {
    expect(join([outage], change('job')).ids).toEqual([null]);
    expect(join([outage], change('first', 'host')).ids).toEqual([null]);
    expect(join([], change('shop', 'host'), change('shop', 'host')).ids).toEqual(['new-1', null]);
  });

  it('joins one that began in the same moment', () => {
    expect(join([], change('shop', 'host'), change('blog', 'host')).places).toEqual([
      { storyId: 'new-1', isFirst: true },
      { storyId: 'new-1', isFirst: false },
    ]);
  });
});

describe('a recovery', () => {
  it('joins the recoveries from the same story', () => {
    const over = { ...outage, startedAt: NOW - 3_600_000 };
    const [first, second] = [recovery('shop', 'outage'), recovery('blog', 'outage')];
    const { ids, stories } = join([over], first, second, recovery('docs', 'another'));
    expect(ids).toEqual(['new-1', 'new-1', 'new-2']);
    expect(stories[0]?.causes).toEqual(['recovery:outage']);
  });

  it('belongs to the outage itself while nobody heard of it', () => {
    expect(join([outage], recovery('shop', 'outage'), recovery('first', 'outage')).places).toEqual([
      { storyId: 'outage', isFirst: false },
      { storyId: 'new-1', isFirst: true },
    ]);
  });

  it('stands alone if the outage did', () => {
    expect(join([outage], recovery('shop', null)).ids).toEqual([null]);
  });
});

it('does not change what it is given', () => {
  const given = structuredClone(outage);
  join([given], change('shop', 'host'));
  expect(given).toEqual(outage);
});
