'use client';

import { Activity } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useShortcuts } from '@/components/shell/shortcuts/use-shortcuts';
import { Button } from '@/components/ui/button';
import { callRoute } from '@/components/ui/call-route';
import type { CheckResult, ManualCheck } from '@/lib/schemas/monitor/result';
import type { RequestedCheck } from './check-now-panel';
import { takeCheckRequest, useCheckRequest } from './check-requests';
import { outcomeOf } from './outcomes';
import { withResult } from './runs';

const load = () => import('./check-now-panel').then((module) => module.CheckNowPanel);
const Panel = dynamic(load, { ssr: false });

type Props = {
  id: string;
  /** Milliseconds above which a successful check is slow. */
  degradedThreshold: number;
};

/** Checks a monitor once from each of its regions. A panel shows the results as they arrive; closing it does not stop them. */
export function CheckNow({ id, degradedThreshold }: Props) {
  const buttonId = useId();
  const [isOpen, setOpen] = useState(false);
  const [check, setCheck] = useState<RequestedCheck>({ runs: [], problem: null });
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);

  const start = async () => {
    const { signal } = left.current;
    const path = `/monitors/${id}/check`;
    setOpen(true);
    setCheck({ runs: [], problem: null });
    const requested = await callRoute<ManualCheck>(path, {}, signal);
    if (signal.aborted) return;
    if (!requested.ok) return setCheck({ runs: [], problem: requested.message });
    const { id: own, missing } = requested.value;
    setCheck({ runs: missing.map((region) => ({ region, result: null })), problem: null });
    for (const region of missing) {
      callRoute<CheckResult>(`${path}/result`, { check: own, region }, signal).then((found) => {
        if (signal.aborted) return;
        const result = found.ok ? { ...found, value: toShown(found.value, degradedThreshold) } : found;
        setCheck(({ runs, problem }) => ({ runs: withResult(runs, { region, result }), problem }));
      });
    }
  };
  const requestedOf = useCheckRequest();
  const startIfRequested = useEffectEvent(() => {
    if (takeCheckRequest(id)) void start();
  });
  useEffect(() => {
    if (requestedOf !== null) startIfRequested();
  }, [requestedOf]);
  const toggle = () => (isOpen ? setOpen(false) : void start());
  useShortcuts({ c: { label: 'Check this monitor now', run: toggle } });

  return (
    <span className="relative flex">
      <Button
        id={buttonId}
        icon={<Activity />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={load}
        onFocus={load}
        onClick={toggle}
      >
        Check now
      </Button>
      {isOpen ? <Panel buttonId={buttonId} check={check} onClose={() => setOpen(false)} /> : null}
    </span>
  );
}

function toShown(result: CheckResult, degradedThreshold: number) {
  return { ...result, outcome: outcomeOf(result, degradedThreshold) };
}
