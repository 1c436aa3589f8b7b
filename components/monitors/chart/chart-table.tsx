'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { ChartData } from './chart-data';
import { formatMs, sayBucket, sayEvents } from './chart-texts';

const CELL = 'px-3 py-1.5 text-left align-top font-normal max-sm:px-1.5';

/** The numbers of the chart as a table, made when somebody asks for it. The newest stand first. */
export function ChartTable({ data, zone }: { data: ChartData; zone: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        tone="bare"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="h-7 self-start px-2 text-xs"
      >
        {isOpen ? 'Hide the table' : 'Show as table'}
      </Button>
      {isOpen ? (
        <div className="rounded-md border border-line max-sm:text-xs">
          <table aria-label="Response times" className="w-full border-collapse tabular-nums">
            <thead className="text-xs text-muted">
              <tr className="border-b border-line">
                <th scope="col" className={CELL}>
                  Time
                </th>
                {data.lines.map(({ key, label }) => (
                  <th key={key} scope="col" className={`${CELL} text-right`}>
                    {label}
                  </th>
                ))}
                <th scope="col" className={CELL}>
                  What happened
                </th>
              </tr>
            </thead>
            <tbody>
              {data.checks.map((_, nth) => {
                const index = data.count - 1 - nth;
                return (
                  <tr key={index} className="border-b border-line last:border-0">
                    <th scope="row" className={`${CELL} sm:whitespace-nowrap`}>
                      {sayBucket(data, index, zone)}
                    </th>
                    {data.lines.map(({ key, values }) => (
                      <td key={key} className={`${CELL} text-right whitespace-nowrap`}>
                        {formatMs(values[index] ?? null)}
                      </td>
                    ))}
                    <td className={`${CELL} text-muted`}>{sayEvents(data, index).join(' · ')}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      ) : null}
    </>
  );
}
