import type { ReactNode } from 'react';
import type { PageView, ViewedSection } from '@/lib/domain/status-pages/public/read-page-view';
import type { PageState } from '@/lib/schemas/status-pages/page-state';
import { MonitorRow, State } from './monitor-row';
import type { Translator } from './translator';

type Props = { view: PageView; t: Translator };

/** In these states, nobody has to look into a section. */
const WELL: ReadonlySet<PageState> = new Set(['operational', 'pending', 'paused']);

/** The sections of a page with their states. A collapsed one opens, without a script, while something in it is wrong. */
export function Sections({ view, t }: Props) {
  const places = new Map(view.monitors.map(({ id }, place) => [id, place]));
  const components = new Map(view.components.map((component) => [component.id, component]));
  return view.sections.map((section) => (
    <Section key={section.anchor} section={section} t={t}>
      {section.rows.map(({ id, description, state }) => {
        const place = places.get(id);
        const monitor = place === undefined ? undefined : view.monitors[place];
        if (monitor) {
          return <MonitorRow key={id} id={`m${place}`} {...{ monitor, description, t }} isInSection />;
        }
        return (
          <li key={id} id={id} className="component">
            <div className="row">
              <h4>{components.get(id)?.name}</h4>
              <State state={state} t={t} />
            </div>
            {description === null ? null : <p className="facts">{description}</p>}
          </li>
        );
      })}
    </Section>
  ));
}

type SectionProps = { section: ViewedSection; t: Translator; children: ReactNode };

function Section({ section: { anchor, name, description, collapsed, state }, t, children }: SectionProps) {
  const heading = (
    <>
      <h3>{name}</h3>
      <State state={state} t={t} />
    </>
  );
  const content = (
    <>
      {description === null ? null : <p>{description}</p>}
      <ul className="list">{children}</ul>
    </>
  );
  return collapsed ? (
    <details id={anchor} className="group" open={!WELL.has(state)}>
      <summary className="row">{heading}</summary>
      {content}
    </details>
  ) : (
    <section id={anchor} className="group">
      <div className="row">{heading}</div>
      {content}
    </section>
  );
}
