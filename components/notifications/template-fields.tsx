import { TextArea } from '@/components/ui/forms/field';
import { type FormState, fieldOf } from '@/components/ui/forms/form-state';
import { type PreviewTemplate, TemplatePreview } from './template-preview';

const SAMPLE = '{"title": {{ incident.title | json }}, "status": {{ incident.status | json }}}';

/** The headers and the template of a custom format. Values of stored headers are not shown. */
export function TemplateFields({ state, preview }: { state: FormState; preview: PreviewTemplate }) {
  const headers = fieldOf(state, 'headers');
  return (
    <>
      <TextArea
        {...headers}
        label="Headers"
        rows={2}
        autoComplete="off"
        spellCheck={false}
        placeholder="Authorization: Bearer …"
        hint={
          headers.defaultValue
            ? 'One per line. [hidden] keeps the stored value.'
            : 'One per line, such as Authorization: Bearer …'
        }
      />
      <TextArea
        {...fieldOf(state, 'template')}
        label="Template"
        rows={8}
        required
        maxLength={10_000}
        spellCheck={false}
        placeholder={SAMPLE}
        hint="Liquid with the payload of the event, such as {{ event }} and {{ monitor.name | json }}. It is tested with every event when you save."
      />
      <TemplatePreview preview={preview} />
    </>
  );
}
