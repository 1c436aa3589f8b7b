import { describe, expect, it } from 'vitest';
import { changePostmortem } from './change-incident';

const NOW = new Date('2026-03-02T12:00:00.000Z');
const EARLIER = new Date('2026-03-01T12:00:00.000Z');
const none = { postmortem: null, postmortemPublishedAt: null };
const draft = { postmortem: 'A disk was full.', postmortemPublishedAt: null };
const published = { ...draft, postmortemPublishedAt: EARLIER };

describe('a postmortem', () => {
  it('is a draft until it is published and then keeps its publication time', () => {
    expect(changePostmortem(none, { postmortem: 'A disk was full.' }, NOW)).toEqual(draft);
    expect(changePostmortem(draft, { postmortemPublished: true }, NOW).postmortemPublishedAt).toBe(NOW);
    const corrected = changePostmortem(
      published,
      { postmortem: 'Two disks.', postmortemPublished: true },
      NOW,
    );
    expect(corrected).toEqual({ postmortem: 'Two disks.', postmortemPublishedAt: EARLIER });
    expect(changePostmortem(published, { postmortemPublished: false }, NOW)).toEqual(draft);
  });

  it('is unchanged if it is not given', () => {
    for (const before of [none, draft, published]) expect(changePostmortem(before, {}, NOW)).toEqual(before);
  });

  it('is unpublished when it is removed and cannot be published before it is written', () => {
    expect(changePostmortem(published, { postmortem: null }, NOW)).toEqual(none);
    for (const changes of [{}, { postmortem: null }]) {
      const publish = () => changePostmortem(none, { ...changes, postmortemPublished: true }, NOW);
      expect(publish).toThrow('postmortemPublished');
    }
  });
});
