import { describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { pngImage } from '@/lib/core/images/testing/samples';
import { createStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { parseInput } from '@/lib/schemas/validation';
import { atFormFields, readChosenImages, readPageForm } from './read-page-form';

const FIELDS: [string, string][] = [
  ['name', ' Acme '],
  ['slug', 'acme'],
  ['description', 'One\r\nTwo'],
  ['logoUrl', ''],
  ['primaryColor', '#22c55e'],
  ['backgroundColor', '#ffffff'],
  ['textColor', '#000000'],
  ['appearance', 'dark'],
  ['uptimeDays', '60'],
  ['embedOrigins', ' https://www.example.com\r\n\r\nhttps://*.example.org, '],
  ['monitors', 'mon_b'],
  ['monitors', 'mon_a'],
  ['published', 'on'],
];

const PNG = pngImage({ width: 3, height: 2 });

function formData(changes: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of FIELDS) form.append(name, changes[name] ?? value);
  return form;
}

describe('readPageForm', () => {
  it('returns a body of the API with ordered monitors and null for empty fields', () => {
    expect(parseInput(createStatusPageSchema, readPageForm(formData()))).toMatchObject({
      name: 'Acme',
      description: 'One\nTwo',
      logoUrl: null,
      darkLogoUrl: null,
      faviconUrl: null,
      font: 'sans',
      links: [],
      timeZone: null,
      noindex: false,
      poweredBy: false,
      announcement: null,
      customCss: null,
      monitors: ['mon_b', 'mon_a'],
      showResponseTimes: false,
      appearance: 'dark',
      uptimeDays: 60,
      embedOrigins: ['https://www.example.com', 'https://*.example.org'],
      published: true,
    });
  });

  it('has the images that were chosen apart from their URLs, checked', () => {
    const chosen = `data:image/png;base64,${PNG.toString('base64')}`;
    const form = formData({ logoUrl: chosen });
    expect(readPageForm(form)).not.toHaveProperty('logoUrl');
    expect(readPageForm(form)).toMatchObject({ darkLogoUrl: null, faviconUrl: null });
    expect(readChosenImages(form)).toEqual([['logo', PNG]]);
    expect(readChosenImages(formData())).toEqual([]);
    const broken = formData({ logoUrl: `data:image/png;base64,${PNG.subarray(0, 50).toString('base64')}` });
    expect(() => readChosenImages(broken)).toThrow(
      expect.objectContaining({
        details: [
          expect.objectContaining({ path: 'logoUrl', message: expect.stringMatching(/^is damaged/) }),
        ],
      }),
    );
  });

  it('has the sections instead of the monitors, if there are any, and none otherwise', () => {
    const form = formData();
    expect(parseInput(createStatusPageSchema, readPageForm(form)).sections).toEqual([]);
    form.set('sections', JSON.stringify([{ name: 'Core', items: [{ monitorId: 'mon_a' }] }]));
    const { monitors, sections } = parseInput(createStatusPageSchema, readPageForm(form));
    expect([monitors, sections.map(({ name }) => name)]).toEqual([undefined, ['Core']]);
  });

  it('reports an invalid color at its own field, and a logo that is not https', () => {
    const error = rejection(formData({ textColor: 'black', logoUrl: 'http://example.com/logo.png' }));
    expect(error.details?.map(({ path, message }) => [path, message])).toEqual([
      ['logoUrl', 'must be an https URL'],
      ['textColor', 'must be a hex color such as #22c55e'],
    ]);
  });
});

function rejection(form: FormData): DomainError {
  try {
    parseInput(createStatusPageSchema, readPageForm(form));
  } catch (error) {
    if (error instanceof DomainError) return atFormFields(error);
  }
  throw new Error('the form was accepted');
}
