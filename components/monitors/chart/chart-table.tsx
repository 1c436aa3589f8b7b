'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { DataTable } from '@/components/ui/data-table';
import { formatMs } from '../format-numbers';
import type { ChartData } from './chart-data';
import { formatBucket, formatEvents } from './chart-texts';

const CELL = 'px-3 py-1.5 text-left align-top font-normal max-sm:px-1.5';

/** The chart as a table, newest first, rendered on request. */
export function ChartTable({ data, zone }: { data: ChartData; zone: string }) {
  const [isOpen, setOpen] = useState(false);
  const columns = [
    { label: 'Time', className: 'max-sm:px-1.5' },
    ...data.lines.map(({ label }) => ({ label, className: 'text-right max-sm:px-1.5' })),
    { label: 'Events', className: 'max-sm:px-1.5' },
  ];
  return (
    <>
      <Button
        tone="bare"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        size="small"
        className="self-start"
      >
        {isOpen ? 'Hide table' : 'Show as table'}
      </Button>
      {isOpen ? (
        <DataTable
          label="Response times"
          columns={columns}
          fitsContent
          className="tabular-nums max-sm:text-xs"
        >
          {data.checks.map((_, nth) => {
            const index = data.count - 1 - nth;
            return (
              <tr key={index} className="border-b border-line last:border-0">
                <th scope="row" className={`${CELL} sm:whitespace-nowrap`}>
                  {formatBucket(data, index, zone)}
                </th>
                {data.lines.map(({ key, values }) => (
                  <td key={key} className={`${CELL} text-right whitespace-nowrap`}>
                    {formatMs(values[index] ?? null)}
                  </td>
                ))}
                <td className={`${CELL} text-muted`}>{formatEvents(data, index).join(' · ')}</td>
              </tr>
            );
          })}
        </DataTable>
      ) : null}
    </>
  );
}
