// What the scripts beside this file share: one run of Tenon where nobody can be asked and not everything that is read can be trusted.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** All that a run is given of the environment: no token of the forge, whatever the workflow says. */
const PASSED = new Set(
  (
    'PATH LANG TZ TMPDIR NODE_EXTRA_CA_CERTS HTTPS_PROXY HTTP_PROXY NO_PROXY https_proxy http_proxy no_proxy ' +
    'OPENAI_BASE_URL OPENAI_API_KEY OPENAI_MODEL ANTHROPIC_BASE_URL ANTHROPIC_API_KEY ANTHROPIC_MODEL GEMINI_API_KEY GEMINI_MODEL'
  ).split(' '),
);

/**
 * Runs `tenon -p PROMPT` in a folder, with a home of its own that goes with the run, so that nothing which lies in the runner's
 * counts. `material` stands below the prompt. What happens on the way goes to stderr.
 * Resolves to the exit code, and the object of `--output-format json` (undefined where the run could not begin).
 */
export async function askTenon({ prompt, material = '', folder, options }) {
  const home = await mkdtemp(path.join(tmpdir(), 'tenon-run-'));
  const given = Object.entries(process.env).filter(([name]) => PASSED.has(name));
  const env = { ...Object.fromEntries(given), HOME: home, TENON_HOME: path.join(home, '.tenon') };
  const args = ['-p', prompt, '--output-format', 'json', '--cwd', folder, ...options];
  try {
    const child = spawn('tenon', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
    child.stdin.on('error', () => undefined).end(material);
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    const result = readResult(stdout);
    for (const { toolName, title } of result?.denials ?? []) console.error(`denied: ${toolName}: ${title}`);
    return { code: code ?? 130, result };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function readResult(text) {
  try {
    const value = JSON.parse(text);
    return value.type === 'result' ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A block that quotes a stranger's words. The mark is new in every run, so that nothing within can end the block. It asks the
 * model to take them for what they are; what the model cannot do is not left to that.
 */
export function quoted(name, text) {
  const mark = crypto.randomUUID();
  return `<${name} ${mark}>\n${text}\n</${name} ${mark}>\n`;
}
