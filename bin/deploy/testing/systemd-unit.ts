import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** A unit of docs/deploy, and its settings; of those that occur several times, the last one. */
export function readUnit(name: string): { text: string; settings: ReadonlyMap<string, string> } {
  const text = readFileSync(new URL(`../../../docs/deploy/${name}`, import.meta.url), 'utf8');
  const lines = text.matchAll(/^(\w+)=(.*)$/gm);
  return { text, settings: new Map([...lines].map(([, key = '', value = '']) => [key, value])) };
}

/** Runs a command of systemd-analyze on a unit, with a program and a user that every machine has. */
export function analyzeUnit(text: string, ...words: string[]): { status: number | null; stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'pharos-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'pharos.service');
  const local = text
    .replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath}`)
    .replace(/^User=.*$/m, 'User=daemon');
  writeFileSync(path, local);
  const { status, stderr } = spawnSync('systemd-analyze', [...words, path], { encoding: 'utf8' });
  return { status, stderr };
}

/** Whether systemd accepts a unit, and why not. */
export const verifyUnit = (text: string) =>
  analyzeUnit(text, 'verify', '--man=no', '--recursive-errors=no');

/** Whether a unit exposes at most this much, from 0 to 10: 10 is a service without any restrictions. */
export function isExposedAtMost(text: string, exposure: number): boolean {
  const review = ['security', '--offline=true', '--no-pager', `--threshold=${exposure * 10}`];
  return analyzeUnit(text, ...review).status === 0;
}
