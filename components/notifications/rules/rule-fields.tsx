import { X } from 'lucide-react';
import { MonitorPicker } from '@/components/monitors/monitor-picker';
import { Button } from '@/components/ui/button';
import { SelectField, TextField } from '@/components/ui/forms/field';
import { splitList } from '@/lib/core/text';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import { MAX_RULE_MONITORS, MAX_RULE_TAGS, type Rule } from '@/lib/schemas/webhooks/rules';
import { DAYS, kindLabel, type RuleChoices, SEVERITY_OPTIONS } from './rule-texts';

type Props = {
  /** Unique in the document. */
  id: string;
  /** From 1. */
  place: number;
  rule: Rule;
  kinds: readonly EventKind[];
  choices: RuleChoices;
  isMember: boolean;
  /** Of a new schedule. */
  timeZone: string;
  error?: string;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
};

/** The conditions of one rule, all of which must hold. */
export function RuleFields(props: Props) {
  const { id, place, rule, kinds, choices, isMember, timeZone, error, onChange, onRemove } = props;
  const { schedule } = rule;
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface p-3">
      <div className="flex items-center justify-between gap-2">
        <p className="text-sm font-medium">Rule {place}</p>
        <Button tone="bare" size="icon" aria-label={`Remove rule ${place}`} icon={<X />} onClick={onRemove} />
      </div>
      <TextField
        name={`${id}-tags`}
        label="Tags"
        placeholder="Any"
        hint="Comma-separated. The monitor has one of them."
        defaultValue={rule.tags.join(', ')}
        onChange={({ target }) => onChange({ ...rule, tags: readTags(target.value) })}
      />
      <MonitorChoice id={id} rule={rule} monitors={choices.monitors} onChange={onChange} />
      <Choices
        label="Severity"
        options={SEVERITY_OPTIONS}
        chosen={rule.severities}
        onChoose={(severities) => onChange({ ...rule, severities })}
      />
      <Choices
        label={isMember ? 'Emails' : 'Events'}
        options={kinds.map((kind) => ({ value: kind, label: kindLabel(kind, isMember) }))}
        chosen={rule.kinds}
        onChoose={(chosen) => onChange({ ...rule, kinds: chosen })}
      />
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={schedule !== null}
          onChange={({ target }) => {
            const usual = { days: [], from: '08:00', to: '18:00', timeZone };
            onChange({ ...rule, schedule: target.checked ? usual : null });
          }}
        />
        Only at certain times
      </label>
      {schedule === null ? null : (
        <ScheduleFields
          id={id}
          schedule={schedule}
          timeZones={choices.timeZones}
          onChange={(changed) => onChange({ ...rule, schedule: changed })}
        />
      )}
      {error ? <p className="text-sm text-bad">This rule {error}.</p> : null}
    </li>
  );
}

type MonitorChoiceProps = Pick<Props, 'id' | 'rule' | 'onChange'> & Pick<RuleChoices, 'monitors'>;

function MonitorChoice({ id, rule, monitors: offered, onChange }: MonitorChoiceProps) {
  const gone = rule.monitors.filter((each) => !offered.some((monitor) => monitor.id === each)).length;
  return (
    <details>
      <summary className="cursor-pointer text-sm font-medium">
        Monitors <span className="font-normal text-muted">{formatChosen(rule.monitors.length, gone)}</span>
      </summary>
      <div className="pt-2">
        <MonitorPicker
          name={`${id}-monitors`}
          label="One of"
          monitors={offered}
          chosen={rule.monitors}
          max={MAX_RULE_MONITORS}
          onChoose={(monitors) => onChange({ ...rule, monitors })}
        />
      </div>
    </details>
  );
}

type Schedule = NonNullable<Rule['schedule']>;
type ScheduleProps = {
  id: string;
  schedule: Schedule;
  timeZones: readonly string[];
  onChange: (schedule: Schedule) => void;
};

function ScheduleFields({ id, schedule, timeZones, onChange }: ScheduleProps) {
  const zones = timeZones.includes(schedule.timeZone) ? timeZones : [schedule.timeZone, ...timeZones];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Choices
        label="Days"
        options={DAYS}
        chosen={schedule.days}
        any="every day"
        onChoose={(days) => onChange({ ...schedule, days })}
      />
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_1fr_2fr]">
        <TextField
          name={`${id}-from`}
          label="From"
          type="time"
          value={schedule.from}
          onChange={({ target }) => onChange({ ...schedule, from: target.value })}
        />
        <TextField
          name={`${id}-to`}
          label="To"
          type="time"
          hint={schedule.to <= schedule.from ? 'Ends on the next day.' : undefined}
          value={schedule.to}
          onChange={({ target }) => onChange({ ...schedule, to: target.value })}
        />
        <SelectField
          name={`${id}-zone`}
          label="Time zone"
          className="col-span-2 sm:col-span-1"
          options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          value={schedule.timeZone}
          onChange={({ target }) => onChange({ ...schedule, timeZone: target.value })}
        />
      </div>
    </div>
  );
}

type ChoicesProps<Value extends string> = {
  label: string;
  options: readonly { value: Value; label: string }[];
  chosen: readonly Value[];
  /** What none means. */
  any?: string;
  onChoose: (chosen: Value[]) => void;
};

/** A multiple choice in a line, in the order of its options. None means any. */
function Choices<Value extends string>({
  label,
  options,
  chosen,
  any = 'any',
  onChoose,
}: ChoicesProps<Value>) {
  const toggle = (value: Value, isChosen: boolean) =>
    onChoose(
      options
        .map((option) => option.value)
        .filter((each) => (each === value ? isChosen : chosen.includes(each))),
    );
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">
        {label} {chosen.length === 0 ? <span className="font-normal text-muted">{any}</span> : null}
      </legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {options.map(({ value, label: text }) => (
          <label key={value} className="flex items-center gap-1.5 text-sm">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={chosen.includes(value)}
              onChange={({ target }) => toggle(value, target.checked)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function readTags(text: string): string[] {
  const tags = splitList(text, ',', MAX_RULE_TAGS + 1).map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

function formatChosen(count: number, gone: number): string {
  const deleted = gone === 0 ? '' : `, ${gone} of them deleted`;
  return count === 0 ? 'any' : `one of ${count}${deleted}`;
}
