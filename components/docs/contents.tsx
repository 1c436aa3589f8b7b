import { MethodLabel } from './method-label';
import type { Reference } from './reference';

/** A section in words. */
export type SectionLink = { id: string; title: string };

type Props = { guides: SectionLink[]; reference: Reference };

const LINK =
  'flex items-baseline gap-2 rounded px-2 py-1 text-[0.8125rem] text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:text-ink';

/** The links to all there is, by topic. */
export function Contents({ guides, reference }: Props) {
  return (
    <nav aria-label="Contents" className="flex flex-col gap-4 py-4">
      <Group title="Guide" links={guides} />
      {reference.groups.map(({ name, title, operations }) => (
        <div key={name}>
          <a href={`#${name}`} className="block px-2 py-1 text-xs font-semibold hover:underline">
            {title}
          </a>
          <ul>
            {operations.map(({ id, method, path }) => (
              <li key={id}>
                <a href={`#${id}`} className={LINK}>
                  <MethodLabel method={method} className="w-8 shrink-0" />
                  <span className="min-w-0 font-mono text-xs wrap-anywhere">{path}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Group title="Events" links={reference.events.map(({ id, kind }) => ({ id, title: kind }))} />
      <Group title="Objects" links={reference.objects.map(({ id, name }) => ({ id, title: name }))} />
    </nav>
  );
}

function Group({ title, links }: { title: string; links: SectionLink[] }) {
  return (
    <div>
      <p className="px-2 py-1 text-xs font-semibold">{title}</p>
      <ul>
        {links.map((link) => (
          <li key={link.id}>
            <a href={`#${link.id}`} className={LINK}>
              {link.title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
