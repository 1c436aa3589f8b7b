import { CheckCards, FieldNotes } from '@/components/ui/forms/field';
import { TextLink } from '@/components/ui/text-link';
import { groupBy } from '@/lib/core/groups';
import { isOnePlace } from '../regions/name-region';
import type { ProbedRegion } from '../regions/probed-by';

/** A region as the form offers it. */
export type OfferedRegion = ProbedRegion & { name: string; location: string; isInPlan: boolean };

type FieldProps = { name: string; label: string; hint?: string | undefined; error?: string | undefined };

type Props = FieldProps & { regions: readonly OfferedRegion[]; chosen: readonly string[] };

/**
 * The places to check from. Regions with one name are one place: choosing it keeps those that were chosen. Nothing is to choose where there
 * is only one. A region chosen under another plan can be deselected, but not selected.
 */
export function RegionChoice({ regions, chosen, ...field }: Props) {
  const options = [...groupBy(regions, ({ name }) => name)].map(([name, own]) => {
    const ids = own.map(({ id }) => id);
    const kept = ids.filter((id) => chosen.includes(id));
    const { location, probedBy } = own[0] ?? {};
    const isInPlan = own.some((region) => region.isInPlan);
    const known = isOnePlace(name)
      ? 'Where the checks of Pharos run.'
      : `${location}. Probed by ${probedBy}.`;
    return {
      value: kept.join(',') || String(ids[0]),
      label: name,
      hint: isInPlan ? known : `${location}. Not in your plan.`,
      isDisabled: !isInPlan && kept.length === 0,
      isChosen: kept.length > 0,
    };
  });
  const [only, ...others] = options;
  if (only && others.length === 0 && isOnePlace(only.label)) return <OnlyPlace {...field} place={only} />;
  const selected = options.filter(({ isChosen }) => isChosen).map(({ value }) => value);
  return <CheckCards {...field} options={options} chosen={selected} className="sm:grid-cols-3" />;
}

function OnlyPlace({ place, ...field }: FieldProps & { place: { value: string; label: string } }) {
  const checks = place.value.split(',').length;
  return (
    <div className="flex flex-col gap-1">
      <input type="hidden" name={field.name} value={place.value} />
      <p>
        Checked from {place.label.toLowerCase()}
        {checks > 1 ? `, with ${checks} checks each time that count as ${checks} regions` : ''}.{' '}
        <TextLink href="/docs/guide/operate/probes">Check from other places</TextLink>
      </p>
      <FieldNotes {...field} hint={undefined} />
    </div>
  );
}
