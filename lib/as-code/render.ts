import type { FieldChange } from './compare';
import type { Change, Plan } from './plan';
import { sectionOf } from './sections';

const MAX_SHOWN = 100;

/** Paints text for a terminal, or leaves it as it is. */
export type Paint = (color: 'green' | 'yellow' | 'red', text: string) => string;

/** A plan as lines, without secrets. */
export function renderPlan({ changes, unchanged }: Plan, paint: Paint): string {
  const lines = changes.flatMap((change) => renderChange(change, paint));
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const summary = `${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete, ${unchanged} unchanged.`;
  return [...lines, ...(lines.length > 0 ? [''] : []), summary, ''].join('\n');
}

function renderChange(change: Change, paint: Paint): string[] {
  const name = `${sectionOf(change.section).noun} ${clean(change.key)}`;
  if (change.action === 'delete') return [paint('red', `- ${name}`)];
  const isNew = change.action === 'create';
  const fields = change.changes.map((each) => `    ${renderField(each, isNew)}`);
  return [isNew ? paint('green', `+ ${name}`) : paint('yellow', `~ ${name}`), ...fields];
}

function renderField({ field, from, to, isSecret }: FieldChange, isNew: boolean): string {
  if (isSecret) return `${field}: ${isNew ? '(secret)' : '(changed)'}`;
  return isNew ? `${field}: ${show(to)}` : `${field}: ${show(from)} → ${show(to)}`;
}

function show(value: unknown): string {
  const text = clean(JSON.stringify(value ?? null));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** A name must not move the cursor. */
function clean(text: string): string {
  return text.replace(/\p{Cc}/gu, '�');
}
