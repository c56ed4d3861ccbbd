import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentOptions } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { createAgent } from './create-agent.js';
import { functionHook, type HookReply } from './hooks/function-hook.js';
import type { FunctionHook, HookEventName } from './hooks/hook-types.js';
import type { ServerDefinition } from './mcp/server-definition.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import type { ApprovalRequest } from './scheduler/approval.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';
import { page, startPageServer } from './testing/page-server.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn, TurnFunction } from './testing/scripted-turn.js';
import { ToolConfirmationOutcome } from './tools/confirmation.js';

/** In pieces, so that no scanner takes this file for a leak. */
const piece = (...parts: readonly string[]): string => parts.join('');
const STRIPE = piece('sk_', 'live_51Hq8ZrT7Wm4Xc9Vb1Nf6Tj3Hg');
const DATABASE = 'f7Kp2xQz9LmV4tRw';
const GITHUB = piece('ghp', '_16C7e42F292c6912E7710c838347Ae178B4a');
const AWS = piece('AKIA', 'QX7ZPLM3NBVC2RT5');
const ALL = [STRIPE, DATABASE, GITHUB, AWS];

let home: string;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent;
let events: AgentEvent[];

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
  workspace = await createTempWorkspace({
    '.env': `# settings\nSTRIPE_KEY=${STRIPE}\nPORT=3000\nDEBUG=true\nURL=postgres://app:${DATABASE}@localhost:5432/app\n`,
    'notes.txt': 'nothing here\n',
  });
  events = [];
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  rmSync(home, { recursive: true, force: true });
});

async function start(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  options: Partial<AgentOptions> = {},
): Promise<void> {
  model = await startScriptedModel(turns);
  agent = await createAgent({
    roots: [workspace.root],
    tenonHome: home,
    userHome: home,
    approvalMode: ApprovalMode.YOLO,
    rules: [],
    environment: { PATH: process.env['PATH'], GITHUB_TOKEN: GITHUB },
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
    ...options,
  });
}

async function prompt(text: string): Promise<readonly AgentEvent[]> {
  const before = events.length;
  for await (const event of agent.prompt(text)) events.push(event);
  return events.slice(before);
}

const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const shell = (command: string): ScriptedTurn => call('run_shell_command', { command });
/** Yolo mode gives secrets to commands that do more than read. */
const shellWithSecrets = (command: string): ScriptedTurn => shell(`node -e ''; ${command}`);
const lastResult = (): string => JSON.stringify(model.requests.at(-1)?.body.messages.at(-1));

function scriptedServer(words: readonly string[]): ServerDefinition {
  const script = fileURLToPath(new URL('../../../integration-tests/mcp/scripted-server.mjs', import.meta.url));
  return {
    alias: 's',
    origin: 'host',
    transport: { kind: 'stdio', command: process.execPath, args: [script, ...words], cwd: workspace.root, env: {} },
    timeoutMs: 20_000,
    startupMs: 20_000,
    trust: false,
    excludeTools: [],
    sampling: false,
    negotiation: 'legacy',
    disabled: false,
  };
}

/** Every way in which a value is looked for. */
function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(4, -6),
  );
  return [value, bytes.toString('hex'), bytes.toString('hex').toUpperCase(), encodeURIComponent(value), ...base64];
}

function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info?.isDirectory() === true) yield* filesBelow(path);
    else if (info?.isFile() === true) yield path;
  }
}

/**
 * What was sent to the model, shown to the person and written to the disk. But for what undo needs, and the words by which a
 * server is started, which are kept as the settings have them so that a change is noticed.
 */
function expectNoLeak(secrets: readonly string[] = ALL): void {
  const sent = model.requests.map(({ bodyText }) => bodyText).join('\n');
  const shown = JSON.stringify(events);
  const files = [...filesBelow(home)].filter((path) => !/\/journal\/(?:blobs|watch)\/|\/mcp\.lock\.json$/.test(path));
  const leaks: string[] = [];
  for (const form of secrets.flatMap(formsOf)) {
    if (sent.includes(form)) leaks.push(`sent: ${form}`);
    if (shown.includes(form)) leaks.push(`shown: ${form}`);
    for (const file of files) if (readFileSync(file).includes(form)) leaks.push(`${file}: ${form}`);
  }
  expect(leaks).toEqual([]);
}

