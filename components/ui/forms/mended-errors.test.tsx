import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { TextField } from './field';
import { type FormState, fieldOf } from './form-state';
import { type Edited, listMended } from './mended-errors';
import { withoutErrors } from './use-submission';

/** The errors that are left after an edit of a form whose fields had the values of `before`. */
function leftAfter(
  names: readonly string[],
  before: Record<string, string>,
  changes: Record<string, string>,
  more: Partial<Edited> = {},
): string[] {
  const now = { ...before, ...changes };
  const edited = { before, now, hasField: (name: string) => name in now, isStillWrong: () => false, ...more };
  const mended = listMended(names, edited);
  return names.filter((name) => !mended.includes(name));
}

describe('the error of a field', () => {
  it('goes once the field is edited, and those of other fields stay', () => {
    const form = { name: '', timeout: '900' };
    expect(leftAfter(['name', 'timeout'], form, { timeout: '9' })).toEqual(['name']);
    expect(leftAfter(['name', 'timeout'], form, {})).toEqual(['name', 'timeout']);
  });

  it('stays while what is typed can still not be right', () => {
    const more = { isStillWrong: (name: string) => name === 'timeout' };
    expect(leftAfter(['timeout'], { timeout: '900' }, { timeout: '90' }, more)).toEqual(['timeout']);
  });

  it('goes with a field that it depends on', () => {
    const form = { method: 'GET', body: '{}', name: '' };
    const more = { together: [['method', 'body']] };
    expect(leftAfter(['body', 'name'], form, { method: 'POST' }, more)).toEqual(['name']);
  });

  it('in a row of a list goes with a change of this row, or once another one is in its place', () => {
    const rows = (...urls: string[]) => ({ links: JSON.stringify(urls.map((url) => ({ url, place: 'a' }))) });
    const names = ['links.0.url', 'links.1.url'];
    expect(leftAfter(names, rows('x', 'y'), rows('x', 'https://y.test'))).toEqual(['links.0.url']);
    expect(leftAfter(names, rows('x', 'y'), rows('y'))).toEqual([]);
  });

  it('in a row within a row goes with a change of the inner one', () => {
    const sections = (...names: string[]) => ({
      sections: JSON.stringify([{ items: names.map((name) => ({ name })) }]),
    });
    const names = ['sections.0.items.0.name', 'sections.0.items.1.name'];
    expect(leftAfter(names, sections('', ''), sections('', 'API'))).toEqual(['sections.0.items.0.name']);
  });

  it('whose name has a dot is that of its own input', () => {
    const form = { 'credentials.token': 'x', 'credentials.channel': 'y' };
    const names = ['credentials.token', 'credentials.channel'];
    expect(leftAfter(names, form, { 'credentials.token': 'z' })).toEqual(['credentials.channel']);
  });

  it('without a field of its own goes with any edit', () => {
    expect(leftAfter(['translations'], { title: 'a' }, { title: 'b' })).toEqual([]);
    expect(leftAfter(['translations'], { title: 'a' }, {})).toEqual(['translations']);
  });

  it('of a choice in which nothing is checked goes once something is', () => {
    const more = { hasField: () => true };
    expect(leftAfter(['regions'], { name: 'a' }, { name: 'b' }, more)).toEqual(['regions']);
    expect(leftAfter(['regions'], { name: 'a' }, { regions: 'us-east' }, more)).toEqual([]);
  });
});

describe('a form with mended errors', () => {
  const refused: FormState = {
    attempt: 1,
    message: { tone: 'bad', text: 'Fix the highlighted fields.' },
    errors: { name: 'must not be empty', url: 'must be valid' },
    values: {},
  };

  it('keeps its message until no error is left', () => {
    expect(withoutErrors(refused, ['name'])).toMatchObject({
      message: refused.message,
      errors: { url: 'must be valid' },
    });
    expect(withoutErrors(refused, ['name', 'url'])).toMatchObject({ message: null, errors: {} });
  });

  it('keeps a message that is not about fields', () => {
    const message = { tone: 'bad' as const, text: 'Email or password is incorrect.' };
    expect(withoutErrors({ ...refused, errors: {}, message }, [])).toMatchObject({ message });
  });

  it('is read as valid by screen readers, with the hint as its description', () => {
    const show = (state: FormState) =>
      renderToStaticMarkup(<TextField {...fieldOf(state, 'name')} label="Name" hint="Shown to your team." />);
    expect(show(refused)).toContain('aria-invalid="true" aria-describedby="name-error"');
    const mended = show(withoutErrors(refused, ['name']));
    expect(mended).not.toContain('aria-invalid="true"');
    expect(mended).toContain('aria-describedby="name-hint"');
    expect(mended).not.toContain('Enter a name.');
  });
});
