import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watch, type Finished } from './cli-process.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MB = 1024 * 1024;

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

interface Manifest {
  readonly engines: { readonly node: string };
  readonly license: string;
  readonly keywords: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

let folder: string;
/** An empty project each, with one of the packages installed as a stranger would. */
let withProgram: string;
let withLibrary: string;
let packed: ReadonlyMap<string, Packed>;

async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  // The tests' own npm hands its settings on by the environment; a stranger has none.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_(?:package|lifecycle|command)/i.test(name));
  const { stdout } = await promisify(execFile)('npm', [...args], {
    cwd,
    env: Object.fromEntries(own),
    maxBuffer: 16 * MB,
  });
  return stdout;
}

async function installed(name: string): Promise<string> {
  const project = path.join(folder, path.basename(name));
  await mkdir(project);
  await writeFile(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarball = path.join(folder, packed.get(name)?.filename ?? 'none');
  await npm(project, 'install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball);
  return project;
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-packages-')));
  const text = await npm(ROOT, 'pack', '--workspaces', '--ignore-scripts', '--json', '--pack-destination', folder);
  const told = JSON.parse(text) as readonly Packed[] | Readonly<Record<string, Packed>>;
  packed = new Map(Object.values(told).map((one) => [one.name, one]));
  [withProgram, withLibrary] = await Promise.all([installed('@tenon/cli'), installed('@tenon/core')]);
}, 120_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const PACKAGES = [
  { name: '@tenon/cli', entries: ['main.js'], home: () => withProgram, most: 3 * MB, mostUnpacked: 8 * MB },
  {
    name: '@tenon/core',
    entries: ['index.js', 'testing/index.js'],
    home: () => withLibrary,
    most: 3 * MB,
    mostUnpacked: 8 * MB,
  },
] as const;

/** The packages that JavaScript imports, as a bundler reads it. */
async function importedBy(dist: string, entries: readonly string[]): Promise<Set<string>> {
  const { metafile } = await build({
    absWorkingDir: dist,
    entryPoints: [...entries],
    outdir: path.join(dist, 'nowhere'),
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return new Set(imports.filter((one) => one.external === true && !isBuiltin(one.path)).map((one) => nameOf(one.path)));
}

/** Those that declarations import. */
function importedByTypes(text: string): string[] {
  const found = text.matchAll(/(?:^(?:import|export) [^;]*? from |\bimport\()['"]([^.'"][^'"]*)['"]/gm);
  return [...found].flatMap(([, specifier = '']) => (isBuiltin(specifier) ? [] : [nameOf(specifier)]));
}

function nameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

describe.each(PACKAGES)('the package $name', ({ name, entries, home, most, mostUnpacked }) => {
  const inside = (...parts: readonly string[]): string => path.join(home(), 'node_modules', name, ...parts);

  it('has a licence, words of its own and what npm asks for, and no script (S142)', async () => {
    const manifest = JSON.parse(await readFile(inside('package.json'), 'utf8')) as Manifest;
    expect(manifest).toMatchObject({ license: 'Apache-2.0', engines: { node: '>=20.19' } });
    expect(manifest.keywords.length).toBeGreaterThan(4);
    expect(manifest.scripts).toBeUndefined();
    const ranges = Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(ranges.filter((range) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    expect(await readFile(inside('LICENSE'), 'utf8')).toBe(await readFile(path.join(ROOT, 'LICENSE'), 'utf8'));
    const readme = await readFile(inside('README.md'), 'utf8');
    expect(readme).toContain(`npm install ${name === '@tenon/cli' ? '--global ' : ''}${name}`);
    // A link into the repository leads nowhere on a page of npm.
    expect(readme).not.toMatch(/\]\((?!https:)/);
  });

  it('holds no tests, no maps and nothing of the build, and is not large (S142)', () => {
    const own = packed.get(name);
    const paths = (own?.files ?? []).map((file) => file.path);
    expect(paths.length).toBeGreaterThan(100);
    const odd = paths.filter((file) => /\.tsbuildinfo|\.map$|\.new$|^src\/|node_modules/.test(file));
    const tests = paths.filter((file) => /\.test\./.test(file) && !file.startsWith('demo/'));
    expect({ odd, tests }).toEqual({ odd: [], tests: [] });
    expect(own?.size).toBeLessThan(most);
    expect(own?.unpackedSize).toBeLessThan(mostUnpacked);
  });

  it('needs what it brings or names, and names no more (S142)', async () => {
    const manifest = JSON.parse(await readFile(inside('package.json'), 'utf8')) as Manifest;
    const named = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    const files = await readdir(inside('dist'), { recursive: true });
    // Threads are started by the name of their file.
    const threads = files.filter((file) => file.endsWith('-worker.js'));
    const imported = await importedBy(inside('dist'), [...entries, ...threads]);
    let all = '';
    for (const file of files.filter((one) => /\.(?:js|d\.ts)$/.test(one))) {
      const text = await readFile(inside('dist', file), 'utf8');
      if (file.endsWith('.d.ts')) for (const one of importedByTypes(text)) imported.add(one);
      all += text;
    }
    expect(all).not.toContain(ROOT);
    expect([...imported].filter((one) => !named.includes(one))).toEqual([]);
    // Some are looked for by a name that is no import's.
    expect(named.filter((one) => !imported.has(one) && !new RegExp(`["'\`]${one}["'\`]`).test(all))).toEqual([]);
  });
});

it('the program brings the licences of all that is bundled in it (S142)', async () => {
  const file = path.join(withProgram, 'node_modules', '@tenon', 'cli', 'dist', 'third-party-licenses.txt');
  const text = await readFile(file, 'utf8');
  for (const name of ['undici', 'zod', 'yaml', '@modelcontextprotocol/client', '@earendil-works/pi-tui'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  expect(text).not.toContain('no licence named');
});

function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = path.join(folder, 'home');
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TENON_HOME: path.join(home, '.tenon'),
    TMPDIR: folder,
    ...more,
  };
}

function tenon(args: readonly string[], stdin = ''): Promise<Finished> {
  const program = path.join(withProgram, 'node_modules', '.bin', 'tenon');
  return watch(spawn(program, [...args], { cwd: withProgram, env: environment(), stdio: 'pipe' }), stdin).finished;
}

describe('the program, installed from its package', () => {
  it('is without the library, and does what it says: version, a search by ripgrep, the doctor (S142)', async () => {
    expect(await readdir(path.join(withProgram, 'node_modules', '@tenon'))).toEqual(['cli']);
    expect(await tenon(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
    await writeFile(path.join(withProgram, 'notes.txt'), 'the needle\n');
    const found = await tenon(['call', 'grep_search', '{"pattern": "needle", "glob": "*.txt"}']);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('1: the needle') as string });
    const doctor = await tenon(['doctor', '--json']);
    expect(doctor.stdout).toContain(path.join(withProgram, 'node_modules', '@vscode'));
    for (const part of ['ripgrep', '@lydell/node-pty', 'sharp', 'unpdf'])
      expect(doctor.stdout).toMatch(new RegExp(`"name": ?"${part}"`));
    expect(doctor.stdout).not.toContain('where Tenon is installed brings it');
  });

  it('runs its demo, and tools that are files which name the library (S142)', async () => {
    const demo = await tenon(['demo']);
    expect(demo).toMatchObject({ code: 0 });
    const text = `import { defineTool } from '@tenon/core';
export default defineTool({
  name: 'greet',
  description: 'Greets.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  effects: () => [],
  execute: async () => 'hello from a file',
});
`;
    const tools = path.join(folder, 'home', '.tenon', 'tools');
    await mkdir(tools, { recursive: true });
    await writeFile(path.join(tools, 'greet.ts'), text);
    expect(await tenon(['call', 'greet', '{}'])).toMatchObject({ code: 0, stdout: 'hello from a file\n' });
    await rm(tools, { recursive: true });
  });

  it('answers a client of MCP (S142)', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const { code, stdout } = await tenon(['mcp', 'serve'], `${JSON.stringify(request)}\n`);
    expect({ code, answer: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 0,
      answer: { id: 1, result: { serverInfo: { name: 'tenon', version: '0.1.0' } } },
    });
  });
});

const PROGRAM = `import { createModel, openAgent, resolveModelChoice, type AgentEvent } from '@tenon/core';
import { createTempWorkspace, startScriptedModel, type ScriptedTurn } from '@tenon/core/testing';

const turns: ScriptedTurn[] = [{ toolCalls: [{ name: 'read_file', arguments: { absolute_path: '' } }] }, { text: 'read' }];
const workspace = await createTempWorkspace({ 'a.txt': 'one' });
const server = await startScriptedModel(turns);
const choice = resolveModelChoice({ settings: {}, environment: { OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: 'x' } });
if (choice === undefined) throw new Error('no model');
const model = await createModel(choice);
await using agent = await openAgent({ host: process, cwd: workspace.root, model });
const seen: AgentEvent['type'][] = [];
for await (const event of agent.send('Read it')) seen.push(event.type);
const shape: string = seen.includes('tool-call-end') ? 'called' : 'not called';
// @ts-expect-error the types are there: this is none of an event
const wrong: AgentEvent['type'] = 'no-such-event';
console.log(shape, typeof wrong);
await server.close();
await workspace.remove();
`;

describe('the example of a container', () => {
  it('is made of files that there are, by commands that install the program (S142)', async () => {
    const example = path.join(ROOT, 'examples', 'container');
    const lines = (await readFile(path.join(example, 'Dockerfile'), 'utf8')).replaceAll(/\s*\\\n\s*/g, ' ').split('\n');
    const tarball = packed.get('@tenon/cli')?.filename ?? 'none';
    const place = path.join(folder, 'image');
    await mkdir(path.join(place, 'lib'), { recursive: true });
    const copied = lines.flatMap((line) => /^COPY (\S+) (\S+)$/.exec(line)?.slice(1) ?? []);
    expect(copied).toEqual(['tenon-cli-*.tgz', '/tmp/', 'settings.json', '/etc/tenon/settings.json']);
    expect(tarball).toMatch(/^tenon-cli-.*\.tgz$/);
    await copyFile(path.join(folder, tarball), path.join(place, tarball));
    const install = lines.find((line) => line.startsWith('RUN npm install'))?.slice('RUN '.length) ?? 'false';
    const script = install.replaceAll('/tmp/', `${place}/`);
    const env = { ...process.env, npm_config_prefix: place, npm_config_prefer_offline: 'true' };
    await promisify(execFile)('sh', ['-e', '-c', script], { cwd: place, env });
    expect(await readdir(place)).toEqual(['bin', 'lib']);
    const [, entry = 'none'] = /^ENTRYPOINT \["(\w+)"\]$/m.exec(lines.join('\n')) ?? [];
    const started = spawn(path.join(place, 'bin', entry), ['--version'], { env: environment(), stdio: 'pipe' });
    expect(await watch(started, '').finished).toMatchObject({ code: 0, stdout: '0.1.0\n' });
    // Where it is read from is the machine's; here it is the person's own, with the same keys.
    const tenonHome = path.join(folder, 'container-home');
    await mkdir(tenonHome);
    await copyFile(path.join(example, 'settings.json'), path.join(tenonHome, 'settings.json'));
    const config = spawn(path.join(place, 'bin', entry), ['config'], {
      cwd: place,
      env: environment({ TENON_HOME: tenonHome }),
      stdio: 'pipe',
    });
    const shown = await watch(config, '').finished;
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('Bash(git push *)');
    // What an administrator wrote is taken only where nobody else can write.
    expect(lines.join('\n')).toContain('chmod 0644 /etc/tenon/settings.json');
    await promisify(execFile)('npm', ['uninstall', '--global', '@tenon/cli'], { cwd: place, env });
    expect(await readdir(path.join(place, 'bin'))).toEqual([]);
  });
});

it('the program keeps what it keeps in its own folder, and leaves the demo beside it (S142)', async () => {
  expect(await readdir(path.join(folder, 'home'))).toEqual(['.tenon']);
  const mine = ['cli', 'core', 'home', 'image', 'container-home'];
  const left = (await readdir(folder)).filter((entry) => !mine.includes(entry) && !entry.endsWith('.tgz'));
  expect(left).toEqual([expect.stringMatching(/^tenon-demo-/)]);
  const workspace = await readdir(withProgram);
  expect(workspace.toSorted()).toEqual(['node_modules', 'notes.txt', 'package-lock.json', 'package.json']);
});

describe('the library, installed from its package', () => {
  it('has types that hold in a strict project, and runs against a scripted model (S142)', async () => {
    await writeFile(path.join(withLibrary, 'program.ts'), PROGRAM);
    const options = {
      strict: true,
      skipLibCheck: false,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable'],
      types: ['node'],
    };
    await writeFile(
      path.join(withLibrary, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
    );
    await mkdir(path.join(withLibrary, 'node_modules', '@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types'])
      await symlink(path.join(ROOT, 'node_modules', name), path.join(withLibrary, 'node_modules', name)).catch(
        () => undefined,
      );
    const compiler = path.join(ROOT, 'node_modules', 'tsc7', 'bin', 'tsc');
    const compiled = spawn(process.execPath, [compiler, '-p', withLibrary], { stdio: 'pipe' });
    expect(await watch(compiled, '').finished).toEqual({ code: 0, stdout: '', stderr: '' });
    const run = spawn(process.execPath, ['program.js'], { cwd: withLibrary, env: environment(), stdio: 'pipe' });
    expect(await watch(run, '').finished).toEqual({ code: 0, stdout: 'called string\n', stderr: '' });
  });
});