describe('secrets of a session', () => {
  it('are hidden in what files and commands say, in every form, and stand by their names', async () => {
    await start([
      call('read_file', { absolute_path: workspace.path('.env') }),
      shellWithSecrets(
        'cat .env; echo "$GITHUB_TOKEN"; base64 -w 0 .env; echo; base64 -w 20 .env; od -An -tx1 .env | tr -d " \\n"; echo',
      ),
      shellWithSecrets(
        `echo ${AWS} 1>&2; printf '%s' "$GITHUB_TOKEN" | base64; printf '%s' "$GITHUB_TOKEN" | fold -w 12; exit 3`,
      ),
      call('grep_search', { pattern: 'STRIPE|URL', path: workspace.root }),
      { text: 'done' },
    ]);
    await prompt(`Please use ${AWS}`);
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('STRIPE_KEY=__secret:STRIPE_KEY__');
    expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('__secret:GITHUB_TOKEN__');
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('PORT=3000');
    expect(JSON.stringify(model.requests[0]?.body.messages)).toMatch(/Please use __secret:aws-key\.[0-9a-f]{8}__/);
    expectNoLeak();
  });

  it('of the environment are not given to commands that nobody approved', async () => {
    const inOtherForms = [
      'echo "$GITHUB_TOKEN" | rev',
      'echo "${GITHUB_TOKEN:0:7}-"',
      'x=$GITHUB_TOKEN; for i in $(seq 0 9); do printf "%s " "${x:$i:1}"; done',
      'cat <<< "$GITHUB_TOKEN" | tr a-z b-za',
    ];
    await start([...inOtherForms.map(shell), { text: 'done' }], { approvalMode: ApprovalMode.DEFAULT });
    await prompt('Show it');
    const sent = JSON.stringify(model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool'));
    expect(sent).not.toContain('denied');
    for (const form of ['phg', GITHUB.slice(0, 7), GITHUB.replaceAll('_', 'x'), GITHUB.slice(0, 8).split('').join(' ')])
      expect(sent).not.toContain(form);
    expect(sent).toContain('GITHUB_TOKEN was not set, because nobody approved this command');
    expectNoLeak();
  });

  it('are kept for the next approved command when one that nobody approved comes between', async () => {
    const readBack = `node -e 'console.log(process.env.OWN_TOKEN)'`;
    await start([shellWithSecrets('export OWN_TOKEN=$GITHUB_TOKEN'), shell('echo "<$OWN_TOKEN>"'), shell(readBack)], {
      shell: { persistent: true },
    });
    await prompt('Go');
    const results = model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool');
    expect(JSON.stringify(results?.[1])).toContain('<>');
    expect(JSON.stringify(results?.[2])).toContain('__secret:GITHUB_TOKEN__');
  });

  it('stay where they are when their file is edited, and its other lines change as wanted', async () => {
    const path = workspace.path('.env');
    const before = await workspace.read('.env');
    await start(
      [
        call('read_file', { absolute_path: path }),
        call('edit', {
          file_path: path,
          old_string: 'STRIPE_KEY=__secret:STRIPE_KEY__\nPORT=3000',
          new_string: 'STRIPE_KEY=__secret:STRIPE_KEY__\nPORT=4000',
        }),
        call('write_file', {
          file_path: path,
          content: 'URL=postgres://app:__secret:URL__@localhost:5432/app\nSTRIPE_KEY="__secret:STRIPE_KEY__"\n',
        }),
        { text: 'done' },
      ],
      { approvalMode: ApprovalMode.AUTO_EDIT, rules: [{ list: 'allow', text: 'Edit(.env)', origin: 'test' }] },
    );
    await prompt('Change the port');
    expect(events.filter((event) => event.type === 'tool-call-end').map(({ status }) => status)).toEqual([
      'success',
      'success',
      'success',
    ]);
    expect(await workspace.read('.env')).toBe(
      `URL=postgres://app:${DATABASE}@localhost:5432/app\nSTRIPE_KEY="${STRIPE}"\n`,
    );
    expectNoLeak();
    const [point] = await agent.rewindPoints();
    await agent.rewind(point?.id ?? '', { conversation: false, files: true });
    expect(await workspace.read('.env')).toBe(before);
  });

  it('go into another file, and into a command, only under a rule that speaks of them', async () => {
    const copy = { file_path: workspace.path('copy.txt'), content: 'key: __secret:STRIPE_KEY__\n' };
    const print = `node -e 'console.log(process.argv[1].length, process.argv[1].startsWith("sk_"))' '__secret:STRIPE_KEY__'`;
    const turns = [call('write_file', copy), shell(print), { text: 'done' }];
    await start([...turns, ...turns]);
    await prompt('Copy it');
    expect(events.filter((event) => event.type === 'tool-call-end').map(({ status }) => status)).toEqual([
      'denied',
      'denied',
    ]);
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('Secret(STRIPE_KEY)');
    await agent.close();
    await model.close();
    await start(turns, { rules: [{ list: 'allow', text: 'Secret(STRIPE_*)', origin: 'test' }] });
    await prompt('Copy it');
    expect(await workspace.read('copy.txt')).toBe(`key: ${STRIPE}\n`);
    expect(lastResult()).toContain(`${STRIPE.length} true`);
    expectNoLeak();
  });

  it('are put back where the person agrees to this call, who is shown the name and not the value', async () => {
    const asked: ApprovalRequest[] = [];
    await start(
      [shell('test "__secret:STRIPE_KEY__" = "$(sed -n s/^STRIPE_KEY=//p .env)" && echo same'), { text: 'done' }],
      {
        approvalMode: ApprovalMode.DEFAULT,
        approver: async (request) => {
          asked.push(request);
          return { outcome: ToolConfirmationOutcome.ProceedOnce };
        },
      },
    );
    await prompt('Compare');
    expect(lastResult()).toContain('same');
    expect(asked[0]?.effects).toContainEqual({ kind: 'secret', name: 'STRIPE_KEY', into: 'a command' });
    expect(JSON.stringify(asked)).not.toContain(STRIPE);
    expectNoLeak();
  });

  it('are never put back where a rule forbids it, or in plan mode', async () => {
    const turns = [shell('echo __secret:STRIPE_KEY__ | wc -c'), { text: 'done' }];
    await start(turns, {
      rules: [
        { list: 'deny', text: 'Secret(stripe_key)', origin: 'test' },
        { list: 'allow', text: 'Secret', origin: 'test' },
      ],
    });
    await prompt('Count');
    expect(events.find((event) => event.type === 'tool-call-end')?.status).toBe('denied');
    await agent.close();
    await model.close();
    await start(turns, { approvalMode: ApprovalMode.PLAN, rules: [{ list: 'allow', text: 'Secret', origin: 'test' }] });
    const second = await prompt('Count');
    expect(second.find((event) => event.type === 'tool-call-end')?.status).toBe('denied');
  });

  it('do not reach the disk with the output of background jobs, however it is cut', async () => {
    const script = `node -e ''; for i in $(seq 1 20000); do printf '%s' "\${GITHUB_TOKEN:0:17}"; printf '%s line %s\\n' "\${GITHUB_TOKEN:17}" $i; done; printf %s ${STRIPE.slice(0, 9)}; sleep 0.3; echo ${STRIPE.slice(9)}`;
    await start([
      call('run_shell_command', { command: script, is_background: true }),
      shell('sleep 1.2'),
      call('job_output', { id: 'job_1' }),
      shellWithSecrets(`for i in $(seq 1 9000); do echo "$GITHUB_TOKEN $i"; done`),
      { text: 'done' },
    ]);
    await prompt('Run it');
    expectNoLeak([GITHUB, DATABASE, AWS]);
  });

  it('are hidden wherever they come from: pages, servers, hooks, attachments, context files, errors, the person', async () => {
    await workspace.write({
      'AGENTS.md': `Use the key ${AWS}.\n`,
      'data.json': JSON.stringify({ a: STRIPE, b: encodeURIComponent(`p@ss ${DATABASE}`) }),
      'deep/service/.env.local': 'OTHER_TOKEN=Zq8Wn3Xv7Bm2Kc5Rt9\n',
    });
    const other = 'Zq8Wn3Xv7Bm2Kc5Rt9';
    const pages = await startPageServer({ '/': page(`<h1>Keys</h1><pre>${GITHUB} ${AWS}</pre>`) });
    const seen: string[] = [];
    const hook = (event: HookEventName, reply: HookReply): FunctionHook =>
      functionHook({
        event,
        name: event,
        run: (input) => {
          seen.push(JSON.stringify(input));
          return reply;
        },
      });
    try {
      await start(
        [
          call('web_fetch', { url: pages.origin, format: 'text' }),
          call('s__echo', { text: `${AWS} and __secret:GITHUB_TOKEN__` }),
          shell('cat deep/service/.env.local; . deep/service/.env.local; printf %s "$OTHER_TOKEN" > seen.txt'),
          call('read_file', { absolute_path: workspace.path(`no-such-${AWS}.txt`) }),
          call('edit', { file_path: workspace.path('data.json'), old_string: 'not in it', new_string: 'x' }),
          call('read_many_files', { paths: ['**/*'] }),
          call('todo_write', { todos: [{ id: '1', content: `rotate ${AWS}`, status: 'pending' }] }),
          { text: 'done' },
        ],
        {
          web: { allowPrivateHosts: [`localhost:${pages.port}`] },
          hooks: {
            list: [
              hook('UserPromptSubmit', { additionalContext: `remember ${GITHUB}` }),
              hook('PreToolUse', {}),
              hook('PostToolUse', { additionalContext: `also ${AWS}` }),
            ],
            mayAllow: false,
          },
          mcp: { servers: [scriptedServer([`instructions=The key is ${AWS}.`])] },
        },
      );
      const stream = agent.prompt(`Look at @data.json with ${STRIPE}`, undefined, {
        attach: ['data.json'],
        notes: [`a note with ${AWS}`],
        content: [{ text: `more: ${GITHUB}` }],
      });
      for await (const event of stream) {
        events.push(event);
        if (event.type === 'turn-start' && event.turn === 2) agent.steer(`by the way: ${DATABASE}`);
      }
      expect(events.filter((event) => event.type === 'tool-call-end')).toHaveLength(8);
      expect(JSON.stringify(model.requests).includes('is put in its place in edits, commands')).toBe(true);
      expect(ALL.filter((secret) => seen.join('').includes(secret))).toEqual([]);
      expect(seen.length).toBeGreaterThan(10);
      expectNoLeak([...ALL, other]);
    } finally {
      await pages.close();
    }
  });

  it('are in the person\u2019s own version of a file as placeholders, and in the file as they are', async () => {
    const shown: ApprovalRequest[] = [];
    const path = workspace.path('.env');
    await start(
      [
        call('read_file', { absolute_path: path }),
        call('edit', { file_path: path, old_string: 'PORT=3000', new_string: 'PORT=4000' }),
        { text: 'done' },
      ],
      {
        approvalMode: ApprovalMode.DEFAULT,
        approver: async (request) => {
          shown.push(request);
          const { details } = request;
          const newContent = details.type === 'edit' ? details.newContent.replace('4000', '5000') : '';
          return { outcome: ToolConfirmationOutcome.ModifyWithEditor, newContent };
        },
      },
    );
    await prompt('Change the port');
    expect(shown[0]?.details).toMatchObject({
      newContent: expect.stringContaining('STRIPE_KEY=__secret:STRIPE_KEY__') as string,
    });
    expect(await workspace.read('.env')).toContain(`STRIPE_KEY=${STRIPE}\nPORT=5000\n`);
    expectNoLeak();
  });

  it('move between files of one patch only under a rule, and stay in theirs without one', async () => {
    const patch = (second: string): string =>
      `*** Begin Patch\n*** Update File: .env\n@@\n STRIPE_KEY=__secret:STRIPE_KEY__\n-PORT=3000\n+PORT=4000\n*** Add File: ${second}\n+hello __secret:STRIPE_KEY__\n*** End Patch\n`;
    const inPlace = `*** Begin Patch\n*** Update File: .env\n@@\n-STRIPE_KEY=__secret:STRIPE_KEY__\n-PORT=3000\n+STRIPE_KEY='__secret:STRIPE_KEY__'\n+PORT=4000\n*** End Patch\n`;
    await start(
      [
        call('read_file', { absolute_path: workspace.path('.env') }),
        call('apply_patch', { patch: patch('new.txt') }),
        call('apply_patch', { patch: inPlace }),
        { text: 'done' },
      ],
      { rules: [{ list: 'allow', text: 'Edit(.env)', origin: 'test' }] },
    );
    await prompt('Patch it');
    expect(events.flatMap((event) => (event.type === 'tool-call-end' ? [event.status] : []))).toEqual([
      'success',
      'denied',
      'success',
    ]);
    expect(await workspace.read('.env')).toContain(`STRIPE_KEY='${STRIPE}'\nPORT=4000\n`);
    expectNoLeak();
  });

  it('need a rule for another file however a patch is written: without marks, with a name that two files end in, or behind a section that is not known', async () => {
    const held = ['*** Update File: .env', '@@', ' PORT=3000', '+MORE=1'];
    const place = '__secret:STRIPE_KEY__';
    await workspace.write({ 'a/x/.env': `STRIPE_KEY=${STRIPE}\nB=1\n`, 'x/.env': 'A=1\n' });
    const patches = [
      ['*** Begin Patch', '*** Add File: p1.txt', place, '*** End Patch'],
      ['*** Begin Patch', '*** Add File: p2.txt', ` ${place}`, '*** End Patch'],
      ['*** Begin Patch', '*** Add File: p3.txt', `- ${place}`, '*** End Patch'],
      ['*** Begin Patch', ...held, '*** Add File: p4.txt', place, '*** End Patch'],
      [
        '--- a/.env',
        '+++ b/.env',
        '@@ -3 +3,2 @@',
        ' PORT=3000',
        '+M=1',
        '--- /dev/null',
        '+++ b/p5.txt\t2024-01-01',
        '@@ -0,0 +1 @@',
        `+${place}`,
      ],
      [
        '--- a/.env',
        '+++ b/.env',
        '@@ -3 +3,2 @@',
        ' PORT=3000',
        '+M=1',
        '--- /dev/null',
        '+++ b/p6.txt',
        '@@ -0,0 +1,2 @@',
        '+++ b/.env',
        `+${place}`,
      ],
      [
        '*** Begin Patch',
        '*** Update File: a/x/.env',
        '@@',
        '-B=1',
        '+B=2',
        '*** Update File: x/.env',
        '@@',
        '-A=1',
        `+A=${place}`,
        '*** End Patch',
      ],
    ];
    await start([...patches.map((lines) => call('apply_patch', { patch: `${lines.join('\n')}\n` })), { text: 'done' }]);
    const ends = (await prompt('go')).flatMap((event) => (event.type === 'tool-call-end' ? [event.status] : []));
    expect(ends).not.toContain('success');
    for (const name of readdirSync(workspace.root).filter((each) => each.endsWith('.txt')))
      expect(readFileSync(workspace.path(name), 'utf8')).not.toContain(STRIPE);
    expect(readFileSync(workspace.path('x/.env'), 'utf8')).toBe('A=1\n');
  });

  it('are told and written as they are where nothing is to be hidden', async () => {
    await start([call('read_file', { absolute_path: workspace.path('.env') }), { text: 'done' }], {
      secrets: { enabled: false },
    });
    await prompt('Read it');
    expect(lastResult()).toContain(STRIPE);
    expect(JSON.stringify(model.requests[0]?.body.messages[0])).not.toContain('__secret:');
  });
});
