import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { IMPORT_SOURCES, type ImportPlan, type ImportSource, TAKES_FILES } from '@/lib/importing/plan/plan';
import { countOf } from '@/lib/importing/plan/sentences';
import type { ReadRequest, ReadResponse } from './reader/worker';
import { SOURCES } from './sources';

const OPTIONS = IMPORT_SOURCES.map((value) => ({ value, label: SOURCES[value].label }));

type Props = { onRead: (plan: ImportPlan, from: string) => void };

/** Where monitors come from: a file, or a pasted list. It is read here, in the browser. */
export function ChooseFile({ onRead }: Props) {
  const [source, setSource] = useState<ImportSource>('uptime-kuma');
  const { problem, setProblem, isReading, read, cancel } = useSubmittedFile(source, onRead);
  const { file, accept } = SOURCES[source];
  return (
    <form className="flex max-w-2xl flex-col gap-5" onSubmit={read} noValidate>
      <p className="text-muted">
        Choose an export from another product to preview what each monitor will become. The file is read in
        your browser, and nothing is created until you confirm.
      </p>
      <ProblemAlert problem={problem} />
      <SelectField
        name="source"
        label="Source"
        options={OPTIONS}
        value={source}
        onChange={({ target }) => {
          setSource(IMPORT_SOURCES.find((each) => each === target.value) ?? source);
          setProblem(null);
        }}
      />
      <TextField
        key={source}
        name="file"
        label={TAKES_FILES.has(source) ? 'Files' : 'File'}
        type="file"
        multiple={TAKES_FILES.has(source)}
        hint={`${file}.`}
        accept={accept}
        style={{ paddingBlock: '0.4rem' }}
      />
      {source === 'csv' ? (
        <TextArea
          name="list"
          label="Or paste a list"
          rows={6}
          placeholder={'https://shop.example.com/\ndb.example.com:5432\ngateway.example.com'}
          hint="One target per line: a URL, host and port, or a host to ping."
          spellCheck={false}
        />
      ) : null}
      <div className="flex gap-2">
        <SubmitButton tone="primary" size="large" isPending={isReading}>
          {isReading ? 'Reading…' : 'Show monitors'}
        </SubmitButton>
        {isReading ? (
          <Button size="large" onClick={cancel}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** Reads what is submitted. */
function useSubmittedFile(source: ImportSource, onRead: Props['onRead']) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);
  const reading = useRef<AbortController | null>(null);
  useEffect(() => () => reading.current?.abort(), []);

  const read = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const pasted = String(form.get('list') ?? '').trim();
    const chosen = form
      .getAll('file')
      .flatMap((file) => (file instanceof File && file.name !== '' ? file : []));
    if (chosen.length === 0 && pasted === '') {
      return setProblem(source === 'csv' ? 'Choose a file, or paste a list.' : 'Choose a file.');
    }
    const controller = new AbortController();
    reading.current = controller;
    setIsReading(true);
    setProblem(null);
    const blobs = chosen.length > 0 ? chosen : [new Blob([pasted])];
    const files = await Promise.all(blobs.map((blob) => blob.arrayBuffer())).catch(() => null);
    const response =
      files === null
        ? { problem: 'The file has changed or was moved. Choose it again.' }
        : await readInWorker({ source, files }, controller.signal);
    if (controller.signal.aborted) return;
    setIsReading(false);
    if ('plan' in response) onRead(response.plan, formatNames(chosen));
    else setProblem(response.problem);
  };
  const cancel = () => {
    reading.current?.abort();
    setIsReading(false);
  };
  return { problem, setProblem, isReading, read, cancel };
}

function formatNames([file, ...others]: readonly File[]): string {
  if (file === undefined) return 'the pasted list';
  return others.length === 0 ? file.name : `${file.name} and ${countOf(others.length, 'other file')}`;
}

type Outcome = { plan: ImportPlan } | { problem: string };

/** The largest files take seconds. */
const PATIENCE_MS = 60_000;
const FAILED = 'This browser cannot read the file. Import it on the command line instead.';
const TOO_SLOW = 'Reading the file takes longer than a minute. Split it and import the parts.';

/** Reads a file in a worker, which ends when it is done, takes too long, or `signal` is aborted. Never rejects. */
function readInWorker(request: ReadRequest, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const worker = new Worker('/import-reader/worker.js', { type: 'module' });
    const finish = (outcome: Outcome) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish({ problem: TOO_SLOW }), PATIENCE_MS);
    signal.addEventListener('abort', () => finish({ problem: 'Canceled.' }), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<ReadResponse>) =>
      finish('plan' in data ? data : { problem: data.problem ?? FAILED }),
    );
    worker.addEventListener('error', () => finish({ problem: FAILED }));
    worker.postMessage(request, request.files);
  });
}
