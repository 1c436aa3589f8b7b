import type { ReactNode } from 'react';
import { fill } from '@/lib/core/text';
import type { HistoryView } from '@/lib/domain/status-pages/public/read-history-view';
import { DayBars, formatCorrected } from '../day-bars';
import type { Translator } from '../translator';

type Row = Omit<HistoryView['monitors'][number], 'days'>;
type Props = { view: HistoryView; t: Translator };

/** The days and uptime of every row in the month, in its sections if the page has some. */
export function Rows({ view, t }: Props) {
  if (view.sections.length === 0) {
    return (
      <ul className="list month">
        {view.monitors.map((monitor, index) => (
          <MonitorMonth key={monitor.id} id={`m${index}`} monitor={monitor} t={t} />
        ))}
      </ul>
    );
  }
  const places = new Map(view.monitors.map(({ id }, place) => [id, place]));
  const components = new Map(view.components.map((component) => [component.id, component]));
  return (
    <section id="systems">
      <h2 className="unseen">{t.messages.systems}</h2>
      {view.sections.map(({ anchor, name, rows }) => (
        <section key={anchor} id={anchor} className="group">
          <h3>{name}</h3>
          <ul className="list month">
            {rows.map(({ id }) => {
              const place = places.get(id);
              const monitor = place === undefined ? undefined : view.monitors[place];
              if (monitor) {
                return <MonitorMonth key={id} id={`m${place}`} monitor={monitor} t={t} isInSection />;
              }
              const component = components.get(id);
              return component ? (
                <li key={id} id={id} className="component">
                  <Heading row={component} isInSection t={t} />
                </li>
              ) : null;
            })}
          </ul>
        </section>
      ))}
    </section>
  );
}

type MonthProps = {
  id: string;
  monitor: HistoryView['monitors'][number];
  isInSection?: boolean;
  t: Translator;
};

function MonitorMonth({ id, monitor, isInSection = false, t }: MonthProps) {
  return (
    <li id={id}>
      <Heading row={monitor} isInSection={isInSection} t={t} />
      <DayBars id={monitor.id} name={monitor.name} days={monitor.days} isMonth t={t} />
    </li>
  );
}

function Heading({ row, isInSection, t }: { row: Row; isInSection: boolean; t: Translator }) {
  const { messages } = t;
  return (
    <div className="row">
      {isInSection ? <h4>{row.name}</h4> : <h3>{row.name}</h3>}
      <span className="uptime">
        {row.uptimePercentage === null
          ? messages.state.noData
          : fill(messages.uptime, { percent: t.percent(row.uptimePercentage) })}
        {row.measuredUptimePercentage === null
          ? ''
          : ` (${formatCorrected(row.measuredUptimePercentage, t)})`}
      </span>
    </div>
  );
}

type TableProps = Props & {
  id: string;
  title: string;
  /** Newest first. */
  columns: readonly { key: string; head: ReactNode }[];
  uptimesOf(row: Pick<Row, 'monthlyUptimes' | 'quarterlyUptimes'>): readonly (number | null)[];
};

/** The uptime of every row in each of some periods. The newest ones are at the start, where a narrow screen shows them. */
export function UptimeTable({ id, title, view, columns, uptimesOf, t }: TableProps) {
  const rows = new Map([...view.monitors, ...view.components].map((row) => [row.id, row]));
  const groups =
    view.sections.length === 0
      ? [{ anchor: id, name: null, rows: view.monitors }]
      : view.sections.map((section) => ({
          ...section,
          rows: section.rows.flatMap((row) => rows.get(row.id) ?? []),
        }));
  return (
    <section id={id}>
      <h2>{title}</h2>
      <div className="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">{t.messages.systems}</th>
              {columns.map(({ key, head }) => (
                <th key={key} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map((group) => (
            <tbody key={group.anchor}>
              {group.name === null ? null : (
                <tr className="part">
                  <th scope="rowgroup" colSpan={columns.length + 1}>
                    {group.name}
                  </th>
                </tr>
              )}
              {group.rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.name}</th>
                  {columns.map(({ key }, index) => (
                    <td key={key}>
                      {t.percent(uptimesOf(row)[index] ?? null)}
                      {row.measured && (
                        <Measured
                          counted={uptimesOf(row)[index] ?? null}
                          measured={uptimesOf(row.measured)[index] ?? null}
                          t={t}
                        />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}

/** What was measured, below a figure that corrections change. */
function Measured({
  counted,
  measured,
  t,
}: {
  counted: number | null;
  measured: number | null;
  t: Translator;
}) {
  if (counted === measured) return null;
  return <small>{formatCorrected(measured, t)}</small>;
}
