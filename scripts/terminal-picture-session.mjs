// Draws docs/pictures/terminal-*.svg from real sessions in a terminal: the built program in tmux, over a scripted model.
// `node scripts/terminal-picture-session.mjs [NAME…]`; needs tmux.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '../packages/core/dist/testing/index.js';
import { drawTerminal } from './terminal-picture-draw.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAIN = path.join(root, 'packages', 'cli', 'dist', 'main.js');
const MODEL = 'qwen3-coder';
const WAIT_MS = 20_000;
const READY = /^› ?$/m;
/** Longer than a question must be seen before keys answer it. */
const SEEN_MS = 600;

const CART = `import { euros } from './money.js';

/** What a cart costs, in cents. */
export function total(cart) {
  let sum = 0;
  for (const item of cart.items) {
    sum += item.price;
  }
  return sum;
}

export const label = (cart) => \`Total: \${euros(total(cart))}\`;
`;
const FILES = {
  'src/cart.js': CART,
  'src/cart.test.js': "import { total } from './cart.js';\n",
  'src/money.js': 'export const euros = (cents) => `${(cents / 100).toFixed(2)} €`;\n',
  'src/checkout/pay.js': 'export {};\n',
  'src/checkout/receipt.js': 'export {};\n',
  'docs/cart.md': '# The cart\n',
  'package.json': '{ "name": "shop", "type": "module" }\n',
  'README.md': '# Shop\n',
};

const ANSWER = `## Why the total is wrong

\`total()\` adds the price of each item **once** and never looks at \`quantity\`:

\`\`\`js
for (const item of cart.items) {
  sum += item.price; // 3 apples cost as much as one
}
\`\`\`

| cart         | it says | it should say |
| ------------ | ------: | ------------: |
| 1 apple      |  0.50 € |        0.50 € |
| 3 apples     |  0.50 € |        1.50 € |
| 2 りんご 🍎  |  0.80 € |        1.60 € |

1. Multiply by \`item.quantity\`.
2. Add a test with *more than one* of an item.
`;

const reads = { name: 'read_file', path: 'absolute_path', arguments: { absolute_path: 'src/cart.js' } };
const edits = {
  name: 'edit',
  path: 'file_path',
  arguments: {
    file_path: 'src/cart.js',
    old_string: '    sum += item.price;',
    new_string: '    // Old carts have no quantity.\n    sum += item.price * (item.quantity ?? 1);',
  },
};
const absolute = ({ name, path: parameter, arguments: given }, folder) => ({
  name,
  arguments: { ...given, [parameter]: path.join(folder, given[parameter]) },
});
/** A turn whose calls name files of the workspace. */
const calling =
  (text, ...calls) =>
  (folder) => ({ text, toolCalls: calls.map((call) => absolute(call, folder)) });
const saying = (text) => () => ({ text });

const ASKED = 'Why is the total of a cart wrong?';
const FIXED = 'Fixed: the total counts how many there are of each item.';

/** By name: what the model says, and what the person does until the picture is taken. */
const SCENES = {
  approval: {
    title: 'A question before a file is changed',
    turns: [calling('I look at the code first.', reads), calling('The quantity is missing.', edits)],
    async play(terminal) {
      await terminal.say('Fix the total of the cart');
      await terminal.waitFor('no (default)');
      await sleep(SEEN_MS);
    },
  },
  answer: {
    title: 'An answer with code and a table',
    turns: [calling('', reads), saying(ANSWER)],
    async play(terminal) {
      await terminal.say(ASKED);
      await terminal.waitFor('more than one');
      await terminal.waitFor(READY);
    },
  },
  completion: {
    title: 'Files that @ completes',
    turns: [],
    rows: 14,
    async play(terminal) {
      await terminal.type('Explain @cart');
      await terminal.waitFor('cart.test.js');
      await sleep(SEEN_MS);
    },
  },
  context: {
    title: 'What fills the window of the model',
    turns: [calling('', reads), saying(ANSWER)],
    rows: 44,
    begins: '› /context',
    async play(terminal) {
      await terminal.say(ASKED);
      await terminal.waitFor('more than one');
      await terminal.waitFor(READY);
      await terminal.say('/context');
      await terminal.waitFor(/window/i);
      await sleep(SEEN_MS);
    },
  },
  rewind: {
    title: 'Going back to before a message',
    turns: [
      saying('The code is in `src/cart.js`.'),
      calling('', reads),
      calling('', edits),
      saying(FIXED),
      saying('There is one test file.'),
    ],
    args: ['--approval-mode', 'auto_edit'],
    rows: 30,
    async play(terminal) {
      for (const [said, answered] of [
        ['Where is the total made?', 'The code is in'],
        ['Fix the total of the cart', 'Fixed: the total'],
        ['Which tests are there?', 'There is one test file.'],
      ]) {
        await terminal.say(said);
        await terminal.waitFor(answered);
        await terminal.waitFor(READY);
      }
      await terminal.press('Escape');
      await sleep(200);
      await terminal.press('Escape');
      await terminal.waitFor('Go back to before which message?');
      await sleep(SEEN_MS);
      await terminal.press('Down');
      await sleep(SEEN_MS);
    },
  },
  light: {
    title: 'A session in the light theme',
    turns: [
      calling('I look at the code first.', reads),
      calling('The quantity is missing.', edits),
      saying(`${FIXED} A cart of 3 apples costs **1.50 €** now.`),
    ],
    args: ['--theme', 'light', '--approval-mode', 'auto_edit'],
    isLight: true,
    async play(terminal) {
      await terminal.say('Fix the total of the cart');
      await terminal.waitFor('costs');
      await terminal.waitFor(READY);
    },
  },
};

