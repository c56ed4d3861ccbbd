import { secondsText } from '../../../../ui/amounts.js';
import type { ExportedCall, SessionEntry } from './session-entries.js';

/** The session as one page that needs nothing else: no script, nothing loaded, every text escaped. Pure. */
export function htmlOf(entries: readonly SessionEntry[], title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${entries.map(entryHtml).join('\n')}
</main>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --soft: #8883; --add: #2da44e33; --del: #f8514933; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem 1rem; }
main { max-width: 60rem; margin: auto; }
pre, code { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .6rem; background: var(--soft); border-radius: 6px; }
section { margin: 1rem 0; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; }
.user { border-left: 3px solid; padding-left: .8rem; }
.note, time { opacity: .7; font-size: .85em; }
.denied, .error, .cancelled { color: #cf222e; }
summary { cursor: pointer; }
.diff span { display: block; min-height: 1.45em; }
.diff .add { background: var(--add); }
.diff .del { background: var(--del); }
.diff .hunk { opacity: .7; }
`;

function entryHtml(entry: SessionEntry): string {
  const time = `<time>${escaped(entry.time)}</time>`;
  switch (entry.kind) {
    case 'start':
      return `<section class="note">${[...entry.lines.map(escaped), time].join('<br>')}</section>`;
    case 'user':
      return `<section class="user">${time}<div class="said">${escaped(entry.text)}</div></section>`;
    case 'model':
      return `<section class="model">${time}${thinkingHtml(entry.thinking)}${saidHtml(entry.text)}</section>`;
    case 'call':
      return callHtml(entry.call);
    case 'note':
      return `<section class="note">${escaped(entry.text)}</section>`;
    default:
      return entry satisfies never;
  }
}

function thinkingHtml(thinking: string): string {
  if (thinking === '') return '';
  return `<details><summary>Thinking</summary><div class="said">${escaped(thinking)}</div></details>`;
}

/** Words as they are; blocks of code between fences stand apart. */
function saidHtml(text: string): string {
  return text
    .split(/^(```[^\n]*\n[\s\S]*?^```[ \t]*$)/m)
    .map((piece, index) => {
      if (index % 2 === 0) return piece.trim() === '' ? '' : `<div class="said">${escaped(piece.trim())}</div>`;
      return `<pre><code>${escaped(piece.replace(/^```[^\n]*\n/, '').replace(/\n?```[ \t]*$/, ''))}</code></pre>`;
    })
    .join('');
}

function callHtml({ tool, title, args, answers, status, durationMs, output, diff }: ExportedCall): string {
  const state = status ?? 'never ended';
  const took = durationMs >= 1000 ? `, ${secondsText(durationMs)}` : '';
  const head = `<b>${escaped(tool)}</b> <code>${escaped(title)}</code> <span class="${escaped(state)}">(${escaped(state)}${took})</span>`;
  const argsText = typeof args === 'string' ? args : JSON.stringify(args, undefined, 2);
  return [
    `<section class="call"><details${diff === '' ? '' : ' open'}><summary>${head}</summary>`,
    ...answers.map((answer) => `<div class="note">asked, and answered: ${escaped(answer)}</div>`),
    `<pre><code>${escaped(argsText)}</code></pre>`,
    ...(diff === '' ? [] : [diffHtml(diff)]),
    ...(output === '' ? [] : [`<pre><code>${escaped(output)}</code></pre>`]),
    '</details></section>',
  ].join('\n');
}

function diffHtml(diff: string): string {
  const lines = diff.trimEnd().split('\n');
  const shown = lines.map((line) => `<span class="${classOf(line)}">${escaped(line)}</span>`);
  return `<pre class="diff"><code>${shown.join('')}</code></pre>`;
}

function classOf(line: string): string {
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+') && !line.startsWith('+++ ')) return 'add';
  return line.startsWith('-') && !line.startsWith('--- ') ? 'del' : 'same';
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
