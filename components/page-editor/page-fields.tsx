import { CheckField, TextArea, TextField } from '@/components/ui/field';
import { MonitorOrder } from './monitor-order';
import type { MonitorName, PageValues } from './page-values';
import { SlugField } from './slug-field';
import { ThemeFields } from './theme-fields';

type Props = {
  values: PageValues;
  errors: Record<string, string>;
  monitors: readonly MonitorName[];
  /** The slug that the page has; null: it is new. */
  savedSlug: string | null;
  baseUrl: string;
  change: (changes: Partial<PageValues>) => void;
};

/** All that a page shows, and where. */
export function PageFields({ values, errors, monitors, savedSlug, baseUrl, change }: Props) {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        required
        placeholder="Acme status"
        value={values.name}
        onChange={(event) => change({ name: event.target.value })}
        error={errors.name}
      />
      <SlugField
        value={values.slug}
        saved={savedSlug}
        baseUrl={baseUrl}
        onChange={(slug) => change({ slug })}
        error={errors.slug}
      />
      <TextArea
        name="description"
        label="Description"
        rows={2}
        hint="A sentence under the name. May be empty."
        className="[&_textarea]:font-sans"
        value={values.description}
        onChange={(event) => change({ description: event.target.value })}
        error={errors.description}
      />
      <MonitorOrder
        monitors={monitors}
        chosen={values.monitors}
        change={(chosen) => change({ monitors: chosen })}
        error={errors.monitors}
      />
      <CheckField
        name="showResponseTimes"
        label="Show response times"
        hint="A chart of the last 24 hours for each monitor."
        checked={values.showResponseTimes}
        onChange={(event) => change({ showResponseTimes: event.target.checked })}
        error={errors.showResponseTimes}
      />
      <ThemeFields values={values} errors={errors} change={change} />
      <TextField
        name="logoUrl"
        label="Logo"
        type="url"
        inputMode="url"
        placeholder="https://example.com/logo.svg"
        spellCheck={false}
        className="[&_input]:font-mono"
        hint="The https address of an image, shown 32 pixels high. May be empty."
        value={values.logoUrl}
        onChange={(event) => change({ logoUrl: event.target.value })}
        error={errors.logoUrl}
      />
      <CheckField
        name="published"
        label="Published"
        hint="Everybody who has the address can see the page. Otherwise it answers as if it were not there."
        checked={values.published}
        onChange={(event) => change({ published: event.target.checked })}
        error={errors.published}
      />
    </>
  );
}
