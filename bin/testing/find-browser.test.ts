import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBrowser } from './find-browser.mjs';

describe('the browser of the end-to-end tests', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'browser-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const install = async (name: string) => {
    const path = join(directory, name);
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, 0o755);
    return path;
  };

  it('is CHROMIUM_PATH before any other', async () => {
    const path = await install('my-browser');
    await install('chromium');
    expect(findBrowser({ CHROMIUM_PATH: path, PATH: directory })).toBe(path);
  });

  it('is the headless shell before a whole browser', async () => {
    await install('chromium');
    const shell = await install('chromium-headless-shell');
    expect([shell, chromium.executablePath()]).toContain(findBrowser({ PATH: directory }));
  });

  it('is rejected if CHROMIUM_PATH is not a program', () => {
    const missing = join(directory, 'missing');
    expect(() => findBrowser({ CHROMIUM_PATH: missing, PATH: directory })).toThrow(
      `CHROMIUM_PATH: ${missing}`,
    );
  });
});
