import { describe, expect, it } from 'vitest';
import { NEW_PAGE, type PageValues } from '../page-values';
import { type PageSurroundings, reviewPage } from './review-page';

const shop = { id: 'mon_1', name: 'Shop', enabled: true, isPending: false };
const READY: PageSurroundings = {
  monitors: [shop],
  domain: 'verified',
  canSubscribe: true,
  isLogoLoaded: null,
};
const PAGE: PageValues = { ...NEW_PAGE, name: 'Acme', monitors: [shop.id] };

/** The titles of what is found. */
const review = (values: Partial<PageValues>, around: Partial<PageSurroundings> = {}) =>
  reviewPage({ ...PAGE, ...values }, { ...READY, ...around }).map(({ title }) => title);

const section = (name: string, ids: string[]) => ({
  key: name,
  name,
  description: '',
  collapsed: false,
  rows: ids.map((id) => ({ key: id, monitorId: id, componentId: null, name: '', description: '' })),
});

describe('what to look at before a page is published', () => {
  it('is nothing for a page that is ready, with or without a domain', () => {
    expect(review({})).toEqual([]);
    expect(review({}, { domain: 'none' })).toEqual([]);
    expect(review({ logoUrl: 'https://a.test/l.svg', darkLogoUrl: 'https://a.test/d.svg' })).toEqual([]);
  });

  it('is a page without rows, and sections without rows', () => {
    expect(review({ monitors: [] })).toEqual(['The page has no rows']);
    expect(review({ sections: [section('Shop', [shop.id]), section('Mail', [])] })).toEqual([
      'Section Mail is empty',
    ]);
    const many = ['', 'B', 'C', 'D', 'E'].map((name) => section(name, []));
    expect(review({ sections: [section('A', [shop.id]), ...many] })).toEqual([
      'Sections Untitled, B, C, and 2 more are empty',
    ]);
  });

  it('is rows that are paused or were never checked, if they are on the page', () => {
    const monitors = [
      { ...shop, enabled: false, isPending: true },
      { ...shop, id: 'mon_2', name: 'Mail', isPending: true },
      { ...shop, id: 'mon_3', name: 'Elsewhere', enabled: false },
    ];
    expect(review({ monitors: ['mon_1', 'mon_2'] }, { monitors })).toEqual([
      'Paused: Shop',
      'Not checked yet: Mail',
    ]);
  });

  it('is a domain that is not verified', () => {
    for (const domain of ['pending', 'lost', 'taken'] as const) {
      expect(review({}, { domain })).toEqual(['The custom domain is not verified']);
    }
  });

  it('is a logo that cannot be loaded, or has none for dark backgrounds where they can be dark', () => {
    const logoUrl = 'https://acme.test/logo.svg';
    expect(review({ appearance: 'automatic', logoUrl }, { isLogoLoaded: false })).toEqual([
      'The logo could not be loaded',
      'No logo for dark backgrounds',
    ]);
    for (const appearance of ['light', 'dark'] as const) {
      expect(review({ appearance, logoUrl }, { isLogoLoaded: true })).toEqual([]);
    }
  });

  it('is a color that is hard to read, and email that is not configured', () => {
    const pale = { backgroundColor: '#ffffff', textColor: '#eeeeee', primaryColor: '#15803d' };
    expect(review(pale)).toEqual(['Hard to read: text']);
    expect(review({}, { canSubscribe: false })).toEqual(['Visitors can’t subscribe']);
  });
});
