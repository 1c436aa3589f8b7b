import { describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { createStatusPageSchema } from '@/lib/schemas/status-page';
import { parseInput } from '@/lib/schemas/validation';
import { atFormFields, readPageForm } from './read-page-form';

const TYPED: [string, string][] = [
  ['name', ' Acme '],
  ['slug', 'acme'],
  ['description', 'One\r\nTwo'],
  ['logoUrl', ''],
  ['primaryColor', '#22c55e'],
  ['backgroundColor', '#ffffff'],
  ['textColor', '#000000'],
  ['monitors', 'mon_b'],
  ['monitors', 'mon_a'],
  ['published', 'on'],
];

function typed(changes: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of TYPED) form.append(name, changes[name] ?? value);
  return form;
}

describe('the form of a page', () => {
  it('is what the API takes, with its monitors in their order and null for what is empty', () => {
    expect(parseInput(createStatusPageSchema, readPageForm(typed()))).toMatchObject({
      name: 'Acme',
      description: 'One\nTwo',
      logoUrl: null,
      monitors: ['mon_b', 'mon_a'],
      showResponseTimes: false,
      published: true,
    });
  });

  it('names a colour that is none by its own field, and a logo that is not https', () => {
    const refusal = refuse(typed({ textColor: 'black', logoUrl: 'http://example.com/logo.png' }));
    expect(refusal.details?.map(({ path, message }) => [path, message])).toEqual([
      ['logoUrl', 'must be an https URL'],
      ['textColor', 'must be a hex color such as #22c55e'],
    ]);
  });
});

function refuse(form: FormData): DomainError {
  try {
    parseInput(createStatusPageSchema, readPageForm(form));
  } catch (error) {
    if (error instanceof DomainError) return atFormFields(error);
  }
  throw new Error('the form was taken');
}
