import { cn } from '@/components/ui/cn';
import { STANDINGS, type Standing } from '../standing';
import { STANDING_LOOKS } from '../standing-badge';

type Props = {
  counts: ReadonlyMap<Standing, number>;
  chosen: readonly Standing[];
  onChoose: (chosen: readonly Standing[]) => void;
};

/** How many monitors stand how, each count a filter; standings without a monitor are left out. */
export function StandingFilter({ counts, chosen, onChoose }: Props) {
  const shown = STANDINGS.filter((standing) => counts.get(standing) || chosen.includes(standing));
  const toggle = (standing: Standing) =>
    onChoose(chosen.includes(standing) ? chosen.filter((each) => each !== standing) : [...chosen, standing]);
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-1.5">
      <legend className="sr-only">Status</legend>
      {shown.map((standing) => {
        const { word, Icon, colour } = STANDING_LOOKS[standing];
        return (
          <button
            key={standing}
            type="button"
            aria-pressed={chosen.includes(standing)}
            onClick={() => toggle(standing)}
            className="flex h-8 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 text-sm whitespace-nowrap hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-sunken"
          >
            <Icon className={cn('size-4 shrink-0', colour)} aria-hidden="true" />
            <span className="font-medium tabular-nums">{counts.get(standing) ?? 0}</span>
            <span className="text-muted">{word.toLowerCase()}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
