import type { ChangeEvent } from 'react';
import { Button } from '@/components/ui/button';
import { CheckField, SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import type { MonitorName } from '@/lib/domain/monitors/dependencies/read-references';
import { RECENT_DAYS, readUptimeDays, UPTIME_DAYS } from '@/lib/schemas/status-pages/uptime-days';
import type { Visibility } from '@/lib/schemas/status-pages/visibility';
import { BrandFields } from './brand/brand-fields';
import { PublishFields } from './checklist/publish-fields';
import type { PageFinding } from './checklist/review-page';
import { MonitorOrder } from './monitor-order';
import type { PageValues } from './page-values';
import { PublicationFields } from './publication-fields';
import { SectionOrder } from './section-order';
import { monitorsInOrder, newSection, rowOf } from './section-values';

type Props = {
  hasBranding: boolean;
  values: PageValues;
  errors: Record<string, string>;
  monitors: readonly MonitorName[];
  /** The current slug; null for a new page. */
  savedSlug: string | null;
  visibility: Visibility;
  baseUrl: string;
  timeZones: readonly string[];
  findings: readonly PageFinding[];
  change: (changes: Partial<PageValues>) => void;
};

/** All fields of a page. */
export function PageFields(props: Props) {
  const { values, errors, monitors, savedSlug, visibility, baseUrl, timeZones, findings, change } = props;
  return (
    <>
      <HeadFields values={values} errors={errors} savedSlug={savedSlug} baseUrl={baseUrl} change={change} />
      <RowFields values={values} errors={errors} monitors={monitors} change={change} />
      <CheckField
        name="showResponseTimes"
        checked={values.showResponseTimes}
        onChange={({ target }) => change({ showResponseTimes: target.checked })}
        error={errors.showResponseTimes}
        label="Show response times"
        hint="A 24-hour chart for each monitor."
      />
      <SelectField
        name="uptimeDays"
        label="Uptime and bars"
        value={String(values.uptimeDays)}
        onChange={({ target }) => change({ uptimeDays: readUptimeDays(target.value) })}
        options={UPTIME_DAYS.map((days) => ({ value: String(days), label: `Last ${days} days` }))}
        hint={`What a row's uptime and its bars cover. On phones, both cover the last ${RECENT_DAYS} days.`}
        error={errors.uptimeDays}
      />
      <PublicationFields values={values} errors={errors} change={change} />
      <BrandFields hasBranding={props.hasBranding} values={values} errors={errors} change={change} />
      <SelectField
        name="timeZone"
        label="Time zone"
        value={values.timeZone}
        onChange={({ target }) => change({ timeZone: target.value })}
        options={[
          { value: '', label: 'Each visitor’s own' },
          ...timeZones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
        ]}
        hint="Used for all times on the page. Visitors can hover over a time to see it in their own time zone. Days are in UTC."
        error={errors.timeZone}
      />
      <TextArea
        name="embedOrigins"
        label="Websites that may embed the page"
        rows={2}
        value={values.embedOrigins}
        onChange={({ target }) => change({ embedOrigins: target.value })}
        placeholder={'https://www.example.com\nhttps://*.example.com'}
        hint={
          visibility === 'public'
            ? 'Optional. One origin per line, or * for all websites. The one-line embed works everywhere.'
            : 'Optional. One origin per line, or * for all websites. Used once the page is public: private pages can’t be embedded.'
        }
        error={errors.embedOrigins}
      />
      <PublishFields
        values={values}
        errors={errors}
        visibility={visibility}
        findings={findings}
        change={change}
        path={savedSlug === null ? null : `/status-pages/${savedSlug}`}
      />
    </>
  );
}

type HeadProps = Pick<Props, 'values' | 'errors' | 'savedSlug' | 'baseUrl' | 'change'>;

/** Its name, address and description. */
function HeadFields({ values, errors, savedSlug, baseUrl, change }: HeadProps) {
  const bindText = (name: 'name' | 'slug' | 'description') => ({
    name,
    value: values[name],
    onChange: ({ target }: ChangeEvent<{ value: string }>) => change({ [name]: target.value }),
    error: errors[name],
  });
  const isMoved = savedSlug !== null && values.slug !== savedSlug;
  return (
    <>
      <TextField {...bindText('name')} label="Name" required placeholder="Acme status" />
      <TextField
        {...bindText('slug')}
        label="Slug"
        required
        isCode
        autoComplete="off"
        hint={
          isMoved ? (
            <span className="text-slow">
              Links to /status/{savedSlug} will stop working, including feeds, badges, and embeds.
            </span>
          ) : (
            <span className="break-all">
              {baseUrl}/status/{values.slug || '…'}
            </span>
          )
        }
      />
      <TextArea
        {...bindText('description')}
        label="Description"
        rows={2}
        hint="Optional. A sentence below the name."
        className="[&_textarea]:font-sans"
      />
    </>
  );
}

type RowProps = Pick<Props, 'values' | 'errors' | 'monitors' | 'change'>;

/** Its monitors in order, or its sections once there is one. */
function RowFields({ values, errors, monitors, change }: RowProps) {
  return values.sections.length === 0 ? (
    <>
      <MonitorOrder
        monitors={monitors}
        chosen={values.monitors}
        change={(chosen) => change({ monitors: chosen })}
        error={errors.monitors}
      />
      <div>
        <Button onClick={() => change({ sections: [newSection([], values.monitors.map(rowOf))] })}>
          Group in sections
        </Button>
      </div>
    </>
  ) : (
    <SectionOrder
      monitors={monitors}
      sections={values.sections}
      errors={errors}
      change={(sections) =>
        change({
          sections,
          monitors: monitorsInOrder(sections.length === 0 ? values.sections : sections),
        })
      }
    />
  );
}
