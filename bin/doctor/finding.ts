import type { Paint } from '@/lib/as-code/render';
import { formatCommand } from '@/lib/command-line';
import { describeError } from '@/lib/core/errors';

/** What `pharos doctor` found out about one thing, and what to do unless it is ok. */
export type DoctorFinding =
  | { name: string; status: 'ok'; message: string; remedy: null }
  | { name: string; status: 'warning' | 'wrong'; message: string; remedy: string };

/** An inspection that takes longer has found that something hangs. */
const PATIENCE_MS = 15_000;
const COLORS = { ok: 'green', warning: 'yellow', wrong: 'red' } as const;

export function ok(name: string, message: string): DoctorFinding {
  return { name, status: 'ok', message, remedy: null };
}

/** It works, but not as well as it could. */
export function warning(name: string, message: string, remedy: string): DoctorFinding {
  return { name, status: 'warning', message, remedy };
}

/** It does not work. */
export function wrong(name: string, message: string, remedy: string): DoctorFinding {
  return { name, status: 'wrong', message, remedy };
}

/** The findings of an inspection. One that throws or hangs is a finding itself, so that the others are still shown. */
export async function inspect(
  name: string,
  work: () => Promise<DoctorFinding[]>,
  patienceMs = PATIENCE_MS,
): Promise<DoctorFinding[]> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<DoctorFinding[]>((resolve) => {
    const message = `Could not be inspected within ${patienceMs / 1000} seconds.`;
    const finding = wrong(name, message, 'See whether this machine or its network is overloaded.');
    timer = setTimeout(() => resolve([finding]), patienceMs);
  });
  try {
    return await Promise.race([work(), hung]);
  } catch (error) {
    const message = `Could not be inspected: ${describeError(error)}.`;
    return [wrong(name, message, `Correct the cause, then run ${formatCommand('doctor')} again.`)];
  } finally {
    clearTimeout(timer);
  }
}

/** The worst status of all findings. */
export function worstStatus(findings: readonly DoctorFinding[]): DoctorFinding['status'] {
  const statuses = findings.map(({ status }) => status);
  return (['wrong', 'warning'] as const).find((status) => statuses.includes(status)) ?? 'ok';
}

/** A line for each finding, its remedy below it, and a line with the counts. */
export function formatFindings(findings: readonly DoctorFinding[], paint: Paint): string {
  const width = Math.max(0, ...findings.map(({ name }) => name.length));
  const indent = ' '.repeat('warning'.length + width + 4);
  const lines = findings.flatMap(({ name, status, message, remedy }) => {
    const mark = paint(COLORS[status], status.padEnd('warning'.length));
    return [
      `${mark}  ${name.padEnd(width)}  ${message}`,
      ...(remedy === null ? [] : [`${indent}→ ${remedy}`]),
    ];
  });
  const count = (status: DoctorFinding['status']) => findings.filter((one) => one.status === status).length;
  const warnings = count('warning') === 1 ? '1 warning' : `${count('warning')} warnings`;
  return [...lines, '', `${count('ok')} ok, ${warnings}, ${count('wrong')} wrong`].join('\n');
}
