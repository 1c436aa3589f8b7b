import { fill } from '@/lib/core/fill';
import type { ViewedMonitor } from '@/lib/domain/status-pages/read-page-view';
import { DayBars } from './day-bars';
import { Icon } from './icons';
import { WithMoment } from './moment';
import { ResponseChart } from './response-chart';
import { type State, TONE_OF } from './state';
import type { Translator } from './translator';
import { TroubledDays } from './troubled-days';

type Props = { id: string; monitor: ViewedMonitor; state: State; t: Translator };

/** A monitor with its state, its uptime and its days. `id` keeps its place when the page is refreshed under the visitor. */
export function MonitorRow({ id, monitor, state, t }: Props) {
  const { messages } = t;
  const { name, days, responseTimes, noDataSince } = monitor;
  const silence = noDataSince && <WithMoment text={messages.noDataSince} at={noDataSince} t={t} />;
  const isKnown = days.some((day) => day.status !== null);
  return (
    <li id={id}>
      <div className="row">
        <h3>{name}</h3>
        {isKnown ? (
          <span className="uptime">
            {fill(messages.uptime, { percent: t.percent(monitor.uptimePercentage) })}
          </span>
        ) : null}
        <span className={`state ${TONE_OF[state]}`}>
          <Icon tone={TONE_OF[state]} />
          {state === 'noData' && silence ? <span>{silence}</span> : messages.state[state]}
        </span>
      </div>
      {state === 'maintenance' && silence ? <p className="facts">{silence}</p> : null}
      <DayBars id={id} name={name} days={days} t={t} />
      <p className="scale" aria-hidden="true">
        <span>{t.plural(messages.daysAgo, days.length)}</span>
        <span>{messages.today}</span>
      </p>
      <TroubledDays days={days} t={t} />
      {responseTimes === null ? null : <ResponseChart name={name} series={responseTimes} t={t} />}
    </li>
  );
}
