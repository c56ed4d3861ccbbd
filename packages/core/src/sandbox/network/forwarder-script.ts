/** What the script is told, as JSON in its last argument. */
export interface ForwarderTask {
  /** Descriptors: from this process, and to it. */
  readonly input: number;
  readonly output: number;
  /** Where the proxy answers inside. */
  readonly proxyPort: number;
  /** Ports of the machine that answer at the same address inside. */
  readonly localPorts: readonly number[];
}

/**
 * Runs in Node inside the sandbox, beside the command: listens on loopback, and carries what is connected to it over two
 * streams in the language of `link-frames.ts`. It judges nothing. When it listens it writes `ready` and closes its output.
 * It goes by a name of its own, so that a command that ends all of Node's processes does not end it, and what is sent to
 * the command's whole group it leaves to the command.
 */
export const FORWARDER_SCRIPT = `
const fs = require('node:fs'), net = require('node:net');
process.title = 'sandbox-network';
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(name, () => {});
process.on('uncaughtException', () => process.exit(1));
const t = JSON.parse(process.argv[process.argv.length - 1]);
const [OPEN, DATA, END, RESET, CREDIT, MOST, FIRST] = [1, 2, 3, 4, 5, 65536, 262144];
const input = new net.Socket({ fd: t.input, readable: true, writable: false });
const output = new net.Socket({ fd: t.output, readable: false, writable: true });
const connections = new Map();
let newest = 0, rest = Buffer.alloc(0);
const send = (kind, id, value, data) => {
  const header = Buffer.alloc(9);
  header.writeUInt8(kind, 0); header.writeUInt32BE(id, 1); header.writeUInt32BE(value, 5);
  output.write(data === undefined ? header : Buffer.concat([header, data]));
};
const accept = (port) => (socket) => {
  const id = newest = newest % 4294967295 + 1;
  const one = { socket, credit: FIRST, used: 0, ended: 0 };
  connections.set(id, one);
  send(OPEN, id, port);
  socket.on('data', (data) => {
    for (let at = 0; at < data.length; at += MOST) {
      const part = data.subarray(at, at + MOST);
      send(DATA, id, part.length, part);
    }
    one.credit -= data.length;
    if (one.credit < MOST) socket.pause();
  });
  socket.on('end', () => { one.ended += 1; send(END, id, 0); });
  socket.on('error', () => {});
  socket.on('close', () => { if (connections.delete(id) && one.ended < 2) send(RESET, id, 0); });
};
const take = (kind, id, value, data) => {
  const one = connections.get(id);
  if (one === undefined) return;
  if (kind === DATA) one.socket.write(data, () => {
    one.used += data.length;
    if (one.used >= MOST / 2 && connections.has(id)) { send(CREDIT, id, one.used); one.used = 0; }
  });
  else if (kind === END) { one.ended += 1; one.socket.end(); }
  else if (kind === RESET) { connections.delete(id); one.socket.destroy(); }
  else if (kind === CREDIT) { one.credit += value; if (one.credit >= MOST) one.socket.resume(); }
};
input.on('data', (chunk) => {
  rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
  while (rest.length >= 9) {
    const kind = rest[0], id = rest.readUInt32BE(1), value = rest.readUInt32BE(5), end = 9 + (kind === DATA ? value : 0);
    if (rest.length < end) break;
    take(kind, id, value, rest.subarray(9, end));
    rest = rest.subarray(end);
  }
});
for (const stream of [input, output]) for (const event of ['end', 'error', 'close']) stream.on(event, () => process.exit(0));
const listen = (host, port, value) => new Promise((resolve, reject) => {
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, accept(value));
  server.on('error', (error) => host === '::1' ? resolve() : reject(error));
  server.listen(port, host, 511, resolve);
});
const all = [[t.proxyPort, 0], ...t.localPorts.map((port) => [port, port])];
Promise.all(all.flatMap(([port, value]) => [listen('127.0.0.1', port, value), listen('::1', port, value)])).then(
  () => { fs.writeSync(1, 'ready'); fs.closeSync(1); },
  () => process.exit(1),
);
`;
