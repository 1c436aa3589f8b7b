import { Trash2 } from 'lucide-react';
import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { TEMPLATE_DELETION } from '@/components/incidents/consequences';
import { TemplateForm } from '@/components/incidents/template-form';
import { TemplateList } from '@/components/incidents/template-list';
import { PageHeading } from '@/components/shell/page-heading';
import { translationValues } from '@/components/translations/translation-names';
import { ConfirmButton } from '@/components/ui/confirm-button';
import { permits } from '@/lib/domain/context/permissions';
import { getIncidentTemplate } from '@/lib/domain/incidents/templates/read-templates';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { readAudiences } from '@/lib/domain/status-pages/public-address';
import { loaderOf } from '../../../act';
import { deleteTemplateAction, updateTemplateAction } from '../actions';

const load = loaderOf(getIncidentTemplate);

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { found: template } = await load((await params).id);
  return { title: template.name };
}

export default async function TemplatePage({ params }: PageProps<'id'>) {
  const { ctx, found: template } = await load((await params).id);
  const { id, name, title, severity, status, message, affectedMonitors, affectedComponents } = template;
  const [monitors, pages] = await Promise.all([listMonitorNames(ctx), readAudiences(ctx)]);
  const mayWrite = permits(ctx, 'incident-template.update');
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5">
      <PageHeading
        back={{ href: '/incidents/templates', label: 'Incident templates' }}
        title={name}
        actions={
          mayWrite ? (
            <ConfirmButton
              icon={<Trash2 />}
              title={`Delete “${name}”?`}
              description={TEMPLATE_DELETION}
              confirm="Delete template"
              action={deleteTemplateAction.bind(null, id)}
            >
              Delete
            </ConfirmButton>
          ) : null
        }
      />
      {mayWrite ? (
        <TemplateForm
          save={updateTemplateAction.bind(null, id)}
          initial={{
            name,
            title,
            severity,
            status,
            message,
            ...translationValues(template.translations),
            affectedMonitors: affectedMonitors.join(','),
            affectedComponents: affectedComponents.join(','),
          }}
          monitors={monitors}
          pages={pages}
          submitLabel="Save changes"
        />
      ) : (
        <TemplateList templates={[template]} />
      )}
    </div>
  );
}
