import { isValidElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CheckCards, FieldNotes, TextField } from './field';

it.each([
  ['Name', 'must not be empty', 'Enter a name.'],
  ['Email', 'must not be empty', 'Enter an email.'],
  ['URL', 'must not be empty', 'Enter a URL.'],
  ['IP address', 'must not be empty', 'Enter an IP address.'],
  ['Current password', 'must not be empty', 'Enter your current password.'],
  ['Monitors', 'must include at least one monitor', 'Select at least one monitor.'],
  ['Slug', 'is taken', 'Slug is taken.'],
  ['Type “Acme” to confirm', 'The name must be “Acme”.', 'The name must be “Acme”.'],
])('the error of the field “%s” that %s reads “%s”', (label, error, text) => {
  const html = renderToStaticMarkup(<FieldNotes name="field" label={label} error={error} />);
  expect(html).toContain(`>${text}<`);
});

it('the help of a field is a button next to its label, which is not part of its name', () => {
  const html = renderToStaticMarkup(
    <TextField name="alertThreshold" label="Alert after" help="thresholds" />,
  );
  expect(html).toMatch(/<label for="alertThreshold"[^>]*>Alert after<\/label>/);
  expect(html).toMatch(/<button type="button"[^>]* aria-label="Help: Thresholds"[^>]* aria-expanded="false"/);
  const cards = renderToStaticMarkup(
    <CheckCards name="regions" label="Regions" help="regions" options={[]} chosen={[]} />,
  );
  expect(cards).toMatch(/<fieldset[^>]* aria-labelledby="regions-legend"/);
  expect(cards).toContain('<span id="regions-legend">Regions</span>');
});

/** The names of the functions that the elements of a tree have as attributes: only elements of the browser can have some. */
function listHandlers(node: unknown): string[] {
  if (!isValidElement<Record<string, unknown>>(node)) return [];
  return Object.entries(node.props).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [value].flat().flatMap(listHandlers),
  );
}

it('a field without a check can be rendered by a server: filters are', () => {
  expect(listHandlers(TextField({ name: 'at', label: 'Time', unit: 'h' }))).toEqual([]);
  expect(listHandlers(TextField({ name: 'at', label: 'Time', accepts: () => true }))).toEqual(['onInput']);
});
