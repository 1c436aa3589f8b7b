import type { Metadata } from 'next';
import { TemplateList } from '@/components/incidents/template-list';
import { EmptyList } from '@/components/shell/list-heading';
import { PageHeading } from '@/components/shell/page-heading';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { permits } from '@/lib/domain/context/permissions';
import { listIncidentTemplates } from '@/lib/domain/incidents/templates/read-templates';
import { requireSession } from '@/lib/web/http/dashboard-session';

export const metadata: Metadata = { title: 'Incident templates' };

const NEW = { href: '/incidents/templates/new', label: 'New template' };

export default async function IncidentTemplatesPage() {
  const { ctx } = await requireSession();
  const templates = await listIncidentTemplates(ctx);
  const create = permits(ctx, 'incident-template.create') ? NEW : null;
  const isEmpty = templates.length === 0;
  return (
    <div className="flex flex-col gap-5">
      <PageHeading
        back={{ href: '/incidents', label: 'Incidents' }}
        title="Incident templates"
        actions={
          create === null || isEmpty ? null : (
            <ButtonLink tone="primary" href={create.href}>
              {create.label}
            </ButtonLink>
          )
        }
      />
      {isEmpty ? (
        <EmptyList
          title="No incident templates"
          text="Prepare titles, messages, and what is affected before something breaks. Choose a template when you open an incident or post an update, and edit what it fills in."
          create={create}
        />
      ) : (
        <TemplateList templates={templates} />
      )}
    </div>
  );
}
