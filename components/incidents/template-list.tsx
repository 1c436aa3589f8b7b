import { RowLink } from '@/components/ui/section';
import type { IncidentTemplate } from '@/lib/schemas/incidents/incident-template';
import { IncidentStatusBadge, SeverityBadge } from './incident-list';

/** All templates, each with what it fills in. */
export function TemplateList({ templates }: { templates: readonly IncidentTemplate[] }) {
  return (
    <ul className="overflow-hidden rounded-lg border border-line bg-surface">
      {templates.map(({ id, name, title, message, severity, status }) => (
        <li
          key={id}
          className="relative grid grid-cols-[minmax(0,1fr)] items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3 last:border-0 hover:bg-sunken has-focus-visible:bg-sunken sm:grid-cols-[minmax(0,1fr)_6rem_8rem]"
        >
          <div className="min-w-0">
            <RowLink href={`/incidents/templates/${id}`} className="block truncate">
              {name}
            </RowLink>
            <p className="truncate text-xs text-muted">{title || message || 'No title or message'}</p>
          </div>
          <div className="flex gap-3 sm:contents">
            <span className="flex">
              <SeverityBadge severity={severity} />
            </span>
            <IncidentStatusBadge status={status} />
          </div>
        </li>
      ))}
    </ul>
  );
}
