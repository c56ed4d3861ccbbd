// A language server for tests, that does what WORD says: node misbehaving-server.mjs WORD [FILE]
// fine            answers as it should
// silent          never answers initialize
// dies-at-start   ends before it answers
// dies-once       ends when it is asked the first time in the life of FILE, then answers
// dies            ends whenever it is asked
// never           never answers a question
// floods          writes garbage without end in place of an answer
// wrong-ids       answers with other numbers than it was asked with
// stale           publishes a list of the old text after each change, then the right one
// mute            publishes nothing
// hears           writes to FILE which files it hears of
// watches         wants to hear of files that are made as *.odd and of any change below sub/; FILE gets what it hears of
// loading         says that it loads, and never that it has
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const [word = 'fine', file = ''] = process.argv.slice(2);
const texts = new Map();
let input = Buffer.alloc(0);
let root = '';

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

function publish(uri, version, text) {
  const diagnostics = text.split('\n').flatMap((line, index) => {
    const at = line.indexOf('BAD');
    const range = { start: { line: index, character: at }, end: { line: index, character: at + 3 } };
    return at === -1 ? [] : [{ range, severity: 1, source: 'test', message: line.trim() }];
  });
  send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics, ...(version > 0 && { version }) } });
}

function changed(uri, version, text) {
  const before = texts.get(uri) ?? '';
  texts.set(uri, text);
  if (word === 'mute') return;
  if (word === 'stale') {
    setTimeout(() => publish(uri, 0, before), 20);
    setTimeout(() => publish(uri, 0, text), 600);
  } else publish(uri, version, text);
}

function hover(id) {
  if (word === 'never') return;
  if (word === 'dies') process.exit(3);
  if (word === 'dies-once' && !existsSync(file)) {
    writeFileSync(file, 'once');
    process.exit(3);
  }
  if (word === 'floods') {
    const garbage = 'x'.repeat(1024 * 1024);
    const more = () => process.stdout.write(garbage, () => setImmediate(more));
    more();
    return;
  }
  send({ id: word === 'wrong-ids' ? id + 1000 : id, result: { contents: `asked ${word}` } });
}

function take({ id, method, params }) {
  if (method === 'initialize') {
    root = params.rootUri;
    if (word === 'silent') return;
    if (word === 'dies-at-start') {
      process.stderr.write('cannot find its library\n');
      process.exit(2);
    }
    send({ id, result: { capabilities: { hoverProvider: true, textDocumentSync: 1 } } });
  } else if (method === 'initialized' && word === 'loading') {
    send({ id: 1, method: 'window/workDoneProgress/create', params: { token: 'load' } });
    send({ method: '$/progress', params: { token: 'load', value: { kind: 'begin', title: 'Loading' } } });
  } else if (method === 'initialized' && word === 'watches') {
    const below = { baseUri: `${root}/sub`, pattern: '**/*.{x,y}' };
    const registerOptions = { watchers: [{ globPattern: '**/*.odd', kind: 1 }, { globPattern: below }] };
    const registrations = [{ id: 'w', method: 'workspace/didChangeWatchedFiles', registerOptions }];
    send({ id: 1, method: 'client/registerCapability', params: { registrations } });
  } else if (method === 'workspace/didChangeWatchedFiles' && file !== '' && word !== 'fine') {
    const lines = params.changes.map(({ uri, type }) => `${type} ${uri.slice(root.length + 1)}\n`);
    appendFileSync(file, lines.join(''));
  } else if (method === 'textDocument/hover') hover(id);
  else if (method === 'shutdown') send({ id, result: null });
  else if (method === 'exit') process.exit(0);
  else if (method === 'textDocument/didOpen')
    changed(params.textDocument.uri, params.textDocument.version, params.textDocument.text);
  else if (method === 'textDocument/didChange')
    changed(params.textDocument.uri, params.textDocument.version, params.contentChanges[0].text);
  else if (id !== undefined && method !== undefined) send({ id, error: { code: -32601, message: 'method not found' } });
  if (word === 'fine' && file !== '')
    writeFileSync(file, `${existsSync(file) ? readFileSync(file, 'utf8') : ''}${method}\n`);
}

process.stdin.on('data', (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const end = input.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(input.subarray(0, Math.max(0, end)).toString())?.[1]);
    if (end === -1 || input.length < end + 4 + length) return;
    const body = input.subarray(end + 4, end + 4 + length).toString();
    input = input.subarray(end + 4 + length);
    take(JSON.parse(body));
  }
});
if (word !== 'silent') process.stdin.on('end', () => process.exit(0));
