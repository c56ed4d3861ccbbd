import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { bundleChild } from '../bundle-child.js';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** The suite takes `globSync` from node:fs, which Node 20 does not have. None of what is used here calls it. */
const withGlob: Plugin = {
  name: 'fs-with-glob',
  setup: (building) =>
    building.onResolve({ filter: /^(?:node:)?fs$/ }, ({ importer }) =>
      importer === SUITE ? { path: fileURLToPath(new URL('fs-with-glob.mjs', import.meta.url)) } : undefined,
    ),
};

/**
 * The conformance suite for the tests of one file, bundled before them, in a folder of theirs that goes afterwards: as a
 * package it takes three times as long to start, and each scenario starts it. Gives its program.
 */
export function conformanceSuite(): string {
  const base = join(realpathSync(tmpdir()), `tenon-suite-${randomBytes(4).toString('hex')}`);
  const program = join(base, 'dist', 'index.mjs');
  beforeAll(async () => {
    mkdirSync(dirname(program), { recursive: true, mode: 0o700 });
    // It looks for them beside its own folder.
    symlinkSync(join(dirname(SUITE), '..', 'requirements'), join(base, 'requirements'));
    await bundleChild(SUITE, program, [withGlob]);
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  return program;
}

export interface ClientScenario {
  /** Programs. */
  readonly suite: string;
  readonly client: string;
  readonly scenario: string;
  readonly revision: string;
  /** Extensions of the protocol belong to no revision: the suite would skip their scenarios. */
  readonly isExtension?: boolean;
}

/** `passed`, or what the suite said of the client. */
export function runClientScenario(wanted: ClientScenario): Promise<string> {
  const { suite, client, scenario, revision, isExtension = false } = wanted;
  const args = [suite, 'client', '--command', `${process.execPath} ${client}`];
  const which = ['--scenario', scenario, '--spec-version', revision, '--timeout', '40000'];
  const given = [...args, ...which, ...(isExtension ? ['--force'] : [])];
  return new Promise((resolve) => {
    execFile(process.execPath, given, { cwd: dirname(client), timeout: 50_000 }, (error, stdout, stderr) => {
      const text = `${stdout}\n${stderr}`;
      // What it skips ends with 0 as well.
      resolve(error === null && text.includes('OVERALL: PASSED') ? 'passed' : text);
    });
  });
}
