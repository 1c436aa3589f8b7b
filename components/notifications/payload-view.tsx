import { CodeBlock } from '@/components/ui/code-block';

/** The body of a delivery, to read, and as it is sent. */
export function PayloadView({ text }: { text: string }) {
  const bytes = new TextEncoder().encode(text).length;
  return (
    <div className="flex flex-col gap-3">
      <CodeBlock text={JSON.stringify(JSON.parse(text), null, 2)} label="Copy the payload, indented" />
      <details>
        <summary className="w-fit text-sm text-muted hover:text-ink">
          As it is sent, to the byte: {bytes} bytes
        </summary>
        <div className="pt-2">
          <CodeBlock text={text} label="Copy the payload as it is sent" />
        </div>
      </details>
    </div>
  );
}
