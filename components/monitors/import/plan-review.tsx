import { ArrowLeft, FlaskConical, Square } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { EmptyNote, Section } from '@/components/ui/section';
import { isProbed } from '@/lib/checks/types';
import type { ImportPlan } from '@/lib/importing/plan/plan';
import { FIRST_SOURCE } from '@/lib/schemas/monitor/import';
import { PlanTable } from './plan-table';
import {
  describeItems,
  isImportable,
  itemsOf,
  PART_NAMES,
  PARTS,
  type PlanItem,
  type PlanPart,
} from './plan-view';
import { SourceChoice } from './source-choice';
import { SOURCES } from './sources';
import { type Outcomes, type Trials, useImport } from './use-import';

type Props = { plan: ImportPlan; from: string; onBack: () => void };

/** What becomes of each monitor of a file, and what to do with those that are selected. */
export function PlanReview({ plan, from, onBack }: Props) {
  const [part, setPart] = useState<PlanPart>('all');
  const [choices, setChoices] = useState<ReadonlyMap<number, boolean>>(new Map());
  const work = useImport(plan);
  const { trials, preview, outcomes, source, running, problem } = work;
  const items = plan.items.map((item, index): PlanItem => {
    return { ...item, index, planned: item.monitor ? preview.get(item.monitor.ref) : undefined };
  });
  const possible = plan.items.flatMap(({ monitor }) => monitor ?? []);
  useOnce(() => void work.compare(possible, null));
  const replaced = source.chosen === null ? listReplaced(items) : [];
  const chosenItems = items.filter((item) => choices.get(item.index) ?? isImportable(item));
  const selected = new Set(chosenItems.map(({ index }) => index));
  const chosen = chosenItems.flatMap(({ monitor }) => monitor ?? []);
  const failed = listFailed(items, trials).filter((index) => selected.has(index));
  const shown = itemsOf(items, part);
  const select = (indexes: readonly number[], isSelected: boolean) =>
    setChoices((before) => new Map([...before, ...indexes.map((index) => [index, isSelected] as const)]));

  return (
    <div className="flex flex-col gap-4">
      <PlanHeading plan={plan} from={from} source={source.name} text={describeItems(items)}>
        <Button icon={<ArrowLeft />} disabled={running !== null} onClick={onBack}>
          Choose another file
        </Button>
      </PlanHeading>
      <ProblemAlert problem={problem} />
      {replaced.length > 0 && running === null ? (
        <SourceChoice
          product={SOURCES[plan.source].label}
          first={source.name}
          replaced={replaced}
          onChoose={(chosen) => void work.compare(possible, chosen)}
        />
      ) : null}
      <div role="status" className="empty:hidden">
        {running === null && outcomes.size > 0 ? <Summary outcomes={outcomes} /> : null}
      </div>
      <PartChoice items={items} part={part} onChoose={setPart} />
      {shown.length === 0 ? (
        <EmptyNote>{items.length === 0 ? 'The file contains no monitors.' : 'No monitors here.'}</EmptyNote>
      ) : (
        <PlanTable
          key={part}
          items={shown}
          selected={selected}
          onSelect={select}
          isLocked={running !== null}
          trials={trials}
          outcomes={outcomes}
        />
      )}
      {plan.notes.length > 0 ? <NotImported notes={plan.notes} /> : null}
      <ImportBar
        work={work}
        chosen={chosen}
        hasWork={chosenItems.some((item) => !isUpToDate(item, outcomes))}
        failed={failed.length}
        isAsking={replaced.length > 0}
        onDeselect={() => select(failed, false)}
      />
    </div>
  );
}

type HeadingProps = { plan: ImportPlan; from: string; source: string; text: string; children: ReactNode };

/** What the file is, and how much of it can be imported. */
function PlanHeading({ plan, from, source, text, children }: HeadingProps) {
  const isNamed = source !== '' && source !== FIRST_SOURCE;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="mr-auto min-w-0">
        <span className="font-medium wrap-anywhere">{from}</span>{' '}
        <span className="text-muted">
          ({SOURCES[plan.source].label}
          {isNamed ? `, source ${source}` : ''}): {text}
        </span>
      </p>
      {children}
    </div>
  );
}

const WORK = { compare: 'Compared', try: 'Tested', import: 'Imported' } as const;

/** Runs when the component is first shown. */
function useOnce(work: () => void): void {
  const hasRun = useRef(false);
  useEffect(() => {
    if (hasRun.current) return;
    hasRun.current = true;
    work();
  });
}

