import { expect, it } from 'vitest';
import {
  createIncidentSchema,
  scheduledUpdateChangesSchema,
  updateIncidentSchema,
} from '@/lib/schemas/incidents/incident';
import { parseInput } from '@/lib/schemas/validation';
import {
  readChangedUpdateForm,
  readIncidentForm,
  readNewIncidentForm,
  readPostmortemForm,
  readTemplateForm,
  readUpdateForm,
} from './read-form';

function formData(fields: Record<string, string | string[]>): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) form.append(name, value);
  }
  return form;
}

it('reads forms as bodies of the API', () => {
  const translations = {};
  const affected = { affectedMonitors: ['mon_1', 'mon_2'], affectedComponents: ['cmp_1'] };
  const described = { title: 'Slow', severity: 'minor', ...affected };
  const begun = { status: 'identified', description: 'A disk\r\nis full.' };
  expect(parseInput(createIncidentSchema, readNewIncidentForm(formData({ ...described, ...begun })))).toEqual(
    {
      ...described,
      ...begun,
      startedAt: null,
      resolveAfterMinutes: null,
      impacts: {},
      translations,
      description: 'A disk\nis full.',
    },
  );
  expect(parseInput(updateIncidentSchema, readIncidentForm(formData(described)))).toEqual({
    ...described,
    impacts: {},
    translations,
  });
  const chosen = { ...described, 'impact.mon_1': 'critical', 'impact.mon_2': '' };
  expect(readIncidentForm(formData(chosen))).toEqual({
    ...described,
    impacts: { mon_1: 'critical' },
    translations,
  });
  const prepared = { name: 'Slow', message: 'A disk is full.', status: 'identified' };
  expect(readTemplateForm(formData({ ...described, ...prepared }))).toEqual({
    ...described,
    ...prepared,
    translations,
  });
  const update = { message: 'Fixed.', status: 'resolved' };
  expect(readUpdateForm(formData(update))).toEqual({ ...update, translations });
  const quiet = { message: 'Fixed.', status: 'monitoring', resolveAfterMinutes: '30' };
  const later = { when: 'later', publishAt: '2027-03-01T10:00:00.000Z' };
  expect(readUpdateForm(formData({ ...quiet, ...later }))).toEqual({
    message: 'Fixed.',
    status: 'monitoring',
    resolveAfterMinutes: 30,
    publishAt: later.publishAt,
    translations,
  });
});

it('an empty quiet time leaves it to people: null for an update, 0 for a change of a scheduled one', () => {
  const sent = { message: 'Fixed.', status: 'monitoring', resolveAfterMinutes: '' };
  expect(readUpdateForm(formData(sent))).toMatchObject({ resolveAfterMinutes: null });
  const changes = parseInput(scheduledUpdateChangesSchema, readChangedUpdateForm(formData(sent)));
  expect(changes).toMatchObject({ ...sent, resolveAfterMinutes: 0 });
  expect(readChangedUpdateForm(formData({ ...sent, resolveAfterMinutes: '5' }))).toMatchObject({
    resolveAfterMinutes: 5,
  });
});

it('publishes a postmortem if the box is checked, and removes an empty one', () => {
  const read = (fields: Record<string, string>) =>
    parseInput(updateIncidentSchema, readPostmortemForm(formData(fields)));
  const written = { postmortem: 'A disk was full.', postmortemPublished: 'on' };
  expect(read(written)).toEqual({ ...written, postmortemPublished: true });
  expect(read({ postmortem: ' ' })).toEqual({ postmortem: null, postmortemPublished: false });
});

it('rejects a form without its fields, naming the first', () => {
  expect(() => parseInput(createIncidentSchema, readNewIncidentForm(formData({})))).toThrow('title');
});
