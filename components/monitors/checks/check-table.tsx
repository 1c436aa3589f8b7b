'use client';

import { useState } from 'react';
import type { CheckResult } from '@/lib/schemas/result';
import { CheckRow } from './check-row';

const HEAD = 'px-3 py-2 text-left text-xs font-medium text-muted whitespace-nowrap';

type Props = {
  checks: CheckResult[];
  /** Milliseconds above which a good check is slow. */
  degradedThreshold: number;
  now: string;
};

/** Checks, one a row; each opens to all that is kept of it, and stays open while newer ones come in. */
export function CheckTable({ checks, degradedThreshold, now }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full border-collapse max-sm:block">
        <thead className="border-b border-line max-sm:sr-only">
          <tr>
            <th scope="col" className={`${HEAD} w-32`}>
              Result
            </th>
            <th scope="col" className={`${HEAD} w-28`}>
              Time
            </th>
            <th scope="col" className={`${HEAD} w-32`}>
              Region
            </th>
            <th scope="col" className={`${HEAD} w-24 text-right`}>
              Response
            </th>
            <th scope="col" className={`${HEAD} w-16 text-right`}>
              Code
            </th>
            <th scope="col" className={HEAD}>
              What was wrong
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {checks.map((check) => {
            const key = `${check.checkedAt} ${check.region}`;
            return (
              <CheckRow
                key={key}
                check={check}
                degradedThreshold={degradedThreshold}
                now={now}
                isOpen={open.has(key)}
                toggle={() => toggle(key)}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
