import { CircleCheck, CircleDot, CircleMinus, CirclePlus, CircleX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { TitledCode } from '@/components/ui/code-block';
import { DataTable } from '@/components/ui/data-table';
import { IconLabel } from '@/components/ui/icon-label';
import { TextLink } from '@/components/ui/text-link';
import { formatResult, showTarget } from '@/lib/importing/plan/format-result';
import { OUTCOME_STYLES } from '../checks/outcomes';
import { formatRefusal } from '../checks/run-list';
import { formatMs } from '../format-numbers';
import type { ImportOutcome } from './outcome';
import { isImportable, type PlanItem } from './plan-view';
import type { Outcomes, Trials } from './use-import';

/** Rows that are added at a time: a file can have 10,000 monitors. */
const PAGE = 100;

const COLUMNS = [
  { label: 'Import', className: 'w-10 pr-0', isHidden: true },
  { label: 'Monitor', className: 'w-[30%]' },
  { label: 'In Pharos' },
  { label: 'Result', className: 'w-[34%]' },
];

type Props = {
  items: readonly PlanItem[];
  selected: ReadonlySet<number>;
  onSelect: (indexes: readonly number[], isSelected: boolean) => void;
  isLocked: boolean;
  trials: Trials;
  outcomes: Outcomes;
};

/** One monitor of the file per row: what it is there, what it becomes, and how trying and importing it went. */
export function PlanTable({ items, selected, onSelect, isLocked, trials, outcomes }: Props) {
  const [count, setCount] = useState(PAGE);
  const possible = items.filter(isImportable).map(({ index }) => index);
  const isAll = possible.length > 0 && possible.every((index) => selected.has(index));
  return (
    <div className="flex flex-col gap-3">
      <label className="flex items-center gap-2 self-start pl-3">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isAll}
          disabled={isLocked || possible.length === 0}
          onChange={() => onSelect(possible, !isAll)}
        />
        Select all {possible.length} that can be imported
      </label>
      <DataTable columns={COLUMNS} cardsBelow="md" label="Monitors in the file">
        {items.slice(0, count).map((item) => (
          <PlanRow
            key={item.index}
            item={item}
            isSelected={selected.has(item.index)}
            isLocked={isLocked}
            onSelect={onSelect}
            trials={trials}
            outcomes={outcomes}
          />
        ))}
      </DataTable>
      {items.length > count ? (
        <Button className="self-start" onClick={() => setCount(count + PAGE)}>
          Show {Math.min(PAGE, items.length - count)} more of {items.length}
        </Button>
      ) : null}
    </div>
  );
}

type RowProps = Pick<Props, 'onSelect' | 'isLocked' | 'trials' | 'outcomes'> & {
  item: PlanItem;
  isSelected: boolean;
};

function PlanRow({ item, isSelected, isLocked, onSelect, trials, outcomes }: RowProps) {
  const { index, name, kind, monitor, changes, reason, planned } = item;
  const outcome = monitor === null ? undefined : outcomes.get(monitor.ref);
  const isDone = outcome !== undefined && outcome.action !== 'rejected';
  return (
    <tr className="border-b border-line align-top last:border-b-0 max-md:grid max-md:grid-cols-[auto_1fr] max-md:p-3">
      <td className="py-2.5 pl-3 max-md:row-span-3 max-md:p-0 max-md:pr-3">
        <input
          type="checkbox"
          aria-label={`Import ${name}`}
          className="mt-0.5 size-4 accent-accent"
          checked={isSelected}
          disabled={isLocked || monitor === null}
          onChange={() => onSelect([index], !isSelected)}
        />
      </td>
      <td className="min-w-0 px-3 py-2.5 max-md:p-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="font-mono text-xs wrap-anywhere text-muted">
          {monitor === null ? kind : `${monitor.type} ${showTarget(monitor.url)}`.trim()}
        </p>
      </td>
      <td className="min-w-0 px-3 py-2.5 max-md:p-0 max-md:pt-1">
        {monitor === null ? (
          <>
            <IconLabel label="Cannot be imported" Icon={CircleX} color="text-muted" />
            <p className="text-muted wrap-anywhere">{reason}</p>
          </>
        ) : (
          <>
            {isDone ? null : <Planned outcome={planned} />}
            <ul className="text-muted">
              {changes.map((change) => (
                <li key={change} className="wrap-anywhere">
                  {change}
                </li>
              ))}
            </ul>
          </>
        )}
      </td>
      <td className="min-w-0 px-3 py-2.5 max-md:p-0 max-md:pt-1 max-md:empty:hidden">
        {monitor === null ? null : <Result name={monitor.ref} trials={trials} outcomes={outcomes} />}
      </td>
    </tr>
  );
}

const PLANNED = {
  create: { label: 'New', Icon: CirclePlus, color: 'text-good' },
  change: { label: 'Changes', Icon: CircleDot, color: 'text-accent' },
  none: { label: 'Unchanged', Icon: CircleMinus, color: 'text-muted' },
} as const;

/** What an import would do, and what of that undoes a change of somebody. */
function Planned({ outcome }: { outcome: ImportOutcome | undefined }) {
  if (outcome === undefined) return null;
  if (outcome.action === 'rejected') return <Failure label="Would be rejected" text={outcome.message} />;
  return (
    <>
      <IconLabel {...PLANNED[outcome.action]} />
      <ul>
        {formatResult(outcome).map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </>
  );
}

const RESULTS = {
  create: { label: 'Created', Icon: CirclePlus, color: 'text-good' },
  change: { label: 'Updated', Icon: CircleCheck, color: 'text-good' },
  none: PLANNED.none,
} as const;

function Result({ name, trials, outcomes }: { name: string; trials: Trials; outcomes: Outcomes }) {
  const outcome = outcomes.get(name);
  if (outcome?.action === 'rejected') return <Failure label="Rejected" text={outcome.message} />;
  if (outcome !== undefined) {
    return (
      <>
        <p className="flex flex-wrap gap-x-2">
          <IconLabel {...RESULTS[outcome.action]} />
          <TextLink href={`/monitors/${outcome.id}`}>View</TextLink>
        </p>
        {outcome.heartbeatUrl === null ? null : (
          <TitledCode title="The job must call" text={outcome.heartbeatUrl} label="Copy URL" />
        )}
      </>
    );
  }
  const trial = trials.get(name);
  if (trial === undefined) return null;
  if (!trial.ok) {
    return <Failure label="Rejected" text={formatRefusal(trial)} />;
  }
  const { outcome: checked, responseTime, errorMessage } = trial.value;
  return (
    <>
      <IconLabel {...OUTCOME_STYLES[checked]} />
      <p className="wrap-anywhere text-muted tabular-nums">
        {errorMessage === null
          ? formatMs(responseTime)
          : `${errorMessage.slice(0, 1).toUpperCase()}${errorMessage.slice(1)}.`}
      </p>
    </>
  );
}

function Failure({ label, text }: { label: string; text: string }) {
  return (
    <>
      <IconLabel label={label} Icon={CircleX} color="text-bad" />
      <p className="wrap-anywhere">{text}</p>
    </>
  );
}
