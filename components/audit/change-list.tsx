import type { AuditEntry } from '@/lib/schemas/audit';
import { fieldsOf, sayValue } from './change-texts';

type Props = Pick<AuditEntry, 'before' | 'after'>;

/** What changed, a field a line; of a thing that was made or removed its fields, folded away. */
export function ChangeList({ before, after }: Props) {
  const names = fieldsOf(before, after);
  if (names.length === 0) return <span className="text-muted">–</span>;
  const lines = (
    <dl className="flex flex-col gap-0.5 text-xs leading-5">
      {names.map((name) => (
        <div key={name} className="flex min-w-0 flex-wrap gap-x-1.5">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 font-mono break-words">
            {before ? <Value value={before[name]} isOld={after !== null} /> : null}
            {before && after ? <Arrow /> : null}
            {after ? <Value value={after[name]} /> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
  if (before && after) return lines;
  return (
    <details>
      <summary className="cursor-pointer text-muted hover:text-ink">
        {after ? 'With' : 'Was'} {names.length === 1 ? '1 field' : `${names.length} fields`}
      </summary>
      <div className="pt-1">{lines}</div>
    </details>
  );
}

function Value({ value, isOld = false }: { value: unknown; isOld?: boolean }) {
  return isOld ? (
    <del className="text-muted decoration-line-strong">{sayValue(value)}</del>
  ) : (
    <span>{sayValue(value)}</span>
  );
}

function Arrow() {
  return (
    <span className="px-1 text-muted">
      <span aria-hidden="true">→</span>
      <span className="sr-only">became</span>
    </span>
  );
}
