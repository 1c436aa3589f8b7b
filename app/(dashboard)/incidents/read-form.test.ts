import { expect, it } from 'vitest';
import { createIncidentSchema, updateIncidentSchema } from '@/lib/schemas/incident';
import { parseInput } from '@/lib/schemas/validation';
import { readIncidentForm, readNewIncidentForm, readPostmortemForm, readUpdateForm } from './read-form';

function sent(fields: Record<string, string | string[]>): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) form.append(name, value);
  }
  return form;
}

it('what a form says is what the API would be sent', () => {
  const described = { title: 'Slow', severity: 'minor', affectedMonitors: ['mon_1', 'mon_2'] };
  const begun = { status: 'identified', description: 'A disk\r\nis full.' };
  expect(parseInput(createIncidentSchema, readNewIncidentForm(sent({ ...described, ...begun })))).toEqual({
    ...described,
    ...begun,
    startedAt: null,
    description: 'A disk\nis full.',
  });
  expect(parseInput(updateIncidentSchema, readIncidentForm(sent(described)))).toEqual(described);
  const update = { message: 'Fixed.', status: 'resolved' };
  expect(readUpdateForm(sent(update))).toEqual(update);
});

it('a postmortem is published where the box is ticked, and taken away where nothing is written', () => {
  const read = (fields: Record<string, string>) =>
    parseInput(updateIncidentSchema, readPostmortemForm(sent(fields)));
  const written = { postmortem: 'A disk was full.', postmortemPublished: 'on' };
  expect(read(written)).toEqual({ ...written, postmortemPublished: true });
  expect(read({ postmortem: ' ' })).toEqual({ postmortem: null, postmortemPublished: false });
});

it('a form without its fields is refused by name', () => {
  expect(() => parseInput(createIncidentSchema, readNewIncidentForm(sent({})))).toThrow('title');
});
