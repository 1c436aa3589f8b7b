import { findCheckType } from '@/lib/checks/types';
import type { FormField } from '@/lib/schemas/monitor/fields';
import { CHECKBOXES, hasField, readApplicable, showField, type Typed } from './monitor-input';

/** The default that a field has for one type only. */
export function ownDefault(type: string | undefined, { name }: FormField): string | undefined {
  const defaults: Readonly<Record<string, unknown>> = findCheckType(type)?.defaults ?? {};
  return name in defaults ? String(defaults[name]) : undefined;
}

/** The same for types that share the value of a field. */
export function keyOf(type: string | undefined, field: FormField): string {
  return `${field.name} ${ownDefault(type, field)}`;
}

/** The values of a form of a type, to show them again once a type with these fields is selected: fields by `keyOf`, other inputs by name. */
export function keepInput(fields: readonly FormField[], type: string | undefined, typed: Typed): Typed {
  const parts = findCheckType(type)?.form.parts?.inputs ?? [];
  const own = fields.filter((field) => field.control !== 'type' && hasField(type, field));
  const keep = (key: string, value: string | undefined): [string, string][] =>
    value === undefined ? [] : [[key, value]];
  const unchecked = ({ control }: FormField) => (CHECKBOXES.includes(control) ? '' : undefined);
  return Object.fromEntries([
    ...own.flatMap((field) => keep(keyOf(type, field), typed[field.name] ?? unchecked(field))),
    ...parts.flatMap(({ name }) => keep(name, typed[name])),
  ]);
}

/** Where fields are that say what is checked; the others are about how often, and every type has its own. */
const NAMED_SECTIONS: readonly FormField['section'][] = ['request', 'assertions'];
const names = new Intl.ListFormat('en');

/** In one line, what of a form does not apply to a type; null for nothing. `readValue` returns what was typed, whatever the type. */
export function formatInapplicable(
  fields: readonly FormField[],
  type: string,
  readValue: (field: FormField) => string,
): string | null {
  const label = findCheckType(type)?.texts.label ?? type;
  const sentences: string[] = [];
  const editors = fields.filter(({ control }) => control === 'assertions');
  const removed = editors.reduce((sum, field) => sum + countRemoved(type, readValue(field)), 0);
  if (removed > 0) {
    const assertions = removed === 1 ? '1 assertion does' : `${removed} assertions do`;
    sentences.push(`${assertions} not apply to ${label} monitors and will be removed.`);
  }
  const ignored = fields.filter(
    (field) =>
      field.control !== 'assertions' &&
      NAMED_SECTIONS.includes(field.section) &&
      !hasField(type, field) &&
      readValue(field) !== showField(field, field.default),
  );
  if (ignored.length > 0) {
    const listed = names.format(ignored.map((field) => field.label));
    sentences.push(`Ignored for ${label} monitors: ${listed}.`);
  }
  return sentences.length === 0 ? null : sentences.join(' ');
}

function countRemoved(type: string, value: string): number {
  const { all, applicable } = readApplicable(type, value);
  return all.length - applicable.length;
}
