import { Fact, Facts } from '@/components/ui/fold';
import type { MonitorName } from '@/lib/domain/monitors/dependencies/read-references';
import { APPEARANCE_LABELS, type PageValues } from './page-values';
import { PreviewPane } from './preview-pane';
import { formatPublication } from './publication-fields';

type Props = { values: PageValues; monitors: readonly MonitorName[] };

/** A page for viewers: its content and a preview. */
export function PageReader({ values, monitors }: Props) {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <Facts className="grid-cols-2">
        <Fact term="Description" className="col-span-2">
          {values.description || 'None'}
        </Fact>
        <Fact term="Monitors" className="col-span-2">
          {values.monitors.map((id) => names.get(id) ?? 'Deleted monitor').join(', ') || 'None'}
        </Fact>
        <Fact term="Response times">{values.showResponseTimes ? 'Shown' : 'Not shown'}</Fact>
        <Fact term="Uptime">Last {values.uptimeDays} days</Fact>
        <Fact term="Automatic incidents">{formatPublication(values)}</Fact>
        <Fact term="Colors">
          {values.primaryColor} {values.backgroundColor} {values.textColor}
        </Fact>
        <Fact term="Light or dark">{APPEARANCE_LABELS[values.appearance]}</Fact>
        <Fact term="Links">{values.links.map(({ label }) => label).join(', ') || 'None'}</Fact>
        <Fact term="Websites that may embed the page" className="col-span-2 break-all">
          {values.embedOrigins.split('\n').filter(Boolean).join(', ') || 'None'}
        </Fact>
        <Fact term="Time zone">{values.timeZone || 'Each visitor’s own'}</Fact>
        <Fact term="Logo" className="col-span-2 break-all">
          {values.logoUrl || 'None'}
        </Fact>
      </Facts>
      <PreviewPane values={values} className="flex h-[75vh] min-w-0 flex-col" />
    </div>
  );
}