function openTerminal({ cwd, env, args, columns, rows }) {
  const socket = `tenon-picture-${process.pid}`;
  const tmux = (...words) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const options = [
    ['-s', 'default-terminal', 'tmux-256color'],
    ['-s', 'escape-time', '0'],
    ['-g', 'remain-on-exit', 'on'],
  ].flatMap((words) => ['set-option', ...words, ';']);
  const size = ['-x', String(columns), '-y', String(rows)];
  const program = [process.execPath, MAIN, ...args];
  tmux(
    'start-server',
    ';',
    ...options,
    'new-session',
    '-d',
    '-s',
    'main',
    ...size,
    ...variables,
    '-c',
    cwd,
    ...program,
  );
  const send = (...words) => void tmux('send-keys', '-t', 'main', ...words);
  const screen = () => tmux('capture-pane', '-p', '-t', 'main');
  const terminal = {
    press: async (...keys) => send(...keys),
    type: async (text) => send('-l', text),
    async say(text) {
      send('-l', text);
      send('Enter');
    },
    async waitFor(wanted) {
      const end = performance.now() + WAIT_MS;
      for (;;) {
        const lines = screen().replaceAll(/ +$/gm, '');
        if (typeof wanted === 'string' ? lines.includes(wanted) : wanted.test(lines)) return;
        if (performance.now() > end) throw new Error(`${String(wanted)} did not come. The screen:\n${lines}`);
        await sleep(50);
      }
    },
    /** With colours; the rows below the last one that shows something are left out. */
    lines() {
      const lines = tmux('capture-pane', '-p', '-e', '-t', 'main').replaceAll(env.HOME, '/home/me').split('\n');
      while (lines.length > 0 && lines.at(-1).replaceAll(/\x1b\[[\d;:]*m|\s/g, '') === '') lines.pop();
      return lines;
    },
    cursor() {
      const [isShown, column, row] = tmux(
        'display-message',
        '-p',
        '-t',
        'main',
        '#{cursor_flag} #{cursor_x} #{cursor_y}',
      )
        .trim()
        .split(' ')
        .map(Number);
      return isShown === 1 ? { column, row } : undefined;
    },
    close: () => void tmux('kill-server'),
  };
  return terminal;
}

async function draw(name) {
  const { title, turns, play, args = [], columns = 96, rows = 40, isLight, begins } = SCENES[name];
  const home = mkdtempSync(path.join(tmpdir(), 'tenon-picture-'));
  const workspace = path.join(home, 'shop');
  for (const [file, content] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(workspace, file)), { recursive: true });
    writeFileSync(path.join(workspace, file), content);
  }
  const model = await startScriptedModel(
    turns.map((turn) => turn(workspace)),
    { model: MODEL },
  );
  const env = {
    HOME: home,
    TENON_HOME: path.join(home, '.tenon'),
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'none',
    OPENAI_MODEL: MODEL,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    COLORTERM: 'truecolor',
  };
  const terminal = openTerminal({ cwd: workspace, env, args, columns, rows });
  try {
    await terminal.waitFor(READY);
    await sleep(SEEN_MS);
    await play(terminal);
    const all = terminal.lines();
    const cursor = terminal.cursor();
    const plain = all.map((line) => line.replaceAll(/\x1b\[[\d;:]*m/g, ''));
    const from = begins === undefined ? 0 : plain.findIndex((line) => line.includes(begins));
    const svg = drawTerminal({
      title,
      lines: all.slice(from),
      columns,
      isLight,
      cursor: cursor && { ...cursor, row: cursor.row - from },
    });
    writeFileSync(path.join(root, 'docs', 'pictures', `terminal-${name}.svg`), svg);
    console.log(`terminal-${name}.svg: ${all.length - from} rows, ${svg.length} characters`);
  } finally {
    terminal.close();
    await model.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const names = process.argv.slice(2);
for (const name of names.length === 0 ? Object.keys(SCENES) : names) await draw(name);
