import { createRequire } from 'node:module';
import { KNOWN_SERVERS } from '../lsp/known-servers.js';
import { locateServer } from '../lsp/locate-server.js';
import type { ToolRuntime } from '../runtime.js';
import { findRipgreps } from '../tools/ripGrep.js';
import { findProgram } from '../util/find-program.js';

/** A program or a package that something here is done with. */
export interface InstalledPart {
  readonly name: string;
  /** What for, as it goes on behind "for": `searching`. */
  readonly purpose: string;
  /** Absolute paths, the one that is used first; empty: it is not there. Of a package one that says nothing but that. */
  readonly places: readonly string[];
  /** How to get it, or what happens without it. */
  readonly without: string;
}

/** Programs that calls start, packages that calls load. Nothing is started, and no program of the workspace is taken. */
export async function findInstalledParts(config: ToolRuntime): Promise<readonly InstalledPart[]> {
  const search = {
    path: config.getChildEnvironment()['PATH'] ?? '',
    notBelow: config.getWorkspaceContext().getDirectories(),
  };
  const git = findProgram('git', search)?.place;
  return [
    {
      name: 'git',
      purpose: 'what it knows of changes and ignored files',
      places: git === undefined ? [] : [git],
      without: 'Install it with the package manager of your system, or from https://git-scm.com.',
    },
    {
      name: 'ripgrep',
      purpose: 'searching',
      places: await findRipgreps(config),
      without: 'A slower search of Tenon itself is used. It comes with `npm install`; else install ripgrep.',
    },
    ...OPTIONAL_PACKAGES.map(({ name, ...more }) => ({ name, ...more, places: placeOf(name) })),
  ];
}

const OPTIONAL_PACKAGES = [
  {
    name: '@lydell/node-pty',
    purpose: 'commands that want a terminal',
    without: 'Such commands get no terminal. `npm install @lydell/node-pty` where Tenon is installed brings it.',
  },
  {
    name: 'sharp',
    purpose: 'making large images smaller',
    without: 'Large images are refused. `npm install sharp` where Tenon is installed brings it.',
  },
  {
    name: 'unpdf',
    purpose: 'the text of PDFs',
    without: 'PDFs cannot be read. `npm install unpdf` where Tenon is installed brings it.',
  },
] as const;

function placeOf(name: string): readonly string[] {
  try {
    return [createRequire(import.meta.url).resolve(name)];
  } catch {
    return [];
  }
}

/** A language and the servers that are known for it, the one that would be used first. */
export interface LanguageParts {
  readonly language: string;
  /** The servers that are installed, by name, with the program that is started. */
  readonly servers: readonly { readonly name: string; readonly program: string }[];
  /** The command that installs one; undefined where one is there, or none is known. */
  readonly install?: string;
}

/** Which language servers there are. `isTrusted` false: none would be started, and none of the project is looked for. */
export async function findLanguageParts(config: ToolRuntime, isTrusted: boolean): Promise<readonly LanguageParts[]> {
  const root = config.getTargetDir();
  const path = config.getChildEnvironment()['PATH'] ?? '';
  const languages = [...new Set(KNOWN_SERVERS.map(({ language }) => language))];
  return Promise.all(
    languages.map(async (language) => {
      const specs = KNOWN_SERVERS.filter((spec) => spec.language === language);
      const found = await Promise.all(
        specs.map(async (spec) => {
          const located = isTrusted
            ? await locateServer(spec, { root, workspaceRoot: root, path, node: process.execPath })
            : undefined;
          const program =
            located?.argv.at(spec.typescript === 'compiler' ? 1 : 0) ??
            (isTrusted ? undefined : findProgram(spec.command, { path, notBelow: [root] })?.place);
          return program === undefined ? [] : [{ name: spec.name, program }];
        }),
      );
      const servers = found.flat();
      const install = specs.find((spec) => spec.install !== undefined)?.install;
      return { language, servers, ...(servers.length === 0 && install !== undefined && { install }) };
    }),
  );
}