/** The items whose targets failed when they were tried. */
function listFailed(items: readonly PlanItem[], trials: Trials): number[] {
  return items.flatMap(({ index, monitor }) => {
    const trial = monitor === null ? undefined : trials.get(monitor.ref);
    const isGood = trial?.ok && (trial.value.outcome === 'ok' || trial.value.outcome === 'slow');
    return trial !== undefined && !isGood ? index : [];
  });
}

/** Whether an import would change nothing, or has just been done. */
function isUpToDate({ monitor, planned }: PlanItem, outcomes: Outcomes): boolean {
  const outcome = monitor === null ? undefined : outcomes.get(monitor.ref);
  return outcome === undefined ? planned?.action === 'none' : outcome.action !== 'rejected';
}

/** The monitors that would become others, as `before → after`. */
function listReplaced(items: readonly PlanItem[]): string[] {
  return items.flatMap(({ name, planned: outcome }) => {
    if (outcome === undefined || outcome.action === 'rejected' || !outcome.replaces) return [];
    return `${String(outcome.changes.find(({ field }) => field === 'name')?.before)} → ${name}`;
  });
}

type ImportBarProps = {
  work: ReturnType<typeof useImport>;
  chosen: NonNullable<PlanItem['monitor']>[];
  /** Whether an import of them does anything. */
  hasWork: boolean;
  /** How many of them failed when they were tried. */
  failed: number;
  onDeselect: () => void;
  /** It is not known yet which source the file is of. */
  isAsking: boolean;
};

/** What to do with those that are selected, or how far it is. */
function ImportBar({ work, chosen, hasWork, failed, onDeselect, isAsking }: ImportBarProps) {
  const { running, tryTargets, importMonitors, stop } = work;
  const targets = chosen.filter(isProbed);
  return (
    <section
      aria-label="Import"
      className="sticky bottom-[calc(var(--bottom)+1rem)] z-30 flex max-w-full flex-wrap items-center gap-2 self-start rounded-lg border border-line-strong bg-surface p-2 pl-3 shadow-lg"
    >
      {running === null ? (
        <>
          <p className="mr-1 font-medium tabular-nums">{chosen.length} selected</p>
          {failed > 0 ? (
            <Button tone="bare" onClick={onDeselect}>
              Deselect {failed} that failed
            </Button>
          ) : null}
          <Button
            icon={<FlaskConical />}
            disabled={targets.length === 0}
            onClick={() => void tryTargets(targets)}
          >
            Test targets
          </Button>
          <Button tone="primary" disabled={!hasWork || isAsking} onClick={() => void importMonitors(chosen)}>
            {chosen.length > 0 && !hasWork
              ? 'Nothing to import'
              : `Import ${chosen.length === 1 ? '1 monitor' : `${chosen.length} monitors`}`}
          </Button>
        </>
      ) : (
        <>
          <p className="mr-1 font-medium tabular-nums" aria-live="polite">
            {WORK[running.what]} {running.done} of {running.total}
          </p>
          <Button icon={<Square />} onClick={stop}>
            Stop
          </Button>
        </>
      )}
    </section>
  );
}

function NotImported({ notes }: { notes: readonly string[] }) {
  return (
    <Section title="Not imported" gap="gap-1">
      <ul className="list-disc pl-5 text-muted">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Section>
  );
}

type PartChoiceProps = { items: readonly PlanItem[]; part: PlanPart; onChoose: (part: PlanPart) => void };

function PartChoice({ items, part, onChoose }: PartChoiceProps) {
  return (
    <fieldset className="flex max-w-full min-w-0 flex-wrap gap-1 self-start rounded-lg border border-line bg-sunken p-1">
      <legend className="sr-only">Show</legend>
      {PART_NAMES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={part === name}
          onClick={() => onChoose(name)}
          className="flex h-7 shrink-0 items-center gap-1.5 rounded-md border border-transparent px-2.5 text-sm whitespace-nowrap text-muted hover:text-ink aria-pressed:border-line-strong aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink"
        >
          {PARTS[name].label} <span className="tabular-nums">{itemsOf(items, name).length}</span>
        </button>
      ))}
    </fieldset>
  );
}

function Summary({ outcomes }: { outcomes: Outcomes }) {
  const all = [...outcomes.values()];
  const count = (action: string) => all.filter((each) => each.action === action).length;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-line bg-sunken px-3 py-2">
      <p>
        {count('create')} created, {count('change')} updated, {count('none')} unchanged, {count('rejected')}{' '}
        rejected.
      </p>
      <ButtonLink href="/monitors" size="small">
        View monitors
      </ButtonLink>
    </div>
  );
}
